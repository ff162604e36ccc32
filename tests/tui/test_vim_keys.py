from __future__ import annotations

import pytest

from agent_tui.tui.vim_keys import Command, parse


@pytest.mark.parametrize(
    ("keys", "command"),
    [
        ("w", Command("w")),
        ("3w", Command("w", count=3)),
        ("10j", Command("j", count=10)),
        ("0", Command("0")),
        ("gg", Command("gg")),
        ("fx", Command("f", char="x")),
        ("f1", Command("f", char="1")),
        ("dd", Command("dd", "d")),
        ("2d3w", Command("w", "d", 6)),
        ("D", Command("$", "d")),
        ("x", Command("l", "d")),
        ("ci(", Command("(", "c", object="i")),
        ("daw", Command("w", "d", object="a")),
        ("dfx", Command("f", "d", char="x")),
        ("ra", Command("r", char="a")),
    ],
)
def test_whole_commands(keys: str, command: Command) -> None:
    assert parse(keys) == command


@pytest.mark.parametrize("keys", ["", "3", "d", "d2", "g", "f", "r", "di", "dg", "df"])
def test_what_can_still_become_a_command(keys: str) -> None:
    assert parse(keys) == "more"


@pytest.mark.parametrize("keys", ["z", "dz", "gz", "diz", "dp", "Q"])
def test_what_is_none(keys: str) -> None:
    assert parse(keys) is None


def test_in_visual_mode_an_operator_is_whole_at_once() -> None:
    assert parse("d", visual=True) == Command("d")
    assert parse("iw", visual=True) == Command("w", object="i")
    assert parse("x", visual=True) == Command("x")
