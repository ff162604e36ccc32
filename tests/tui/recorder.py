"""A stage that keeps what a screen command does."""

from __future__ import annotations

from dataclasses import dataclass, field

from agent_tui.tui.commands.stage import Stage, find_command


@dataclass
class Recorder(Stage):
    """Keeps what commands do."""

    done: list[str] = field(default_factory=list[str])
    theme: str = "dark"
    vim: bool = False
    said: tuple[str, ...] = ("first answer", "second\nanswer")

    def show_help(self) -> None:
        self.done.append("help")

    def show_sessions(self) -> None:
        self.done.append("sessions")

    def show_tasks(self) -> None:
        self.done.append("tasks")

    def show_memory(self) -> None:
        self.done.append("memory")

    def toggle_vim(self) -> bool:
        self.vim = not self.vim
        return self.vim

    def show_permissions(self) -> None:
        self.done.append("permissions")

    def show_context(self) -> None:
        self.done.append("context")

    def show_cost(self) -> None:
        self.done.append("cost")

    def show_review(self) -> None:
        self.done.append("review")

    def show_rewind(self) -> None:
        self.done.append("rewind")

    def stop_task(self, task_id: str) -> None:
        self.done.append(f"stop {task_id}")

    def resume(self, session_id: str) -> None:
        self.done.append(f"resume {session_id}")

    def theme_names(self) -> tuple[str, ...]:
        return ("dark", "light")

    def keep_theme(self, name: str) -> None:
        self.theme = name

    def fork(self, title: str = "") -> None:
        self.done.append(f"fork {title}".strip())

    def show_themes(self) -> None:
        self.done.append("themes")

    def show_config(self) -> None:
        self.done.append("config")

    def show_models(self) -> None:
        self.done.append("models")

    def show_servers(self) -> None:
        self.done.append("servers")

    def ask_aside(self, question: str) -> None:
        self.done.append(f"aside {question}")

    def answers(self) -> tuple[str, ...]:
        return self.said

    def copy(self, text: str) -> None:
        self.done.append(f"copy {text}")

    def say(self, text: str, *, error: bool = False) -> None:
        self.done.append(f"{'error' if error else 'say'} {text}")

    def leave(self) -> None:
        self.done.append("leave")


def run(text: str) -> Recorder:
    """Run a prompt that is a screen command."""
    stage = Recorder()
    found = find_command(text)
    assert found is not None
    command, argument = found
    command.runner.run(stage, argument)
    return stage
