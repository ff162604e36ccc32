"""Sub-agents in the real program: killed in the middle, resumed; printed with what goes on in the background."""

from __future__ import annotations

import os
import signal
import time

from agent_tui.journal.file import Reading
from agent_tui.journal.fold import fold
from agent_tui.journal.side_chain import read_side, side_agents, side_journal
from tests.fakes.api_server import last_user_contains, reply, tool
from tests.journeys.program import Program
from tests.journeys.test_kills import engine_of, processes

ASK = {"description": "look", "prompt": "SUBPROMPT", "run_in_background": False}


def test_after_a_kill_in_the_middle_of_a_sub_agent_the_session_resumes_and_goes_on(
    program: Program,
) -> None:
    program.api.enqueue(reply(tool("Agent", ASK)))
    program.api.add_rule(
        last_user_contains("SUBPROMPT"),
        reply(tool("Bash", command="touch ran; sleep 64.5")),
        times=1,
    )
    with program.screen() as terminal:
        terminal.wait_for("default")
        terminal.type("go")
        terminal.key("enter")
        terminal.wait_for("Run this command?")
        terminal.pump(1.0)
        terminal.key("y")
        end = time.monotonic() + 20
        while not processes("sleep 64.5"):
            assert time.monotonic() < end
            terminal.pump(0.1)
        engine = engine_of(terminal)
        os.kill(terminal.pid, signal.SIGKILL)
        os.kill(engine, signal.SIGKILL)
    for pid in processes("sleep 64.5"):
        os.kill(pid, signal.SIGKILL)
    [journal] = program.journals()
    [agent_id] = side_agents(journal)
    assert fold(read_side(side_journal(journal, agent_id))).open_tool_uses
    program.api.enqueue("Going on.")
    asked = len(program.api.messages)
    with program.screen("--continue") as terminal:
        terminal.wait_for("› go")
        terminal.pump(1.0)
        assert len(program.api.messages) == asked
        terminal.type("continue")
        terminal.key("enter")
        terminal.wait_for("Going on.")
    [result] = program.api.messages[-1].tool_results
    assert result["is_error"] is True
    assert not program.api.refused
    assert not fold(Reading(journal)).open_tool_uses
