"""Lines of one change, or of a plan, that one stands on and comments on; a comment is written under its line."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.message import Message

from agent_tui.protocol.display import DiffDisplay
from agent_tui.protocol.reviews import ChangedFile, FileChange
from agent_tui.tui.changerows import ChangeRows, Marked
from agent_tui.tui.editor import KillRing
from agent_tui.tui.lines import Line, Page, blank_line, make_line
from agent_tui.tui.look import Look
from agent_tui.tui.panes.field import Field
from agent_tui.tui.panes.reviewbars import CommentField
from agent_tui.tui.panes.sheet import Sheet
from agent_tui.view.remarks import Remarks, Spot

SIDE_BY_SIDE = 140
"""A pane of so many columns shows old and new lines beside each other."""
ROOM = 4
"""At least so many rows are left for what is written."""
NOTHING = FileChange(ChangedFile("", ""), DiffDisplay(""))


class _Part(Sheet):
    """Some rows that are drawn by somebody else."""

    def __init__(self, look: Look, build: Callable[[Page], Sequence[Line]], id: str) -> None:
        super().__init__(look, id=id)
        self.fills = True
        self._build = build

    def draw(self, page: Page) -> Sequence[Line]:
        """Make them."""
        return self._build(page)


class Commentable(Vertical):
    """Shows a change; ``remarks`` gets what is said of it.

    Attributes:
        note: stands there while there is no change.
        columns: old and new lines beside each other; None: where there is room.
        wrap: long lines go on in further rows.
        whole: there is nothing but these lines: no head of the file, none of hunks.
    """

    DEFAULT_CSS = """
    Commentable { width: 1fr; height: 1fr; }
    Commentable #review-upper { height: 1fr; }
    Commentable #review-lower { height: 1fr; display: none; }
    Commentable #review-comment { display: none; }
    Commentable.-writing #review-lower, Commentable.-writing #review-comment { display: block; }
    """

    @dataclass
    class Wrote(Message):
        """A comment is being written, or isn't any more. ``word`` says what came of it."""

        pane: Commentable
        word: str = ""

    def __init__(
        self, look: Look, remarks: Remarks, kills: KillRing | None = None, *, whole: bool = False
    ) -> None:
        super().__init__(id="review-changes")
        self.note = ""
        self.columns: bool | None = None
        self.wrap = False
        self.whole = whole
        self._look = look
        self._remarks = remarks
        self._change: FileChange | None = None
        self._at = -1
        self._anchor: int | None = None
        self._spot: Spot | None = None
        self._laid_out: tuple[object, ChangeRows] | None = None
        self._upper = _Part(look, self._draw_upper, "review-upper")
        self._field = CommentField(look, kills)
        self._lower = _Part(look, self._draw_lower, "review-lower")
        self._upper.can_focus = True

    def compose(self) -> ComposeResult:
        """The rows above, what is written, the rows below."""
        yield self._upper
        yield self._field
        yield self._lower

    # -- what is shown ---------------------------------------------------------------------------

    @property
    def change(self) -> FileChange | None:
        """What is shown."""
        return self._change

    @property
    def writing(self) -> bool:
        """Whether a comment is being written."""
        return self._spot is not None

    @property
    def two_columns(self) -> bool:
        """Whether old and new lines stand beside each other."""
        return self._width >= SIDE_BY_SIDE if self.columns is None else self.columns

    @property
    def hunk(self) -> int | None:
        """The hunk one stands in, None where there is none."""
        places = self._rows().places
        return places[self._at].hunk if places else None

    def forget_place(self, *, last: bool = False) -> None:
        """Begin at the first change of what is shown next, or at its last hunk."""
        self._at, self._anchor, self._upper.top = 1 << 30 if last else -1, None, 0

    def show(self, change: FileChange | None, note: str = "") -> None:
        """Take a change."""
        self._change, self.note = change, note
        rows = self._rows()
        if rows.places and not 0 <= self._at < len(rows.places):
            self._at = rows.first_change(0 if self._at < 0 else len(rows.heads) - 1)
        self._at = max(0, min(self._at, len(rows.places) - 1))
        self.redraw()
        self.follow()

    def redraw(self) -> None:
        """Draw again."""
        self._upper.redraw()
        self._lower.redraw()

    def scroll(self, by: int) -> None:
        """Move what is seen by some rows."""
        self._upper.scroll(by)

    def take_keyboard(self) -> None:
        """Have the keys."""
        (self._field if self.writing else self._upper).focus(scroll_visible=False)

    @property
    def _width(self) -> int:
        return self._upper.size.width or self.size.width

    @property
    def _marked(self) -> Marked:
        other = self._at if self._anchor is None else self._anchor
        return Marked(min(other, self._at), max(other, self._at))

    def _rows(self, page: Page | None = None) -> ChangeRows:
        """Give the rows, laid out anew only when something of them is another."""
        page = page or self._look.page(max(self._width, 20))
        remarks = tuple(self._remarks)
        key = (page, self._change, remarks, self.two_columns, self.wrap, self._spot)
        if self._laid_out is None or self._laid_out[0] != key:
            rows = ChangeRows(
                page,
                self._change or NOTHING,
                self._remarks,
                two_columns=self.two_columns,
                wrap=self.wrap,
                writing=self._spot,
                whole=self.whole,
            )
            self._laid_out = (key, rows)
        rows = self._laid_out[1]
        rows.mark(Marked() if self.writing else self._marked)
        return rows

    def _draw_upper(self, page: Page) -> Sequence[Line]:
        if self._change is None:
            note = (self.note, page.theme.style("muted"))
            return [blank_line(page), make_line(page, [note], column=1)]
        rows = self._rows(page)
        at = rows.writing_row
        return rows if at is None else rows.part(0, at + 1)

    def _draw_lower(self, page: Page) -> Sequence[Line]:
        at = self._rows(page).writing_row if self._change is not None else None
        return () if at is None else self._rows(page).part(at + 1)

    # -- where one stands ------------------------------------------------------------------------

    def move(self, by: int, *, keep: bool = False) -> None:
        """Go some lines on; ``keep`` chooses all of them."""
        if keep and self._anchor is None:
            self._anchor = self._at
        elif not keep:
            self._anchor = None
        places = self._rows().places
        self._at = max(0, min(self._at + by, len(places) - 1))
        self._upper.redraw()
        self.follow()

    def move_hunk(self, by: int) -> bool:
        """Go to the first changed line of another hunk; False where there is none."""
        self._anchor = None
        rows = self._rows()
        wanted = rows.places[self._at].hunk + by if rows.places else -1
        if not 0 <= wanted < len(rows.heads):
            return False
        self._at = rows.first_change(wanted)
        self._upper.redraw()
        self.follow()
        return True

    def let_go(self) -> bool:
        """Choose one line only; False when no more were chosen."""
        several, self._anchor = self._anchor is not None, None
        self._upper.redraw()
        return several

    def follow(self) -> None:
        """Keep the line one stands on in sight, with its hunk's head where that fits."""
        rows = self._rows()
        if not rows.places:
            return
        place = rows.places[self._at]
        height = max(self._upper.size.height - 2, 1)
        row, head = place.row, rows.heads[place.hunk]
        top = self._upper.top
        if row < top + 1 or row >= top + height:
            top = head - 1 if row - head < height - 2 and row < top + 1 else row - height // 2
        if self._at == 0:
            top = 0
        self._upper.top = max(0, min(top, len(rows) - self._upper.size.height))
        self._upper.refresh()

    def on_click(self, event: events.Click) -> None:
        """Stand on the line clicked."""
        if self.writing or event.widget is not self._upper:
            return
        row = event.y + self._upper.top
        under = [at for at, place in enumerate(self._rows().places) if place.row <= row]
        if under:
            self._at, self._anchor = under[-1], None
            self._upper.redraw()

    # -- comments --------------------------------------------------------------------------------

    def comment(self) -> bool:
        """Begin to write under the chosen lines; one that stands there is changed. False where there is no line."""
        spot = self._rows().spot(self._marked.first, self._marked.last)
        if spot is None:
            return False
        known = self._remarks.at(spot.path, spot.side, spot.last)
        self._spot = known.spot if known is not None and self._anchor is None else spot
        self._field.editor.replace(known.text if known is not None else "")
        self._part_rows()
        self.post_message(self.Wrote(self))
        return True

    def leave_comment(self) -> None:
        """Leave what was written; it can be yanked back."""
        text = self._field.value
        if text.strip():
            self._field.editor.kills.push(text, None)
        self._close()
        self.post_message(self.Wrote(self, "ctrl+y brings the words back" if text.strip() else ""))

    def on_field_submitted(self, event: Field.Submitted) -> None:
        """Keep the comment; an empty one is taken back."""
        event.stop()
        if self._spot is not None:
            self._remarks.put(self._spot, event.text)
            self._close()
            self.post_message(self.Wrote(self))

    def _part_rows(self) -> None:
        """Part the rows under the line, with the field between."""
        at, height = self._rows().writing_row or 0, self._upper.size.height
        top = max(self._upper.top, at + 1 - max(height - ROOM, 1))
        self.add_class("-writing")
        self._upper.styles.height = max(at + 1 - top, 1)
        self._field.max_rows = max(2, height // 3)
        self._field.focus(scroll_visible=False)
        self.redraw()
        self.call_after_refresh(self._set_top, top)

    def _close(self) -> None:
        top = self._upper.top
        self._spot, self._anchor = None, None
        self.remove_class("-writing")
        self._upper.styles.height = "1fr"
        self._field.editor.replace("")
        self._upper.focus(scroll_visible=False)
        self.redraw()
        self.call_after_refresh(self._set_top, top)

    def _set_top(self, top: int) -> None:
        self._upper.top = top
        self._upper.refresh()
