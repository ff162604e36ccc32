from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

import pytest
from textual.geometry import Region
from textual.pilot import Pilot

from agent_tui.protocol.display import CommandDisplay
from agent_tui.tui.panes.conversation import Conversation
from agent_tui.view.blocks import (
    Added,
    AnswerBlock,
    Block,
    Cleared,
    Closed,
    CompactBlock,
    Grew,
    NoticeBlock,
    Prepended,
    PromptBlock,
    ToolBlock,
    Updated,
)
from tests.fakes.conversation_host import ConversationHost, read, scene

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    """Textual runs on asyncio."""
    return "asyncio"


def history(count: int, start: int = 0) -> list[Block]:
    return [NoticeBlock(f"n{n}", "info", f"line {n}") for n in range(start, start + count)]


async def settled(pilot: Pilot[None], done: Callable[[], bool] = lambda: True) -> None:
    """Wait until everything was drawn, and what is waited for has come."""
    await pilot.pause()
    limit = time.monotonic() + 5
    while not done():
        assert time.monotonic() < limit, "it never came"
        await pilot.pause(0.01)


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
        await pilot._post_mouse_events([_wheel()], pane)  # pyright: ignore[reportPrivateUsage]
        assert "line 2" in host.rows()[1]
        assert pane.scroll_offset.y == 3
        pane.scroll_end(animate=False)
        await settled(pilot, lambda: "line 49" in host.rows()[-1])


def _wheel() -> type:
    from textual.events import MouseScrollDown

    return MouseScrollDown


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


async def test_older_blocks_are_asked_for_at_the_top_and_nothing_moves_when_they_come() -> None:
    host = ConversationHost(history(50, 100))
    async with host.run_test(size=(60, 10)) as pilot:
        await settled(pilot)
        assert host.asked_older == 0
        host.conversation.scroll_to_top()
        await settled(pilot, lambda: host.asked_older == 1)
        before = host.rows()
        host.conversation.apply([Prepended(tuple(history(100)))])
        await settled(pilot)
        assert host.rows()[:-1] == before[:-1]
        host.conversation.scroll_rows(-1)
        assert host.rows()[0] == "" and host.asked_older == 1
        host.conversation.scroll_to_top()
        await settled(pilot, lambda: host.asked_older == 2)
        assert "line 0" in host.rows()[0]


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


async def test_a_click_on_a_head_or_fold_unfolds_and_folds() -> None:
    host = ConversationHost(scene())
    async with host.run_test(size=(100, 40)) as pilot:
        pane = host.conversation
        await pilot.click(pane, offset=(10, 2))
        assert "▾ Thought" in host.rows()[2] and "hm" in host.rows()[3]
        await pilot.click(pane, offset=(10, 2))
        assert "▸ Thought" in host.rows()[2]
        await pilot.click(pane, offset=(95, 6))
        assert "48 lines left out" in "".join(host.rows())
        await pilot.click(pane, offset=(10, 14))
        assert not pane.text_selection


async def test_the_cursor_goes_block_by_block_and_unfolds() -> None:
    host = ConversationHost([*scene(), *history(40)])
    async with host.run_test(size=(100, 20)) as pilot:
        pane = host.conversation
        pane.focus()
        await pilot.press("up")
        assert pane.cursor is not None and pane.cursor.id == "n39"
        assert [row[:1] for row in host.rows()[-2:]] == ["", "▎"]
        for _ in range(41):
            await pilot.press("k")
        assert pane.cursor.id == "a2"
        assert any(row.startswith("▎  The refresh path") for row in host.rows())
        await pilot.press("k", "k", "k", "k")
        assert pane.cursor.id == "r1"
        await pilot.press("enter")
        assert "file_path  /w/src/auth.py" in "".join(host.rows())
        await pilot.press("j", "y")
        await settled(pilot, lambda: len(host.copied) == 1)
        assert host.copied[0].startswith("Read  tests/test_auth.py")
        host.screen.set_focus(None)
        await settled(pilot)
        assert not any(row.startswith("▎") for row in host.rows())


