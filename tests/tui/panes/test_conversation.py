from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from agent_tui.protocol.display import CommandDisplay
from agent_tui.view.blocks import (
    Added,
    AnswerBlock,
    Block,
    Closed,
    CompactBlock,
    Grew,
    NoticeBlock,
    Prepended,
    PromptBlock,
    ThoughtBlock,
    ToolBlock,
)
from tests.fakes.conversation_host import (
    ConversationHost,
    history,
    read,
    scene,
    settled,
)

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    """Textual runs on asyncio."""
    return "asyncio"


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


async def test_unfolding_keeps_what_is_above_in_its_place() -> None:
    text = "\n".join(f"row {n}" for n in range(60))
    call = ToolBlock(
        "t", "Bash", {}, "done", CommandDisplay("x", exit_code=0, head=tuple(text.split("\n")))
    )
    host = ConversationHost([*history(30), call, NoticeBlock("z", "info", "the end")])
    async with host.run_test(size=(60, 12)) as pilot:
        pane = host.conversation
        row = next(y for y, text in enumerate(host.rows()) if "Bash" in text)
        await pilot.click(pane, offset=(10, row))
        await settled(pilot)
        assert "Bash" in host.rows()[row] and "row 0" in host.rows()[row + 1]
        assert not pane.following
        await pilot.click(pane, offset=(10, row))
        await settled(pilot)
        assert "the end" in host.rows()[-1] and pane.following


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
        "thought": ThoughtBlock("a", nasty, 6.0),
        "result": ToolBlock("t", "X", {}, "failed", None, nasty),
    }
    host = ConversationHost([blocks[where]])
    async with host.run_test(size=(80, 6)) as pilot:
        await settled(pilot)
        if where == "thought":
            host.conversation.toggle("a")
            await settled(pilot)
        shown = "".join(host.rows())
        assert 'use [/] and [red]x [b + "' in shown
        assert not any(c < " " or "\x7f" <= c <= "\x9f" for c in shown)


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
