from __future__ import annotations

from dataclasses import replace

from agent_tui.protocol.masking import Masker
from agent_tui.tui.glyphs import ASCII
from agent_tui.tui.lines import width_of
from agent_tui.tui.title import MAX_WIDTH, RESTORE, sequence_of, title_of
from agent_tui.view.status import Status
from tests.tui import scenes

MASKER = Masker.knowing(["sk-very-secret-value-1234"])
IDLE = Status(session=scenes.status(), title="Fix the login test")
BUSY = replace(IDLE, session=scenes.busy())


def test_the_title_tells_the_session_and_its_state() -> None:
    assert title_of(IDLE, "/a/shop", masker=MASKER) == "agent-tui: Fix the login test"
    assert title_of(BUSY, "/a/shop", masker=MASKER) == "◐ working: Fix the login test"
    asked = replace(BUSY, requests=(scenes.edit_question(),))
    assert title_of(asked, "/a/shop", masker=MASKER) == "◆ waiting for you: Fix the login test"
    assert title_of(asked, "/", masker=MASKER, glyphs=ASCII).startswith("? waiting for you")
    assert title_of(IDLE, "/", masker=MASKER, watching=True) == (
        "agent-tui, watching: Fix the login test"
    )


def test_without_a_title_the_folder_names_it() -> None:
    assert title_of(Status(), "/home/me/shop", masker=MASKER) == "agent-tui: shop"
    assert title_of(Status(), "", masker=MASKER) == "agent-tui"


def test_u2_what_the_model_called_it_can_not_leave_the_title() -> None:
    evil = "a\x1b]0;pwn\x07b\x9c\x1b\\c\nd\x00 \u202esk-very-secret-value-1234"
    title = title_of(replace(IDLE, title=evil), "", masker=MASKER)
    assert title.isprintable()
    assert "pwn" not in title and "secret-value" not in title
    written = sequence_of(title)
    assert written.startswith("\x1b]2;") and written.endswith("\x07")
    assert not any(char in written[4:-1] for char in "\x1b\x07\x9c\n")


def test_a_long_title_is_cut_by_cells() -> None:
    title = title_of(replace(IDLE, title="表" * 100), "", masker=MASKER)
    assert width_of(title) <= MAX_WIDTH and title.endswith("…")


def test_the_old_title_comes_back_also_where_none_is_remembered() -> None:
    assert RESTORE == "\x1b]2;\x07\x1b[23;0t"
