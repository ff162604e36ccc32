from __future__ import annotations

import pytest

from agent_tui.tui.driver import PasteFilter, guard
from tests.tui.terminal import Terminal


@pytest.mark.parametrize(
    "attack",
    [
        "\x1b]52;c;aGk=\x07",
        "\x1b]52;c;aGk=\x1b\\",
        "\x1b]0;pwn\x07",
        "\x1b]8;;http://x\x1b\\click",
        "\x1b[2J",
        "\x1b[6n",
        "\x1bc",
        "\x9b31m",
        "\x1bP1$r\x1b\\",
        "\x1b[5i",
    ],
)
def test_u2_the_write_guard_lets_no_foreign_sequence_through(attack: str) -> None:
    frame = f"\x1b[1;1H\x1b[38;2;1;2;3mtext {attack} more\x1b[0m"
    written = guard(frame)
    assert written.startswith("\x1b[1;1H\x1b[38;2;1;2;3mtext ")
    assert written.endswith(" more\x1b[0m")
    inside = written.removeprefix("\x1b[1;1H\x1b[38;2;1;2;3m").removesuffix("\x1b[0m")
    assert "\x1b" not in inside
    assert "\x9b" not in inside
    assert "\x07" not in inside


@pytest.mark.parametrize(
    "own",
    [
        "\x1b[?1049h",
        "\x1b[?1006l",
        "\x1b[?2026$p",
        "\x1b[>25u",
        "\x1b[<u",
        "\x1b[10;20H",
        "\x1b[0;1;38;2;1;2;3;48;2;4;5;6m",
        "\x07",
        "\x1b]22;pointer\x07",
        "\x1b]52;c;aGVsbG8=\x07",
        "a\nb\tあ",
    ],
)
def test_what_the_screen_itself_writes_passes(own: str) -> None:
    assert guard(own) == own


PASTE = "\x1b[200~line 1\r\nline\t2\nline 3\n\x1b[201~"


@pytest.mark.parametrize("cut", range(1, len(PASTE)))
def test_u6_a_paste_is_whole_wherever_the_reads_are_cut(cut: int) -> None:
    pastes = PasteFilter()
    found = [*pastes.feed(PASTE[:cut]), *pastes.feed(PASTE[cut:])]
    assert found == [(True, "line 1\r\nline\t2\nline 3\n")]


def test_keys_around_a_paste_stay_in_order() -> None:
    pastes = PasteFilter()
    assert list(pastes.feed("a\x1b[200~b\x1b[201~c")) == [(False, "a"), (True, "b"), (False, "c")]


def test_a_lone_escape_is_held_back_and_then_given() -> None:
    pastes = PasteFilter()
    assert list(pastes.feed("\x1b")) == []
    assert pastes.waiting
    assert pastes.flush() == "\x1b"
    assert not pastes.waiting


def test_a_key_that_begins_like_a_paste_is_no_paste() -> None:
    pastes = PasteFilter()
    assert list(pastes.feed("\x1b[2")) == []
    assert list(pastes.feed("~x")) == [(False, "\x1b[2~x")]


def test_escape_sequences_inside_a_paste_stay_text() -> None:
    pastes = PasteFilter()
    assert list(pastes.feed("\x1b[200~a\x1b[Ab\x1b[201~")) == [(True, "a\x1b[Ab")]


def test_the_size_is_the_terminals_own_whatever_the_environment_says() -> None:
    env = {"COLUMNS": "50", "LINES": "10"}
    with Terminal("-m", "tests.tui.play", "plain", columns=100, rows=30, env=env) as terminal:
        terminal.wait_for("fix-auth*")
        assert terminal.rows[29].startswith(" sonnet") and len(terminal.rows[29]) == 98
        terminal.resize(72, 20)
        terminal.wait_for("\u2500" * 72 + "\n")
        assert terminal.rows[19].startswith(" sonnet")
