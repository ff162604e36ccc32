"""``--line`` with the real program in a terminal, a dumb one too: nothing is drawn over, everything is said in order."""

from __future__ import annotations

import pytest

from tests.fakes.api_server import reply, tool
from tests.journeys.machine import processes_of
from tests.journeys.program import Program
from tests.journeys.terminal import Terminal


def ask(terminal: Terminal, text: str) -> None:
    terminal.type(text)
    terminal.key("enter")


@pytest.mark.parametrize("kind", ["xterm-256color", "dumb"])
def test_u11_a_session_is_held_line_by_line(program: Program, kind: str) -> None:
    program.variables["TERM"] = kind
    program.api.enqueue(
        reply("I'll make it.", tool("Bash", command="touch made")),
        "It is there.",
        "You are welcome.",
    )
    flags = () if kind == "dumb" else ("--line",)
    with program.screen(*flags) as terminal:
        terminal.wait_for("Ctrl+D leaves")
        ask(terminal, "make it")
        terminal.wait_for("Question: Run this command?", "touch made", "answer:")
        ask(terminal, "")
        terminal.wait_for("Nothing was answered.")
        assert not (program.project / "made").exists()
        ask(terminal, "yes but once")
        terminal.wait_for("It is there.", "(Done: 2 turns")
        assert (program.project / "made").exists()
        assert "but once" in str(program.api.messages[-1].body)
        assert terminal.text.count("make it\n") == 1  # what is typed early is not echoed twice
        terminal.key("ctrl+d")
        terminal.wait_for("agent-tui --line --resume")
        assert terminal.wait_exit() == 0
        assert b"\x1b[?1049h" not in terminal.raw  # the other screen is never used
        assert b"\x1b[2J" not in terminal.raw
    assert not processes_of(program.home)
    with program.screen("--line", "--resume") as terminal:
        terminal.wait_for("Which session?", "1. make it", "number:")
        ask(terminal, "1")
        terminal.wait_for("You: make it", "It is there.")
        ask(terminal, "thanks")
        terminal.wait_for("You are welcome.")
    program.api.check()


def test_an_interrupt_stops_what_runs_and_the_talk_goes_on(program: Program) -> None:
    program.api.enqueue(reply(tool("Bash", command="sleep 50; touch late")), "Here again.")
    with program.screen("--line", "--allowedTools", "Bash") as terminal:
        terminal.wait_for("Ctrl+D leaves")
        ask(terminal, "wait")
        terminal.wait_for("sleep 50; touch late ...")
        terminal.key("ctrl+c")
        terminal.wait_for("(Stopped", "> ")
        ask(terminal, "still there?")
        terminal.wait_for("Here again.")
        terminal.key("ctrl+d")
        assert terminal.wait_exit() == 0
    assert not (program.project / "late").exists()
    program.api.check()


def test_u2_codes_in_output_and_questions_do_not_reach_the_terminal(program: Program) -> None:
    evil = "\x1b]0;pwn\x07\x1b[5mx\x1bc"
    program.api.enqueue(
        reply(f"said {evil}\n", tool("Bash", command=f"printf '{evil}'; rm x", description=evil)),
        f"end {evil}",
    )
    with program.screen("--line") as terminal:
        terminal.wait_for("Ctrl+D leaves")
        ask(terminal, "go")
        terminal.wait_for("answer:")
        ask(terminal, "no")
        terminal.wait_for("end", "(Done")
        for code in (b"\x1b]0;", b"\x1b[5m", b"\x1bc"):
            assert code not in terminal.raw
    assert program.journals()


def test_a_session_without_a_key_says_what_to_do(program: Program) -> None:
    program.variables.update({"ANTHROPIC_API_KEY": "", "ANTHROPIC_BASE_URL": ""})
    with program.screen("--line") as terminal:
        terminal.wait_for("ANTHROPIC_API_KEY")
        assert terminal.wait_exit() == 1
