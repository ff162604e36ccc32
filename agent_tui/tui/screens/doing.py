"""What commands and keys do beyond the main screen: other screens, the theme, the clipboard, the shell."""

from __future__ import annotations

import asyncio
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, cast

from agent_tui.protocol import ops
from agent_tui.tui.commands.stage import Stage
from agent_tui.tui.own_editor import EditorError, edit_file, edit_text
from agent_tui.tui.panes.field import Field
from agent_tui.tui.screens import acting
from agent_tui.tui.screens.going_back import GoingBack
from agent_tui.tui.screens.visits import Visits
from agent_tui.view.blocks import AnswerBlock
from agent_tui.view.clean import clean

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from agent_tui.settings.options import Options
    from agent_tui.tui.screens.main import MainScreen


class House(Protocol):
    """The app, as far as the main screen needs it."""

    def open_session(self, options: Options) -> None:
        """Go on with another session, in an engine of its own."""
        ...

    def leave(self, code: int = 0) -> None:
        """End the program with this exit code."""
        ...

    def redraw_all(self) -> None:
        """Draw every cell again."""
        ...

    def copy_to_clipboard(self, text: str) -> None:
        """Put a text into the clipboard."""
        ...

    def action_suspend_process(self) -> None:
        """Stop, as a shell's job."""
        ...

    def suspend(self) -> AbstractContextManager[None]:
        """Give the terminal away for a while."""
        ...


