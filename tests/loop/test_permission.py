"""Who decides over a call: the rules, a hook, a person."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from agent_tui.loop.permission import DENIED_BY_PERSON
from agent_tui.protocol.access import Access, AskUser
from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.hooks import HookBehavior, HookEvent, HookOutcome
from agent_tui.protocol.requests import (
    Allow,
    Deny,
    PermissionRuleValue,
    PermissionUpdate,
)
from tests.fakes.model import call
from tests.loop.spoken import Saying, Spoken
from tests.loop.stage import FakeTool, Person, Stage
from tests.loop.test_tool_call import called, texts

pytestmark = pytest.mark.anyio


class Table:
    """A stage with a tool that changes something, a person and hooks."""

    def __init__(self, folder: Path, says: dict[HookEvent, Saying], **more: Any) -> None:
        self.tool = FakeTool("Change")
        self.person = Person(more.pop("answer", None))
        self.hooks = Spoken(says)
        self.stage = Stage(
            folder, tools=[self.tool], approver=self.person, hooks=self.hooks, **more
        )

    async def run(self, **given: Any) -> Any:
        return await self.stage.batch().run(await called(self.stage, call("Change", **given)))


def pre(behavior: HookBehavior | None, reason: str = "", **more: Any) -> dict[HookEvent, Saying]:
    return {"PreToolUse": HookOutcome(behavior, reason, "User", **more)}


async def test_a_hooks_deny_is_told_to_the_model_and_counted_but_not_announced(
    tmp_path: Path,
) -> None:
    table = Table(tmp_path, pre("deny", "not on Fridays"))
    outcome = await table.run(n=1)
    assert texts(table.stage) == ["A hook denied this call: not on Fridays"]
    assert [denial["tool_name"] for denial in outcome.denials] == ["Change"]
    assert table.stage.system_messages("permission_denied") == []
    assert (table.tool.ran, table.person.asked) == ([], [])
    assert "PostToolUse" not in table.hooks.events


async def test_a_hooks_allow_spares_the_question_but_no_rule(tmp_path: Path) -> None:
    table = Table(tmp_path, pre("allow"))
    await table.run(n=1)
    assert (table.tool.ran, table.person.asked) == ([{"n": 1}], [])
    ruled = Table(tmp_path, pre("allow"), deny=("Change",))
    await ruled.run(n=1)
    assert ruled.tool.ran == []
    assert len(ruled.stage.system_messages("permission_denied")) == 1


@pytest.mark.parametrize("behavior", ["ask", "defer"])
async def test_a_hooks_ask_makes_a_question_that_names_it(
    tmp_path: Path, behavior: HookBehavior
) -> None:
    table = Table(tmp_path, pre(behavior, "look twice"), mode="bypassPermissions")
    await table.run(n=1)
    [request] = table.person.asked
    assert (request.reason, request.decided_by) == ("[User] look twice", "hook")
    assert table.tool.ran == [{"n": 1}]


async def test_changed_input_is_asked_about_run_and_kept_out_of_the_record(tmp_path: Path) -> None:
    table = Table(tmp_path, pre(None, updated_input={"n": 2}))
    await table.run(n=1)
    assert [request.input for request in table.person.asked] == [{"n": 2}]
    assert table.tool.ran == [{"n": 2}]
    assert table.hooks.given("PostToolUse")["tool_input"] == {"n": 2}
    said = table.stage.next_request().messages[-2]["content"]
    assert said[0]["input"] == {"n": 1}


async def test_a_question_is_answered_by_a_hook_in_the_persons_stead(tmp_path: Path) -> None:
    rule = PermissionUpdate("addRules", (PermissionRuleValue("Change"),))
    answer = Allow({"n": 3}, (rule,))
    table = Table(tmp_path, {"PermissionRequest": HookOutcome(answer=answer)})
    await table.run(n=1)
    assert (table.tool.ran, table.person.asked) == ([{"n": 3}], [])
    asked = table.hooks.given("PermissionRequest")
    assert (asked["tool_name"], asked["tool_input"]) == ("Change", {"n": 1})
    assert all(update["type"] for update in asked["permission_suggestions"])
    assert table.hooks.heard[1][2] == "Change"
    assert [str(one.value) for one in table.stage.policy.rules.allow] == ["Change"]


async def test_the_changes_of_a_hooks_answer_go_where_answers_go(tmp_path: Path) -> None:
    taken: list[PermissionUpdate] = []

    async def take(updates: tuple[PermissionUpdate, ...]) -> None:
        taken.extend(updates)

    rule = PermissionUpdate("setMode", mode="acceptEdits")
    hooks = Spoken({"PermissionRequest": HookOutcome(answer=Allow(updated_permissions=(rule,)))})
    stage = Stage(tmp_path, tools=[FakeTool("Change")], hooks=hooks)
    batch = type(stage.batch())(
        stage.record, stage.tool_set, stage.policy, stage.approver, hooks, stage.place, take
    )
    await batch.run(await called(stage, call("Change")))
    assert taken == [rule]
    assert stage.policy.mode == "default"


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        (Deny("never"), "A hook denied this call: never"),
        (Deny(), "A hook denied this call."),
    ],
)
async def test_a_hooks_no_to_a_question(tmp_path: Path, answer: Deny, text: str) -> None:
    table = Table(tmp_path, {"PermissionRequest": HookOutcome(answer=answer)})
    outcome = await table.run(n=1)
    assert texts(table.stage) == [text]
    assert (len(outcome.denials), outcome.interrupt) == (1, False)


async def test_a_hooks_no_may_end_the_run(tmp_path: Path) -> None:
    says: dict[HookEvent, Saying] = {"PermissionRequest": HookOutcome(answer=Deny("x", True))}
    assert (await Table(tmp_path, says).run()).interrupt


async def test_no_question_no_hook_for_it(tmp_path: Path) -> None:
    table = Table(tmp_path, {}, mode="acceptEdits")
    await table.run(n=1)
    assert table.hooks.events == ["PreToolUse", "PostToolUse", "PostToolBatch"]


async def test_a_persons_no_is_theirs(tmp_path: Path) -> None:
    table = Table(tmp_path, {}, answer=Deny())
    await table.run(n=1)
    assert texts(table.stage) == [DENIED_BY_PERSON]


class Question(FakeTool):
    """A tool that is a question to the person."""

    def access(self, args: JsonObject, cwd: Path) -> Access:
        return AskUser()


@pytest.mark.parametrize(
    ("outcome", "asked"),
    [
        (HookOutcome("allow", updated_input={"answers": {"a": "b"}}), 0),
        (HookOutcome("allow"), 1),
        (HookOutcome(updated_input={"answers": {}}), 1),
    ],
)
async def test_a_hook_answers_the_models_question_with_the_answers_only(
    tmp_path: Path, outcome: HookOutcome, asked: int
) -> None:
    person, tool = Person(), Question("AskUserQuestion")
    stage = Stage(tmp_path, tools=[tool], approver=person, hooks=Spoken({"PreToolUse": outcome}))
    await stage.batch().run(await called(stage, call("AskUserQuestion")))
    assert len(person.asked) == asked
    assert tool.ran == [outcome.updated_input or {}]


@pytest.mark.parametrize(
    ("name", "rule", "told"),
    [("Write", "Edit(/file.txt)", 0), ("Edit", "Edit", 1), ("Change", "Change", 1)],
)
async def test_a_file_that_a_rule_for_paths_forbids_is_refused_without_announcement(
    tmp_path: Path, name: str, rule: str, told: int
) -> None:
    stage = Stage(tmp_path, tools=[FakeTool(name)], deny=(rule,))
    outcome = await stage.batch().run(await called(stage, call(name)))
    assert [denial["tool_name"] for denial in outcome.denials] == [name]
    assert rule in texts(stage)[0]
    assert len(stage.system_messages("permission_denied")) == told
