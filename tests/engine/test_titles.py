"""Titles: one line, short, harmless."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from agent_tui.engine.titles import FROM_PROMPT, MAX_TITLE, given_title, title_of_prompt


def test_a_title_is_one_line_of_at_most_200_characters() -> None:
    assert given_title("  fix\n the\tgreeting ") == "fix the greeting"
    assert given_title("ab " * 200) == ("ab " * 200)[:MAX_TITLE].rstrip()
    assert given_title(" \n\t") == ""


@pytest.mark.parametrize("make", [given_title, title_of_prompt])
def test_nothing_in_it_drives_a_terminal(make: Callable[[str], str]) -> None:
    title = make("a\x1b]0;pwn\x07b\x9b31m\x1b[2Jc\u202e")
    assert not any(ord(char) < 0x20 or 0x7F <= ord(char) < 0xA0 for char in title)
    assert "\u202e" not in title
    assert title.startswith("ab")


def test_a_prompt_gives_its_beginning() -> None:
    assert title_of_prompt("short\nprompt") == "short prompt"
    long = title_of_prompt("x" * 100)
    assert len(long) == FROM_PROMPT
    assert long.endswith("x…")
