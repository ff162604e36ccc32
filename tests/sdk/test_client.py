from __future__ import annotations

import gc
from collections.abc import AsyncIterator, Callable
from typing import Any

import anyio
import pytest

from agent_tui.sdk import (
    AssistantMessage,
    ClaudeSDKClient,
    ClaudeSDKError,
    CLIConnectionError,
    PermissionResultAllow,
    PermissionResultDeny,
    ProcessError,
    ResultMessage,
    SystemMessage,
    UserMessage,
)
from tests.fakes.api_server import reply, stall, tool
from tests.sdk.place import Place, heard, kinds
from tests.sdk.test_transport import Nothing

pytestmark = pytest.mark.anyio


async def answers(client: ClaudeSDKClient, prompt: str) -> list[Any]:
    """Send a prompt and read to its result."""
    await client.query(prompt)
    return await heard(client.receive_response())


async def test_each_prompt_has_its_own_response_in_one_session(place: Place) -> None:
    place.api.enqueue("one", "two")
    async with ClaudeSDKClient(place.options()) as client:
        first = await answers(client, "first")
        second = await answers(client, "second")
    assert kinds(first) == kinds(second) == ["System", "Assistant", "Result"]
    assert first[-1].session_id == second[-1].session_id
    assert second[-1].result == "two"


USES: dict[str, Callable[[ClaudeSDKClient], Any]] = {
    "query": lambda c: c.query("hi"),
    "receive_messages": lambda c: heard(c.receive_messages()),
    "receive_response": lambda c: heard(c.receive_response()),
    "interrupt": lambda c: c.interrupt(),
    "set_permission_mode": lambda c: c.set_permission_mode("plan"),
    "set_model": lambda c: c.set_model("haiku"),
    "stop_task": lambda c: c.stop_task("b1"),
    "rewind_files": lambda c: c.rewind_files("u1"),
    "get_context_usage": lambda c: c.get_context_usage(),
    "get_server_info": lambda c: c.get_server_info(),
    "get_mcp_status": lambda c: c.get_mcp_status(),
    "reconnect_mcp_server": lambda c: c.reconnect_mcp_server("a"),
    "toggle_mcp_server": lambda c: c.toggle_mcp_server("a", False),
}


@pytest.mark.parametrize("use", USES)
async def test_without_a_connection_every_use_says_so(use: str) -> None:
    with pytest.raises(CLIConnectionError, match="Not connected"):
        await USES[use](ClaudeSDKClient())


async def test_after_disconnect_it_is_not_connected_and_can_connect_again(place: Place) -> None:
    place.api.enqueue("one", "two")
    client = ClaudeSDKClient(place.options())
    await client.disconnect()
    for text in ("one", "two"):
        await client.connect()
        assert (await answers(client, "go"))[-1].result == text
        await client.disconnect()
    with pytest.raises(CLIConnectionError):
        await client.query("hi")


async def test_what_can_t_be_opened_is_raised_by_connect(place: Place) -> None:
    client = ClaudeSDKClient(place.options(max_budget_usd=-1))
    with pytest.raises(ProcessError, match="max_budget_usd"):
        await client.connect()
    with pytest.raises(CLIConnectionError):
        await client.interrupt()


async def test_a_transport_is_refused_by_connect(place: Place) -> None:
    with pytest.raises(CLIConnectionError, match="Nothing"):
        await ClaudeSDKClient(place.options(), Nothing()).connect()


async def test_connect_sends_what_it_is_given(place: Place) -> None:
    place.api.enqueue("one", "two")

    async def records() -> AsyncIterator[dict[str, Any]]:
        yield {"type": "user", "message": {"role": "user", "content": "from a record"}}

    async with ClaudeSDKClient(place.options()) as client:
        await client.connect("from connect")
        assert (await heard(client.receive_response()))[-1].result == "one"
        await client.connect(records())
        assert (await heard(client.receive_response()))[-1].result == "two"
    assert "from connect" in place.api.messages[0].last_user_text
    assert "from a record" in place.api.messages[1].last_user_text


