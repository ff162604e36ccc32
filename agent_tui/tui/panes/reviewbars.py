"""What stands above and below on the review screen, and the field that a comment is written in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from agent_tui.protocol.reviews import ChangedFile, Scope
from agent_tui.tui.changerows import CODE
from agent_tui.tui.editor import KillRing
from agent_tui.tui.facts import counted
from agent_tui.tui.lines import Line, Page, Span, make_line
from agent_tui.tui.look import Look
from agent_tui.tui.panes.field import Field
from agent_tui.tui.panes.queue import rule_line
from agent_tui.tui.panes.sheet import Sheet
from agent_tui.tui.theme import TextRole
from agent_tui.view.remarks import Remarks

Pairs = tuple[tuple[str, str], ...]
WIDE: Pairs = (
    ("j k", "hunk"),
    ("J K", "file"),
    ("c", "comment"),
    ("x", "undo this hunk"),
    ("v", "mark seen"),
    ("s", "side by side"),
    ("esc", "back"),
)
NARROW: Pairs = (
    ("tab", "files"),
    ("j k", "hunk"),
    ("c", "comment"),
    ("x", "undo"),
    ("esc", "back"),
)
IN_LIST: Pairs = (("tab", "changes"), ("up down", "choose"), ("v", "seen"), ("esc", "back"))
WRITING: Pairs = (("enter", "keep the comment"), ("alt+enter", "new line"), ("esc", "leave it"))
SCOPES: dict[Scope, str] = {
    "session": "this session against its start",
    "prompt": "since the last prompt",
}


@dataclass(slots=True)
class Reviewed:
    """What lasts from one look to the next: comments, what was seen (as it was then), and since when."""

    remarks: Remarks = field(default_factory=Remarks)
    seen: dict[str, str] = field(default_factory=dict[str, str])
    scope: Scope = "session"


class CommentField(Field):
    """Where a comment is written, in a band under its line."""

    def __init__(self, look: Look, kills: KillRing | None = None) -> None:
        super().__init__(look, kills, column=CODE + 1, band=False, id="review-comment")
        self.placeholder = "what should be otherwise?"

    def lead(self, row: int) -> Sequence[Span]:
        """The bar."""
        theme, bar = self.look.theme, self.look.glyphs.bar
        return ((" " * CODE, theme.style("text")), (bar, theme.style("accent", "surface")))


class ReviewHead(Sheet):
    """What is looked at, and how much was changed."""

    def __init__(self, look: Look, reviewed: Reviewed) -> None:
        super().__init__(look, id="review-head")
        self.files: tuple[ChangedFile, ...] = ()
        self.key = "tab"
        self._reviewed = reviewed

    def draw(self, page: Page) -> Sequence[Line]:
        """Make the row and the rule below it."""
        theme, scope, files = page.theme, self._reviewed.scope, self.files
        muted = theme.style("muted")
        spans: list[Span] = [("Review", theme.style("strong", bold=True))]
        if page.width >= 100:
            spans.append((f"  {SCOPES[scope]}", muted))
        if files:
            spans += [
                (f"   {page.glyphs.plus}{sum(f.added for f in files)}", theme.style("added")),
                (f" {page.glyphs.minus}{sum(f.removed for f in files)}", theme.style("removed")),
                (f"  in {counted(len(files), 'file')}", muted),
            ]
        here = theme.style("text", underline=True)
        facts: list[Span] = [
            ("session", here if scope == "session" else muted),
            ("   ", muted),
            ("prompt", here if scope == "prompt" else muted),
            ("   ", muted),
            (self.key, theme.style("accent", bold=True)),
        ]
        return [make_line(page, spans, column=1, facts=facts), rule_line(page, (), ())]


class ReviewFoot(Sheet):
    """How many comments there are and where they are sent, and the keys.

    Attributes:
        word: what was just done, or why not, and its role.
        writing: a comment is being written.
        hints: the keys.
    """

    def __init__(self, look: Look, reviewed: Reviewed) -> None:
        super().__init__(look, id="review-foot")
        self.word: tuple[str, TextRole] = ("", "muted")
        self.writing = False
        self.hints = WIDE
        self._reviewed = reviewed

    def draw(self, page: Page) -> Sequence[Line]:
        """Make a rule and two rows."""
        theme, remarks = page.theme, self._reviewed.remarks
        muted = theme.style("muted")
        spans: list[Span] = []
        facts: list[Span] = []
        if len(remarks):
            spans.append((counted(len(remarks), "comment"), theme.style("strong", bold=True)))
            spans.append((f" in {counted(remarks.files, 'file')}", muted))
        if self.writing:
            more = ", one more being written" if spans else "a comment is being written"
            spans.append((more, muted))
        elif spans:
            facts = [("R", theme.style("accent", bold=True)), (" send as one review", muted)]
        if self.word[0]:
            spans += [("   " if spans else "", muted), (self.word[0], theme.style(self.word[1]))]
        first = make_line(page, spans, column=1, facts=facts)
        return [
            rule_line(page, (), ()),
            first,
            make_line(page, hint_spans(page, self.hints), column=1),
        ]


def hint_spans(page: Page, pairs: Pairs) -> list[Span]:
    """Write keys and what they do beside each other."""
    theme = page.theme
    out: list[Span] = []
    for key, what in pairs:
        key = key.replace("up", page.glyphs.up).replace("down", page.glyphs.down)
        out += [("   ", theme.style("muted"))] if out else []
        out += [(key, theme.style("accent", bold=True)), (f" {what}", theme.style("muted"))]
    return out
