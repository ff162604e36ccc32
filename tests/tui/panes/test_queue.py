from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from textual.pilot import Pilot

from agent_tui.protocol.messages import QueuedPrompt
from agent_tui.tui.panes.queue import Queue, Rule, rule_line
from tests.tui.host import Host, screen_rows
from tests.tui.look import look, page, texts

pytestmark = pytest.mark.anyio

ITEMS = tuple(QueuedPrompt(name, f"prompt {name}") for name in "abc")


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@asynccontextmanager
async def queue(*, focus: bool = True) -> AsyncGenerator[tuple[Host, Queue, Pilot[Any]]]:
    made = Queue(look())
    app = Host(made.look, made)
    async with app.run_test(size=(60, 10)) as pilot:
        made.show(ITEMS)
        if focus:
            made.focus()
        await pilot.pause()
        yield app, made, pilot


def last(app: Host) -> str:
    return "".join(item.uuid for item in app.of(Queue.Changed)[-1].items)


async def test_the_waiting_prompts_are_numbered() -> None:
    async with queue(focus=False) as (app, _, _pilot):
        assert screen_rows(app)[:3] == [" 1 prompt a", " 2 prompt b", " 3 prompt c"]


async def test_items_are_moved_and_deleted() -> None:
    async with queue() as (app, _, pilot):
        await pilot.press("J")
        await pilot.pause()
        assert last(app) == "bac"
        assert screen_rows(app)[1] == " › prompt a"
        await pilot.press("K", "down", "d")
        await pilot.pause()
        assert last(app) == "ac"


async def test_an_item_is_taken_out_to_be_edited_or_sent_now() -> None:
    async with queue() as (app, _, pilot):
        await pilot.press("down", "e")
        await pilot.pause()
        taken = app.of(Queue.Taken)[-1]
        assert (taken.item.uuid, taken.at, taken.what) == ("b", 1, "edit")
        assert last(app) == "ac"
        await pilot.press("enter")
        await pilot.pause()
        assert app.of(Queue.Taken)[-1].what == "now"


async def test_escape_gives_the_keyboard_back() -> None:
    async with queue() as (app, _, pilot):
        await pilot.press("escape")
        await pilot.pause()
        assert len(app.of(Queue.Left)) == 1


async def test_an_empty_queue_gives_the_keyboard_back_too() -> None:
    async with queue() as (app, made, pilot):
        made.show(())
        await pilot.pause()
        assert len(app.of(Queue.Left)) == 1


async def test_the_chosen_item_stays_chosen_when_the_engine_changes_the_queue() -> None:
    async with queue() as (_app, made, pilot):
        await pilot.press("down", "down")
        made.show(ITEMS[1:])
        assert made.items[made.at].uuid == "c"


async def test_a_long_queue_shows_five_and_counts_the_rest() -> None:
    async with queue(focus=False) as (app, made, pilot):
        made.show(tuple(QueuedPrompt(str(n), f"p{n}") for n in range(8)))
        await pilot.pause()
        assert screen_rows(app)[5] == "   3 more"


def test_the_rule_carries_words_two_cells_in_from_either_side() -> None:
    paper = page(60)
    muted = paper.theme.style("muted")
    (row,) = texts([rule_line(paper, [("2 queued", muted)], [("draft kept", muted)])])
    assert (
        row == "── 2 queued ─────────────────────────────────── draft kept ──"[:60]
        or len(row) == 60
    )
    assert row.startswith("── 2 queued ─")
    assert row.endswith("─ draft kept ──")
    assert len(row) == 60


def test_the_rule_takes_the_modes_colour_and_says_what_it_means() -> None:
    rule = Rule(look())
    rule.mode = "plan"
    paper = page(120)
    (line,) = rule.draw(paper)
    assert texts([line])[0].startswith("── plan  reads only; ends with a plan to approve ─")
    assert {s.style.color for s in line.strip if s.style and "─" in s.text} == {
        paper.theme.style("special").color
    }


def test_words_that_are_too_long_are_cut() -> None:
    paper = page(40)
    line = rule_line(paper, [("x" * 100, paper.theme.style("muted"))], [])
    assert line.strip.cell_length == 40


async def test_one_that_is_sent_now_says_that_it_joins_the_run() -> None:
    async with queue() as (app, made, pilot):
        await pilot.press("down", "enter")
        await pilot.pause()
        assert app.of(Queue.Left)
        made.show((ITEMS[1], ITEMS[0], ITEMS[2]))
        app.set_focus(None)
        await pilot.pause()
        first, second, _ = screen_rows(app)[:3]
        assert first == f" 1 prompt b{'joins the run after this step':>47}"
        assert second == " 2 prompt a"


async def test_a_secret_in_a_waiting_prompt_is_hidden_but_is_still_sent() -> None:
    async with queue(focus=False) as (app, made, pilot):
        made.show((QueuedPrompt("a", "use TOKEN=abc123def456"),))
        await pilot.pause()
        assert screen_rows(app)[0] == " 1 use TOKEN=[masked]"
        assert made.items[0].text == "use TOKEN=abc123def456"
