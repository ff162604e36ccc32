"""``kill -9`` anywhere: nothing is lost, nothing runs twice or by itself, nobody is left behind."""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.fakes.api_server import reply, stall, text, tool
from tests.journeys.program import Program
from tests.journeys.terminal import Terminal

GONE_SECONDS = 5.0


def processes(mark: str) -> dict[int, str]:
    """Living processes whose command line contains ``mark``, zombies left out."""
    found: dict[int, str] = {}
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            line = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            state = (entry / "stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            continue
        if mark in line and state != "Z":
            found[int(entry.name)] = line
    return found


def engine_of(terminal: Terminal) -> int:
    """The engine that this screen started."""
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            line = (entry / "cmdline").read_bytes()
        except OSError:
            continue
        if parent == terminal.pid and b"agent_tui.engine.host" in line:
            return int(entry.name)
    raise AssertionError("the screen has no engine")


def wait_gone(test: Callable[[], object], seconds: float = GONE_SECONDS) -> None:
    end = time.monotonic() + seconds
    while test():
        assert time.monotonic() < end, test()
        time.sleep(0.05)


def in_a_tool(program: Program, terminal: Terminal) -> None:
    program.api.enqueue(reply(tool("Bash", command="echo ran >> runs.txt; sleep 61.5")))
    terminal.type("go")
    terminal.key("enter")
    terminal.wait_for("Run this command?")
    terminal.pump(1.0)
    terminal.key("y")
    terminal.wait_for("running")
    wait_gone(lambda: not (program.project / "runs.txt").exists())


def in_a_stream(program: Program, terminal: Terminal) -> None:
    program.api.enqueue(reply("finished block", text("word " * 50), fault=stall(block=1, chars=30)))
    terminal.type("go")
    terminal.key("enter")
    terminal.wait_for("word word")


def in_a_question(program: Program, terminal: Terminal) -> None:
    program.api.enqueue(reply(tool("Bash", command="echo ran >> runs.txt")))
    terminal.type("go")
    terminal.key("enter")
    terminal.wait_for("Run this command?")


MOMENTS = [in_a_tool, in_a_stream, in_a_question]


@pytest.mark.parametrize("moment", MOMENTS)
def test_p2_after_killing_everything_the_session_resumes_and_goes_on(
    program: Program, moment: Callable[[Program, Terminal], None]
) -> None:
    with program.screen() as terminal:
        terminal.wait_for("default")
        moment(program, terminal)
        engine = engine_of(terminal)
        os.kill(terminal.pid, signal.SIGKILL)
        os.kill(engine, signal.SIGKILL)
    ran = (program.project / "runs.txt").read_text() if moment is in_a_tool else None
    program.api.enqueue("Going on.")
    before = len(program.api.messages)
    with program.screen("--continue") as terminal:
        terminal.wait_for("› go")
        if moment is in_a_tool:
            terminal.wait_for("sleep 61.5")
        terminal.pump(1.0)
        assert len(program.api.messages) == before
        terminal.type("continue")
        terminal.key("enter")
        terminal.wait_for("Going on.")
    body = program.api.messages[-1]
    if moment is not in_a_stream:
        [result] = body.tool_results
        assert result["is_error"] is True
    assert not program.api.refused
    if ran is not None:
        assert (program.project / "runs.txt").read_text() == ran == "ran\n"
    else:
        assert not (program.project / "runs.txt").exists()
    for pid in processes("sleep 61.5"):
        os.kill(pid, signal.SIGKILL)


@pytest.mark.parametrize("moment", MOMENTS)
def test_killing_the_engine_alone_is_told_and_the_screen_goes_on(
    program: Program, moment: Callable[[Program, Terminal], None]
) -> None:
    with program.screen() as terminal:
        terminal.wait_for("default")
        moment(program, terminal)
        os.kill(engine_of(terminal), signal.SIGKILL)
        terminal.wait_for("The engine stopped")
        if moment is in_a_tool:
            wait_gone(lambda: processes("sleep 61.5"))
        before = len(program.api.messages)
        terminal.wait_until_gone("Run this command?")
        terminal.pump(2.0)
        assert len(program.api.messages) == before
        program.api.enqueue("Back again.")
        terminal.type("go on")
        terminal.key("enter")
        terminal.wait_for("Back again.")
    assert not program.api.refused
    assert len(program.journals()) == 1
    if moment is in_a_tool:
        assert (program.project / "runs.txt").read_text() == "ran\n"


@pytest.mark.parametrize("how", ["kill", "hang up", "term"])
def test_when_the_screen_goes_the_engine_and_its_children_go_too(
    program: Program, how: str
) -> None:
    with program.screen() as terminal:
        terminal.wait_for("default")
        in_a_tool(program, terminal)
        engine = engine_of(terminal)
        assert processes("sleep 61.5")
        if how == "kill":
            os.kill(terminal.pid, signal.SIGKILL)
        elif how == "term":
            os.kill(terminal.pid, signal.SIGTERM)
        else:
            terminal.hang_up()
        wait_gone(lambda: Path(f"/proc/{engine}").exists() and engine in processes("engine.host"))
        wait_gone(lambda: processes("sleep 61.5"))
    lines = [line for line in program.lines() if line["type"] in ("user", "assistant")]
    assert "tool_use" in json.dumps(lines)


def test_children_that_left_their_session_go_too(program: Program) -> None:
    program.api.enqueue(
        reply(tool("Bash", command="setsid sleep 62.5 >/dev/null 2>&1 & echo started")), "ok"
    )
    with program.screen() as terminal:
        terminal.wait_for("default")
        terminal.type("go")
        terminal.key("enter")
        terminal.wait_for("Run this command?")
        terminal.pump(1.0)
        terminal.key("y")
        terminal.wait_for("ok")
        os.kill(terminal.pid, signal.SIGKILL)
        wait_gone(lambda: processes("sleep 62.5"))
