from __future__ import annotations

from typing import Any

import anyio
import pytest

from agent_tui.hooks.callbacks import run_callback
from agent_tui.hooks.configured import CallbackHook
from agent_tui.hooks.failure import Failure
from agent_tui.hooks.output import Said
from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.errors import NobodyThereError

pytestmark = pytest.mark.anyio

CALL: JsonObject = {"tool_name": "Bash", "tool_use_id": "toolu_1", "tool_input": {"command": "ls"}}


async def answered(answer: Any, given: JsonObject | None = None) -> Said | Failure:
    async def callback(given: JsonObject, call_id: str | None) -> Any:
        return answer

    return await run_callback("PreToolUse", CallbackHook(callback), given or CALL, 5)


async def test_it_is_given_the_input_and_the_calls_id_and_what_it_says_counts() -> None:
    seen: list[tuple[JsonObject, str | None]] = []

    async def callback(given: JsonObject, call_id: str | None) -> JsonObject:
        seen.append((given, call_id))
        return {"decision": "block", "reason": "no"}

    said = await run_callback("PreToolUse", CallbackHook(callback), CALL, 5)
    assert seen == [(CALL, "toolu_1")]
    assert isinstance(said, Said)
    assert (said.outcome.behavior, said.outcome.source) == ("deny", "Program")


async def test_what_it_does_to_its_input_changes_nothing() -> None:
    given: JsonObject = {"tool_input": {"command": "ls"}}

    async def callback(given: JsonObject, call_id: str | None) -> JsonObject:
        assert call_id is None
        given["tool_input"]["command"] = "rm -rf /"
        return {}

    await run_callback("PreToolUse", CallbackHook(callback), given, 5)
    assert given == {"tool_input": {"command": "ls"}}


async def test_no_opinion_is_an_empty_object() -> None:
    assert await answered({}) == Said()


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (None, "returned nothing."),
        ("deny", "returned what can't be used: the output must be an object."),
        ({"decision": "Deny"}, "returned what can't be used: decision must be"),
    ],
)
async def test_an_answer_that_is_none_is_a_failure(answer: Any, says: str) -> None:
    failure = await answered(answer)
    assert isinstance(failure, Failure)
    assert failure.kind == "output"
    assert failure.what.startswith(says)


async def test_what_it_raises_is_its_failure() -> None:
    async def callback(given: JsonObject, call_id: str | None) -> JsonObject:
        raise KeyError("command")

    failure = await run_callback("PreToolUse", CallbackHook(callback), CALL, 5)
    assert failure == Failure("raised", "failed: KeyError: 'command'.")


async def test_one_that_can_t_be_asked_any_more_never_started() -> None:
    async def callback(given: JsonObject, call_id: str | None) -> JsonObject:
        raise NobodyThereError("it has left")

    failure = await run_callback("PreToolUse", CallbackHook(callback), CALL, 5)
    assert failure == Failure("start", "could not be asked: it has left.")


async def test_one_that_never_answers_runs_out_of_time() -> None:
    async def callback(given: JsonObject, call_id: str | None) -> JsonObject:
        await anyio.sleep_forever()
        return {}

    failure = await run_callback("PreToolUse", CallbackHook(callback), CALL, 0.01)
    assert failure == Failure("timeout", "ran out of time (0.01 s).")
