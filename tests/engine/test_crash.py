"""A fault of our own in a run: it has its result, and what was said until then stays."""

from __future__ import annotations

import pytest

from agent_tui.protocol.requests import PermissionAnswer, PermissionRequest
from tests.engine.sessions import Place
from tests.fakes.api_server import reply, tool

pytestmark = pytest.mark.anyio


class Faulty:
    """Implements ``Approver`` and breaks."""

    async def decide(self, request: PermissionRequest) -> PermissionAnswer:
        raise RuntimeError("what nobody thought of")


async def test_a_crash_has_an_error_result_without_a_stop_reason(place: Place) -> None:
    place.api.enqueue(reply(tool("Bash", {"command": "touch made"}, id="toolu_1")), "again")
    talk = await place.talk("go", "go on", approver=Faulty())
    crashed, later = talk.results
    assert (crashed.subtype, crashed.is_error) == ("error_during_execution", True)
    assert (crashed.stop_reason, crashed.result) == (None, None)
    assert crashed.errors == ("what nobody thought of",)
    assert crashed.usage is not None and crashed.usage["output_tokens"] == 0
    assert crashed.total_cost_usd is not None
    assert any("what nobody thought of" in notice for notice in talk.notices)
    assert later.result == "again"
    [answered] = place.api.messages[1].tool_results
    assert (answered["tool_use_id"], answered["is_error"]) == ("toolu_1", True)
    assert not (place.project / "made").exists()
