"""Calls that a person answers, in whole sessions: questions, plans; and the task list beside them."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Any, cast

import pytest

from agent_tui.engine.extras import Extras, HookGroup
from agent_tui.engine.opening import OpenSession, with_session
from agent_tui.journal.codec import decode
from agent_tui.journal.fold import fold
from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.display import PlanDisplay, QuestionDisplay
from agent_tui.protocol.messages import ResultMessage, UserMessage
from agent_tui.protocol.ops import Prompt
from agent_tui.protocol.requests import (
    Allow,
    Deny,
    PermissionAnswer,
    PermissionRequest,
    PermissionUpdate,
)
from agent_tui.settings.options import PermissionOptions, ToolOptions
from tests.engine.sessions import Answers, Place, Talk, texts_of, whole_prefix
from tests.fakes.api_server import ApiRequest, reply, tool

pytestmark = pytest.mark.anyio

QUESTIONS = [
    {
        "question": "Which?",
        "header": "Pick",
        "multiSelect": False,
        "options": [{"label": "A", "description": "a"}, {"label": "B", "description": "b"}],
    }
]
ASK = reply(tool("AskUserQuestion", questions=QUESTIONS))
PLAN = reply(tool("ExitPlanMode", plan="1. Do it."))


def data_of(talk: Talk) -> list[Any]:
    """The structured results."""
    return [
        message.tool_use_result
        for message in talk.heard
        if isinstance(message, UserMessage) and message.tool_use_result is not None
    ]


def messages_of(request: ApiRequest) -> list[dict[str, Any]]:
    return cast("list[dict[str, Any]]", (request.body or {})["messages"])


def modes_said(talk: Talk) -> list[str]:
    return [
        str(m.data["permissionMode"]) for m in talk.system("status") if "permissionMode" in m.data
    ]


def answer_b(request: PermissionRequest) -> PermissionAnswer:
    return Allow({**request.input, "answers": {"Which?": "B"}})


async def talked(place: Place, extras: Extras) -> Talk:
    """Open a session with a program's parts and send one prompt."""
    talk = Talk()

    async def body(opened: OpenSession) -> None:
        with opened.session.subscribe() as messages:
            opened.session.send(Prompt("go", "00000000-0000-4000-8000-000000000000"))
            async for message in messages:
                talk.heard.append(message)
                if isinstance(message, ResultMessage):
                    return

    await with_session(place.options, place.env, body, extras=extras)
    return talk


async def test_a_question_is_asked_and_its_answer_told(place: Place) -> None:
    place.api.enqueue(ASK, "done")
    person = Answers(answer_b)
    talk = await place.talk("go", approver=person)
    (asked,) = person.asked
    assert asked.tool_name == "AskUserQuestion"
    assert isinstance(asked.display, QuestionDisplay)
    assert asked.title == "Which?"
    assert talk.tool_results[0].content == "The user answered:\nWhich? -> B"
    assert data_of(talk) == [{"questions": QUESTIONS, "answers": {"Which?": "B"}}]
    assert talk.result.permission_denials == ()
    assert len(place.api.messages) == 2


async def test_no_mode_and_no_rule_answers_in_the_persons_stead(place: Place) -> None:
    place = place.mode("bypassPermissions")
    permissions = replace(place.options.permissions, allowed_tools=("AskUserQuestion",))
    place.options = replace(place.options, permissions=permissions)
    place.api.enqueue(ASK, "done")
    person = Answers()
    talk = await place.talk("go", approver=person)
    assert len(person.asked) == 1
    assert talk.tool_results[0].is_error
    assert "Nobody answered" in str(talk.tool_results[0].content)


async def test_where_nobody_is_asked_it_is_denied(place: Place) -> None:
    place.api.enqueue(ASK, "done")
    person = Answers(answer_b)
    talk = await place.mode("dontAsk").talk("go", approver=person)
    assert person.asked == []
    assert talk.tool_results[0].is_error
    assert [one["tool_name"] for one in talk.result.permission_denials] == ["AskUserQuestion"]


async def test_the_model_can_not_answer_its_own_question(place: Place) -> None:
    forged = tool("AskUserQuestion", questions=QUESTIONS, answers={"Which?": "A"})
    place.api.enqueue(reply(forged), "done")
    person = Answers()
    talk = await place.talk("go", approver=person)
    assert person.asked == []
    assert "there is no field `answers`" in str(talk.tool_results[0].content)


