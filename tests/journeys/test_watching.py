"""A second window watches a session: it sees everything, can send nothing, and never holds anything up."""

from __future__ import annotations

import os
import re
import signal
import stat
from pathlib import Path

from tests.fakes.api_server import reply, stall, text, tool
from tests.journeys.program import Program
from tests.journeys.terminal import Terminal
from tests.journeys.test_kills import engine_of, wait_gone


def sockets(program: Program) -> list[Path]:
    return sorted(Path(program.variables["XDG_RUNTIME_DIR"]).glob("agent-tui-*/*.sock"))


def say(terminal: Terminal, prompt: str, *answers: str) -> None:
    terminal.type(prompt)
    terminal.key("enter")
    terminal.wait_for(*answers)


def test_a_session_is_watched_from_its_past_on(program: Program) -> None:
    program.api.enqueue("First answer.", "Second answer.")
    with program.screen() as screen:
        screen.wait_for("default")
        say(screen, "one", "First answer.", "1 turn")
        [path] = sockets(program)
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
        with program.screen("--watch") as watcher:
            watcher.wait_for("› one", "First answer.", "watching, read-only")
            say(screen, "two", "Second answer.")
            watcher.wait_for("› two", "Second answer.")
            # nothing that is typed gets anywhere, and nothing of it is kept
            asked = len(program.api.messages)
            watcher.type("let me in")
            watcher.key("enter")
            watcher.wait_for("watching only: nothing is sent")
            watcher.key("shift+tab")
            watcher.pump(0.5)
            assert len(program.api.messages) == asked
            assert "plan" not in screen.text
            assert "let me in" not in screen.text
            watcher.key("ctrl+c")
            watcher.type("/exit")
            watcher.key("enter")
            assert watcher.wait_exit() == 0
            assert b"--resume" not in watcher.raw
        say(screen, "/exit")
        assert screen.wait_exit() == 0
    assert sockets(program) == []
    history = (program.home / ".agent-tui" / "history.jsonl").read_text()
    assert "let me in" not in history
    drafts = program.home / ".agent-tui" / "drafts"
    assert not any("let me in" in path.read_text() for path in drafts.glob("*"))
    program.api.check()


def test_a_late_one_sees_the_answer_that_is_being_written_and_the_question_that_waits(
    program: Program,
) -> None:
    program.api.enqueue(
        reply("The beginning of it. " + "word " * 40, fault=stall(block=0, chars=120))
    )
    with program.screen() as screen:
        screen.wait_for("default")
        say(screen, "one", "The beginning of it.")
        with program.screen("--watch") as watcher:
            watcher.wait_for("› one", "The beginning of it.", "Working")
            screen.key("esc")
            watcher.wait_for("Stopped by you")
            assert watcher.text.count("The beginning of it.") == 1
            program.api.enqueue(reply(tool("Bash", command="echo hi > out.txt")), "It is written.")
            say(screen, "two", "Run this command?")
            watcher.wait_for("echo hi > out.txt", "waiting for you")
            assert "Run this command?" not in watcher.text
            watcher.key("y")
            watcher.pump(1.0)
            assert not (program.project / "out.txt").exists()
            screen.key("y")
            watcher.wait_for("It is written.")


def test_it_is_found_again_when_its_engine_was_killed_and_when_another_window_goes_on(
    program: Program,
) -> None:
    program.api.enqueue("First answer.", "Second answer.", "Third answer.")
    with program.screen() as screen:
        screen.wait_for("default")
        say(screen, "one", "First answer.", "1 turn")
        with program.screen("--watch") as watcher:
            watcher.wait_for("First answer.")
            os.kill(engine_of(screen), signal.SIGKILL)
            screen.wait_for("The engine stopped")
            watcher.wait_for("watching again")
            say(screen, "two", "Second answer.", "1 turn")
            watcher.wait_for("› two", "Second answer.")
            assert watcher.text.count("First answer.") == 1
            screen.kill()
            watcher.wait_for("The session has ended")
            with program.screen("--continue") as other:
                other.wait_for("Second answer.")
                watcher.wait_for("watching again")
                say(other, "three", "Third answer.")
                watcher.wait_for("› three", "Third answer.")
                assert watcher.text.count("Second answer.") == 1
    program.api.check()


def test_one_is_chosen_by_id_and_what_is_not_there_is_told(program: Program) -> None:
    with program.screen("--watch") as watcher:
        assert watcher.wait_exit() == 1
        assert b"no session is running in this folder; there is nothing to watch" in watcher.raw
    program.api.enqueue("Answer.")
    with program.screen() as screen:
        screen.wait_for("default")
        say(screen, "one", "Answer.", "1 turn")
        session = program.journals()[-1].stem
        with program.screen("--watch", session[:8]) as watcher:
            watcher.wait_for("Answer.")
        with program.screen("--watch", "nonesuch") as watcher:
            assert watcher.wait_exit() == 1
            told = re.sub(r"\s+", " ", watcher.raw.decode())
            assert "no session 'nonesuch' is running. Running are:" in told
            assert session in told


def test_a_watcher_that_stands_still_holds_nothing_up(program: Program) -> None:
    program.api.enqueue(*(reply(text(f"part {n} " + "word " * 30 + "\n\n" * 2)) for n in range(3)))
    with program.screen() as screen:
        screen.wait_for("default")
        wait_gone(lambda: not sockets(program), seconds=20)
        with program.screen("--watch") as watcher:
            watcher.wait_for("watching, read-only", "default")
            watcher.kill(signal.SIGSTOP)
            for number in range(3):
                say(screen, f"prompt {number}", "1 turn")
                screen.pump(0.3)
            watcher.kill(signal.SIGCONT)
            watcher.wait_for("› prompt 2")
    program.api.check()


def test_a_socket_left_by_a_killed_engine_is_cleared_away(program: Program) -> None:
    program.api.enqueue("Answer.")
    with program.screen() as screen:
        screen.wait_for("default")
        say(screen, "one", "Answer.", "1 turn")
        engine = engine_of(screen)
        screen.kill()
        os.kill(engine, signal.SIGKILL)
    wait_gone(lambda: Path(f"/proc/{engine}/exe").exists())
    if not sockets(program):  # it was quicker than the kill
        return
    with program.screen("--watch") as watcher:
        assert watcher.wait_exit() == 1
    assert sockets(program) == []
