from __future__ import annotations

import sys
import time
from dataclasses import replace
from types import FrameType

import pytest
from textual.events import MouseScrollDown
from textual.geometry import Region

from agent_tui.protocol.display import CommandDisplay
from agent_tui.tui.panes.conversation import Conversation
from agent_tui.view.blocks import (
    Added,
    AnswerBlock,
    Cleared,
    Closed,
    Grew,
    NoticeBlock,
    PromptBlock,
    ToolBlock,
    Updated,
)
from tests.fakes.conversation_host import (
    THEMES,
    ConversationHost,
    history,
    scene,
    settled,
)

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    """Textual runs on asyncio."""
    return "asyncio"


async def test_blocks_that_come_are_drawn_and_the_end_is_followed() -> None:
    host = ConversationHost(history(5))
    async with host.run_test(size=(60, 6)) as pilot:
        assert host.rows()[-1].strip() == "line 4"
        host.conversation.apply([Added(NoticeBlock("x", "info", "new"))])
        await settled(pilot, lambda: "new" in host.rows()[-1])
        host.conversation.extend([NoticeBlock("y", "info", "newer")])
        await settled(pilot, lambda: "newer" in host.rows()[-1])
        host.conversation.apply([Cleared()])
        await settled(pilot, lambda: not any(host.rows()))


async def test_u3_scrolling_up_while_text_streams_is_not_undone() -> None:
    host = ConversationHost([*history(300), AnswerBlock("a", "", open=True)])
    async with host.run_test(size=(80, 20)) as pilot:
        pane = host.conversation
        pane.scroll_rows(-100)
        await settled(pilot)
        top = host.rows()[:-1]
        for number in range(150):
            pane.apply([Grew("a", f"word {number}\n\n")])
            if number % 10 == 0:
                await pilot.pause(0.01)
                assert host.rows()[:-1] == top
        await settled(pilot)
        assert host.rows()[:-1] == top
        assert "↓ more below" in host.rows()[-1] and not pane.following
        pane.focus()
        await pilot.press("end")
        await settled(pilot, lambda: "word 149" in host.rows()[-1])
        assert pane.following and "more below" not in "".join(host.rows())
        pane.apply([Grew("a", "and more")])
        await settled(pilot, lambda: "and more" in host.rows()[-1])


async def test_the_window_moves_by_rows_pages_and_to_both_ends() -> None:
    host = ConversationHost(history(50))
    async with host.run_test(size=(60, 11)) as pilot:
        pane = host.conversation
        pane.focus()
        await pilot.press("home")
        assert "line 0" in host.rows()[0]
        await pilot.press("pagedown")
        assert "line 5" in host.rows()[0]
        pane.scroll_rows(1)
        assert "line 6" in host.rows()[1]
        await pilot.press("pageup")
        await pilot.press("pageup")
        assert "line 0" in host.rows()[0]
        await pilot._post_mouse_events([MouseScrollDown], pane)  # pyright: ignore[reportPrivateUsage]
        assert "line 2" in host.rows()[1]
        assert pane.scroll_offset.y == 3
        for _ in range(10):
            # A drag of the selection beyond the edge scrolls by parts of a row.
            pane.scroll_y += 0.4
        assert pane.reel.top_row in range(6, 10)
        pane.scroll_end(animate=False)
        await settled(pilot, lambda: "line 49" in host.rows()[-1])


async def test_the_scroll_bar_is_there_when_needed_and_can_be_dragged() -> None:
    host = ConversationHost(history(3))
    async with host.run_test(size=(60, 10)) as pilot:
        pane = host.conversation
        assert not any(host.bar())
        pane.extend(history(200, 3))
        await settled(pilot, lambda: host.bar()[-1])
        await pilot.mouse_down(pane, offset=(59, 9))
        await pilot.hover(pane, offset=(59, 0))
        await pilot.mouse_up(pane, offset=(59, 0))
        assert "line 0" in host.rows()[0] and host.bar()[0] and not host.bar()[-1]
        await pilot.click(pane, offset=(59, 9))
        assert "line 202" in host.rows()[-1]


async def test_a_new_width_keeps_the_first_row_in_sight() -> None:
    long = [PromptBlock(f"p{n}", f"prompt {n} " + "word " * 40) for n in range(30)]
    host = ConversationHost(long)
    async with host.run_test(size=(100, 20)) as pilot:
        host.conversation.scroll_to_top()
        host.conversation.scroll_rows(30)
        first = next(row for row in host.rows() if "prompt" in row).split("word")[0]
        await pilot.resize_terminal(50, 20)
        await settled(pilot)
        assert first.strip() in next(row for row in host.rows() if "prompt" in row)
        assert all(len(row) <= 50 for row in host.rows())


