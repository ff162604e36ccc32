"""The trust panel: what the folder brings, by what it can do, and the answers. Working without is chosen.

The question is the screen's own and is asked before a session is opened; it is shown, paced and answered like the
session's.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Final, Literal

from rich.segment import Segment
from textual.message import Message
from textual.strip import Strip

from agent_tui.protocol.display import TextDisplay
from agent_tui.protocol.queries import FolderOffer
from agent_tui.protocol.requests import Allow, Deny, PermissionRequest
from agent_tui.protocol.trust import KIND_WORDS, Brought
from agent_tui.tui.editor import KillRing
from agent_tui.tui.lines import (
    TEXT_COLUMN,
    Line,
    Page,
    Span,
    blank_line,
    make_line,
    spans_width,
    width_of,
)
from agent_tui.tui.look import Look
from agent_tui.tui.panels.head import home_path
from agent_tui.tui.panels.panel import Panel
from agent_tui.tui.panes.completion import chosen_line
from agent_tui.tui.theme import Background
from agent_tui.tui.wrapping import wrap_prose
from agent_tui.view.clean import exact
from agent_tui.view.trusting import DOES, TITLE, listed, one_row, thing

AnswerKey = Literal["t", "o", "r", "n"]
ANSWER: Final = "trust"
"""The key of an ``Allow``'s input that says how long: ``always`` or ``once``."""

WIDE: Final = 80
COUNT_COLUMN: Final = 6
DOES_COLUMN: Final = 23
NAME_COLUMN: Final = 43
EFFECT_COLUMN: Final = 25
GAPS: Final = ("   ", "      ")
"""Between two things on one row: names alone, names with what they do."""

CHOICES: tuple[tuple[AnswerKey, str, str], ...] = (
    ("t", "Trust it", "all of the above takes effect, now and next time"),
    ("o", "Only this time", "the same, until you leave"),
    ("r", "Read them first", "opens the files that bring these settings"),
    ("n", "Work without them", "your own settings apply; every edit and command is asked"),
)


@dataclass(frozen=True, slots=True)
class TrustRequest(PermissionRequest):
    """The question about a folder, in the place of a request of the session."""

    offer: FolderOffer = field(default_factory=FolderOffer)

    @classmethod
    def of(cls, offer: FolderOffer) -> TrustRequest:
        """Make it of what the engine found."""
        return cls(f"trust:{offer.seen}", "", "", {}, TextDisplay(TITLE), TITLE, "", offer=offer)


