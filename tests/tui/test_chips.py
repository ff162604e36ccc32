from __future__ import annotations

import pytest

from agent_tui.tui.chips import FOLD_CHARS, FOLD_LINES, Picture, folded, must_fold, pictured


@pytest.mark.parametrize(
    ("text", "fold"),
    [
        ("x" * FOLD_CHARS, False),
        ("x" * (FOLD_CHARS + 1), True),
        ("\n" * (FOLD_LINES - 1), False),
        ("\n" * FOLD_LINES, True),
    ],
)
def test_what_is_folded(text: str, fold: bool) -> None:
    assert must_fold(text) is fold


def test_labels_tell_the_size() -> None:
    assert folded("a\n" * 1999 + "b").label == "[pasted 2,000 lines]"
    assert folded("x" * 12345).label == "[pasted 12,345 characters]"


def test_a_picture_is_named_in_the_text_and_told_of_with_its_size() -> None:
    chip = pictured(Picture(b"", "image/png", 640, 480), 2)
    assert (chip.text, chip.label) == ("[Image 2]", "[Image 2 · 640x480]")
    assert pictured(Picture(b"", "image/webp"), 1).label == "[Image 1]"
