"""A program's hooks: what each is told, and what it can do."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest

from agent_tui.sdk import AgentDefinition, HookMatcher, UserMessage
from agent_tui.sdk.warned import UnsupportedOptionWarning
from tests.fakes.api_server import reply, system_contains, tool
from tests.sdk.place import Place
from tests.sdk.talk import shot, turns

pytestmark = pytest.mark.anyio


@dataclass
class Hook:
    """A program's hook for an event; ``told`` are the inputs it was given."""

    event: str
    says: Callable[[Any], dict[str, Any]] = lambda given: {}
    matcher: str | None = None
    told: list[Any] = field(default_factory=list[Any])

    async def __call__(self, given: Any, call_id: str | None, context: Any) -> Any:
        self.told.append(given)
        return self.says(given)


def hooks(*given: Hook) -> Any:
    return {one.event: [HookMatcher(matcher=one.matcher, hooks=[one])] for one in given}


def specific(event: str, **fields: Any) -> dict[str, Any]:
    return {"hookSpecificOutput": {"hookEventName": event, **fields}}


async def test_before_a_tool_a_hook_may_reject_the_call(place: Place) -> None:
    no = specific(
        "PreToolUse", permissionDecision="deny", permissionDecisionReason="not on Fridays"
    )
    guard = Hook("PreToolUse", lambda given: no, "Bash")
    place.api.enqueue(reply(tool("Bash", command="touch made")), "Then not.")
    heard = await shot(place, hooks=hooks(guard), permission_mode="bypassPermissions", env=SANDBOX)
    assert not (place.folder / "made").exists()
    [answered] = place.api.messages[1].tool_results
    assert answered["is_error"] and "not on Fridays" in str(answered["content"])
    assert guard.told[0]["tool_input"]["command"] == "touch made"
    assert heard.result.result == "Then not."


SANDBOX = {"IS_SANDBOX": "1"}


async def test_after_a_tool_a_hook_may_audit_what_it_gave(place: Place) -> None:
    audit = Hook("PostToolUse", lambda given: specific("PostToolUse", additionalContext="LOGGED"))
    failed = Hook("PostToolUseFailure")
    place.api.enqueue(
        reply(tool("Bash", command="echo printed"), tool("Read", file_path="none")), "done"
    )
    await shot(place, hooks=hooks(audit, failed))
    [told] = audit.told
    assert (told["tool_name"], told["tool_response"]["stdout"]) == ("Bash", "printed")
    assert [one["tool_name"] for one in failed.told] == ["Read"]
    after = place.api.messages[1]
    assert [block["type"] for block in after.last_user_blocks] == ["tool_result"] * 2 + ["text"]
    assert "LOGGED" in after.last_user_text


async def test_on_a_prompt_a_hook_may_add_context(place: Place) -> None:
    adds = specific("UserPromptSubmit", additionalContext="It is Friday.")
    hook = Hook("UserPromptSubmit", lambda given: adds)
    place.api.enqueue("one", "two")
    await turns(place, "first", "second", hooks=hooks(hook))
    assert [told["prompt"] for told in hook.told] == ["first", "second"]
    for request in place.api.messages:
        assert "It is Friday." in request.last_user_text


async def test_at_the_end_a_hook_may_check_the_work_and_send_the_model_back(place: Place) -> None:
    def check(given: Any) -> dict[str, Any]:
        if (place.folder / "made").exists():
            return {}
        return {"decision": "block", "reason": "the file is missing"}

    hook = Hook("Stop", check)
    make = reply(tool("Write", file_path="made", content="x"))
    place.api.enqueue("Done!", make, "Now it is.")
    heard = await shot(place, hooks=hooks(hook), permission_mode="acceptEdits")
    assert [told["stop_hook_active"] for told in hook.told] == [False, True]
    assert [told["last_assistant_message"] for told in hook.told] == ["Done!", "Now it is."]
    assert "the file is missing" in place.api.messages[1].last_user_text
    assert any("the file is missing" in str(m.content) for m in heard.all(UserMessage))
    assert (heard.result.subtype, heard.result.result) == ("success", "Now it is.")


async def test_sub_agents_are_tracked_from_their_beginning_to_their_end(place: Place) -> None:
    for answer in ("one found", "two found"):
        place.api.add_rule(system_contains("YOU SCOUT"), answer, times=1)
    call = tool(
        "Agent",
        description="look",
        prompt="look around",
        subagent_type="scout",
        run_in_background=False,
    )
    place.api.enqueue(reply(call, call), "done")
    begins, ends = Hook("SubagentStart"), Hook("SubagentStop")
    kind = AgentDefinition(description="looks", prompt="YOU SCOUT")
    await shot(place, agents={"scout": kind}, hooks=hooks(begins, ends))
    assert [told["agent_type"] for told in (*begins.told, *ends.told)] == ["scout"] * 4
    ids = {told["agent_id"] for told in begins.told}
    assert len(ids) == 2 and ids == {told["agent_id"] for told in ends.told}
    found = {told["last_assistant_message"] for told in ends.told}
    assert found == {"one found", "two found"}
    assert all(os.path.exists(told["agent_transcript_path"]) for told in ends.told)


async def test_before_a_compaction_a_hook_is_told_and_may_stop_it(place: Place) -> None:
    hook = Hook("PreCompact", lambda given: {"decision": "block", "reason": "archive first"})
    place.api.enqueue("one", "two")
    heard = await turns(place, "a", "b", "/compact keep names", hooks=hooks(hook))
    [told] = hook.told
    assert (told["trigger"], told["custom_instructions"]) == ("manual", "keep names")
    assert not heard[2].system("compact_boundary")
    assert len(place.api.messages) == 2


async def test_hooks_run_in_the_program_and_cost_no_context(place: Place) -> None:
    pids: list[int] = []

    def silent(given: Any) -> dict[str, Any]:
        pids.append(os.getpid())
        return {}

    events = ("PreToolUse", "PostToolUse", "UserPromptSubmit", "Stop")
    for given in (None, hooks(*(Hook(event, silent) for event in events))):
        place.api.enqueue(reply(tool("Bash", {"command": "echo 1"}, id="toolu_1")), "done")
        await shot(place, hooks=given)
    assert set(pids) == {os.getpid()} and len(pids) == 4
    plain, hooked = place.api.messages[:2], place.api.messages[2:]
    for one, other in zip(plain, hooked, strict=True):
        for part in ("system", "tools", "messages"):
            assert one.body[part] == other.body[part]


async def test_an_event_that_python_lacks_is_warned_of_by_name(place: Place) -> None:
    place.api.enqueue("one")
    silent = Hook("TeammateIdle")
    with pytest.warns(UnsupportedOptionWarning, match="TeammateIdle"):
        await shot(place, hooks=hooks(silent))
    assert silent.told == []
