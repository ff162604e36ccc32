from __future__ import annotations

from typing import Any

import anyio
import pytest

from agent_tui.protocol.messages import ResultMessage
from agent_tui.protocol.ops import Interrupt, Prompt
from agent_tui.protocol.queries import Sessions
from agent_tui.sdk import ClaudeSDKError, CLIConnectionError, InMemorySessionStore, ProcessError
from agent_tui.sdk.connection import Connection, result_error
from tests.fakes.api_server import reply, tool
from tests.sdk.place import Place, kinds

pytestmark = pytest.mark.anyio


async def read(connection: Connection) -> list[Any]:
    """Read to the end of the session."""
    found: list[Any] = []
    while (message := await connection.next()) is not None:
        found.append(message)
    return found


async def test_what_is_given_is_run_and_then_it_is_over(place: Place) -> None:
    place.api.enqueue("one")
    connection = Connection(place.options(), "go", stays=False)
    await connection.open()
    assert kinds(await read(connection)) == ["System", "Assistant", "Result"]
    assert connection.last_result is not None
    assert connection.last_result.result == "one"
    await connection.close()
    with pytest.raises(CLIConnectionError, match="over"):
        connection.send(Interrupt())
    with pytest.raises(CLIConnectionError, match="over"):
        await connection.ask(Sessions(str(place.folder)))


async def test_one_that_stays_waits_for_more(place: Place) -> None:
    place.api.enqueue("one")
    connection = Connection(place.options(), stays=True)
    await connection.open()
    assert set(connection.modes) == {"default", "acceptEdits", "plan", "dontAsk", "auto"}
    connection.send(Prompt("go", "u1"))
    found = [await connection.next() for _ in range(3)]
    assert kinds(found) == ["System", "Assistant", "Result"]
    await connection.close()
    assert await connection.next() is None


async def test_an_answer_that_is_no_data_is_an_error(place: Place) -> None:
    connection = Connection(place.options(), stays=True)
    await connection.open()
    with pytest.raises(ClaudeSDKError, match="SessionList"):
        await connection.ask(Sessions(str(place.folder)))
    await connection.close()


async def test_an_opening_that_is_given_up_leaves_nothing(place: Place) -> None:
    connection = Connection(place.options(), stays=True)
    with anyio.CancelScope() as scope:
        scope.cancel()
        await connection.open()
    assert scope.cancelled_caught
    with anyio.fail_after(30):
        await connection.close()


async def test_one_that_is_abandoned_ends_by_itself(place: Place) -> None:
    connection = Connection(place.options(), stays=True)
    await connection.open()
    connection.abandon()
    with anyio.fail_after(30):
        await connection.close()
    with pytest.raises(CLIConnectionError):
        connection.send(Interrupt())


async def test_a_session_that_is_in_use_can_t_be_opened_twice(place: Place) -> None:
    place.api.enqueue("one")
    first = Connection(place.options(), "go", stays=True)
    await first.open()
    found = [await first.next() for _ in range(3)]
    session_id = found[-1].session_id  # pyright: ignore[reportOptionalMemberAccess, reportAttributeAccessIssue, reportUnknownVariableType, reportUnknownMemberType]
    second = Connection(place.options(resume=session_id), stays=True)
    with pytest.raises(ProcessError):
        await second.open()
    await first.close()


async def test_a_store_has_what_was_said(place: Place) -> None:
    place.api.enqueue("one")
    store = InMemorySessionStore()
    connection = Connection(place.options(session_store=store), "go", stays=False)
    await connection.open()
    await read(connection)
    await connection.close()
    assert store.size == 1


def test_an_error_says_what_the_result_says() -> None:
    result = ResultMessage("error_max_turns", 1, 1, True, 1, "s1", errors=("Too many turns.",))
    assert str(result_error(result)).startswith("The run ended with an error: Too many turns.")
    failed = ResultMessage("success", 1, 1, True, 1, "s1", result="API Error: 529")
    assert "API Error: 529" in str(result_error(failed))
    bare = ResultMessage("error_during_execution", 1, 1, True, 1, "s1")
    assert "error_during_execution" in str(result_error(bare))


@pytest.mark.parametrize("anyio_backend", ["trio"])
async def test_a_callback_that_ends_the_program_is_heard_by_the_reader(place: Place) -> None:
    """On asyncio the event loop itself raises it out of ``run``."""
    place.api.enqueue(reply(tool("Bash", command="touch x")))

    async def leave(*_: Any) -> Any:
        raise SystemExit(3)

    connection = Connection(place.options(can_use_tool=leave), "go", stays=False)
    await connection.open()
    with pytest.raises(SystemExit, match="3"):
        await read(connection)
