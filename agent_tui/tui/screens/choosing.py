"""A list one chooses from: typing filters it, arrows move, Enter takes. Palette, themes, models and settings are such lists."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from textual import events
from textual.app import ComposeResult
from textual.message import Message

from agent_tui.tui.fuzzy import fit
from agent_tui.tui.lines import Line, Page, Span, blank_line, cut, make_line, width_of
from agent_tui.tui.look import Look
from agent_tui.tui.panes.completion import chosen_line
from agent_tui.tui.panes.field import Field
from agent_tui.tui.panes.sheet import Sheet
from agent_tui.tui.screens.help import Hints, SearchField, Title
from agent_tui.tui.screens.overlay import Overlay
from agent_tui.tui.theme import Background, TextRole
from agent_tui.view.clean import clean

Pairs = tuple[tuple[str, str], ...]
LEFT: Pairs = (("enter", "take it"), ("up down", "choose"), ("esc", "back"))
WIDE = 80
"""From this width on labels may take two thirds of a row, else half of it."""
LABELS = 44
"""Cells that labels may take before what they are about begins."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One row.

    Attributes:
        id: what it stands for.
        label: its name.
        about: what it is, muted behind the name.
        fact: at the right edge, in ``fact_role``.
        section: a head stands over the first row of each section, where nothing is typed.
        matched: characters of the label that fit what is typed.
    """

    id: str
    label: str
    about: str = ""
    fact: str = ""
    fact_role: TextRole = "muted"
    section: str = ""
    matched: tuple[int, ...] = ()


def filtered(choices: Iterable[Choice], wanted: str) -> tuple[Choice, ...]:
    """Give the rows whose label fits, the best first, then those of which what is said of them holds what is wanted."""
    if not wanted:
        return tuple(choices)
    found: list[tuple[int, int, Choice]] = []
    told: list[Choice] = []
    for at, choice in enumerate(choices):
        fits = fit(choice.label, wanted)
        words = f"{choice.about} {choice.fact}".casefold()
        if fits is not None:
            found.append((-fits.score, at, replace(choice, matched=fits.matched)))
        elif wanted.casefold() in words:
            told.append(choice)
    return (*(choice for _, _, choice in sorted(found, key=lambda row: row[:2])), *told)


class ChoiceList(Sheet):
    """Shows rows, one of them chosen, and follows it. ``note`` stands in place of rows while there are none."""

    @dataclass
    class Clicked(Message):
        """A row was clicked so many times."""

        times: int

    def __init__(self, look: Look, *, id: str | None = None, note: str = "") -> None:
        super().__init__(look, id=id)
        self.fills = True
        self.choices: tuple[Choice, ...] = ()
        self.at = 0
        self.note = note
        self.headed = False
        self._row_of: list[int] = []

    @property
    def current(self) -> Choice | None:
        """The chosen row."""
        return self.choices[self.at] if self.choices else None

    def show(self, choices: Sequence[Choice], note: str = "", *, headed: bool = False) -> None:
        """Take other rows; the chosen one stays chosen if it is among them, else the first is."""
        before = self.current.id if self.current else None
        self.choices, self.note, self.headed = tuple(choices), note, headed
        ids = [choice.id for choice in self.choices]
        self.at = ids.index(before) if before in ids else 0
        self.redraw()
        self._follow()

    def choose(self, id: str) -> None:
        """Choose the row that stands for this, if there is one."""
        ids = [choice.id for choice in self.choices]
        if id in ids:
            self.at = ids.index(id)
            self.redraw()
            self._follow()

    def move(self, by: int) -> bool:
        """Choose another row; False when it stays the same."""
        at = max(0, min(self.at + by, len(self.choices) - 1))
        if at == self.at or not self.choices:
            return False
        self.at = at
        self.redraw()
        self._follow()
        return True

    def draw(self, page: Page) -> Sequence[Line]:
        """Make the rows."""
        muted = page.theme.style("muted")
        self._row_of = []
        if not self.choices:
            return [make_line(page, [(self.note, muted)])] if self.note else []
        labels = [width_of(clean(choice.label)) for choice in self.choices]
        share = page.text_width * 2 // 3 if page.width >= WIDE else page.text_width // 2
        column = min(max(labels) + 2, LABELS, share)
        rows: list[Line] = []
        section = ""
        for at, choice in enumerate(self.choices):
            if self.headed and choice.section != section:
                section = choice.section
                rows += [blank_line(page)] if rows else []
                rows.append(make_line(page, [(section, page.theme.style("strong", bold=True))]))
            self._row_of.append(len(rows))
            rows.append(self._row(page, choice, column, chosen=at == self.at))
        return rows

    def _row(self, page: Page, choice: Choice, column: int, *, chosen: bool) -> Line:
        theme = page.theme
        on: Background = "select" if chosen else "bg"
        plain = theme.style("strong" if chosen else "text", on, bold=chosen or None)
        hit = theme.style("accent", on, bold=True, underline=True)
        room = column - 2 if choice.about else page.text_width
        label = cut(clean(choice.label).replace("\n", " "), room, page.glyphs.cut)
        matched = frozenset(choice.matched)
        spans: list[Span] = []
        for at, char in enumerate(label):
            style = hit if at in matched else plain
            if spans and spans[-1][1] is style:
                spans[-1] = (spans[-1][0] + char, style)
            else:
                spans.append((char, style))
        if choice.about:
            spans.append((" " * max(column - width_of(label), 2), plain))
            spans.append((clean(choice.about).replace("\n", " "), theme.style("muted", on)))
        fact = clean(choice.fact).replace("\n", " ")
        facts = [(fact, theme.style(choice.fact_role, on))] if fact else []
        return chosen_line(page, spans, chosen=chosen, facts=facts)

    def on_click(self, event: events.Click) -> None:
        """Choose the row clicked."""
        row = event.y + self.top
        if row in self._row_of:
            event.stop()
            self.move(self._row_of.index(row) - self.at)
            self.post_message(self.Clicked(event.chain))

    def _follow(self) -> None:
        height = self.size.height
        if not height or self.at >= len(self._row_of):
            return
        row = self._row_of[self.at]
        if self.at == 0:
            row = 0
        self.scroll(min(0, row - self.top) or max(0, row - (self.top + height - 1)))


class _Filter(SearchField):
    """The field; while it is empty, left and right are the list's."""

    def take_key(self, event: events.Key) -> bool:
        """Edit."""
        if event.key in ("left", "right") and not self.value:
            return False
        return super().take_key(event)


