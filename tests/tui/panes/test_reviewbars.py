from __future__ import annotations

from agent_tui.tui.panes.reviewbars import (
    WIDE,
    CommentField,
    Reviewed,
    ReviewFoot,
    ReviewHead,
    hint_spans,
)
from agent_tui.view.remarks import Spot
from tests.tui.changes import FILES
from tests.tui.look import look, page, texts

SPOT = Spot("/w/a", "a", "new", 1, 1, ())


def test_the_head_says_what_is_looked_at_and_how_much_it_is() -> None:
    reviewed = Reviewed()
    head = ReviewHead(look(), reviewed)
    head.files = FILES
    row = texts(head.draw(page(120)))[0]
    assert row.startswith(" Review  this session against its start   +6 −3  in 3 files")
    assert row.endswith("session   prompt   tab")
    reviewed.scope = "prompt"
    assert "since the last prompt" in texts(head.draw(page(120)))[0]
    assert "since" not in texts(head.draw(page(80)))[0]


def test_the_foot_counts_comments_where_they_are_sent() -> None:
    reviewed = Reviewed()
    foot = ReviewFoot(look(), reviewed)
    assert texts(foot.draw(page(120)))[1] == ""
    foot.writing = True
    assert texts(foot.draw(page(120)))[1] == " a comment is being written"
    reviewed.remarks.put(SPOT, "x")
    assert texts(foot.draw(page(120)))[1] == " 1 comment in 1 file, one more being written"
    foot.writing = False
    foot.word = ("so it is", "muted")
    row = texts(foot.draw(page(120)))[1]
    assert row.startswith(" 1 comment in 1 file   so it is")
    assert row.endswith("R send as one review")


def test_keys_are_told_with_what_they_do() -> None:
    text = "".join(text for text, _ in hint_spans(page(120), (*WIDE, ("up down", "x"))))
    assert text.startswith("j k hunk   J K file   c comment   x undo this hunk")
    assert text.endswith("↑ ↓ x")


def test_a_comment_is_written_behind_a_bar() -> None:
    field = CommentField(look())
    assert "".join(text for text, _ in field.lead(0)) == "        ▎"