class TrustPanel(Panel):
    """Shows what a folder brings, and the answers."""

    class ReadWanted(Message):
        """The files are to be shown."""

        def __init__(self, files: tuple[str, ...]) -> None:
            super().__init__()
            self.files = files

    def __init__(self, look: Look, kills: KillRing | None = None) -> None:
        super().__init__(look, kills, "trust")
        self._request: TrustRequest | None = None
        self._chosen: AnswerKey = "n"

    @property
    def request(self) -> PermissionRequest | None:
        """The question shown, None while closed."""
        return self._request

    @property
    def typing(self) -> bool:
        """There is nothing to type."""
        return False

    def begin(self, request: PermissionRequest) -> None:
        """Take the question; working without is chosen."""
        assert isinstance(request, TrustRequest)
        self._request, self._chosen = request, "n"
        self.set_typing(False)

    def forget(self) -> None:
        """Let go of it."""
        self._request = None

    # -- keys ----------------------------------------------------------------------------------

    def take_key(self, key: str, char: str) -> bool:
        """Answer, or move about in the question."""
        keys: list[AnswerKey] = [choice[0] for choice in CHOICES]
        if char in keys:
            self._answer(keys[[*map(str, keys)].index(char)])
        elif key == "enter":
            self._answer(self._chosen)
        elif key in ("up", "down", "ctrl+p", "ctrl+n"):
            by = -1 if key in ("up", "ctrl+p") else 1
            at = keys.index(self._chosen) + by  # not round: below the safe answer is nothing
            self._chosen = keys[min(max(at, 0), len(keys) - 1)]
            self.redraw()
        elif key == "escape":
            self._answer("n")
        elif char == "f":
            self.set_full(not self.full)
        elif key in ("pageup", "pagedown") and self._hidden() > 0:
            page = max(1, self.body.size.height - 1)
            self.body.scroll(page if key == "pagedown" else -page)
        else:
            return bool(char) and char.isprintable()
        return True

    def _answer(self, key: AnswerKey) -> None:
        assert self._request is not None
        match key:
            case "t":
                self.send(Allow({ANSWER: "always"}))
            case "o":
                self.send(Allow({ANSWER: "once"}))
            case "r":
                self._chosen = "r"
                self.redraw()
                self.post_message(self.ReadWanted(self._request.offer.files))
            case "n":
                self.send(Deny())

    # -- drawing -------------------------------------------------------------------------------

    def draw_head(self, page: Page) -> Sequence[Line]:
        """Make the rule, the question, and which folder it is."""
        if self._request is None:
            return ()
        theme, offer = page.theme, self._request.offer
        muted = theme.style("muted")
        rule = Segment(page.glyphs.rule * page.width, theme.style("warning"))
        lead: list[Span] = [(" ", theme.style("text")), (page.glyphs.asking, theme.style("warning"))]  # fmt: skip
        title: list[Span] = [(exact(self._request.title), theme.style("strong", bold=True))]
        known = "changed since you trusted it" if offer.changed else "first time here"
        facts: list[Span] = [(known, muted)] if page.width >= WIDE or not offer.changed else []
        where: list[Span] = [(one_row(home_path(offer.project, page.home)), theme.style("text"))]
        if offer.origin:
            where.append((f"   cloned from {one_row(offer.origin)}", muted))
        rows = [Line(Strip([rule], page.width)), make_line(page, title, lead=lead, facts=facts)]
        rows += [make_line(page, row.spans) for row in wrap_prose(where, page.text_width)]
        return [*rows, blank_line(page)] if page.width >= WIDE else rows

    def draw_body(self, page: Page) -> Sequence[Line]:
        """Make the list."""
        if self._request is None:
            return ()
        offer = self._request.offer
        shown, older = listed(offer)
        words = "It brings settings that can run programs or steer the model. None of them is active yet:"
        if offer.changed:
            words = "New or changed since you trusted it, and nothing of it is active yet:"
        if page.width < WIDE:
            words = f"{'New or changed' if offer.changed else 'It brings this'}, not active yet:"
        rows = [make_line(page, [(words, page.theme.style("text"))])]
        rows += [blank_line(page)] if page.width >= WIDE else []
        for _, items in groupby(shown, key=lambda item: item.kind):
            rows += _group(page, list(items))
        if older:
            more = f"and {older} more that you trusted before; all of it waits for your answer"
            rows.append(make_line(page, [(more, page.theme.style("muted"))], column=COUNT_COLUMN))
        return rows

    def draw_foot(self, page: Page) -> Sequence[Line]:
        """Make the answers."""
        if self._request is None:
            return ()
        armed = self.armed and not self.sent
        return [self._above(page, armed=armed), *_choices(page, self._chosen, armed=armed)]

    def _above(self, page: Page, *, armed: bool) -> Line:
        """Make the row between list and answers; it says when there is more to see."""
        hidden = self._hidden(page.width)
        if hidden <= 0:
            return blank_line(page)
        key = page.theme.style("accent" if armed else "muted", bold=armed or None)
        rows = "row" if hidden == 1 else "rows"
        facts = [
            (f"{hidden} more {rows}   ", page.theme.style("warning")),
            ("pageup pagedown", key),
        ]
        return make_line(page, [], facts=facts)

    def _hidden(self, width: int | None = None) -> int:
        """How many rows of the list don't fit."""
        shown = self.body.max_rows
        return 0 if shown is None else len(self.body.rows(width)) - shown