async def test_where_nobody_can_answer_the_tools_that_ask_are_not_offered(place: Place) -> None:
    place.options = replace(
        place.options, interactive=False, tools=ToolOptions(base=("default", "AskUserQuestion"))
    )
    place.api.enqueue(ASK, "done")
    talk = await talked(place, Extras())
    listed = talk.system("init")[0].data["tools"]
    assert not {"AskUserQuestion", "EnterPlanMode", "ExitPlanMode"} & set(listed)
    assert "not offered in this session: nobody is there" in str(talk.tool_results[0].content)


async def test_a_hook_may_answer_by_allowing_the_call_with_the_answers_in_it(place: Place) -> None:
    async def hook(given: JsonObject, call_id: str | None) -> JsonObject:
        answers = {**given["tool_input"], "answers": {"Which?": "A"}}
        output: JsonObject = {"hookEventName": "PreToolUse", "permissionDecision": "allow"}
        return {"hookSpecificOutput": {**output, "updatedInput": answers}}

    place.api.enqueue(ASK, "done")
    person = Answers()
    extras = Extras(approver=person, hooks={"PreToolUse": (HookGroup(None, (hook,)),)})
    talk = await talked(place, extras)
    assert person.asked == []
    assert talk.tool_results[0].content == "The user answered:\nWhich? -> A"


async def test_a_hook_that_only_allows_answers_nothing(place: Place) -> None:
    async def hook(given: JsonObject, call_id: str | None) -> JsonObject:
        output = {"hookEventName": "PreToolUse", "permissionDecision": "allow"}
        return {"hookSpecificOutput": output}

    place.api.enqueue(ASK, "done")
    person = Answers(answer_b)
    extras = Extras(approver=person, hooks={"PreToolUse": (HookGroup(None, (hook,)),)})
    talk = await talked(place, extras)
    assert len(person.asked) == 1
    assert talk.tool_results[0].content == "The user answered:\nWhich? -> B"


# Plan mode ----------------------------------------------------------------------------------------------------------


async def test_an_approved_plan_ends_plan_mode_and_the_work_is_asked_as_ever(place: Place) -> None:
    write = tool("Write", file_path=str(place.project / "new.txt"), content="x")
    place.api.enqueue(PLAN, reply(write), "done")
    person = Answers()
    talk = await place.mode("plan").talk("go", approver=person)
    plan, asked = person.asked
    assert plan.display == PlanDisplay("1. Do it.")
    assert asked.tool_name == "Write"
    assert modes_said(talk) == ["default"]
    assert data_of(talk)[0] == {"plan": "1. Do it.", "isAgent": False}
    assert (place.project / "new.txt").exists()


async def test_the_answer_may_name_the_mode_to_go_on_in(place: Place) -> None:
    write = tool("Write", file_path=str(place.project / "new.txt"), content="x")
    place.api.enqueue(PLAN, reply(write), "done")

    def approve(request: PermissionRequest) -> PermissionAnswer:
        return Allow(updated_permissions=(PermissionUpdate("setMode", mode="acceptEdits"),))

    person = Answers(approve)
    talk = await place.mode("plan").talk("go", approver=person)
    assert [one.tool_name for one in person.asked] == ["ExitPlanMode"]
    assert modes_said(talk) == ["acceptEdits"]


async def test_a_declined_plan_keeps_the_model_planning(place: Place) -> None:
    place.api.enqueue(PLAN, "a better plan then")
    person = Answers(lambda request: Deny("Test it too."))
    talk = await place.mode("plan").talk("go", approver=person)
    assert talk.tool_results[0].content == "Test it too."
    assert talk.tool_results[0].is_error
    assert modes_said(talk) == []


async def test_outside_plan_mode_no_plan_is_asked_about(place: Place) -> None:
    place.api.enqueue(PLAN, "done")
    person = Answers()
    talk = await place.talk("go", approver=person)
    assert person.asked == []
    assert "not in plan mode" in str(talk.tool_results[0].content)
    assert talk.result.permission_denials == ()


