"""Which messages a program is given, of which class, and when."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from agent_tui.sdk import (
    AssistantMessage,
    ClaudeSDKClient,
    HookEventMessage,
    HookMatcher,
    ResultMessage,
    StreamEvent,
    SystemMessage,
    TaskNotificationMessage,
    TaskStartedMessage,
    TextBlock,
    ThinkingBlock,
    ToolResultBlock,
    ToolUseBlock,
    UserMessage,
    query,
)
from tests.fakes.api_server import http_error, reply, thinking, tool
from tests.sdk.place import Place, kinds
from tests.sdk.talk import listen, shot, turns

pytestmark = pytest.mark.anyio


def persons_settings(room: Path, **settings: Any) -> None:
    path = room / "home" / ".claude" / "settings.json"
    path.parent.mkdir()
    path.write_text(json.dumps(settings))


async def test_five_classes_cover_a_run(place: Place) -> None:
    place.write("a.txt", "x")
    place.api.enqueue(reply("Looking.", tool("Read", file_path="a.txt")), "done")
    heard = await shot(place, include_partial_messages=True)
    classes = {SystemMessage, AssistantMessage, UserMessage, StreamEvent, ResultMessage}
    assert {type(message) for message in heard.messages} == classes


async def test_system_messages_are_told_apart_by_their_subtype(place: Place) -> None:
    place.api.add_rule(
        lambda request: "summary" in request.last_user_text, "<summary>so far</summary>", times=1
    )
    place.api.enqueue("one", "two")
    heard = await turns(place, "a", "b", "/compact")
    for message in [m for one in heard for m in one.all(SystemMessage)]:
        assert (message.data["type"], message.data["subtype"]) == ("system", message.subtype)
        assert message.data["session_id"] and message.data["uuid"]
    assert {m.subtype for m in heard[2].all(SystemMessage)} >= {
        "init",
        "status",
        "compact_boundary",
    }
    boundary = heard[2].system("compact_boundary")[0].data["compact_metadata"]
    assert boundary["trigger"] == "manual" and boundary["pre_tokens"] > 0


async def test_init_is_the_first_message_but_for_hooks_of_the_sessions_start(
    place: Place, clean_room: Path
) -> None:
    place.api.enqueue("plain", "hooked")
    plain = await shot(place)
    first = plain.messages[0]
    assert first.subtype == "init"
    assert {"Read", "Bash"} <= set(first.data["tools"])
    assert first.data["model"] == place.api.messages[0].model
    assert first.data["cwd"] == str(place.folder)
    for name in ("skills", "slash_commands", "mcp_servers", "permissionMode"):
        assert name in first.data
    hook = {"hooks": [{"type": "command", "command": "true"}]}
    persons_settings(clean_room, hooks={"SessionStart": [hook]})
    hooked = await shot(place)
    subtypes = [m.subtype for m in hooked.all(SystemMessage)]
    before = subtypes[: subtypes.index("init")]
    assert before and all(one.startswith("hook_") for one in before)
    assert isinstance(hooked.messages[0], HookEventMessage)
    assert hooked.messages[0].hook_event_name == "SessionStart"


async def test_a_status_banner_is_plain_text_with_a_level(place: Place) -> None:
    place.api.enqueue(reply("half of a wo", stop_reason="max_tokens"), "rd")
    heard = await shot(place)
    [banner] = heard.system("informational")
    assert "output limit" in banner.data["content"]
    assert banner.data["level"] in ("info", "notice", "suggestion", "warning")


async def test_every_subtype_is_a_system_message_in_python(place: Place) -> None:
    place.api.enqueue(reply(tool("Bash", command="true", run_in_background=True)), "one", "two")
    heard = await shot(place, allowed_tools=["Bash"])
    [started] = heard.system("task_started")
    [ended] = heard.system("task_notification")
    assert isinstance(started, TaskStartedMessage) and isinstance(ended, TaskNotificationMessage)
    assert started.task_id == ended.task_id == started.data["task_id"]
    assert ended.status == "completed"
    assert all(
        isinstance(m, SystemMessage) for m in heard.messages if kinds([m])[0].startswith("Task")
    )


async def test_each_block_has_a_message_and_the_blocks_of_a_response_share_its_id(
    place: Place,
) -> None:
    place.write("a.txt", "x")
    call = tool("Read", file_path="a.txt")
    place.api.enqueue(reply(thinking("hm"), "Looking.", call, call), reply("One.", "Two."))
    heard = await shot(place)
    said = heard.all(AssistantMessage)
    assert [len(m.content) for m in said] == [1] * 6
    assert [type(m.content[0]) for m in said] == [
        ThinkingBlock,
        TextBlock,
        ToolUseBlock,
        ToolUseBlock,
        TextBlock,
        TextBlock,
    ]
    ids = [m.message_id for m in said]
    assert ids[0] and ids[4] and ids == [ids[0]] * 4 + [ids[4]] * 2 and ids[0] != ids[4]
    assert heard.result.result == "Two."


async def test_each_tool_that_ends_has_a_user_message_with_what_is_sent_back(place: Place) -> None:
    place.write("a.txt", "content")
    place.api.enqueue(
        reply(tool("Read", file_path="a.txt"), tool("Bash", command="echo hi")), "done"
    )
    heard = await shot(place)
    users = heard.all(UserMessage)
    assert [[type(block) for block in m.content] for m in users] == [[ToolResultBlock]] * 2
    sent = place.api.messages[1].tool_results
    assert [m.content[0].tool_use_id for m in users] == [one["tool_use_id"] for one in sent]
    assert [m.content[0].content for m in users] == [one["content"] for one in sent]
    assert users[1].tool_use_result["stdout"] == "hi"


async def test_what_is_sent_in_the_middle_of_a_run_is_a_user_message_too(place: Place) -> None:
    place.api.enqueue(reply(tool("Bash", command="until [ -e go ]; do sleep 0.02; done")), "both")
    options = place.options(allowed_tools=["Bash"], extra_args={"replay-user-messages": None})
    told: list[str] = []
    async with ClaudeSDKClient(options) as client:
        await client.query("first")
        async for message in client.receive_response():
            if isinstance(message, AssistantMessage) and message.content[0] != TextBlock("both"):
                await client.query("second")
                place.write("go", "")
            if isinstance(message, UserMessage):
                told.append(message.content if isinstance(message.content, str) else "result")
    assert told == ["first", "result", "second"]


async def test_what_comes_after_the_result_is_heard_by_who_reads_to_the_end(place: Place) -> None:
    place.api.enqueue(
        reply(tool("Bash", command="until [ -e go ]; do sleep 0.02; done", run_in_background=True)),
        "started",
        "it has ended",
    )

    def after_the_result(message: Any) -> None:
        if isinstance(message, ResultMessage):
            place.write("go", "")

    options = place.options(allowed_tools=["Bash"])
    heard = await listen(query(prompt="go", options=options), after_the_result)
    first = heard.messages.index(heard.results[0])
    late = heard.messages[first + 1 :]
    assert any(isinstance(message, TaskNotificationMessage) for message in late)
    assert [result.result for result in heard.results] == ["started", "it has ended"]


async def test_more_can_be_watched_than_is_needed(place: Place, clean_room: Path) -> None:
    hook = {"hooks": [{"type": "command", "command": "echo seen"}]}
    persons_settings(clean_room, hooks={"PostToolUse": [hook]})
    call = reply(tool("Bash", command="echo 1"))
    place.api.enqueue(call, "quiet", call, "loud", http_error(529), "again")
    quiet = await shot(place)
    assert not quiet.all(HookEventMessage)
    loud = await shot(place, include_hook_events=True)
    events = [(m.subtype, m.hook_event_name) for m in loud.all(HookEventMessage)]
    assert events == [("hook_started", "PostToolUse"), ("hook_response", "PostToolUse")]
    retried = await shot(place)
    assert retried.system("api_retry")[0].data["error_status"] == 529
    assert retried.result.result == "again"


async def test_blocks_are_classes_with_the_documented_fields(place: Place) -> None:
    place.api.enqueue(reply("Hello.", tool("Bash", {"command": "echo 1"}, id="toolu_7")), "done")
    heard = await shot(place)
    said = [block for m in heard.all(AssistantMessage) for block in m.content]
    assert [one.text for one in said if isinstance(one, TextBlock)] == ["Hello.", "done"]
    [call] = [one for one in said if isinstance(one, ToolUseBlock)]
    assert (call.name, call.input, call.id) == ("Bash", {"command": "echo 1"}, "toolu_7")
    [answered] = heard.tool_results
    assert (answered.tool_use_id, answered.content, answered.is_error) == ("toolu_7", "1", False)


async def test_a_program_may_look_at_the_result_the_progress_or_everything(place: Place) -> None:
    place.api.enqueue(
        reply("Look.", tool("Bash", command="echo 1"), chunk=2), reply("done", chunk=2)
    )
    heard = await shot(place, include_partial_messages=True)
    assert heard.messages[-1].result == "done"
    assert (heard.texts, [call.name for call in heard.calls]) == (["Look.", "done"], ["Bash"])
    deltas = [m.event["delta"] for m in heard.all(StreamEvent) if "delta" in m.event]
    live = "".join(one["text"] for one in deltas if one.get("type") == "text_delta")
    assert live == "Look.done"
    typed = "".join(one["partial_json"] for one in deltas if one.get("type") == "input_json_delta")
    assert json.loads(typed) == {"command": "echo 1"}


async def test_a_hooks_banner_may_keep_a_prompt_back(place: Place) -> None:
    async def guard(given: Any, call_id: str | None, context: Any) -> Any:
        return {"decision": "block", "reason": "not today"}

    heard = await shot(place, hooks={"UserPromptSubmit": [HookMatcher(hooks=[guard])]})
    [banner] = heard.system("informational")
    assert "not today" in banner.data["content"]
    assert banner.data["prevent_continuation"] is True
    assert not place.api.messages
