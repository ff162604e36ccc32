from __future__ import annotations

import pytest
from textual import events

from agent_tui.tui.panes.field import Field
from tests.tui.host import Host, screen_rows
from tests.tui.look import look

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


async def test_typing_is_drawn_and_said() -> None:
    field = Field(look())
    app = Host(field.look, field)
    async with app.run_test(size=(40, 6)) as pilot:
        field.focus()
        await pilot.press("h", "i")
        await pilot.pause()
        assert screen_rows(app)[0] == "   hi"
        assert len(app.of(Field.Changed)) == 2


async def test_enter_submits_and_other_enters_make_new_lines() -> None:
    field = Field(look())
    app = Host(field.look, field)
    async with app.run_test(size=(40, 6)) as pilot:
        field.focus()
        await pilot.press(
            "a", "shift+enter", "b", "ctrl+j", "c", "alt+enter", "backslash", "enter", "d"
        )
        assert field.value == "a\nb\nc\n\nd"
        assert not app.of(Field.Submitted)
        await pilot.press("enter")
        assert len(app.of(Field.Submitted)) == 1
        assert field.size.height == 5


async def test_u6_a_paste_never_submits_and_keeps_every_character() -> None:
    field = Field(look())
    app = Host(field.look, field)
    async with app.run_test(size=(40, 8)) as pilot:
        field.focus()
        field.post_message(events.Paste("line 1\r\nline\t2\nline 3\n"))
        await pilot.pause()
        assert field.value == "line 1\nline\t2\nline 3\n"
        assert not app.of(Field.Submitted)


async def test_u6_twenty_thousand_pasted_lines_are_one_summary_and_are_kept_whole() -> None:
    text = "\n".join(f"row {n}" for n in range(20_000))
    field = Field(look())
    app = Host(field.look, field)
    async with app.run_test(size=(60, 8)) as pilot:
        field.focus()
        field.post_message(events.Paste(text))
        await pilot.pause()
        assert screen_rows(app)[0] == "   [pasted 20,000 lines]"
        assert field.value == text


async def test_u2_a_paste_can_not_bring_terminal_codes() -> None:
    field = Field(look())
    app = Host(field.look, field)
    async with app.run_test(size=(60, 8)) as pilot:
        field.focus()
        field.post_message(events.Paste("a\x1b[2Jb\x9b31m\x07"))
        await pilot.pause()
        assert not set(field.value) & set("\x1b\x9b\x07")
        assert field.value.startswith("a")


async def test_u7_the_terminals_cursor_is_where_the_next_character_goes() -> None:
    field = Field(look())
    app = Host(field.look, field)
    async with app.run_test(size=(40, 6)) as pilot:
        field.focus()
        await pilot.press(*"あいうABC", "left", "left")
        await pilot.pause()
        assert app.cursor_position == (3 + 7, 0)
        await pilot.press("backspace", "backspace")
        assert field.value == "あいBC"


async def test_up_and_down_keep_the_column() -> None:
    field = Field(look())
    app = Host(field.look, field)
    async with app.run_test(size=(40, 8)) as pilot:
        field.focus()
        field.set_value("a long line\nb\nanother long one")
        await pilot.press("up", "up")
        assert field.editor.cursor == len("a long line")
        await pilot.press("down", "down")
        assert field.editor.cursor == len(field.value)


async def test_it_grows_to_its_limit_and_then_follows_the_cursor() -> None:
    field = Field(look())
    field.max_rows = 3
    app = Host(field.look, field)
    async with app.run_test(size=(40, 8)) as pilot:
        field.focus()
        field.set_value("\n".join("123456"))
        await pilot.pause()
        assert field.size.height == 3
        assert screen_rows(app)[:3] == ["   4", "   5", "   6"]
        await pilot.press("up", "up", "up")
        await pilot.pause()
        assert screen_rows(app)[0] == "   3"


async def test_a_single_line_scrolls_sideways() -> None:
    field = Field(look(), single_line=True)
    app = Host(field.look, field)
    async with app.run_test(size=(20, 4)) as pilot:
        field.focus()
        field.set_value("abcdefghijklmnopqrstuvwxyz")
        await pilot.pause()
        shown = screen_rows(app)[0]
        assert shown.endswith("xyz")
        assert len(shown) <= 20


async def test_a_secret_is_not_drawn() -> None:
    field = Field(look(), single_line=True, secret=True)
    app = Host(field.look, field)
    async with app.run_test(size=(40, 4)) as pilot:
        field.focus()
        field.set_value("hunter2")
        await pilot.pause()
        assert screen_rows(app)[0] == "   •••••••"
        assert field.value == "hunter2"


async def test_a_click_puts_the_cursor_there() -> None:
    field = Field(look())
    app = Host(field.look, field)
    async with app.run_test(size=(40, 4)) as pilot:
        field.focus()
        field.set_value("あいう")
        await pilot.click(field, offset=(5, 0))
        assert field.editor.cursor == 1
