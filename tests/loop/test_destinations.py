from __future__ import annotations

import pytest

from agent_tui.loop.destinations import Destination, destination
from agent_tui.model.client import FinishedBlock, ModelResponse
from agent_tui.protocol.content import TextBlock
from agent_tui.protocol.usage import Usage

TEXT = FinishedBlock(TextBlock("x"))
WHERE = Destination

DESTINATIONS: list[tuple[str | None, str | None, bool, int, Destination]] = [
    # stop reason, cut, has blocks, calls -> destination
    ("end_turn", None, True, 0, WHERE.DONE),
    ("end_turn", None, True, 1, WHERE.TOOLS),
    ("end_turn", None, False, 0, WHERE.EMPTY),
    ("stop_sequence", None, True, 0, WHERE.DONE),
    ("stop_sequence", None, True, 2, WHERE.TOOLS),
    ("stop_sequence", None, False, 0, WHERE.EMPTY),
    (None, None, True, 0, WHERE.DONE),
    (None, None, True, 1, WHERE.TOOLS),
    (None, None, False, 0, WHERE.EMPTY),
    ("", None, True, 0, WHERE.DONE),
    ("tool_use", None, True, 1, WHERE.TOOLS),
    ("tool_use", None, True, 0, WHERE.DONE),
    ("tool_use", None, False, 0, WHERE.EMPTY),
    ("pause_turn", None, True, 0, WHERE.GO_ON),
    ("pause_turn", None, True, 1, WHERE.TOOLS),
    ("pause_turn", None, False, 0, WHERE.EMPTY),
    ("max_tokens", None, True, 0, WHERE.TRUNCATED),
    ("max_tokens", None, True, 2, WHERE.TRUNCATED),
    ("max_tokens", None, False, 0, WHERE.TRUNCATED),
    ("model_context_window_exceeded", None, True, 0, WHERE.OVERFLOW),
    ("model_context_window_exceeded", None, True, 1, WHERE.OVERFLOW),
    ("refusal", None, True, 0, WHERE.REFUSED),
    ("refusal", None, True, 1, WHERE.REFUSED),
    ("refusal", None, False, 0, WHERE.REFUSED),
    ("novel", None, True, 0, WHERE.UNKNOWN),
    ("novel", None, True, 1, WHERE.UNKNOWN),
    (None, "it broke", True, 0, WHERE.BROKEN),
    (None, "it broke", True, 1, WHERE.TOOLS),
]


@pytest.mark.parametrize(("reason", "cut", "blocks", "calls", "where"), DESTINATIONS)
def test_every_stop_reason_has_a_destination(
    reason: str | None, cut: str | None, blocks: bool, calls: int, where: Destination
) -> None:
    parts = (TEXT,) if blocks else ()
    response = ModelResponse("m", "x", parts, reason, Usage(), cut=cut)
    assert destination(response, calls) is where
