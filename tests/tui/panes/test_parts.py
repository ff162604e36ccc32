from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from agent_tui.tui.blocks.drawing import render_block
from agent_tui.tui.lines import Line, Page
from agent_tui.tui.panes.parts import AnswerEntry, Entry, PiecePart, entry_of
from agent_tui.view.blocks import AnswerBlock, CompactBlock, PromptBlock, ThoughtBlock, ToolBlock
from tests.fakes.conversation_host import ANSWER, edit, page, texts


def drawn(entry: Entry, sheet: Page) -> list[Line]:
    """All rows of an entry, with the gaps inside it."""
    rows: list[Line] = []
    for part in entry.parts:
        body = part.rows(sheet)
        gap = part.piece.gap if isinstance(part, PiecePart) and rows else 0
        rows += [Line(body[0].strip.blank(sheet.width))] * gap if len(body) else []
        rows += body
    return rows


def test_a_short_answer_is_one_part_a_streaming_or_long_one_many() -> None:
    assert len(entry_of(AnswerBlock("a", ANSWER)).parts) == 1
    assert len(entry_of(AnswerBlock("a", ANSWER, open=True)).parts) == 4
    assert len(entry_of(AnswerBlock("a", "word\n\n" * 1000)).parts) == 1000


def test_what_streams_is_drawn_as_what_is_finished() -> None:
    sheet = page(100)
    entry = entry_of(AnswerBlock("a", "", open=True))
    for at in range(0, len(ANSWER), 7):
        entry.grow(ANSWER[at : at + 7])
        entry.sync()
        drawn(entry, sheet)
    entry.take(AnswerBlock("a", ANSWER))
    assert texts(drawn(entry, sheet)) == texts(render_block(AnswerBlock("a", ANSWER), sheet))


def test_u5_no_later_text_draws_a_finished_piece_again() -> None:
    sheet = page(100)
    entry = entry_of(AnswerBlock("a", "", open=True))
    kept: dict[int, Line] = {}
    for (
        char
    ) in "# One\n\ntwo\n\n```sh\nls\n\n~~~\ncd\n```\n\n| a | b |\n|---|---|\n| c | d |\n\nlast":
        entry.grow(char)
        entry.sync()
        for number, part in enumerate(entry.parts[:-1]):
            first = part.rows(sheet)[0]
            assert kept.setdefault(number, first) is first
    assert len(kept) == 4


def test_an_open_fence_only_grows() -> None:
    sheet = page(60)
    entry = entry_of(AnswerBlock("a", "```py\nx = 1\ny = ", open=True))
    rows = entry.parts[0].rows(sheet)
    first = rows[0]
    entry.grow("2\nz")
    entry.sync()
    assert entry.parts[0].rows(sheet) is rows and rows[0] is first
    assert texts(rows) == ["     x = 1" + " " * 44 + " py", "     y = 2", "     z"]
    entry.grow(" = 3\n``")
    entry.sync()
    assert texts(rows)[2:] == ["     z = 3"]
    entry.grow("`\n\nafter")
    entry.sync()
    assert entry.parts[0].rows(sheet) is rows and len(rows) == 3
    assert texts(entry.parts[1].rows(sheet)) == ["   after"]


def test_rows_that_come_out_the_same_are_kept() -> None:
    sheet = page(60)
    entry = entry_of(edit("e"))
    before = list(entry.parts[0].rows(sheet))
    entry.take(edit("e"))
    after = entry.parts[0].rows(sheet)
    assert all(old is new for old, new in zip(before, after, strict=True))


def test_another_text_than_the_streamed_one_is_taken() -> None:
    sheet = page(60)
    entry = entry_of(AnswerBlock("a", "one\n\ntwo", open=True))
    entry.take(AnswerBlock("a", "three"))
    assert texts(drawn(entry, sheet)) == ["   three"]


def test_a_thought_grows_unseen_until_it_is_unfolded() -> None:
    sheet = page(60)
    entry = entry_of(ThoughtBlock("t", "one", open=True))
    assert texts(entry.parts[0].rows(sheet)) == [" ◐ Thinking"]
    entry.grow(" two")
    entry.sync()
    assert entry.text == "one two" and entry.can_expand
    entry.expanded = True
    entry.touch()
    entry.sync()
    assert texts(entry.parts[0].rows(sheet)) == [" ▾ Thinking", "   one two"]


def test_what_can_be_unfolded() -> None:
    assert entry_of(ToolBlock("t", "Bash")).can_expand
    assert not entry_of(ThoughtBlock("t", "")).can_expand
    assert entry_of(CompactBlock("c", summary="s")).can_expand
    assert not entry_of(PromptBlock("p", "short")).can_expand
    assert entry_of(PromptBlock("p", "x\n" * 20)).can_expand
    assert not entry_of(AnswerBlock("a", "x")).can_expand


TEXT = st.lists(
    st.sampled_from(
        [
            "word ",
            "```py\n",
            "x = 1\n",
            "\n",
            "\n\n",
            "- item\n",
            "| a |\n",
            "|---|\n",
            "**b** ",
            "# h\n",
        ]
    ),
    max_size=20,
).map("".join)


@given(TEXT, st.integers(1, 9))
@settings(max_examples=100, deadline=None)
def test_however_it_streams_it_ends_as_if_it_had_come_at_once(text: str, size: int) -> None:
    sheet = page(60)
    entry = entry_of(AnswerBlock("a", "", open=True))
    assert isinstance(entry, AnswerEntry)
    for at in range(0, len(text), size):
        entry.grow(text[at : at + size])
        entry.sync()
        drawn(entry, sheet)
    entry.take(AnswerBlock("a", text))
    assert texts(drawn(entry, sheet)) == texts(render_block(AnswerBlock("a", text), sheet))