async def test_records_are_sent_one_by_one(place: Place) -> None:
    place.api.enqueue("one")

    async def records() -> AsyncIterator[dict[str, Any]]:
        block = {"type": "text", "text": "in blocks"}
        yield {"type": "user", "message": {"role": "user", "content": [block]}, "uuid": "u-1"}

    async with ClaudeSDKClient(place.options()) as client:
        await client.query(records())
        result = (await heard(client.receive_response()))[-1]
    assert result.user_message_uuid == "u-1"
    assert "in blocks" in place.api.messages[0].last_user_text


async def test_a_prompt_sent_while_tools_run_joins_the_run(place: Place) -> None:
    place.api.enqueue(reply(tool("Bash", command="until [ -e go ]; do sleep 0.02; done")), "both")
    async with ClaudeSDKClient(place.options(allowed_tools=["Bash"])) as client:
        await client.query("first")
        results: list[ResultMessage] = []
        async for message in client.receive_response():
            if isinstance(message, AssistantMessage) and not results and not sent(place):
                await client.query("second")
                place.write("go", "")
            if isinstance(message, ResultMessage):
                results.append(message)
    assert [result.result for result in results] == ["both"]
    assert "second" in place.api.messages[1].last_user_text


def sent(place: Place) -> bool:
    return (place.folder / "go").exists()


async def test_an_interrupt_ends_the_run_and_the_session_goes_on(place: Place) -> None:
    place.api.enqueue(reply("never seen whole", fault=stall(block=0, chars=5)), "again")
    async with ClaudeSDKClient(place.options()) as client:
        await client.query("go")
        await place.asked()
        await client.interrupt()
        cut = (await heard(client.receive_response()))[-1]
        assert (cut.subtype, cut.terminal_reason) == ("error_during_execution", "aborted_streaming")
        assert (await answers(client, "go on"))[-1].result == "again"


async def test_the_mode_changes_from_the_next_call_on(place: Place) -> None:
    calls = [reply(tool("Write", file_path=str(place.folder / name), content="x")) for name in "ab"]
    place.api.enqueue(calls[0], "one", calls[1], "two")
    asked: list[str] = []

    async def no(name: str, given: dict[str, Any], context: Any) -> PermissionResultDeny:
        asked.append(given["file_path"])
        return PermissionResultDeny(message="no")

    async with ClaudeSDKClient(place.options(can_use_tool=no)) as client:
        await answers(client, "first")
        await client.set_permission_mode("acceptEdits")
        second = await answers(client, "second")
    assert asked == [str(place.folder / "a")]
    assert (place.folder / "b").read_text() == "x"
    told = [m for m in second if isinstance(m, SystemMessage)]
    assert told[0].data["permissionMode"] == "acceptEdits"
    assert [m.subtype for m in told] == ["status", "init"]


async def test_a_mode_that_was_not_allowed_at_the_start_is_refused(place: Place) -> None:
    async with ClaudeSDKClient(place.options()) as client:
        with pytest.raises(ClaudeSDKError, match="bypassPermissions"):
            await client.set_permission_mode("bypassPermissions")
        await client.set_permission_mode("dontAsk")
        await client.set_permission_mode("auto")


async def test_the_model_changes_from_the_next_request_on(place: Place) -> None:
    place.api.enqueue("one", "two")
    async with ClaudeSDKClient(place.options(model="sonnet")) as client:
        await answers(client, "first")
        await client.set_model("haiku")
        result = (await answers(client, "second"))[-1]
    models = [request.model for request in place.api.messages]
    assert "sonnet" in models[0]
    assert "haiku" in models[1]
    assert set(result.model_usage or ()) == set(models)


async def test_files_are_put_back_to_what_they_were_at_a_prompt(place: Place) -> None:
    (place.folder / "a.txt").write_text("one")
    place.api.enqueue(
        reply(tool("Write", file_path=str(place.folder / "new.txt"), content="made")),
        reply(
            tool("Edit", file_path=str(place.folder / "a.txt"), old_string="one", new_string="two")
        ),
        "done",
    )
    options = place.options(
        enable_file_checkpointing=True,
        permission_mode="acceptEdits",
        extra_args={"replay-user-messages": None},
    )
    async with ClaudeSDKClient(options) as client:
        said = await answers(client, "change it")
        asked = next(one.uuid for one in said if isinstance(one, UserMessage) and one.uuid)
        assert (place.folder / "new.txt").exists()
        assert await client.rewind_files(asked) is None
        assert (place.folder / "a.txt").read_text() == "one"
        assert not (place.folder / "new.txt").exists()
        with pytest.raises(ClaudeSDKError, match=r"u-1: There is no such moment"):
            await client.rewind_files("u-1")


