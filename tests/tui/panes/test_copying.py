from __future__ import annotations

import pytest

from agent_tui.tui.panes.copying import Spot, line_at, text_between, word_at
from agent_tui.tui.panes.entries import Entries
from agent_tui.view.blocks import (
    Added,
    AnswerBlock,
    Block,
    Closed,
    PromptBlock,
    ResultBlock,
    ToolBlock,
)
from tests.fakes.conversation_host import ANSWER, Clock, edit, failed_tests, page


def entries_of(*blocks: Block, width: int = 60) -> Entries:
    entries = Entries(Clock())
    entries.resize(page(width), 40)
    for block in blocks:
        entries.take(Added(block))
    entries.reel.lay_out()
    return entries


LONG = "one two three four five six seven eight nine ten eleven twelve thirteen"


def test_prose_is_copied_without_the_breaks_of_the_screen() -> None:
    entries = entries_of(AnswerBlock("a", LONG))
    assert len(entries.reel.window) == 2
    assert text_between(entries.reel, None, None) == LONG
    assert (
        text_between(entries.reel, Spot(0, 0, 7), Spot(0, 1, 9))
        == "two three four five six seven eight nine ten eleven twelve"
    )


def test_a_prompt_is_copied_as_it_was_typed() -> None:
    entries = entries_of(PromptBlock("p", f"{LONG}\nsecond", "2026-11-30T14:02:00Z"))
    assert text_between(entries.reel, None, None) == f"{LONG}\nsecond"


def test_u5_code_is_copied_exactly() -> None:
    code = "if x:\n\ty = 'a'   \n\n" + "z" * 90
    entries = entries_of(AnswerBlock("a", f"```py\n{code}\n```"))
    assert text_between(entries.reel, None, None) == code


def test_what_is_selected_whole_with_more_is_copied_as_its_source() -> None:
    for is_open in (False, True):
        entries = entries_of(AnswerBlock("a", ANSWER, open=is_open), width=100)
        entries.take(Closed(AnswerBlock("a", ANSWER)))
        assert text_between(entries.reel, None, None) == ANSWER
    entries = entries_of(AnswerBlock("a", "some **bold** words\n\n- item `x`\n- two"), width=100)
    assert text_between(entries.reel, Spot(0, 0, 8), None) == "bold words\n\n- item `x`\n- two"


def test_a_table_alone_is_copied_without_padding() -> None:
    entries = entries_of(AnswerBlock("a", "| a | bb |\n|---|---|\n| 1 | 2 |"))
    assert text_between(entries.reel, None, None) == "| a | bb |\n|---|---|\n| 1 | 2 |"


def test_cards_give_what_they_show_without_glyphs_and_facts() -> None:
    entries = entries_of(failed_tests("f"), edit("e"), ResultBlock("r", 1, 1, 0.1, 1), width=100)
    text = text_between(entries.reel, None, None)
    assert text.startswith("Bash  uv run pytest tests/test_auth.py -q\nFAILED tests/test_auth.py")
    assert text.endswith(
        "\n\nEdit  src/auth.py\n    def refresh(self) -> Token:\n        if self._token is None:\n        if self.expired(early=30):\n            self._token = self._fetch()\n            self._renewed_at = now()\n        return self._token"
    )


@pytest.mark.parametrize(
    ("x", "word"),
    [(4, "see"), (8, "src/a-b.py"), (17, ","), (20, "and"), (23, "(")],
)
def test_a_word_is_a_path_too(x: int, word: str) -> None:
    entries = entries_of(AnswerBlock("a", "see src/a-b.py, and (x)"))
    line = entries.reel.window[0].line
    start, end = word_at(line, x)
    assert line.strip.text[start:end] == word


def test_a_line_is_all_its_rows() -> None:
    entries = entries_of(AnswerBlock("a", f"first\n{LONG}\nlast"))
    for row in (1, 2):
        start, end = line_at(entries.reel, 0, row)
        assert text_between(entries.reel, start, end) == LONG
    start, end = line_at(entries.reel, 0, 0)
    assert text_between(entries.reel, start, end) == "first"


EVIL = "a\x1b]52;c;aGk=\x07b \x1b]0;pwn\x07 \x1b[2J\x1b[6n\x1bc \x9b31m z"


@pytest.mark.parametrize(
    "block",
    [
        PromptBlock("b", EVIL),
        AnswerBlock("b", EVIL),
        AnswerBlock("b", f"```sh\n{EVIL}\n```"),
        ToolBlock("b", "X", {"command": EVIL}, "failed", None, EVIL),
    ],
)
def test_u2_what_is_copied_holds_no_code(block: Block) -> None:
    entries = entries_of(block, AnswerBlock("c", "next"))
    for end in (None, Spot(1, 0, 0)):
        text = text_between(entries.reel, None, end)
        assert "z" in text
        assert not any((c < " " and c not in "\n\t") or "\x7f" <= c <= "\x9f" for c in text)
