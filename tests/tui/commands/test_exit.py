from __future__ import annotations

import pytest

from tests.tui.recorder import run


@pytest.mark.parametrize("text", ["/exit", "/quit", "/exit now"])
def test_it_leaves(text: str) -> None:
    assert run(text).done == ["leave"]