async def test_files_can_t_be_put_back_where_nothing_was_kept(place: Place) -> None:
    async with ClaudeSDKClient(place.options()) as client:
        with pytest.raises(ClaudeSDKError, match=r"u-1: What files were is not kept"):
            await client.rewind_files("u-1")


async def test_a_reader_that_leaves_early_leaves_the_rest_to_the_next(place: Place) -> None:
    place.api.enqueue("one")
    async with ClaudeSDKClient(place.options()) as client:
        await client.query("go")
        async for message in client.receive_messages():
            assert isinstance(message, SystemMessage)
            break
        assert kinds(await heard(client.receive_response())) == ["Assistant", "Result"]


async def test_all_messages_end_with_the_session(place: Place) -> None:
    place.api.enqueue("one")
    client = ClaudeSDKClient(place.options())
    await client.connect("go")
    found: list[Any] = []

    async def read() -> None:
        found.extend(await heard(client.receive_messages()))

    async with anyio.create_task_group() as group:
        group.start_soon(read)
        await place.left()
        await client.disconnect()
    assert kinds(found)[:2] == ["System", "Assistant"]


async def test_disconnecting_ends_what_runs(place: Place) -> None:
    place.api.enqueue(reply(tool("Bash", command="touch begun; sleep 60; touch late")))
    async with ClaudeSDKClient(place.options(allowed_tools=["Bash"])) as client:
        await client.query("go")
        async for message in client.receive_messages():
            if isinstance(message, AssistantMessage):
                break
        with anyio.fail_after(20):
            while not (place.folder / "begun").exists():
                await anyio.sleep(0.01)
    assert not (place.folder / "late").exists()


async def test_no_prompt_of_the_program_is_told_back(place: Place) -> None:
    place.api.enqueue("one")
    async with ClaudeSDKClient(place.options()) as client:
        found = await answers(client, "go")
    assert not [m for m in found if isinstance(m, UserMessage)]


async def test_questions_are_answered_in_the_documented_shape(place: Place) -> None:
    async with ClaudeSDKClient(place.options()) as client:
        status = await client.get_mcp_status()
        assert status == {"mcpServers": []}
        info = await client.get_server_info()
        assert info is not None
        assert "compact" in [command["name"] for command in info["commands"]]
        usage = await client.get_context_usage()
        assert usage["totalTokens"] <= usage["rawMaxTokens"]
        with pytest.raises(ClaudeSDKError, match="nowhere"):
            await client.reconnect_mcp_server("nowhere")
        with pytest.raises(ClaudeSDKError, match="nowhere"):
            await client.toggle_mcp_server("nowhere", True)


async def test_what_is_no_text_is_refused_and_the_session_goes_on(place: Place) -> None:
    place.api.enqueue("still here")
    wrong: Any = 5
    async with ClaudeSDKClient(place.options()) as client:
        for use in (client.set_model, client.stop_task, client.query):
            with pytest.raises(TypeError, match="text"):
                await use(wrong)
        [*_, result] = await answers(client, "hi")
    assert result.result == "still here"


async def test_a_callback_may_disconnect(place: Place) -> None:
    """The reader hears of the end, and nothing is left open."""
    place.api.enqueue(reply(tool("Bash", command="touch x")))

    async def leave(*_: Any) -> PermissionResultAllow:
        await client.disconnect()
        return PermissionResultAllow()

    client = ClaudeSDKClient(place.options(can_use_tool=leave))
    await client.connect()
    messages = client.receive_messages()
    await client.query("go")
    with anyio.fail_after(20):
        assert [message async for message in messages]
    gc.collect()
    assert not (place.folder / "x").exists()
