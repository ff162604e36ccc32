"""A person answers questions, approves a plan, and has work going on in the background, in the real program."""

from __future__ import annotations

import json
from typing import Any

from tests.fakes.api_server import (
    ApiRequest,
    Reply,
    all_of,
    has_tool_result,
    last_user_contains,
    no_tool_result,
    reply,
    tool,
)
from tests.journeys.program import Program
from tests.journeys.terminal import Terminal

QUESTIONS = {
    "questions": [
        {
            "question": "What becomes of the old caches?",
            "header": "Caches",
            "options": [
                {"label": "Read them", "description": "they keep working"},
                {"label": "Drop them", "description": "one slow start"},
            ],
        },
        {
            "question": "Where is it to be told?",
            "header": "Told",
            "multiSelect": True,
            "options": [{"label": "Changelog"}, {"label": "Docs"}],
        },
    ]
}
PLAN = "# Rename the class\n\n1. Rename it\n2. Leave an alias"


def result_of(request: ApiRequest) -> str:
    """Give what the newest tool result says."""
    return json.dumps(request.tool_results[-1]["content"])


def ask(terminal: Terminal, text: str) -> None:
    terminal.type(text)
    terminal.key("enter")


def test_questions_are_answered_and_the_card_keeps_the_answers(program: Program) -> None:
    heard: list[str] = []

    def goes_on(request: ApiRequest) -> Reply:
        heard.append(result_of(request))
        return reply("So be it.")

    program.api.enqueue(reply(tool("AskUserQuestion", QUESTIONS)), goes_on)
    with program.screen() as terminal:
        terminal.wait_for("›", "default")
        ask(terminal, "Rename the class")
        terminal.wait_for("enter answer", "question 1 of 2", "several may be chosen")
        wait_until_armed(terminal)
        terminal.key("2")
        terminal.key(" ")
        terminal.wait_for("[x] Changelog")
        terminal.key("enter")
        terminal.wait_for("So be it.")
        terminal.wait_for("Caches  Drop them", "Told  Changelog")
    assert "What becomes of the old caches? -> Drop them" in heard[0]
    program.api.check()


def wait_until_armed(terminal: Terminal) -> None:
    """Wait until a question takes keys: it has ignored them for a short moment, so that none is meant for another."""
    terminal.pump(1.2)


def test_a_plan_is_refused_with_a_comment_and_the_next_one_is_edited_and_begun(
    program: Program,
) -> None:
    heard: list[str] = []

    def again(request: ApiRequest) -> Reply:
        heard.append(result_of(request))
        return reply(tool("ExitPlanMode", plan=PLAN))

    def begins(request: ApiRequest) -> Reply:
        heard.append(result_of(request))
        return reply(tool("Write", file_path=str(program.project / "a.py"), content="x = 1\n"))

    program.api.enqueue(
        reply(tool("ExitPlanMode", plan="# Too short")), again, begins, "It is done."
    )
    with program.screen("--permission-mode", "plan") as terminal:
        terminal.wait_for("reads only; ends with a plan to approve")
        ask(terminal, "Plan the rename")
        terminal.wait_for("No, keep planning", "Too short")
        wait_until_armed(terminal)
        terminal.key("n")
        terminal.type("tests first")
        terminal.key("enter")
        terminal.wait_for("not approved", "Leave an alias")
        wait_until_armed(terminal)
        terminal.key("e")
        terminal.key("down")
        terminal.type("!")
        terminal.wait_for("changed by you")
        terminal.key("esc")
        terminal.wait_for("Yes, take edits")
        terminal.key("a")
        terminal.wait_for("It is done.", "edits in this folder are not asked")
    assert "tests first" in heard[0]
    assert "They edited it" in heard[1] and "!" in heard[1]
    assert (program.project / "a.py").read_text() == "x = 1\n"
    program.api.check()


def agent(description: str, prompt: str) -> Any:
    return tool("Agent", description=description, prompt=prompt, run_in_background=True)


def test_work_in_the_background_is_counted_told_and_stopped(program: Program) -> None:
    program.api.add_rule(all_of(last_user_contains("FIND"), no_tool_result), "Two places.")
    program.api.add_rule(last_user_contains("task-notification"), "It has come back.")
    program.api.enqueue(
        reply(tool("Bash", command="sleep 300", run_in_background=True)),
        "It sleeps.",
        reply(agent("finds the places", "FIND them")),
    )
    program.api.add_rule(has_tool_result("works in the background"), "Both at work.")
    program.variables["IS_SANDBOX"] = "1"
    with program.screen("--dangerously-skip-permissions") as terminal:
        terminal.wait_for("nothing is asked")
        ask(terminal, "sleep")
        terminal.wait_for("It sleeps.", "1 task", "in the background")
        ask(terminal, "find")
        terminal.wait_for("It has come back.", "ended in the background", "1 task")
        assert "<task-notification>" not in terminal.text
        ask(terminal, "/tasks")
        terminal.wait_for("In the background", "1 task running", "sleep 300")
        terminal.key("x")
        terminal.wait_for("nothing running")
        terminal.key("esc")
        terminal.wait_for("stopped in the background")
        terminal.wait_until_gone("1 task ")
        terminal.key("ctrl+d")
        terminal.wait_exit()
    with program.screen("--continue") as terminal:
        terminal.wait_for("It has come back.", "ended in the background")
        assert "<task-notification>" not in terminal.text
    assert not program.api.refused
