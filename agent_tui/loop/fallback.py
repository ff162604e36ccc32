"""Another model answers while the one that was asked for is overloaded.

The request goes out as it was, for the next model in the list. The first one is tried again at the next prompt.
"""

from __future__ import annotations

from agent_tui.loop.record import Recorder
from agent_tui.loop.requests import SessionRequests
from agent_tui.model.failures import UNAVAILABLE
from agent_tui.protocol.errors import ModelError


async def falls_back(error: ModelError, requests: SessionRequests, record: Recorder) -> bool:
    """Go on with the next model if ``error`` is a reason to and there is one; tell whether to ask again."""
    if error.kind != "overloaded" and error.status != UNAVAILABLE:
        return False
    before = requests.answering
    after = requests.fall_back()
    if after is None:
        return False
    await record.noted(
        "model_fallback",
        f"{before} is overloaded; {after} answers instead.",
        "warning",
        trigger="overloaded",
        original_model=before,
        fallback_model=after,
    )
    return True
