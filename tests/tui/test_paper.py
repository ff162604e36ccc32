"""Asking whether the terminal is light or dark."""

from __future__ import annotations

import os
import pty
import termios
from collections.abc import Generator
from contextlib import contextmanager

import pytest

from agent_tui.tui.paper import QUESTION, Paper

WHITE, BLACK = "\x1b]11;rgb:ffff/ffff/ffff\x1b\\", "\x1b]11;rgb:00/00/00\x07"


@contextmanager
def terminal() -> Generator[tuple[int, int]]:
    """A terminal: the end of the person, the end of the program."""
    person, program = pty.openpty()
    try:
        yield person, program
    finally:
        os.close(person)
        os.close(program)


@pytest.mark.parametrize(
    ("answer", "dark"),
    [
        (WHITE, False),
        (BLACK, True),
        ("\x1b]11;rgb:1515/1717/1c1c\x07", True),
        ("\x1b]11;rgba:fbfb/fafa/f7f7/ffff\x1b\\", False),
        ("\x1b]11;rgb:f/f/0\x1b\\", False),
    ],
)
def test_the_answer_is_read_and_keys_typed_meanwhile_are_kept(answer: str, dark: bool) -> None:
    with terminal() as (person, program):
        before = termios.tcgetattr(program)
        paper = Paper()
        paper.ask(program)
        assert os.read(person, 100).decode() == QUESTION
        os.write(person, f"fix{answer} it\r\x04".encode())
        assert paper.look(program) is dark
        assert paper.take_early() == b"fix it\r\x04"
        assert paper.take_early() == b""
        assert termios.tcgetattr(program) == before


def test_without_an_answer_nothing_is_waited_for_and_the_terminal_is_given_back() -> None:
    with terminal() as (person, program):
        before = termios.tcgetattr(program)
        paper = Paper()
        paper.ask(program)
        assert paper.look(program) is None
        assert termios.tcgetattr(program) == before
        assert os.read(person, 100).decode() == QUESTION


def test_what_is_no_terminal_is_not_asked() -> None:
    reading, writing = os.pipe()
    paper = Paper()
    paper.ask(reading)
    assert paper.look(reading) is None
    assert paper.filter(WHITE) == WHITE
    os.close(reading)
    os.close(writing)


@pytest.mark.parametrize("cut", range(2, len(WHITE)))
def test_a_late_answer_is_taken_out_wherever_it_is_cut(cut: int) -> None:
    with terminal() as (_, program):
        paper = Paper()
        paper.ask(program)
        paper.look(program)
        told: list[bool] = []
        paper.late = told.append
        assert paper.filter("a" + WHITE[:cut]) == "a"
        assert paper.filter(WHITE[cut:] + "b") == "b"
        assert told == [False]
        assert paper.filter(WHITE) == WHITE  # pasted, perhaps: it was answered already


def test_the_escape_key_is_not_held_back_nor_is_alt_and_bracket_for_ever() -> None:
    with terminal() as (_, program):
        paper = Paper()
        paper.ask(program)
        paper.look(program)
        assert paper.filter("\x1b") == "\x1b"
        assert paper.filter("\x1b]") == ""
        assert paper.filter("x") == "\x1b]x"


def test_long_after_the_question_everything_is_a_key() -> None:
    paper = Paper(asked_at=-1000.0)
    assert paper.filter(WHITE) == WHITE
    assert paper.filter("\x1b]") == "\x1b]"
