"""The entry: what it refuses, and how sessions are offered. The whole of it runs in ``tests/journeys/test_line.py``."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from agent_tui.line.main import main, rows
from agent_tui.protocol.errors import UsageError
from agent_tui.protocol.queries import SessionRow
from agent_tui.settings.options import Options
from agent_tui.settings.paths import Environment


def test_without_a_terminal_it_says_what_to_do(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("hello"))
    with pytest.raises(UsageError, match="agent-tui -p"):
        main(Options("/"), Environment({}, tmp_path))


def test_sessions_are_numbered_and_their_titles_harmless() -> None:
    found = [
        SessionRow("a", "mend\x1b[2J it", "", "/p", 1_000.0, 1),
        SessionRow("b", "", "first\nwords", "/p", 700.0, 1),
        SessionRow("c", "", "", "/p", 1_000.0 - 86_400, 1),
    ]
    assert rows(found, 1_001.0) == [
        "  1. mend it, now",
        "  2. first words, 5 min",
        "  3. no prompt yet, 1 d",
    ]
