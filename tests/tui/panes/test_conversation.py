from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from textual.pilot import Pilot

from agent_tui.protocol.display import AgentDisplay, CommandDisplay
from agent_tui.tui.panes.conversation import Conversation
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
    Updated,
)
from tests.fakes.conversation_host import (
    ConversationHost,
    edit,
    history,
    read,
    scene,
    settled,
)

pytestmark = pytest.mark.anyio
DIFF_GROUNDS = ("added_bg", "added_word", "removed_bg", "removed_word")


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


async def walking(pilot: Pilot[None], host: ConversationHost, *keys: str) -> None:
    """Begin to walk at the end, then press keys."""
    host.conversation.focus()
    await pilot.press("up", *keys)
    await settled(pilot)


async def test_only_a_part_of_a_block_is_copied_and_the_next_one_with_the_same_key() -> None:
    call = ToolBlock("t", "Bash", {}, "done", CommandDisplay("ls  -l", exit_code=0), "total 0\n  a")
    host = ConversationHost([call])
    async with host.run_test(size=(60, 10)) as pilot:
        await walking(pilot, host, "c", "c", "c", "y")
        assert host.copied == ["ls  -l", "total 0\n  a", "ls  -l", "$ ls  -l\ntotal 0\n  a"]


async def test_u5_the_code_of_an_answer_is_copied_alone_and_exactly() -> None:
    host = ConversationHost([AnswerBlock("a", "do\n\n```py\nif x:\n\n    y\n```\n\nthen")])
    async with host.run_test(size=(40, 12)) as pilot:
        await walking(pilot, host, "c")
        assert host.copied == ["if x:\n\n    y"]


async def test_a_change_is_copied_as_a_patch_whatever_is_drawn_of_it() -> None:
    host = ConversationHost([edit("e")])
    async with host.run_test(size=(160, 12)) as pilot:
        await walking(pilot, host, "y")
        assert host.copied[0].startswith(
            "--- a/w/src/auth.py\n+++ b/w/src/auth.py\n@@ -41,4 +41,5 @@"
        )
        assert (
            "-        if self._token is None:\n+        if self.expired(early=30):"
            in host.copied[0]
        )


async def test_a_change_is_shown_in_two_columns_where_there_is_room_and_u_makes_it_one() -> None:
    host = ConversationHost([edit("e")])
    async with host.run_test(size=(140, 14)) as pilot:
        await pilot.pause()
        beside = next(row for row in host.rows() if "self._token is None" in row)
        assert "self.expired(early=30)" in beside
        await walking(pilot, host, "u")
        one = next(row for row in host.rows() if "self._token is None" in row)
        assert "self.expired(early=30)" not in one
        host.conversation.extend([edit("later")])
        await settled(pilot)
        assert not any("is None" in row and "expired(" in row for row in host.rows())
        await walking(pilot, host, "u")
        assert any("is None" in row and "expired(" in row for row in host.rows())
        await pilot.resize_terminal(139, 14)
        await settled(pilot)
        assert not any("is None" in row and "expired(" in row for row in host.rows())


async def test_other_keys_are_asked_of_whoever_holds_the_conversation() -> None:
    heard: list[str] = []

    class Hears(ConversationHost):
        def on_conversation_asked(self, event: Conversation.Asked) -> None:
            heard.append(event.what)

    host = Hears(scene())
    async with host.run_test(size=(100, 40)) as pilot:
        host.conversation.focus()
        await pilot.press("r", "slash")
        await settled(pilot)
        assert heard == []  # without a cursor these are typed
        await walking(pilot, host, "slash", "n", "N", "r", "x")
        assert heard == ["find", "before", "next", "raw", "export"]


async def test_unfolding_the_card_of_a_sub_agent_asks_for_what_it_did() -> None:
    wanted: list[str] = []

    class Hears(ConversationHost):
        def on_conversation_inside_wanted(self, event: Conversation.InsideWanted) -> None:
            wanted.append(event.call_id)

    card = ToolBlock("t", "Agent", {}, "done", AgentDisplay("look", "reviewer", "completed"))
    host = Hears([card])
    async with host.run_test(size=(100, 20)) as pilot:
        await walking(pilot, host, "enter")
        assert wanted == ["t"]
        inside = (ToolBlock("i", "Bash", {}, "done", CommandDisplay("make", exit_code=0)),)
        host.conversation.apply([Updated(replace(card, inside=inside))])
        await settled(pilot)
        assert host.rows()[1].startswith("▎  ● Bash  make")
        await pilot.press("enter", "enter")
        await settled(pilot)
        assert wanted == ["t"]


async def test_places_that_were_found_are_bold_and_underlined_and_the_current_one_on_its_ground() -> (
    None
):
    host = ConversationHost([PromptBlock("p", "a token"), edit("e"), AnswerBlock("a", "no token")])
    async with host.run_test(size=(100, 20)) as pilot:
        await pilot.pause()
        pane = host.conversation
        pane.find("token")
        await settled(pilot)
        found = [
            (segment.text, segment.style)
            for strip in pane.render_lines(pane.size.region)
            for segment in strip
            if segment.style and segment.style.underline
        ]
        theme = host.look.theme
        assert len(found) >= 4 and all(
            style.bold and text.lower() == "token" for text, style in found
        )
        grounds = [style.bgcolor for _, style in found]
        assert grounds.count(theme.roles["select"].bgcolor) == 1
        for _, style in found:
            tinted = style.bgcolor in {theme.roles[on].bgcolor for on in DIFF_GROUNDS}
            role = "strong" if tinted else "accent"
            assert style.color == theme.roles[role].color
        pane.stop_finding(back=True)
        await settled(pilot)
        assert not any(
            segment.style and segment.style.underline
            for strip in pane.render_lines(pane.size.region)
            for segment in strip
        )
