from __future__ import annotations

import pytest

from agent_tui.tui.panes.completion import POPUP_ROWS, Popup, Proposal, Word, word_at
from tests.tui.look import look, page, texts


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("/he", Word("command", 0, 3, "he")),
        ("/", Word("command", 0, 1, "")),
        ("/model op", None),
        ("see @src/a", Word("file", 4, 10, "src/a")),
        ("@", Word("file", 0, 1, "")),
        ("me@example.com", None),
        ("a\n@b", Word("file", 2, 4, "b")),
        ("plain", None),
        ("", None),
        (" /he", None),
    ],
)
def test_which_word_can_be_completed(text: str, word: Word | None) -> None:
    assert word_at(text, len(text)) == word


def test_only_what_stands_before_the_cursor_counts() -> None:
    assert word_at("@abcdef x", 4) == Word("file", 0, 4, "abc")


def shown(popup: Popup) -> list[str]:
    return texts(popup.draw(page(60)))


def test_the_chosen_row_is_marked_and_stays_in_sight() -> None:
    popup = Popup(look())
    popup.proposals = tuple(Proposal(f"file{n}", f"hint {n}") for n in range(20))
    assert shown(popup)[0] == " › file0  hint 0"
    popup.chosen = 12
    rows = shown(popup)
    assert " › file12  hint 12" in rows
    assert len(rows) == POPUP_ROWS + 1
    assert rows[-1] == "   12 more"


def test_what_matched_is_marked_by_more_than_colour() -> None:
    popup = Popup(look())
    popup.proposals = (Proposal("src/auth.py", "", (4, 5)),)
    (row,) = popup.draw(page(60))
    marked = "".join(s.text for s in row.strip if s.style and s.style.underline and s.style.bold)
    assert marked == "au"


def test_u2_file_names_are_cleaned() -> None:
    popup = Popup(look())
    popup.proposals = (Proposal("a\x1b[2J\nb", "h\x07int"),)
    (row,) = popup.draw(page(60))
    assert not set(row.strip.text) & set("\x1b\x07\n")