class ChoiceScreen(Overlay[str | None], inherit_bindings=False):
    """Gives the ``id`` of what was chosen, None for nothing.

    Args:
        look: how things look.
        title: what is chosen.
        choices: the rows there are; ``show`` gives others later.
        current: the row that is chosen at first.
        placeholder: stands in the empty field.
        hints: keys and what they do, left and right.
        note: stands in place of rows while there are none.
    """

    AUTO_FOCUS = ""

    def __init__(
        self,
        look: Look,
        title: str,
        choices: Sequence[Choice] = (),
        *,
        current: str = "",
        placeholder: str = "type to filter",
        hints: tuple[Pairs, Pairs] = (LEFT, ()),
        note: str = "",
    ) -> None:
        super().__init__()
        self.look = look
        self.title_row = Title(look, title)
        self.search = _Filter(look, single_line=True, placeholder=placeholder)
        self.list = ChoiceList(look, id="choices", note=note)
        self.hints = Hints(look, *hints)
        self.every = tuple(choices)
        self._current = current
        self._touched = False

    def compose(self) -> ComposeResult:
        """Title, field, list, hints."""
        yield self.title_row
        yield self.search
        yield self.list
        yield self.hints

    def on_mount(self) -> None:
        """Letters filter."""
        self.search.focus()
        self.filter()

    def show(self, choices: Sequence[Choice]) -> None:
        """Take other rows."""
        self.every = tuple(choices)
        if self.is_attached:
            self.filter()

    def filter(self) -> None:
        """Show the rows that fit what is typed."""
        wanted = self.search.value.strip()
        note = self.list.note if not self.every else "nothing fits"
        before = self.list.current
        self.list.show(filtered(self.every, wanted), note, headed=not wanted)
        if wanted or not self._touched:  # the best fit, wherever the choice was before
            self.list.move(-len(self.list.choices))
        if not wanted and not self._touched:
            self.list.choose(self._current)
        if self.list.current != before:
            self.moved()

    def moved(self) -> None:
        """Another row is chosen."""

    def take(self) -> None:
        """Give the chosen one."""
        if self.list.current is not None:
            self.answer(self.list.current.id)

    def leave(self) -> None:
        """Give nothing."""
        self.answer(None)

    def key(self, event: events.Key) -> bool:
        """Do what a key of a special list means; False when it means nothing there."""
        return False

    def on_field_changed(self, event: Field.Changed) -> None:
        """Filter."""
        if event.field is self.search:
            self.filter()

    def on_field_submitted(self, event: Field.Submitted) -> None:
        """Enter takes the chosen one."""
        if event.field is self.search:
            self.take()

    def on_key(self, event: events.Key) -> None:
        """Move, or leave."""
        step = STEPS.get(event.key)
        if self.key(event):
            pass
        elif step is not None:
            self._touched = True
            if self.list.move(step):
                self.moved()
        elif event.key in ("escape", "ctrl+c", "ctrl+d"):
            self.leave()
        else:
            return
        event.stop()

    def on_choice_list_clicked(self, event: ChoiceList.Clicked) -> None:
        """A click chooses, a second one takes."""
        self._touched = True
        self.moved()
        if event.times > 1:
            self.take()

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """Scroll."""
        self.list.scroll(3)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """Scroll."""
        self.list.scroll(-3)


STEPS = {"up": -1, "ctrl+p": -1, "down": 1, "ctrl+n": 1, "pageup": -10, "pagedown": 10}
