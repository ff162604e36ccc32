"""What may be meant by what is being typed: finds the word, shows the proposals above the editor."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from agent_tui.tui.lines import Line, Page, Span, cut, make_line, width_of
from agent_tui.tui.look import Look
from agent_tui.tui.panes.sheet import Sheet
from agent_tui.tui.theme import Background
from agent_tui.view.clean import clean

POPUP_ROWS = 8


@dataclass(frozen=True, slots=True)
class Word:
    """A word that can be completed: where it stands (its ``@`` or ``/`` at ``start``) and what is typed of it."""

    what: Literal["file", "command"]
    start: int
    end: int
    text: str


def word_at(text: str, cursor: int) -> Word | None:
    """Find the word before the cursor that can be completed: a command at the very start, or a file after ``@``."""
    before = text[:cursor]
    if before.startswith("/") and not any(c.isspace() for c in before):
        return Word("command", 0, cursor, before[1:])
    start = cursor
    while start and not text[start - 1].isspace():
        start -= 1
    if start < cursor and text[start] == "@":
        return Word("file", start, cursor, text[start + 1 : cursor])
    return None


@dataclass(frozen=True, slots=True)
class Proposal:
    """A row of the list: what is put in, what is said beside it, which characters matched.

    ``label`` is drawn instead of ``text`` where given.
    """

    text: str
    hint: str = ""
    matched: tuple[int, ...] = ()
    label: str = ""


class Popup(Sheet):
    """The list above the editor. Hidden while there is nothing to propose."""

    DEFAULT_CSS = "Popup { height: auto; display: none; } Popup.-open { display: block; }"

    def __init__(self, look: Look, *, id: str | None = None) -> None:
        super().__init__(look, id=id)
        self.proposals: tuple[Proposal, ...] = ()
        self.chosen = 0
        self.moved = False
        self.note = ""
        self._first = 0

    @property
    def is_open(self) -> bool:
        """Whether it is shown."""
        return bool(self.proposals or self.note)

    @property
    def current(self) -> Proposal | None:
        """The chosen row."""
        return self.proposals[self.chosen] if self.proposals else None

    def propose(self, proposals: Sequence[Proposal], note: str = "") -> None:
        """Show other rows; the first is chosen, or the one that was."""
        kept = self.current.text if self.moved and self.current else None
        self.proposals, self.note = tuple(proposals), note
        texts = [p.text for p in self.proposals]
        self.moved = kept in texts
        self.chosen = texts.index(kept) if kept is not None and kept in texts else 0
        self._first = 0
        self.set_class(self.is_open, "-open")
        self.redraw()

    def close(self) -> None:
        """Hide it."""
        if self.is_open:
            self.moved = False
            self.propose(())

    def move(self, by: int) -> None:
        """Choose another row; round at the ends."""
        if self.proposals:
            self.chosen = (self.chosen + by) % len(self.proposals)
            self.moved = True
            self.redraw()

    def draw(self, page: Page) -> Sequence[Line]:
        """Make a row per proposal in sight."""
        if not self.proposals:
            return [make_line(page, [(self.note, page.theme.style("muted"))])] if self.note else ()
        count = min(POPUP_ROWS, len(self.proposals))
        self._first = max(0, min(max(self._first, self.chosen - count + 1), self.chosen))
        shown = self.proposals[self._first : self._first + count]
        labels = [clean(p.label or p.text).replace("\n", " ") for p in shown]
        column = min(max(width_of(label) for label in labels) + 2, page.text_width * 2 // 3)
        rows = [
            self._row(page, proposal, label, column, at == self.chosen)
            for at, (proposal, label) in enumerate(zip(shown, labels, strict=True), self._first)
        ]
        left = len(self.proposals) - count
        if left > 0 or self.note:
            words = [f"{left} more"] if left > 0 else []
            words += [self.note] if self.note else []
            rows.append(make_line(page, [("   ".join(words), page.theme.style("muted"))]))
        return rows

    def _row(self, page: Page, proposal: Proposal, label: str, column: int, chosen: bool) -> Line:
        theme = page.theme
        on: Background = "select" if chosen else "bg"
        plain = theme.style("strong" if chosen else "text", on, bold=chosen or None)
        hit = theme.style("accent", on, bold=True, underline=True)
        label = cut(label, page.text_width * 2 // 3, page.glyphs.cut)
        spans: list[Span] = []
        matched = frozenset(proposal.matched) if label[:1] else frozenset[int]()
        for at, char in enumerate(label):
            style = hit if at in matched else plain
            if spans and spans[-1][1] is style:
                spans[-1] = (spans[-1][0] + char, style)
            else:
                spans.append((char, style))
        if proposal.hint:
            spans.append((" " * max(column - width_of(label), 2), plain))
            spans.append((clean(proposal.hint).replace("\n", " "), theme.style("muted", on)))
        return chosen_line(page, spans, chosen=chosen)


def chosen_line(
    page: Page, spans: Sequence[Span], *, chosen: bool, facts: Sequence[Span] = ()
) -> Line:
    """Lay out a row of a list; the chosen one has the prompt's glyph and its own background from column 1 on."""
    if not chosen:
        return make_line(page, spans, facts=facts)
    theme = page.theme
    mark = theme.style("accent", "select")
    gap = 2 - width_of(page.glyphs.prompt)
    lead = [(" ", theme.style("text")), (page.glyphs.prompt + " " * gap, mark)]
    return make_line(page, spans, on="select", lead=lead, facts=facts)
