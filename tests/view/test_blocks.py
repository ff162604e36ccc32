from __future__ import annotations

import pytest

from agent_tui.view.blocks import ENDED, ToolBlock, ToolState


@pytest.mark.parametrize(
    ("state", "ended"),
    [
        ("queued", False),
        ("running", False),
        ("asking", False),
        ("done", True),
        ("failed", True),
        ("stopped", True),
    ],
)
def test_a_call_has_ended_in_these_states_only(state: ToolState, ended: bool) -> None:
    assert ToolBlock("t1", "Bash", state=state).ended is ended
    assert (state in ENDED) is ended
