from __future__ import annotations

import gc
from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import Any

import anyio
import pytest

from agent_tui.sdk import (
    AssistantMessage,
    ClaudeAgentOptions,
    CLIConnectionError,
    ProcessError,
    ResultError,
    ResultMessage,
    StreamEvent,
    TextBlock,
    ToolResultBlock,
    UserMessage,
    query,
)
from tests.fakes.api_server import http_error, reply, stall, tool
from tests.sdk.place import Place, heard, kinds
from tests.sdk.test_transport import Nothing

pytestmark = pytest.mark.anyio


async def records(*texts: str) -> AsyncIterator[dict[str, Any]]:
    for text in texts:
        yield {"type": "user", "message": {"role": "user", "content": text}}


async def test_a_text_is_a_single_shot(place: Place) -> None:
    place.api.enqueue("Hello there.")
    messages = await heard(query(prompt="hi", options=place.options()))
    assert kinds(messages) == ["System", "Assistant", "Result"]
    assert messages[1].content == [TextBlock("Hello there.")]
    assert messages[2].result == "Hello there."
    assert messages[2].session_id == messages[0].data["session_id"]
    assert messages[0].data["type"] == "system"


async def test_the_environment_s_own_server_and_key_are_used(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in place.env.items():
        monkeypatch.setenv(name, value)
    place.api.enqueue("Hello there.")
    assert kinds(await heard(query(prompt="hi"))) == ["System", "Assistant", "Result"]


async def test_a_result_that_is_an_error_comes_first_and_is_raised_then(place: Place) -> None:
    place.api.enqueue(*[reply(tool("Read", file_path=f"{n}.txt")) for n in range(2)])
    messages: list[Any] = []
    with pytest.raises(ResultError) as raised:
        async for message in query(prompt="go", options=place.options(max_turns=1)):
            messages += [message]
    assert isinstance(messages[-1], ResultMessage)
    assert raised.value.subtype == messages[-1].subtype == "error_max_turns"
    assert raised.value.session_id == messages[-1].session_id
    assert raised.value.errors == messages[-1].errors
    assert raised.value.exit_code == 1


async def test_a_model_call_that_failed_is_raised_with_its_status(place: Place) -> None:
    place.api.enqueue(http_error(403))
    with pytest.raises(ResultError) as raised:
        await heard(query(prompt="go", options=place.options()))
    assert raised.value.api_error_status == 403


async def test_an_unknown_session_is_told_in_a_sentence(place: Place) -> None:
    nowhere = "11111111-1111-4111-8111-111111111111"
    with pytest.raises(ResultError, match="There is no session") as raised:
        await heard(query(prompt="go", options=place.options(resume=nowhere)))
    assert nowhere in raised.value.errors[0]
    assert not place.api.messages


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        ({"max_budget_usd": 0}, "max_budget_usd"),
        ({"cwd": "/no/such/folder"}, "/no/such/folder"),
        ({"settings": "{nothing"}, "settings"),
        ({"mcp_servers": "/no/such/file.json"}, "/no/such/file.json"),
        ({"env": {"ANTHROPIC_API_KEY": "", "ANTHROPIC_BASE_URL": ""}}, "key"),
    ],
)
async def test_what_can_t_be_opened_is_a_process_error(
    place: Place, wanted: dict[str, Any], said: str
) -> None:
    with pytest.raises(ProcessError, match=said) as raised:
        await heard(query(prompt="go", options=place.options(**wanted)))
    assert raised.value.exit_code == 1
    assert said in str(raised.value.stderr)


async def test_options_that_exclude_each_other_are_refused_before_anything_is_started(
    place: Place,
) -> None:
    async def never(*_: Any) -> Any:
        raise AssertionError

    options = place.options(can_use_tool=never, permission_prompt_tool_name="mcp__a__b")
    with pytest.raises(ValueError, match="can_use_tool"):
        await heard(query(prompt="go", options=options))


async def test_a_transport_is_refused(place: Place) -> None:
    with pytest.raises(CLIConnectionError, match="Nothing"):
        await heard(query(prompt="go", options=place.options(), transport=Nothing()))


async def test_records_are_sent_as_they_come_and_each_has_a_result(place: Place) -> None:
    place.api.enqueue("one", "two")
    first_is_over = anyio.Event()

    async def later() -> AsyncIterator[dict[str, Any]]:
        async for record in records("first"):
            yield record
        await first_is_over.wait()
        async for record in records("second"):
            yield {**record, "uuid": "22222222-2222-4222-8222-222222222222"}

    results: list[ResultMessage] = []
    async for message in query(prompt=later(), options=place.options()):
        if isinstance(message, ResultMessage):
            results.append(message)
            first_is_over.set()
    assert [result.result for result in results] == ["one", "two"]
    assert results[1].user_message_uuid == "22222222-2222-4222-8222-222222222222"
    assert "second" in place.api.messages[1].last_user_text


