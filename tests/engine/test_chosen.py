"""What is known of a session before anything is said."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent_tui.engine.chosen import Chosen, origin_of
from agent_tui.journal.fold import Conversation
from agent_tui.journal.unsaved import UnsavedJournal
from agent_tui.settings.options import Options


def test_only_what_was_temporary_is_removed(tmp_path: Path) -> None:
    (tmp_path / "keep").mkdir()
    (tmp_path / "go").mkdir()
    journal = UnsavedJournal(tmp_path / "keep" / "x.jsonl")
    Chosen(journal, Conversation(), "x").clean_up()
    Chosen(journal, Conversation(), "x", folder=tmp_path / "go").clean_up()
    assert [path.name for path in tmp_path.iterdir()] == ["keep"]


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (Options("/w", interactive=True), "interactive"),
        (Options("/w"), "print"),
        (Options("/w", origin="sdk"), "sdk"),
    ],
)
def test_a_screens_session_is_interactive(options: Options, expected: str) -> None:
    assert origin_of(options) == expected