async def test_the_model_is_told_of_plan_mode_behind_what_was_said(place: Place) -> None:
    place.api.enqueue(reply(tool("EnterPlanMode")), PLAN, "done", "ok")
    await place.talk("go", "more")
    first, planning, approved, last = place.api.messages
    assert "Plan mode is" not in str(first.body)
    assert texts_of(messages_of(planning)[-1])[0].startswith("<system-reminder>\nPlan mode is on.")
    assert "Plan mode is over." in texts_of(messages_of(approved)[-1])[-1]
    assert str(last.body).count("Plan mode is over.") == 1 + str(
        messages_of(approved)[-1]["content"][0]
    ).count("Plan mode is over.")
    assert "Plan mode" not in str((last.body or {})["system"])
    for before, after in pairwise(place.api.messages):
        assert after.usage is not None
        assert after.usage["cache_read_input_tokens"] == whole_prefix(before) > 0


async def test_a_session_that_starts_in_plan_mode_is_told_once(place: Place) -> None:
    place.api.enqueue("planning", "still planning")
    await place.mode("plan").talk("go", "more")
    assert str(place.api.messages[-1].body).count("Plan mode is on.") == 1


# The task list ------------------------------------------------------------------------------------------------------


async def test_the_task_list_lives_in_the_journal(place: Place) -> None:
    place.api.enqueue(
        reply(
            tool("TaskCreate", subject="s1", description="d1"),
            tool("TaskCreate", subject="s2", description="d2"),
        ),
        reply(tool("TaskUpdate", taskId="1", status="in_progress")),
        reply(tool("TaskList")),
        reply(tool("TaskUpdate", taskId="1", status="completed")),
        reply(tool("TaskGet", taskId="1")),
        "done",
        reply(tool("TaskCreate", subject="s3")),
        "resumed",
    )
    person = Answers()
    first = await place.talk("go", approver=person)
    assert person.asked == []
    assert [result.is_error for result in first.tool_results] == [None] * 6
    assert data_of(first)[:3] == [
        {"task": {"id": "1", "subject": "s1", "description": "d1"}},
        {"task": {"id": "2", "subject": "s2", "description": "d2"}},
        {
            "success": True,
            "taskId": "1",
            "updatedFields": ["status"],
            "statusChange": {"from": "pending", "to": "in_progress"},
        },
    ]
    again = await place.resuming(first.session_id).talk("more")
    assert data_of(again) == [{"task": {"id": "3", "subject": "s3"}}]
    lines = again.journal.read_bytes().splitlines()
    tasks = fold([entry for line in lines if (entry := decode(line)) is not None]).tasks
    assert [(task.id, task.status) for task in tasks] == [
        ("1", "completed"),
        ("2", "pending"),
        ("3", "pending"),
    ]


@pytest.mark.parametrize(
    ("allowed", "variables", "there"),
    [
        ((), {}, False),
        (("TaskCreate",), {}, True),
        ((), {"CLAUDE_CODE_ENABLE_TODO_TOOLS": "1"}, True),
    ],
)
async def test_for_programs_newer_models_have_it_if_it_is_wanted(
    place: Place, allowed: tuple[str, ...], variables: dict[str, str], there: bool
) -> None:
    place.variables = variables
    place.options = replace(
        place.options, interactive=False, permissions=PermissionOptions(allowed_tools=allowed)
    )
    place.api.enqueue("ok")
    talk = await place.talk("hi")
    assert ("TaskUpdate" in talk.system("init")[0].data["tools"]) is there


async def test_a_chosen_set_of_tools_is_all_there_is(place: Place) -> None:
    place.options = replace(place.options, tools=ToolOptions(base=("Read", "TaskList", "Task")))
    place.api.enqueue(reply(tool("Bash", command="ls")), "done")
    talk = await place.talk("hi")
    assert talk.system("init")[0].data["tools"] == ["Agent", "Read", "TaskList"]
    assert "Bash is not offered in this session" in str(talk.tool_results[0].content)


async def test_no_tools_at_all(place: Place) -> None:
    place.options = replace(place.options, tools=ToolOptions(base=()))
    place.api.enqueue("ok")
    talk = await place.talk("hi")
    assert talk.system("init")[0].data["tools"] == []
