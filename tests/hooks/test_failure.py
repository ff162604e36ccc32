from __future__ import annotations

from typing import get_args

import pytest

from agent_tui.hooks.configured import CallbackHook, CommandHook
from agent_tui.hooks.failure import Failure, Kind, blocks, named, refusal, told, way_out
from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.hooks import HookEvent
from agent_tui.protocol.requests import Deny
from agent_tui.settings.schema import HookFailures

KINDS: tuple[Kind, ...] = get_args(Kind)
SHELL = CommandHook("./check", path="/f.json")


async def _silent(given: JsonObject, call_id: str | None) -> JsonObject:
    return {}


def blocking(event: HookEvent, setting: HookFailures | None = None) -> set[str]:
    return {kind for kind in KINDS if blocks(event, SHELL, Failure(kind, ""), setting)}


def of_callback(
    event: HookEvent, on_failure: str | None, setting: HookFailures | None = None
) -> set[str]:
    hook = CallbackHook(_silent, on_failure=on_failure)
    return {kind for kind in KINDS if blocks(event, hook, Failure(kind, ""), setting)}


@pytest.mark.parametrize("event", ["PreToolUse", "UserPromptSubmit"])
def test_m7_a_guard_that_could_not_answer_blocks(event: HookEvent) -> None:
    assert blocking(event) == {"start", "timeout", "killed", "output"}
    assert blocking(event, "block") == set(KINDS)
    assert blocking(event, "continue") == set()


def test_other_moments_go_on_unless_the_settings_say_otherwise() -> None:
    assert blocking("PreCompact") == blocking("PostToolUse") == set()
    assert blocking("PermissionRequest") == set()  # the question is asked
    assert blocking("PreCompact", "block") == set(KINDS)


@pytest.mark.parametrize("event", ["Stop", "SubagentStop", "TaskCompleted", "PostToolUse"])
def test_no_setting_makes_a_failure_block_where_that_would_never_end(event: HookEvent) -> None:
    assert blocking(event, "block") == of_callback(event, "block") == set()


def test_m7_a_callback_fails_as_documented() -> None:
    assert of_callback("PreToolUse", None) == {"start", "timeout"}
    assert of_callback("UserPromptSubmit", "continue", "block") == {"start", "timeout"}
    assert of_callback("PreToolUse", "block") == set(KINDS)
    assert of_callback("PreToolUse", None, "block") == set(KINDS)
    assert of_callback("PreCompact", None) == set()


def test_the_person_is_told_what_happened() -> None:
    failure = Failure("start", "could not start: gone.")
    assert told("PreToolUse", "Bash", SHELL, failure, blocked=True) == (
        "PreToolUse:Bash hook (./check) could not start: gone. What it guards was not let through."
    )
    assert told("Stop", "", SHELL, failure, blocked=False).endswith("It was taken for no answer.")
    assert named("Stop", "", CallbackHook(_silent)) == "Stop hook (a function of the program)"


def test_the_person_is_told_how_to_be_rid_of_it() -> None:
    assert way_out(SHELL) == (
        'It stands in /f.json: mend it or take it out there, or set "disableAllHooks": true.'
    )
    decreed = CommandHook("./check", source="Managed", path="/m.json")
    assert way_out(decreed) == "It stands in /m.json: mend it or take it out there."
    assert way_out(CallbackHook(_silent)) == ""


def test_a_refusal_is_in_the_words_of_its_event() -> None:
    failure = Failure("timeout", "ran out of time.")
    denied = refusal("PreToolUse", SHELL, failure)
    assert (denied.behavior, denied.source) == ("deny", "User")
    assert "ran out of time." in denied.reason
    answer = refusal("PermissionRequest", SHELL, failure).answer
    assert isinstance(answer, Deny) and "ran out of time." in answer.message
    assert "ran out of time." in str(refusal("UserPromptSubmit", SHELL, failure).blocked)