async def test_detail_of_everything() -> None:
    host = ConversationHost([*scene(), CompactBlock("c", summary="all of it")])
    async with host.run_test(size=(100, 60)) as pilot:
        host.conversation.toggle_detail()
        await settled(pilot)
        shown = "\n".join(host.rows())
        assert "▾ Thought" in shown and "48 lines left out" in shown and "all of it" not in shown
        host.conversation.toggle_detail()
        assert "▾" not in "\n".join(host.rows())


async def test_a_drag_selects_text_that_is_copied_as_it_was_written() -> None:
    long = "one two three four five six seven eight nine ten eleven twelve"
    host = ConversationHost([AnswerBlock("a", f"{long}\n\nlast **bold** line")])
    async with host.run_test(size=(50, 10)) as pilot:
        pane = host.conversation
        await pilot.mouse_down(pane, offset=(3, 0))
        await pilot.hover(pane, offset=(11, 3))
        await pilot.mouse_up(pane, offset=(11, 3))
        assert host.screen.get_selected_text() == f"{long}\n\nlast bold"
        ground = host.look.theme.roles["select"].bgcolor
        marked = [
            s.text
            for s in pane.render_lines(pane.size.region)[1]
            if s.style and s.style.bgcolor == ground
        ]
        assert "".join(marked) == "ten eleven twelve"


async def test_twice_selects_a_word_and_three_times_a_line() -> None:
    long = "one two three four five six seven eight nine ten eleven twelve"
    host = ConversationHost(
        [AnswerBlock("a", f"{long}\n\nlast line"), NoticeBlock("n", "info", "other")]
    )
    async with host.run_test(size=(50, 10)) as pilot:
        pane = host.conversation
        await pilot.click(pane, offset=(8, 0), times=2)
        assert host.screen.get_selected_text() == "two"
        await pilot.click(pane, offset=(8, 1), times=3)
        assert host.screen.get_selected_text() == long
        await pilot.click(pane, offset=(4, 3), times=1)
        assert not host.screen.get_selected_text()


async def test_a_selection_stays_on_its_text_when_older_blocks_come() -> None:
    host = ConversationHost(history(5, 10))
    async with host.run_test(size=(50, 20)) as pilot:
        pane = host.conversation
        await pilot.click(pane, offset=(4, 2), times=3)
        assert host.screen.get_selected_text() == "line 11"
        pane.apply([Prepended(tuple(history(5)))])
        await settled(pilot, lambda: "line 0" in "".join(host.rows()))
        assert host.screen.get_selected_text() == "line 11"


async def test_a_click_on_an_address_tells_it() -> None:
    host = ConversationHost([AnswerBlock("a", "see https://a.b/c now")])
    async with host.run_test(size=(60, 5)) as pilot:
        await pilot.click(host.conversation, offset=(10, 0))
        await settled(pilot, lambda: host.links == ["https://a.b/c"])


async def test_another_theme_is_drawn_at_once() -> None:
    host = ConversationHost(scene())
    async with host.run_test(size=(80, 40)) as pilot:
        from tests.fakes.conversation_host import THEMES

        host.look.theme = THEMES["light"]
        host.conversation.redraw()
        await settled(pilot)
        strips = host.conversation.render_lines(host.conversation.size.region)
        grounds = {
            s.style.bgcolor.name for strip in strips for s in strip if s.style and s.style.bgcolor
        }
        assert "#15171c" not in grounds and "#fbfaf7" in grounds


async def test_u5_the_next_message_is_not_swallowed_by_an_open_fence() -> None:
    text = "```sh\none\n\n~~~\ntwo"
    host = ConversationHost([AnswerBlock("a", text[:4], open=True)])
    async with host.run_test(size=(60, 20)) as pilot:
        pane = host.conversation
        pane.apply([Grew("a", text[4:]), Closed(AnswerBlock("a", text, aborted=True))])
        pane.apply(
            [Added(NoticeBlock("s", "stopped", "Stopped by you")), Added(PromptBlock("p", "next"))]
        )
        await settled(pilot, lambda: any("next" in row for row in host.rows()))
        assert [row for row in host.rows() if row] == [
            "     one" + " " * 47 + "sh",
            "     ~~~",
            "     two",
            " ⊘ Stopped by you",
            " › next",
        ]
        assert pane.text_of("a") == text