def _choices(page: Page, chosen: AnswerKey, *, armed: bool) -> list[Line]:
    """Lay the answers out: one a row with what it does, or two columns when it is narrow."""
    theme, rows = page.theme, list[Line]()
    if page.width >= WIDE:
        for key, label, effect in CHOICES:
            on: Background = "select" if key == chosen else "bg"
            spans = _answer(page, key, label, chosen=key == chosen, armed=armed)
            gap = " " * max(2, EFFECT_COLUMN - TEXT_COLUMN - spans_width(spans))
            spans += [(gap, theme.style("text", on)), (effect, theme.style("muted", on))]
            rows.append(chosen_line(page, spans, chosen=key == chosen))
        return rows
    half, column = len(CHOICES) // 2, page.text_width // 2
    for pair in zip(CHOICES[:half], CHOICES[half:], strict=True):
        cells: list[Span] = []
        for key, label, _ in pair:
            on = "select" if key == chosen else "bg"
            mark = page.glyphs.prompt if key == chosen else " "
            cell: list[Span] = [(f"{mark} ", theme.style("accent", on))]
            cell += _answer(page, key, label, chosen=key == chosen, armed=armed)
            cells += [*cell, (" " * max(0, column - spans_width(cell)), theme.style("text", on))]
        rows.append(make_line(page, cells, column=TEXT_COLUMN - 2))
    return rows


def _answer(page: Page, key: str, label: str, *, chosen: bool, armed: bool) -> list[Span]:
    theme = page.theme
    on: Background = "select" if chosen else "bg"
    return [
        (key, theme.style("accent" if armed else "muted", on, bold=armed or None)),
        ("  ", theme.style("text", on)),
        (label, theme.style("strong", on, bold=chosen or None)),
    ]


def _group(page: Page, items: Sequence[Brought]) -> Iterator[Line]:
    """Lay out the things of one kind: how many, what they do, and each of them whole."""
    kind = items[0].kind
    theme, several = page.theme, len(items) > 1
    acts = any(item.acts for item in items)
    mark: Span = (page.glyphs.danger, theme.style("warning", bold=True)) if acts else (page.glyphs.between, theme.style("muted"))  # fmt: skip
    count = f"{len(items)} {KIND_WORDS[kind][several]}"
    does = DOES[kind][several]
    spans: list[Span] = [mark, ("  ", theme.style("text")), (count, theme.style("strong"))]
    spans.append((" " * max(2, DOES_COLUMN - COUNT_COLUMN - width_of(count)), theme.style("text")))
    spans.append((does, theme.style("muted")))
    if page.width < WIDE:
        yield make_line(page, spans)
        for row in _things(page, items, page.right - COUNT_COLUMN):
            yield make_line(page, row, column=COUNT_COLUMN)
        return
    spans.append(
        (" " * max(2, NAME_COLUMN - TEXT_COLUMN - spans_width(spans)), theme.style("text"))
    )
    first, *more = _things(page, items, page.right - NAME_COLUMN)
    yield make_line(page, [*spans, *first])
    for row in more:
        yield make_line(page, row, column=NAME_COLUMN)


def _things(page: Page, items: Sequence[Brought], room: int) -> list[list[Span]]:
    """Give the things in rows: side by side where they fit, broken where one is too long; nothing is left out."""
    text = page.theme.style("text")
    between = GAPS[any(item.what for item in items)]
    rows: list[list[Span]] = [[]]
    for item in items:
        shown = thing(item)
        gap = between if rows[-1] else ""
        if spans_width(rows[-1]) + width_of(gap) + width_of(shown) <= room:
            rows[-1] += [(gap, text), (shown, text)] if gap else [(shown, text)]
            continue
        broken = [row.spans for row in wrap_prose([(shown, text)], room)]
        rows += broken if rows[-1] else []
        if not rows[0]:
            rows = broken
    return rows
