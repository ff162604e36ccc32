from __future__ import annotations

from typing import Any

import pytest

from agent_tui.hooks.output import SILENT, BadOutputError, plain_output, read_output
from agent_tui.protocol.hooks import NOTHING, HookEvent, HookOutcome
from agent_tui.protocol.requests import Allow, Deny, PermissionRuleValue, PermissionUpdate


def said(event: HookEvent, data: Any, tool: str = "") -> HookOutcome:
    return read_output(event, data, "User", tool).outcome


def specific(event: str, **fields: Any) -> dict[str, Any]:
    return {"hookSpecificOutput": {"hookEventName": event, **fields}}


@pytest.mark.parametrize("behavior", ["allow", "deny", "ask", "defer"])
def test_a_decision_about_a_call(behavior: str) -> None:
    data = specific("PreToolUse", permissionDecision=behavior, permissionDecisionReason="why")
    outcome = said("PreToolUse", data)
    assert (outcome.behavior, outcome.reason, outcome.source) == (behavior, "why", "User")


@pytest.mark.parametrize(("word", "behavior"), [("approve", "allow"), ("block", "deny")])
def test_the_older_words_for_it(word: str, behavior: str) -> None:
    outcome = said("PreToolUse", {"decision": word, "reason": "old"})
    assert (outcome.behavior, outcome.reason, outcome.blocked) == (behavior, "old", None)


def test_the_newer_word_goes_before_the_older() -> None:
    data = {"decision": "approve", **specific("PreToolUse", permissionDecision="deny")}
    assert said("PreToolUse", data).behavior == "deny"


def test_changed_input_added_text_and_a_warning() -> None:
    data = {
        "systemMessage": "mind",
        **specific("PreToolUse", updatedInput={"command": "ls"}, additionalContext=" more "),
    }
    read = read_output("PreToolUse", data, "User")
    assert read.warning == "mind"
    assert read.outcome == HookOutcome(
        updated_input={"command": "ls"}, additional_context=("more",)
    )


@pytest.mark.parametrize("event", ["PostToolUse", "UserPromptSubmit", "Stop", "PreCompact"])
def test_block_says_why(event: HookEvent) -> None:
    assert said(event, {"decision": "block", "reason": " no "}).blocked == "no"
    assert event in str(said(event, {"decision": "block"}).blocked)
    assert said(event, {"decision": "approve"}).blocked is None


def test_block_means_nothing_where_nothing_can_be_blocked() -> None:
    assert said("Notification", {"decision": "block", "reason": "x"}) == NOTHING


@pytest.mark.parametrize("key", ["continue", "continue_"])
def test_the_run_ends_with_or_without_a_reason(key: str) -> None:
    assert said("Stop", {key: False, "stopReason": "enough"}).stop == "enough"
    assert said("Stop", {key: False}).stop == ""
    assert said("Stop", {key: True, "stopReason": "x"}).stop is None


@pytest.mark.parametrize("key", ["async", "async_"])
def test_who_goes_on_by_himself_decides_nothing(key: str) -> None:
    assert read_output("PreToolUse", {key: True, "asyncTimeout": 5}, "User") == SILENT


def test_a_tools_result_is_replaced() -> None:
    assert said("PostToolUse", specific("PostToolUse", updatedToolOutput=[1])).updated_output == [1]
    old = specific("PostToolUse", updatedMCPToolOutput="new")
    assert said("PostToolUse", old, "mcp__a__b").updated_output == "new"
    assert said("PostToolUse", old, "Bash").updated_output is None


def test_a_session_is_named_and_begun() -> None:
    data = specific("SessionStart", sessionTitle="T", initialUserMessage="Go", reloadSkills=True)
    outcome = said("SessionStart", data)
    assert (outcome.title, outcome.initial_prompt) == ("T", "Go")


@pytest.mark.parametrize(
    ("decision", "answer"),
    [
        ({"behavior": "allow"}, Allow()),
        (
            {
                "behavior": "allow",
                "updatedInput": {"a": 1},
                "updatedPermissions": [
                    {"type": "addRules", "rules": [{"toolName": "Bash", "ruleContent": "ls *"}]}
                ],
            },
            Allow(
                {"a": 1}, (PermissionUpdate("addRules", (PermissionRuleValue("Bash", "ls *"),)),)
            ),
        ),
        ({"behavior": "deny", "message": "no", "interrupt": True}, Deny("no", True)),
        ({"behavior": "deny"}, Deny()),
    ],
)
def test_a_question_is_answered(decision: dict[str, Any], answer: Allow | Deny) -> None:
    outcome = said("PermissionRequest", specific("PermissionRequest", decision=decision))
    assert (outcome.answer, outcome.source) == (answer, "User")


def test_fields_of_other_events_mean_nothing() -> None:
    data = specific("PostToolUse", permissionDecision="deny", updatedInput={"a": 1}, retry=True)
    assert said("PostToolUse", data) == NOTHING


def test_a_sub_agents_stop_hook_may_answer_by_its_own_name() -> None:
    data = specific("Stop", additionalContext="more")
    assert said("SubagentStop", data).additional_context == ("more",)


def test_unknown_keys_and_nulls_are_no_fault() -> None:
    data = {"suppressOutput": True, "colour": 1, "reason": None, **specific("Stop", x=1)}
    assert said("Stop", data) == NOTHING


@pytest.mark.parametrize(
    ("data", "says"),
    [
        ([], "must be an object"),
        (None, "must be an object"),
        ({"continue": "no"}, "continue must be true or false"),
        ({"decision": "deny"}, "decision must be"),
        ({"systemMessage": 1}, "systemMessage must be text"),
        ({"hookSpecificOutput": "x"}, "hookSpecificOutput must be an object"),
        (specific("Stop"), "is for Stop, but the event is PreToolUse"),
        (specific("PreToolUse", permissionDecision="Deny"), "allow, deny, ask or defer"),
        (specific("PreToolUse", updatedInput="ls"), "updatedInput must be an object"),
        (specific("PreToolUse", additionalContext=["x" * 99]), "additionalContext must be text"),
    ],
)
def test_what_is_not_as_documented_is_no_answer(data: Any, says: str) -> None:
    with pytest.raises(BadOutputError, match=says):
        read_output("PreToolUse", data, "User")


@pytest.mark.parametrize(
    "decision",
    [
        {},
        {"behavior": "maybe"},
        {"behavior": "allow", "updatedInput": 1},
        {"behavior": "allow", "updatedPermissions": {}},
        {"behavior": "allow", "updatedPermissions": [{"type": "x"}]},
        {"behavior": "deny", "message": 1},
        {"behavior": "deny", "interrupt": "yes"},
    ],
)
def test_a_malformed_answer_is_no_answer(decision: dict[str, Any]) -> None:
    with pytest.raises(BadOutputError, match="decision"):
        said("PermissionRequest", specific("PermissionRequest", decision=decision))


def test_plain_output_is_for_the_model_at_some_events_only() -> None:
    assert plain_output("UserPromptSubmit", " hi \n").outcome.additional_context == ("hi",)
    assert plain_output("SessionStart", "hi").outcome.additional_context == ("hi",)
    assert plain_output("SessionStart", "\n") == SILENT
    assert plain_output("PreToolUse", "hi") == SILENT