class Doing(Stage):
    """``Stage`` for one main screen."""

    def __init__(self, screen: MainScreen) -> None:
        self._screen = screen
        self.going_back = GoingBack(screen)
        self.visits = Visits(screen)

    @property
    def _house(self) -> House:
        return cast("House", self._screen.app)  # pyright: ignore[reportUnknownMemberType]

    def show_help(self) -> None:
        """Open the help screen."""
        self.visits.help()

    def show_config(self) -> None:
        """Open the settings screen."""
        self.visits.config()

    def show_models(self) -> None:
        """Open the list of models."""
        self.visits.models()

    def show_servers(self) -> None:
        """Open the list of MCP servers."""
        self.visits.servers()

    def show_themes(self) -> None:
        """Open the list of themes."""
        self.visits.themes()

    def ask_aside(self, question: str) -> None:
        """Ask a side question."""
        self.visits.aside(question)

    def show_tasks(self) -> None:
        """Open the tasks screen."""
        from agent_tui.tui.screens.tasks import TasksScreen  # door: the tasks

        screen = self._screen
        tasks = TasksScreen(screen.backstage.look, screen.times.tasks, self._stop)
        screen.app.push_screen(tasks)  # pyright: ignore[reportUnknownMemberType]

    def show_permissions(self) -> None:
        """Open the permissions screen."""
        from agent_tui.tui.screens.permissions import PermissionsScreen  # door: the permissions

        screen = self._screen
        permissions = PermissionsScreen(screen.backstage.look, screen.link)
        screen.app.push_screen(permissions)  # pyright: ignore[reportUnknownMemberType]

    def show_context(self) -> None:
        """Open the context screen."""
        acting.show_context(self._screen)

    def show_cost(self) -> None:
        """Open the cost screen."""
        acting.show_cost(self._screen)

    def show_review(self) -> None:
        """Open the review screen."""
        self.going_back.show_review()

    def show_rewind(self) -> None:
        """Open the rewind screen."""
        self.going_back.show_rewind()

    def stop_task(self, task_id: str) -> None:
        """End what runs in the background under this id, or begins with it."""
        running = [work.id for work in self._screen.pump.status.works if not work.over]
        meant = [one for one in running if task_id and one.startswith(task_id)]
        if len(meant) == 1:
            self._stop(meant[0])
        elif not running:
            self.say("Nothing runs in the background.", error=True)
        else:
            which = "is meant by more than one" if meant else "runs under no such id"
            said = f"{task_id!r} {which}" if task_id else "Stop which one"
            self.say(f"{said}; there are {', '.join(running)}.", error=True)

    def _stop(self, task_id: str) -> None:
        self._screen.link.send(ops.StopTask(task_id))

    def start_again(self) -> None:
        """Start an engine that was given up anew; it goes on with this session by its journal."""
        from agent_tui.tui.screens.sessions import resuming  # door: the picker

        screen = self._screen
        session = screen.pump.status.session
        options = screen.options
        if session is not None and screen.begun:
            options = resuming(options, session.session_id)
        screen.save_draft()
        self._house.open_session(options)

    def show_sessions(self) -> None:
        """Open the session picker."""
        self.visits.sessions()

    def fork(self, title: str = "") -> None:
        """Go on in a copy of this session."""
        session = self._screen.pump.status.session
        if session is None or not self._screen.begun:
            self.say("Nothing was said yet, so there is nothing to copy.", error=True)
        else:
            self.resume(session.session_id, fork=True, title=title)

    def resume(
        self, session_id: str, cwd: str = "", *, fork: bool = False, title: str = ""
    ) -> None:
        """Go on with another session, or in a copy of one."""
        session = self._screen.pump.status.session
        if session is not None and session.session_id == session_id and not fork:
            self.say("This is that session.")
            return
        from agent_tui.tui.screens.sessions import resuming  # door: the picker

        self._screen.save_draft()
        options = resuming(self._screen.options, session_id, cwd, fork=fork, title=title)
        self._house.open_session(options)

    def theme_names(self) -> tuple[str, ...]:
        """Name the themes there are."""
        return tuple(sorted(self._screen.backstage.look.themes))

    def keep_theme(self, name: str) -> None:
        """Use a theme that there is, or ``auto``, from now on."""
        self.visits.keep_theme(name)

    def answers(self) -> tuple[str, ...]:
        """Give the model's answers, oldest first."""
        blocks = self._screen.pump.transcript.blocks
        return tuple(b.text for b in blocks if isinstance(b, AnswerBlock) and not b.open)

    def copy(self, text: str) -> None:
        """Put a text into the clipboard, without codes that would drive a terminal it is pasted into."""
        self._house.copy_to_clipboard(clean(text))

    def say(self, text: str, *, error: bool = False) -> None:
        """Show a line in the conversation."""
        self._screen.pump.say(text, level="error" if error else "info")

    def leave(self) -> None:
        """End the program."""
        self._house.leave()

    def suspend(self) -> None:
        """Stop, as a shell's job; ``fg`` goes on."""
        self._screen.save_draft()
        self._house.action_suspend_process()

    def redraw(self) -> None:
        """Draw every cell again."""
        self._house.redraw_all()

    def edit_outside(self, field: Field) -> None:
        """Open a field's text in the person's editor (``VISUAL``, ``EDITOR``, else vi)."""
        edit = partial(self._edit_outside, field)
        self._screen.run_worker(edit, group="editor", exclusive=True)

    async def _edit_outside(self, field: Field) -> None:
        pictures = field.editor.pictures()
        try:
            text = await edit_text(self._house, self._screen.backstage.env, field.value)
        except EditorError as error:
            self.say(f"{error} The text is unchanged.", error=True)
            return
        field.set_value(text)
        field.editor.put_back_pictures(pictures)
        field.changed()

    def show_memory(self) -> None:
        """Open the memory screen."""
        from agent_tui.tui.screens.memory import MemoryScreen  # door: the memory files

        screen = self._screen
        memory = MemoryScreen(screen.backstage.look, screen.link, self._edit_file)
        screen.app.push_screen(memory)  # pyright: ignore[reportUnknownMemberType]

    async def _edit_file(self, path: str) -> bool:
        try:
            await asyncio.to_thread(Path(path).parent.mkdir, parents=True, exist_ok=True)
            await edit_file(self._house, self._screen.backstage.env, Path(path))
        except (EditorError, OSError) as error:
            self.say(str(error), error=True)
            return False
        return True

    def toggle_vim(self) -> bool:
        """Edit the prompt as in Vim, or no longer."""
        habits = self._screen.backstage.look.habits
        habits.vim = not habits.vim
        self._screen.prompt.redraw()
        self._screen.update_rule()
        return habits.vim
