from __future__ import annotations

import pytest

from agent_tui.protocol.messages import StatusChanged
from agent_tui.tui.glyphs import ASCII
from agent_tui.tui.lines import Page
from agent_tui.tui.panes.status import StatusBar
from tests.tui.look import look, page, texts
from tests.tui.scenes import status


def bar(
    width: int,
    value: StatusChanged | None = None,
    queued: int = 0,
    behind: int = 0,
    *,
    paused: bool = False,
) -> str:
    made = StatusBar(look())
    made.status = value if value is not None else status()
    made.queued, made.behind, made.paused = queued, behind, paused
    (row,) = texts(made.draw(page(width)))
    assert len(row) <= width
    return row


def test_everything_at_120_columns() -> None:
    assert bar(120, queued=2) == (
        " sonnet  default  turn 4  context ━━────── 31% of 200k  cache 91%  $0.0312 of $5  fix-auth*"
        "          2 queued   ? help"
    )


def test_the_vendors_name_takes_no_room() -> None:
    assert bar(120, status(model="claude-sonnet-5-5")).startswith(" sonnet-5-5  default  turn 4  ")


@pytest.mark.parametrize(
    ("width", "left"),
    [
        (100, " sonnet  default  turn 4  ━━────── 31%  cache 91%  $0.0312 of $5  fix-auth*"),
        (80, " sonnet  default  turn 4  ━━─── 31%  $0.0312  fix-auth*"),
        (60, " sonnet  default  ━━─── 31%  $0.0312  fix-auth*"),
        (54, " sonnet  default  ━━─── 31%  $0.0312"),
        (40, " sonnet  default  31%  $0.03"),
    ],
)
def test_what_matters_least_goes_first(width: int, left: str) -> None:
    row = bar(width, queued=2)
    assert row.startswith(left)
    assert row.removeprefix(left).split() == ["2q", "?"]
    assert len(row) == width - 2


@pytest.mark.parametrize(
    ("width", "said"),
    [
        (130, ["2", "queued", "1", "task", "?", "help"]),
        (100, ["2q", "1t", "?"]),
        (60, ["2q", "1t", "?"]),
        (40, ["2q", "?"]),
    ],
)
def test_what_runs_in_the_background_is_counted_while_there_is_room(
    width: int, said: list[str]
) -> None:
    assert bar(width, queued=2, behind=1).split()[-len(said) :] == said
    assert "1t" not in bar(40, queued=2, behind=1)
    assert "3 tasks   ? help" in bar(120, behind=3)


def test_a_budget_that_is_asked_about_is_paused() -> None:
    spent = status(total_cost_usd=5.2)
    assert "paused at $5.00  raise it?" in bar(120, spent, paused=True)
    assert "paused at $5.00  fix" in bar(100, spent, paused=True)
    assert "$5.20!!" in bar(60, spent, paused=True)
    assert "paused at $0.0020" in bar(120, status(budget_usd=0.002), paused=True)


def test_the_gauge_warns_by_a_mark_too() -> None:
    assert "78%!" in bar(120, status(context_tokens=156_000))
    assert "94%!!" in bar(120, status(context_tokens=188_000))


def test_the_budget_warns_by_a_mark_too() -> None:
    assert "$4.20 of $5!" in bar(120, status(total_cost_usd=4.2))
    assert "stopped at $5.00" in bar(120, status(total_cost_usd=5.0))
    assert "$?" in bar(120, status(total_cost_usd=None))


def test_c3_more_tokens_than_the_window_holds_are_no_reason_to_fall_over() -> None:
    assert "900%!!" in bar(120, status(context_tokens=1_800_000))


def test_before_the_engine_has_said_anything() -> None:
    made = StatusBar(look())
    made.model = "opus"
    assert texts(made.draw(page(120)))[0].startswith(" opus  starting")


def test_an_ascii_terminal_gets_ascii_alone() -> None:
    made = StatusBar(look())
    made.status = status(cache_share=None)
    ascii_page = Page(page().theme, 120, ASCII, "/w", "/h")
    assert "cache -" in texts(made.draw(ascii_page))[0]
    assert texts(made.draw(ascii_page))[0].isascii()


def test_u2_outside_words_are_cleaned() -> None:
    assert "\x1b" not in bar(120, status(branch="x\x1b[2J", model="m\x07"))
