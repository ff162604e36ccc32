"""A call that was changed by its answer is judged as it is now."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from agent_tui.loop.edited import CHANGED_TOO_OFTEN, MAX_ROUNDS, asks_anew, both_notes
from agent_tui.permissions.policy import MustAsk
from agent_tui.protocol.requests import (
    Allow,
    Deny,
    PermissionAnswer,
    PermissionRequest,
    PermissionRuleValue,
    PermissionUpdate,
)
from tests.fakes.model import call
from tests.loop.stage import FakeTool, Stage
from tests.loop.test_tool_call import called, texts

USUAL = MustAsk("No rule matches.")
BY_RULE = MustAsk("The rule wants it.", "rule", rule="Bash(git push *)")
CRITICAL = MustAsk("It removes /.", "critical", default_to_no=True)
PROTECTED = MustAsk("It writes .git.", "path", blocked_path=".git", default_to_no=True)


@pytest.mark.parametrize("after", [BY_RULE, CRITICAL, PROTECTED])
def test_what_the_yes_did_not_answer_is_asked(after: MustAsk) -> None:
    assert asks_anew(USUAL, after)
    assert not asks_anew(after, after)
    assert not asks_anew(after, USUAL)


def test_another_critical_path_and_another_rule_are_other_questions() -> None:
    assert asks_anew(CRITICAL, replace(CRITICAL, reason="It removes ~."))
    assert asks_anew(BY_RULE, replace(BY_RULE, rule="Bash(git *)"))
    assert asks_anew(PROTECTED, replace(PROTECTED, blocked_path=".ssh"))


def test_what_no_rule_allows_was_answered_by_the_yes() -> None:
    assert not asks_anew(USUAL, replace(USUAL, reason="It is outside.", decided_by="path"))


def test_notes_are_joined() -> None:
    assert both_notes("a", "b") == "a\nb"
    assert both_notes("", "b") == "b"


class Answers:
    """Implements ``Approver``: gives answers one after another, the last one for ever."""

    def __init__(self, *answers: PermissionAnswer) -> None:
        self._answers = list(answers)
        self.asked: list[PermissionRequest] = []

    async def decide(self, request: PermissionRequest) -> PermissionAnswer:
        self.asked.append(request)
        return self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]


class Table:
    """A stage with a tool that changes something, where one input is asked about by rule."""

    def __init__(self, folder: Path, approver: Answers) -> None:
        self.tool = FakeTool("Change")
        self.stage = Stage(folder, tools=[self.tool], approver=approver)
        for number in ("2", "3*"):
            rule = PermissionRuleValue("Change", f"n:{number}")
            self.stage.policy.update((PermissionUpdate("addRules", (rule,), "ask"),))

    async def run(self) -> Any:
        return await self.stage.batch().run(await called(self.stage, call("Change", n="1")))


@pytest.mark.anyio
async def test_a_change_that_hits_an_ask_rule_is_asked_about_with_the_changed_call(
    tmp_path: Path,
) -> None:
    person = Answers(Allow({"n": "2"}, note="changed"), Allow(note="yes, I mean it"))
    table = Table(tmp_path, person)
    await table.run()
    assert [request.input for request in person.asked] == [{"n": "1"}, {"n": "2"}]
    assert [request.decided_by for request in person.asked] == ["mode", "rule"]
    assert table.tool.ran == [{"n": "2"}]
    assert texts(table.stage)[0].endswith("changed\nyes, I mean it")


@pytest.mark.anyio
async def test_no_to_the_changed_call_is_no(tmp_path: Path) -> None:
    table = Table(tmp_path, Answers(Allow({"n": "2"}), Deny("better not")))
    await table.run()
    assert (table.tool.ran, texts(table.stage)) == ([], ["better not"])


@pytest.mark.anyio
async def test_a_change_that_no_rule_is_about_runs_without_another_question(tmp_path: Path) -> None:
    person = Answers(Allow({"n": "9"}))
    table = Table(tmp_path, person)
    await table.run()
    assert (len(person.asked), table.tool.ran) == (1, [{"n": "9"}])


class Restless(Answers):
    """Changes the input into something else to be asked about each time."""

    async def decide(self, request: PermissionRequest) -> PermissionAnswer:
        self.asked.append(request)
        rule = "2" if len(self.asked) % 2 else f"3{len(self.asked)}"
        return Allow({"n": rule})


@pytest.mark.anyio
async def test_who_changes_a_call_for_ever_is_not_asked_for_ever(tmp_path: Path) -> None:
    program = Restless(Allow())
    table = Table(tmp_path, program)
    await table.run()
    assert len(program.asked) == MAX_ROUNDS
    assert (table.tool.ran, texts(table.stage)) == ([], [CHANGED_TOO_OFTEN])