async def test_only_rows_that_changed_are_painted_while_text_streams() -> None:
    host = ConversationHost([*history(9), AnswerBlock("a", "One", open=True)])
    async with host.run_test(size=(60, 30)) as pilot:
        pane = host.conversation
        await settled(pilot)
        dirty: list[Region] = []
        refresh = pane.refresh

        def watch(*regions: Region, **how: bool) -> Conversation:
            dirty.extend(regions or [pane.size.region])
            return refresh(*regions, **how)

        pane.refresh = watch  # type: ignore[method-assign]
        pane.apply([Grew("a", " word")])
        await settled(pilot, lambda: bool(dirty))
        assert dirty == [Region(0, 18, 60, 1)]
        assert "One word" in host.rows()[18]


async def test_u10_nothing_is_drawn_and_no_timer_runs_when_nothing_changes() -> None:
    host = ConversationHost([*scene(), AnswerBlock("a", "x", open=True)])
    async with host.run_test(size=(100, 40)) as pilot:
        pane = host.conversation
        pane.apply([Grew("a", "y"), Closed(AnswerBlock("a", "xy"))])
        await settled(pilot, lambda: any("xy" in row for row in host.rows()))
        await pilot.pause(0.1)
        assert not pane._timers  # pyright: ignore[reportPrivateUsage]


async def test_a_running_call_has_a_clock_that_stops_with_it() -> None:
    running = ToolBlock("b", "Bash", {}, "running", CommandDisplay("x"), elapsed_ms=0)
    host = ConversationHost([running])
    async with host.run_test(size=(60, 5)) as pilot:
        pane = host.conversation
        host.clock.time += 41
        await settled(pilot, lambda: "0:41" in host.rows()[0])
        pane.apply([Updated(replace(running, state="done", elapsed_ms=41_000))])
        await settled(pilot, lambda: "41 s" in host.rows()[0])
        assert pane._ticker is None  # pyright: ignore[reportPrivateUsage]


async def test_another_theme_is_drawn_at_once() -> None:
    host = ConversationHost(scene())
    async with host.run_test(size=(80, 40)) as pilot:
        host.look.theme = THEMES["light"]
        host.conversation.redraw()
        await settled(pilot)
        strips = host.conversation.render_lines(host.conversation.size.region)
        grounds = {
            s.style.bgcolor.name for strip in strips for s in strip if s.style and s.style.bgcolor
        }
        assert "#15171c" not in grounds and "#fbfaf7" in grounds


# Cost -------------------------------------------------------------------------------------------------------------------


def _answer(lines: int) -> str:
    """A long answer with code and tables."""
    part = ["Some words about it that make a line of text.", ""] * 40
    part += ["```python", *["    value = compute(index) + 1"] * 30, "```", ""]
    part += ["| a | b |", "|---|---|", *["| one | two |"] * 8, ""]
    text: list[str] = []
    while len(text) < lines:
        text += part
    return "\n".join(text[:lines])


async def _stream(lines: int) -> int:
    """Stream an answer of so many lines; give how many calls of functions that took, which no load can change much."""
    text = _answer(lines)
    host = ConversationHost([AnswerBlock("a", "", open=True)])
    calls = 0

    def count(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    async with host.run_test(size=(100, 30)) as pilot:
        pieces = [text[at : at + 20] for at in range(0, len(text), 20)]
        for number, piece in enumerate(pieces):
            sys.setprofile(count)
            host.conversation.apply([Grew("a", piece)])
            if number % 20 == 0:
                # What a screen would do thirty times a second.
                host.conversation._flush()  # pyright: ignore[reportPrivateUsage]
                host.rows()
            sys.setprofile(None)
        host.conversation.apply([Closed(AnswerBlock("a", text))])
        await settled(pilot)
    return calls


async def test_u4_an_answer_twice_as_long_costs_not_much_more_than_twice() -> None:
    await _stream(200)
    assert await _stream(2000) < 2.2 * await _stream(1000)


@pytest.mark.timeout(120)
async def test_u4_a_resumed_answer_of_two_megabytes_does_not_freeze() -> None:
    host = ConversationHost()
    text = _answer(90_000)
    assert len(text) > 2_000_000
    async with host.run_test(size=(100, 30)) as pilot:
        begun = time.process_time()
        host.conversation.extend([AnswerBlock("a", text)])
        await settled(pilot, lambda: any(host.rows()))
        host.conversation.page(-1)
        assert time.process_time() - begun < 5  # far below what drawing all of it takes


@pytest.mark.timeout(120)
async def test_many_blocks_cost_no_more_than_few() -> None:
    host = ConversationHost()
    async with host.run_test(size=(100, 30)) as pilot:
        pane = host.conversation
        blocks = [replace(block, id=f"{block.id}-{n}") for n in range(1800) for block in scene()]
        pane.extend(blocks)
        await settled(pilot, lambda: any(host.rows()))
        begun = time.process_time()
        for number in range(10):
            pane.page(-1)
            pane.extend([AnswerBlock(f"x{number}", "one `more`")])
            await settled(pilot)
        assert (time.process_time() - begun) / 10 < 0.06
