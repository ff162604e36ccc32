from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import pytest
from rich.cells import cell_len

from agent_tui.settings.paths import Environment
from agent_tui.tui.glyphs import ASCII, GLYPHS, choose_glyphs


def test_each_glyph_is_one_cell_and_its_stand_in_is_ascii() -> None:
    for name, glyph in asdict(GLYPHS).items():
        assert cell_len(glyph) == (3 if "checked" in name else 1), name
    assert all(mark.isascii() and mark for mark in asdict(ASCII).values())


@pytest.mark.parametrize(
    ("variables", "width", "fancy"),
    [
        ({"LANG": "en_US.UTF-8"}, 1, True),
        ({"LC_ALL": "C.utf8", "LANG": "C"}, 1, True),
        ({"LC_ALL": "C", "LANG": "en_US.UTF-8"}, 1, False),
        ({"LANG": "ja_JP.UTF-8"}, 2, False),
        ({}, 1, True),
    ],
)
def test_a_terminal_gets_one_whole_set(variables: dict[str, str], width: int, fancy: bool) -> None:
    env = Environment(variables, Path("/nowhere"))
    assert choose_glyphs(env, ambiguous_width=width) is (GLYPHS if fancy else ASCII)
