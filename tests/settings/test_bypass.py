from __future__ import annotations

import os
from pathlib import Path

import pytest

from agent_tui.settings.bypass import bypass_refused
from agent_tui.settings.paths import Environment


@pytest.mark.parametrize(
    ("user", "sandbox", "refused"),
    [(0, "", True), (0, "0", True), (0, "1", False), (1000, "", False)],
)
def test_root_may_not_unless_the_machine_is_a_sandbox(
    monkeypatch: pytest.MonkeyPatch, user: int, sandbox: str, refused: bool
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: user)
    assert bypass_refused(Environment({"IS_SANDBOX": sandbox}, Path("/"))) is refused
