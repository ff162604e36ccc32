from __future__ import annotations

import anyio
import pytest

from agent_tui.journal.fold import Conversation
from agent_tui.loop.progress import Ending, Progress, failed
from agent_tui.model.client import ModelResponse
from agent_tui.protocol.messages import ResultMessage
from agent_tui.protocol.usage import ModelUsage, Usage

pytestmark = pytest.mark.anyio


def result(ending: Ending, progress: Progress | None = None) -> ResultMessage:
    used = {"m": ModelUsage(Usage(input_tokens=7), 0.5)}
    conversation = Conversation(session_id="s", model_usage=used, total_cost_usd=0.75)
    return (progress or Progress("p", 0.25)).result(ending, conversation, ({"tool_name": "X"},), ())


async def test_a_success_has_a_text_and_an_error_has_none() -> None:
    good = result(Ending(text="Done.", structured=[1]))
    assert (good.subtype, good.result, good.is_error, good.errors) == (
        "success",
        "Done.",
        False,
        None,
    )
    assert (good.structured_output, good.terminal_reason) == ([1], "completed")
    bad = result(failed("It broke."))
    assert (bad.subtype, bad.result, bad.is_error) == ("error_during_execution", None, True)
    assert (bad.errors, bad.terminal_reason) == (("It broke.",), "model_error")
    told = result(Ending(text="no key", is_error=True, terminal="api_error", status=401))
    assert (told.subtype, told.is_error, told.result, told.api_error_status) == (
        "success",
        True,
        "no key",
        401,
    )


async def test_every_result_has_what_all_have() -> None:
    for ending in (Ending(), failed("x"), Ending("error_max_turns", errors=("x",))):
        told = result(ending)
        assert (told.session_id, told.total_cost_usd, told.cost_usd) == ("s", 0.75, 0.5)
        assert told.usage is not None and told.num_turns == 0
        assert told.model_usage == {"m": ModelUsage(Usage(input_tokens=7), 0.5).to_json()}
        assert told.permission_denials == ({"tool_name": "X"},)
        assert (told.user_message_uuid, told.user_message_uuids) == ("p", ("p",))


async def test_it_counts_responses_and_adds_up_what_they_used() -> None:
    progress = Progress("p", None, origin={"kind": "peer"})
    await anyio.sleep(0.02)
    for number in (1, 2):
        usage = Usage(input_tokens=number, output_tokens=10)
        response = ModelResponse("m", "x", (), "tool_use", usage, duration_ms=5)
        progress.responded(response, f"text {number}")
    told = result(Ending(), progress)
    assert (told.num_turns, told.duration_api_ms, told.stop_reason) == (2, 10, "tool_use")
    assert told.usage == Usage(input_tokens=3, output_tokens=20).to_api()
    assert (progress.text, told.cost_usd, told.origin) == ("text 2", None, {"kind": "peer"})
    assert told.duration_ms >= 20
