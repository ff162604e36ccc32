"""Every call is noted: who let it run or kept it from running."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import anyio
import pytest

from agent_tui.journal.entries import DecisionEntry, UserEntry
from agent_tui.loop.approvals import DenyAll, Desk
from agent_tui.loop.decisions import ByProgram
from agent_tui.protocol.decisions import MAX_REASON, DecisionNote, short
from agent_tui.protocol.hooks import HookOutcome
from agent_tui.protocol.messages import UserMessage
from agent_tui.protocol.requests import (
    Allow,
    Deny,
    PermissionRequest,
    PermissionRuleValue,
    PermissionUpdate,
    RuleBehavior,
)
from agent_tui.settings.layers import SourcedRule
from tests.fakes.model import call
from tests.loop.spoken import Spoken
from tests.loop.stage import FakeTool, Person, Stage
from tests.loop.test_tool_call import called

pytestmark = pytest.mark.anyio

ALWAYS = PermissionUpdate("addRules", (PermissionRuleValue("Change"),))


class Program(ByProgram, Person):
    """A program that answers."""


def stage(folder: Path, **more: Any) -> Stage:
    tools = [FakeTool("Change"), FakeTool("Look", read_only=True)]
    return Stage(folder, tools=tools, **more)


def ruled(on: Stage, behavior: RuleBehavior, text: str) -> None:
    update = PermissionUpdate(
        "addRules", (PermissionRuleValue(text),), behavior, destination="userSettings"
    )
    on.policy.update((update,))


async def decided(on: Stage, tool: str = "Change", **given: Any) -> DecisionNote:
    """Have a call decided; what its result says must be in the journal, before the call runs where it may change something."""
    await on.batch().run(await called(on, call(tool, **given)))
    [note] = [m.decision for m in on.said if isinstance(m, UserMessage) and m.decision]
    lines = [e.decision for e in on.sink.entries if isinstance(e, DecisionEntry)]
    kept = [e.decision for e in on.sink.entries if isinstance(e, UserEntry) and e.decision]
    assert (lines, kept) == (([], [note]) if note.plain else ([note], []))
    assert note.tool_use_id
    return note


async def test_what_only_looks_is_told_by_its_result_alone(tmp_path: Path) -> None:
    note = await decided(stage(tmp_path), "Look")
    assert (note.behavior, note.by, note.asked) == ("allow", "read_only", False)


async def test_the_decision_is_written_before_the_call_runs_and_costs_no_sync(
    tmp_path: Path,
) -> None:
    on = stage(tmp_path, mode="acceptEdits")
    await decided(on)
    at = on.sink.log.index("DecisionEntry")
    assert on.sink.log[at + 1 : at + 2] == ["sync"]
    assert on.sink.log.count("sync") == 1


async def test_a_mode_and_a_rule_are_named(tmp_path: Path) -> None:
    note = await decided(stage(tmp_path, mode="acceptEdits"))
    assert (note.behavior, note.by, note.mode) == ("allow", "mode", "acceptEdits")
    on = stage(tmp_path)
    ruled(on, "allow", "Change")
    note = await decided(on)
    assert (note.by, note.rule, note.source) == ("rule", "Change", "the user rules")


async def test_a_rule_that_forbids_is_named_with_file_and_line(tmp_path: Path) -> None:
    on = stage(tmp_path)
    entry = SourcedRule("deny", "Change", "project", "/p/.claude/settings.json", 4)
    on.policy = type(on.policy)("default", type(on.policy.rules).of([entry]), *around(on))
    note = await decided(on)
    assert (note.behavior, note.by, note.rule) == ("deny", "rule", "Change")
    assert note.source == "/p/.claude/settings.json:4"
    [told] = on.system_messages("permission_denied")
    assert (told["decision_reason_type"], told["decision_reason"]) == ("rule", "Change")


def around(on: Stage) -> tuple[Any, Any]:
    """The surroundings and the resolver a stage judges by."""
    kept = vars(on.policy)
    return kept["_around"], kept["_resolver"]


async def test_a_hook_is_named_with_what_it_said(tmp_path: Path) -> None:
    says = HookOutcome("deny", "not on Fridays", "User")
    note = await decided(stage(tmp_path, hooks=Spoken({"PreToolUse": says})))
    assert (note.behavior, note.by, note.hook) == ("deny", "hook", "User")
    assert note.reason == "not on Fridays"
    says = HookOutcome("allow", "fine", "Project")
    note = await decided(stage(tmp_path, hooks=Spoken({"PreToolUse": says})))
    assert (note.behavior, note.by, note.hook, note.asked) == ("allow", "hook", "Project", False)


async def test_a_person_who_was_asked_because_of_a_hook(tmp_path: Path) -> None:
    says = HookOutcome("ask", "look twice", "User")
    note = await decided(stage(tmp_path, hooks=Spoken({"PreToolUse": says})))
    assert (note.behavior, note.by, note.asked_by, note.hook) == ("allow", "person", "hook", "User")
    assert note.reason == "[User] look twice"


async def test_a_hook_that_answers_in_the_persons_stead(tmp_path: Path) -> None:
    answers = HookOutcome(answer=Deny("closed"), source="Program")
    note = await decided(stage(tmp_path, hooks=Spoken({"PermissionRequest": answers})))
    assert (note.behavior, note.by, note.hook) == ("deny", "hook", "Program")
    assert (note.asked_by, note.comment) == ("mode", "closed")


async def test_a_yes_and_what_it_gave_besides(tmp_path: Path) -> None:
    note = await decided(stage(tmp_path, approver=Person(Allow(updated_permissions=(ALWAYS,)))))
    assert (note.behavior, note.by, note.asked_by) == ("allow", "person", "mode")
    assert note.granted == ("Change",)
    mode = PermissionUpdate("setMode", mode="acceptEdits")
    folder = PermissionUpdate("addDirectories", directories=("/there",))
    both = Allow(updated_permissions=(mode, folder))
    note = await decided(stage(tmp_path, approver=Person(both)))
    assert note.granted == ("mode acceptEdits", "/there")


async def test_a_yes_to_something_else_is_marked(tmp_path: Path) -> None:
    note = await decided(stage(tmp_path, approver=Person(Allow({"n": 2}))), n=1)
    assert note.edited
    note = await decided(stage(tmp_path, approver=Person(Allow({"n": 1}))), n=1)
    assert not note.edited


async def test_a_no_with_its_comment(tmp_path: Path) -> None:
    note = await decided(stage(tmp_path, approver=Person(Deny("use the other file"))))
    assert (note.behavior, note.by, note.comment) == ("deny", "person", "use the other file")


async def test_a_program_that_answers_is_no_person(tmp_path: Path) -> None:
    assert (await decided(stage(tmp_path, approver=Program()))).by == "program"


async def test_where_there_was_nobody_to_ask(tmp_path: Path) -> None:
    on = stage(tmp_path, approver=DenyAll())
    note = await decided(on)
    assert (note.behavior, note.by, note.asked_by, note.comment) == ("deny", "nobody", "mode", "")
    [told] = on.system_messages("permission_denied")
    assert told["decision_reason_type"] == "mode"
    assert told["decision_reason"] == note.reason


async def test_the_mode_that_asks_nobody_says_why_it_would_have_been_asked(tmp_path: Path) -> None:
    on = stage(tmp_path, mode="dontAsk")
    note = await decided(on)
    assert (note.behavior, note.by, note.mode, note.asked) == ("deny", "mode", "dontAsk", False)
    assert note.reason.startswith("No rule allows this change.")
    [told] = on.system_messages("permission_denied")
    assert told["decision_reason"] == note.reason


async def test_a_question_that_another_answer_settles_is_put_down_to_the_rule(
    tmp_path: Path,
) -> None:
    on = stage(tmp_path)
    heard: list[PermissionRequest] = []

    async def hear(message: Any) -> None:
        if isinstance(message, PermissionRequest):
            heard.append(message)

    async def take(updates: tuple[PermissionUpdate, ...]) -> None:
        on.policy.update(updates)

    desk = Desk(hear, on.policy.settle, take)
    on.approver = desk
    first = await called(on, call("Change"))
    second = await called(on, call("Change"))
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(on.batch().run, first)
        tasks.start_soon(on.batch().run, second)
        while len(heard) < 2:
            await anyio.lowlevel.checkpoint()
        await desk.answer(heard[0].id, Allow(updated_permissions=(ALWAYS,)))
    notes = [e.decision for e in on.sink.entries if isinstance(e, DecisionEntry)]
    assert sorted((note.by, note.rule, note.granted) for note in notes) == [
        ("person", "", ("Change",)),
        ("rule", "Change", ()),
    ]


async def test_a_call_that_could_not_be_read_was_not_decided_over(tmp_path: Path) -> None:
    on = stage(tmp_path)
    await on.batch().run(await called(on, call("Change", wrong=1)))
    assert not [e for e in on.sink.entries if isinstance(e, DecisionEntry)]


def test_a_reason_is_kept_short() -> None:
    assert short("x" * MAX_REASON) == "x" * MAX_REASON
    assert short("x" * 1000) == "x" * (MAX_REASON - 1) + "…"
