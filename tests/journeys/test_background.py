"""The terminal is asked whether it is light or dark, and the screen fits it."""

from __future__ import annotations

import time

import pytest

from agent_tui.tui.paper import QUESTION
from tests.journeys.program import Program
from tests.journeys.terminal import PATIENCE, Terminal

LIGHT_PAGE, DARK_PAGE = b"48;2;251;250;247", b"48;2;21;23;28"
WHITE = "\x1b]11;rgb:fbfb/fafa/f7f7\x1b\\"


def heard(terminal: Terminal, wanted: bytes) -> None:
    """Wait until these bytes have been written."""
    until = time.monotonic() + PATIENCE
    while wanted not in terminal.raw:
        assert terminal.pump(0.05)
        assert time.monotonic() < until, f"{wanted!r} is not written"


def test_an_answer_that_comes_while_the_screen_is_loaded_shows_no_dark_frame(
    program: Program,
) -> None:
    with program.screen() as terminal:
        heard(terminal, QUESTION.encode())
        terminal.key(f"typed{WHITE} early")
        terminal.wait_for("typed early")
        assert LIGHT_PAGE in terminal.raw
        assert DARK_PAGE not in terminal.raw
        assert b"rgb:" not in terminal.raw


def test_an_answer_that_comes_late_changes_what_is_shown(program: Program) -> None:
    with program.screen() as terminal:
        terminal.wait_for("›")
        heard(terminal, DARK_PAGE)
        terminal.key(f"a{WHITE}b")
        heard(terminal, LIGHT_PAGE)
        terminal.wait_for("ab")
        assert b"rgb:" not in terminal.raw


@pytest.mark.parametrize("name", ["NO_COLOR", "FORCE_COLOR"])
def test_where_the_answer_would_change_nothing_it_is_not_asked_for(
    program: Program, name: str
) -> None:
    program.variables[name] = "1"
    with program.screen() as terminal:
        terminal.wait_for("›")
        assert (QUESTION.encode() in terminal.raw) == (name == "FORCE_COLOR")