async def test_an_error_result_of_records_is_not_raised(place: Place) -> None:
    place.api.enqueue(http_error(403))
    messages = await heard(query(prompt=records("one"), options=place.options()))
    assert messages[-1].is_error


async def test_no_records_are_no_messages(place: Place) -> None:
    assert await heard(query(prompt=records(), options=place.options())) == []


async def test_a_fault_of_the_program_s_own_records_reaches_the_program(place: Place) -> None:
    async def broken() -> AsyncIterator[dict[str, Any]]:
        raise LookupError("no more prompts")
        yield {}

    with pytest.raises(LookupError, match="no more prompts"):
        await heard(query(prompt=broken(), options=place.options()))


async def test_a_record_that_is_no_user_message_reaches_the_program(place: Place) -> None:
    async def strange() -> AsyncIterator[dict[str, Any]]:
        yield {"type": "control_request"}

    with pytest.raises(ValueError, match="control_request"):
        await heard(query(prompt=strange(), options=place.options()))


async def test_leaving_the_loop_early_ends_the_session(place: Place) -> None:
    place.api.enqueue(reply("never seen whole", fault=stall()))
    async for message in query(prompt="go", options=place.options()):
        assert kinds([message]) == ["System"]
        await place.asked()
        break
    gc.collect()
    await place.left()
    assert place.api.messages[0].disconnected


async def test_closing_waits_until_the_session_has_ended(place: Place) -> None:
    place.api.enqueue(reply(tool("Bash", command="sleep 60; touch late")))
    options = place.options(allowed_tools=["Bash"])
    messages: Any = query(prompt="go", options=options)
    async with aclosing(messages):
        async for message in messages:
            if isinstance(message, AssistantMessage):
                break
    with pytest.raises(StopAsyncIteration):
        await anext(messages)
    assert not (place.folder / "late").exists()


async def test_a_consumer_that_is_cancelled_leaves_nothing_behind(place: Place) -> None:
    place.api.enqueue(reply("never seen whole", fault=stall()))
    with anyio.move_on_after(30) as scope:
        async for _ in query(prompt="go", options=place.options()):
            scope.cancel()
    assert scope.cancelled_caught
    gc.collect()
    if place.api.messages:
        await place.left()


async def test_two_conversations_go_on_beside_one_another(place: Place) -> None:
    place.api.add_rule(lambda request: "left" in request.last_user_text, "L")
    place.api.add_rule(lambda request: "right" in request.last_user_text, "R")
    found: dict[str, str | None] = {}

    async def hold(prompt: str) -> None:
        messages = await heard(query(prompt=prompt, options=place.options()))
        found[prompt] = messages[-1].result

    async with anyio.create_task_group() as group:
        group.start_soon(hold, "left")
        group.start_soon(hold, "right")
    assert found == {"left": "L", "right": "R"}


async def test_partial_messages_come_when_asked_for(place: Place) -> None:
    place.api.enqueue("Hello there.", "Hello there.")
    some = await heard(query(prompt="hi", options=place.options(include_partial_messages=True)))
    none = await heard(query(prompt="hi", options=place.options()))
    assert {m.event["type"] for m in some if isinstance(m, StreamEvent)} >= {
        "message_start",
        "content_block_delta",
    }
    assert not [m for m in none if isinstance(m, StreamEvent)]


async def test_the_prompt_itself_is_told_only_when_asked_for(place: Place) -> None:
    place.api.enqueue("a", "b")
    replayed = await heard(
        query(prompt="hi", options=place.options(extra_args={"replay-user-messages": None}))
    )
    plain = await heard(query(prompt="hi", options=place.options()))
    assert [m.content for m in replayed if isinstance(m, UserMessage)] == ["hi"]
    assert not [m for m in plain if isinstance(m, UserMessage)]


async def test_a_call_nobody_can_be_asked_about_is_denied(place: Place) -> None:
    place.api.enqueue(reply(tool("Bash", command="touch x")), "done")
    messages = await heard(query(prompt="go", options=place.options()))
    results = [m.content[0] for m in messages if isinstance(m, UserMessage)]
    assert [isinstance(r, ToolResultBlock) and r.is_error for r in results] == [True]
    assert [denied["tool_name"] for denied in messages[-1].permission_denials] == ["Bash"]


async def test_the_options_default_is_the_program_s_folder(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_BASE_URL", place.api.url)
    place.api.enqueue("a")
    options = ClaudeAgentOptions(env={"ANTHROPIC_API_KEY": "sk-test-dummy"})
    messages = await heard(query(prompt="hi", options=options))
    assert messages[0].data["cwd"] == str(place.folder)