@pytest.mark.parametrize("where", ["answer", "thought", "result"])
async def test_u1_u2_what_a_model_says_is_shown_as_text(where: str) -> None:
    nasty = 'use [/] and [red]x\x1b]52;c;aGk=\x07\x1b[2J\x9b31m [b + "'
    blocks: dict[str, Block] = {
        "answer": AnswerBlock("a", nasty),
        "thought": AnswerBlock("a", f"> {nasty}"),
        "result": ToolBlock("t", "X", {}, "failed", None, nasty),
    }
    host = ConversationHost([blocks[where]])
    async with host.run_test(size=(80, 6)) as pilot:
        await settled(pilot)
        shown = "".join(host.rows())
        assert 'use [/] and [red]x [b + "' in shown
        assert not any(c < " " or "\x7f" <= c <= "\x9f" for c in shown)


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


async def _stream(lines: int) -> float:
    text = _answer(lines)
    host = ConversationHost([AnswerBlock("a", "", open=True)])
    async with host.run_test(size=(100, 30)) as pilot:
        begun = time.process_time()
        pieces = [text[at : at + 20] for at in range(0, len(text), 20)]
        for number, piece in enumerate(pieces):
            host.conversation.apply([Grew("a", piece)])
            if number % 20 == 0:
                # What a screen would do thirty times a second.
                host.conversation._flush()  # pyright: ignore[reportPrivateUsage]
                await pilot._wait_for_screen()  # pyright: ignore[reportPrivateUsage]
        spent = time.process_time() - begun
        host.conversation.apply([Closed(AnswerBlock("a", text))])
        await settled(pilot)
        return spent


@pytest.mark.timeout(120)
async def test_u4_an_answer_twice_as_long_costs_not_much_more_than_twice() -> None:
    await _stream(200)
    short = await _stream(1500)
    assert await _stream(3000) < 2.6 * short


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
        assert time.process_time() - begun < 1.5


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


async def test_folded_reads_and_ascii_glyphs_on_a_narrow_screen() -> None:
    host = ConversationHost([read("1", "/w/a.py"), read("2", "/w/b.py")])
    async with host.run_test(size=(40, 5)):
        assert host.rows()[0] == " ● Read  2 files" + " " * 17 + "0.1 s"


# Pictures ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("theme", ["dark", "light", "high-contrast", "sixteen", "no-colour"])
def test_a_whole_run_in_each_theme(theme: str, snap_compare: Callable[..., bool]) -> None:
    assert snap_compare(ConversationHost(scene(), theme), terminal_size=(100, 37))


def test_a_whole_run_on_a_narrow_screen(snap_compare: Callable[..., bool]) -> None:
    assert snap_compare(ConversationHost(scene()), terminal_size=(60, 37))


def test_all_states_of_calls(snap_compare: Callable[..., bool]) -> None:
    display = CommandDisplay(
        "uv run pytest", tail=("one", "two", "three"), hidden_lines=12, timeout_ms=120_000
    )
    call = ToolBlock("b", "Bash", {}, display=display)
    blocks = [
        replace(call, id="1", state="queued"),
        replace(call, id="2", state="running", elapsed_ms=42_000),
        replace(call, id="3", state="asking"),
        replace(call, id="4", state="done", elapsed_ms=3900, display=replace(display, exit_code=0)),
        replace(
            call, id="5", state="failed", elapsed_ms=2300, display=replace(display, exit_code=1)
        ),
        replace(call, id="6", state="stopped", elapsed_ms=12_000),
        replace(call, id="7", state="stopped", result="no", why="Bash(rm:*)"),
        NoticeBlock("8", "warning", "The session can't be saved."),
        NoticeBlock("9", "stopped", "Stopped by you"),
        CompactBlock("10", "auto", 985_000, 14_000, "summary"),
    ]
    assert snap_compare(ConversationHost(blocks), terminal_size=(80, 28))
