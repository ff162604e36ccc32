from __future__ import annotations

from pathlib import Path

import pytest

from agent_tui.hooks.long_text import MOST, PREVIEW, bounded, shortened
from agent_tui.hooks.output import Said
from agent_tui.protocol.hooks import HookOutcome

pytestmark = pytest.mark.anyio


async def test_short_texts_stay_and_nothing_is_written(tmp_path: Path) -> None:
    said = Said(HookOutcome("deny", "x" * MOST), "y" * MOST)
    assert await bounded(said, lambda: tmp_path / "spill") is said
    assert not (tmp_path / "spill").exists()


async def test_each_long_text_goes_to_a_file_that_is_named(tmp_path: Path) -> None:
    long = "ä" * (MOST + 1)
    said = Said(
        HookOutcome("deny", long, blocked=long, stop=long, additional_context=("short", long)),
        long,
    )
    found = await bounded(said, lambda: tmp_path / "spill")
    [file] = (tmp_path / "spill").iterdir()
    assert file.read_text() == long
    outcome = found.outcome
    assert outcome.additional_context[0] == "short"
    texts = (outcome.reason, outcome.blocked, outcome.stop, found.warning)
    for text in (*texts, outcome.additional_context[1]):
        assert text is not None
        assert text.startswith("ä" * PREVIEW + "\n[10,001 characters in all; all of it: ")
        assert str(file) in text
    assert outcome.behavior == "deny"


def test_what_can_t_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    text = shortened("x" * 20_000, tmp_path / "file" / "folder")
    assert "the rest is lost" in text
    assert len(text) < PREVIEW + 200
