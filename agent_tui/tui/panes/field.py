"""A place to type in: draws an ``Editor`` on a band, with the terminal's own cursor where the next character goes."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from rich.style import Style
from textual import events
from textual.geometry import Offset, Size
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from agent_tui.tui.chips import Picture
from agent_tui.tui.editor import Editor, KillRing
from agent_tui.tui.keys import EDITING
from agent_tui.tui.lines import PROSE_COLUMNS, RIGHT_MARGIN, TEXT_COLUMN, Line, Span, make_line
from agent_tui.tui.look import Look
from agent_tui.tui.theme import Background, TextRole
from agent_tui.tui.typed_rows import Row, Wrapped
from agent_tui.view.clean import clean

NO_PICTURES: Mapping[int, Picture] = MappingProxyType({})
_JOINERS = "\u200d\ufe0f"
_REVERSE = Style(reverse=True)


def typed_text(event: events.Key) -> str:
    """Give the text a key puts in, empty for any other key."""
    char = event.character or ""
    if event.key.startswith(("alt+", "ctrl+", "super+")):
        return ""  # the letter held with another key is no text
    return char if char and (char.isprintable() or char in _JOINERS) else ""


def pasted_text(text: str) -> str:
    """Give a pasted text with plain line breaks and nothing a terminal would obey."""
    return clean(text.replace("\r\n", "\n").replace("\r", "\n"))


class Field(Widget, can_focus=True):
    """A text field of one or many rows.

    Attributes:
        editor: what is typed.
        max_rows: it grows up to so many rows, then it scrolls.
        placeholder: shown muted while nothing is typed.
        enter_submits: whether Enter submits or begins a new line.
        column: where the text begins; ``lead`` gives what stands before it.
        band: whether the band goes over the whole row or begins with the text.
    """

    DEFAULT_CSS = "Field { height: auto; }"

    ALLOW_SELECT = False

    @dataclass
    class Changed(Message):
        """What is typed has changed."""

        field: Field

        @property
        def control(self) -> Field:
            """The field."""
            return self.field

    @dataclass
    class Submitted(Message):
        """Enter was pressed. ``text`` is what was typed then: keys may have come since; ``pictures`` were in it."""

        field: Field
        text: str
        pictures: Mapping[int, Picture] = dataclasses.field(default_factory=dict[int, Picture])

        @property
        def control(self) -> Field:
            """The field."""
            return self.field

    def __init__(
        self,
        look: Look,
        kills: KillRing | None = None,
        *,
        single_line: bool = False,
        secret: bool = False,
        placeholder: str = "",
        column: int = TEXT_COLUMN,
        band: bool = True,
        id: str | None = None,
    ) -> None:
        super().__init__(id=id)
        self.look = look
        self.editor = Editor(kills, single_line=single_line)
        self.single_line = single_line
        self.placeholder = placeholder
        self.max_rows = 1 if single_line else 8
        self.column = column
        self.band = band
        self.quiet = False
        self.enter_submits = True
        self._wrapped = Wrapped((lambda _text: "•") if secret else clean)
        self._goal: int | None = None
        self._top = 0

    # -- what is typed -------------------------------------------------------------------------

    @property
    def value(self) -> str:
        """What is typed, pastes in full."""
        return self.editor.expanded()

    def set_value(self, text: str) -> None:
        """Put in another text, the cursor at its end."""
        self.editor.replace(text)
        self.changed()

    def changed(self) -> None:
        """Draw again and tell; call it after any change of the editor."""
        self._goal = None
        self.redraw()
        self.post_message(self.Changed(self))

    def redraw(self) -> None:
        """Draw again; lays out only when the height changed."""
        self.refresh(layout=self._height(self.size.width) != self.size.height)
        self._place_cursor()

    # -- keys ----------------------------------------------------------------------------------

    def on_key(self, event: events.Key) -> None:
        """Edit."""
        if self.take_key(event):
            event.stop()
            event.prevent_default()

    def take_key(self, event: events.Key) -> bool:
        """Do what the key says; tell whether it meant something here."""
        name = self.look.habits.keys.action(event.key, "edit")
        if name in ("edit:submit", "edit:newLine"):
            begins_line = name == "edit:newLine" or not self.enter_submits
            if not begins_line or (self.single_line and event.key == "enter"):
                self.submit()
            elif self.single_line:
                return False
            else:
                self.editor.insert("\n")
                self.changed()
        elif name in EDITING:
            before = self.editor.text
            EDITING[name](self.editor)
            self.edited(before)
        elif name in ("edit:up", "edit:down"):
            return self.move_row(-1 if name == "edit:up" else 1)
        elif text := typed_text(event):
            self.editor.insert(text)
            self.changed()
        else:
            return False
        return True

    def edited(self, before: str) -> None:
        """Draw again after something was done to the editor; ``before`` is its text until then."""
        if before == self.editor.text:
            self._goal = None
            self.redraw()
        else:
            self.changed()

    def submit(self) -> None:
        """Enter: a backslash before the cursor makes a new line of it."""
        editor = self.editor
        if not self.single_line and editor.text[: editor.cursor].endswith("\\"):
            editor.backspace()
            editor.insert("\n")
            self.changed()
            return
        pictures = editor.pictures()
        self.post_message(self.Submitted(self, self.hand_over(), pictures))

    def hand_over(self) -> str:
        """Give what is submitted; a field that is emptied by it does that here, before the next key comes."""
        return self.value

    def move_row(self, by: int) -> bool:
        """Move the cursor by a drawn row, keeping its column; False at the edge."""
        rows = self.rows()
        at = self._cursor_row(rows)
        if not 0 <= at + by < len(rows):
            return False
        goal = rows[at].column(self.editor.cursor) if self._goal is None else self._goal
        row = rows[at + by]
        index = row.index(goal)
        last = at + by + 1 == len(rows) or rows[at + by + 1].start != row.end
        if index == row.end and not last and row.spots:
            index = row.spots[-1][0]  # behind the last one is already the next row
        self.editor.move_to(index)
        self._goal = goal
        self.redraw()
        return True

    def on_paste(self, event: events.Paste) -> None:
        """Put in a paste; it never submits."""
        event.stop()
        event.prevent_default()
        self.paste(event.text)

    def paste(self, text: str) -> None:
        """Put in pasted text."""
        self.editor.paste(pasted_text(text))
        self.changed()

    def on_click(self, event: events.Click) -> None:
        """Put the cursor where was clicked."""
        rows = self.rows()
        row = rows[min(max(event.y + self._top, 0), len(rows) - 1)]
        self.editor.move_to(row.index(event.x - self.column + self._shift(rows)))
        self.redraw()

    def on_focus(self) -> None:
        """Show the cursor."""
        self.redraw()

    def on_blur(self) -> None:
        """Hide the cursor."""
        self.refresh()

    # -- drawing -------------------------------------------------------------------------------

    def lead(self, row: int) -> Sequence[Span]:
        """Give what stands before a row's text, at most as wide as ``column``."""
        return ()

    def facts(self) -> Sequence[Span]:
        """Give what stands at the right edge of the first row."""
        return ()

    def ink(self) -> TextRole:
        """Give the role typed text is drawn in."""
        return "muted" if self.quiet else "strong"

    def selected(self) -> tuple[int, int] | None:
        """Give what is selected, from and up to; None when nothing is."""
        return None

    def ground(self) -> Background:
        """Give the band's role."""
        return "surface"

    def rows(self, width: int | None = None) -> list[Row]:
        """Give the wrapped rows."""
        room = self._room(self.size.width if width is None else width)
        return self._wrapped.rows(self.editor, 1 << 30 if self.single_line else room)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """As many rows as are typed, up to the limit."""
        return self._height(width)

    def render_line(self, y: int) -> Strip:
        """Draw one row."""
        return self.line(y).strip

    def line(self, y: int) -> Line:
        """Make the row ``y`` of what is seen."""
        page, on = self.look.page(self.size.width), self.ground()
        rows = self.rows()
        self._follow(rows)
        at = y + self._top
        lead, facts = self.lead(at), self.facts() if at == 0 else ()
        spans: list[Span] = []
        if at < len(rows):
            spans = self._spans(rows, at)
        if at == 0 and not self.editor.text and self.placeholder:
            hint = page.theme.style("muted", on)
            spans = [*spans, (self.placeholder[len(spans) :], hint)]
        return make_line(
            page, spans, on=on, lead=lead, facts=facts, column=self.column, band=self.band
        )

    def _spans(self, rows: list[Row], at: int) -> list[Span]:
        theme, on, row = self.look.theme, self.ground(), rows[at]
        ink = theme.style(self.ink(), on, bold=None if theme.tints else not self.quiet or None)
        chip = theme.style("accent", on)
        cursor = self.editor.cursor if self.has_focus and self._cursor_row(rows) == at else -1
        shift, x = self._shift(rows), 0
        first_in, last_in = self.selected() or (0, 0)
        chosen = theme.style("strong", "select")
        if not theme.tints:
            chosen = theme.style("strong", on) + _REVERSE
        out: list[Span] = []
        for start, _end, width, draw in row.spots:
            if x >= shift:
                style = chip if len(draw) > 1 and draw[0] == "[" and width > 2 else ink
                if first_in <= start < last_in:
                    style = chosen
                if start == cursor:
                    style = theme.style("strong", on) + _REVERSE
                    first = draw[:1] if draw.isspace() else draw
                    out.append((first, style))
                    draw, style = draw[len(first) :], ink
                if out and out[-1][1] is style:
                    out[-1] = (out[-1][0] + draw, style)
                elif draw:
                    out.append((draw, style))
            x += width
        if cursor == row.end:
            first = " "
            if not self.editor.text and self.placeholder:
                first = self.placeholder[0]
            out.append((first, theme.style("strong", on) + _REVERSE))
        return out

    def _room(self, width: int) -> int:
        right = max(TEXT_COLUMN + 8, width - RIGHT_MARGIN)
        return max(min(PROSE_COLUMNS, right - self.column - 1), 4)

    def _height(self, width: int) -> int:
        return max(1, min(len(self.rows(width)), self.max_rows)) if width > 0 else 1

    def _cursor_row(self, rows: list[Row]) -> int:
        at = self.editor.cursor
        return max((i for i, row in enumerate(rows) if row.start <= at), default=0)

    def _shift(self, rows: list[Row]) -> int:
        """How many cells a single line is moved to the left so that the cursor is seen."""
        if not self.single_line:
            return 0
        room = self._room(self.size.width)
        return max(0, rows[0].column(self.editor.cursor) - room)

    def _follow(self, rows: list[Row]) -> None:
        at, height = self._cursor_row(rows), max(self.size.height, 1)
        self._top = max(0, min(max(self._top, at - height + 1), at, len(rows) - height))

    def _place_cursor(self) -> None:
        """Tell where the terminal's own cursor belongs: input methods open their window there."""
        if not self.has_focus or not self.is_attached:
            return
        rows = self.rows()
        self._follow(rows)
        at = self._cursor_row(rows)
        x = self.column + rows[at].column(self.editor.cursor) - self._shift(rows)
        self.app.cursor_position = (  # pyright: ignore[reportUnknownMemberType]
            self.content_region.offset + Offset(x, at - self._top)
        )
