from __future__ import annotations

import time

import pytest

from agent_tui.tui.blocks.drawing import View, render_block
from agent_tui.tui.blocks.prompt import local_time
from agent_tui.view.blocks import PromptBlock
from tests.fakes.conversation_host import page, texts


@pytest.fixture(autouse=True)
def _in_utc(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()


def test_a_band_with_the_time_at_the_right() -> None:
    block = PromptBlock(
        "p",
        "The refresh-token tests fail since the httpx bump. Find out why and fix it.",
        "2026-11-30T14:02:00Z",
    )
    rows = list(render_block(block, page(60)))
    assert texts(rows) == [
        " › The refresh-token tests fail since the httpx      14:02",
        "   bump. Find out why and fix it.",
    ]
    ground = page().theme.roles["surface"].bgcolor
    assert all(s.style and s.style.bgcolor == ground for line in rows for s in line.strip)
    assert [line.glue for line in rows] == [" ", None]


def test_a_long_one_is_folded_and_pictures_are_counted() -> None:
    block = PromptBlock("p", "\n".join(f"line {n}" for n in range(40)), images=2)
    rows = list(render_block(block, page(60)))
    assert len(rows) == 13 and texts(rows)[-1] == "   ▸ 28 more lines   2 pictures"
    assert rows[-1].folds and rows[-1].content == ""
    assert len(render_block(block, page(60), View(expanded=True))) == 41


def test_times() -> None:
    assert local_time("2026-11-30T14:02:59.5+00:00") == "14:02"
    assert local_time("yesterday") == "" and local_time(None) == ""
