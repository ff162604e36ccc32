"""The conversation: every block of a transcript in one scrolling view that draws only what is in sight.

Changes are collected and drawn at most thirty times a second, less often while drawing is dear; only rows that came out
different are painted. What is read never moves: the view follows the end until the person scrolls up.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Offset, Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.selection import Selection
from textual.strip import Strip
from textual.timer import Timer
from textual.widget import Widget

from agent_tui.tui.lines import Line, width_of
from agent_tui.tui.look import Look
from agent_tui.tui.panes.copying import Spot, line_at, text_between, word_at
from agent_tui.tui.panes.entries import Entries
from agent_tui.tui.panes.painting import Marks, paint
from agent_tui.tui.panes.parts import Entry, Part
from agent_tui.tui.panes.reel import Place, Reel
from agent_tui.view.blocks import (
    Added,
    Block,
    Change,
    Grew,
)

FRAME = 1 / 30
"""Seconds between two drawings while text streams, at least."""
MAX_FRAME = 0.25
SHARE = 4
"""A drawing that took so long is followed by this many times as long a pause: streaming leaves time for keys."""
WHEEL_ROWS = 3
STRIDE = 1 << 20
"""Selections name a row by part * STRIDE + row."""

_URL = re.compile(r"https?://[^\s<>\"'`)\]]+")


class Conversation(ScrollView):
    """Shows blocks. ``apply`` takes a transcript's changes, ``extend`` blocks as they are."""

    can_focus = True
    DEFAULT_CSS = """
    Conversation { scrollbar-size: 0 0; overflow-x: hidden; overflow-y: scroll; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "cursor(-1)", show=False),
        Binding("down,j", "cursor(1)", show=False),
        Binding("enter,space", "fold", show=False),
        Binding("y", "copy_block", show=False),
        Binding("pageup", "rows(-1)", show=False),
        Binding("pagedown", "rows(1)", show=False),
        Binding("home", "start", show=False),
        Binding("end", "end", show=False),
    ]

    class OlderWanted(Message):
        """The first row is in sight: whoever has older blocks may prepend them."""

        def __init__(self, conversation: Conversation) -> None:
            super().__init__()
            self.conversation = conversation

    @dataclass
    class LinkClicked(Message):
        """An address in the text was clicked."""

        url: str

    @dataclass
    class CopyWanted(Message):
        """A block is to be copied."""

        text: str

    def __init__(
        self,
        look: Look,
        now: Callable[[], float] = time.monotonic,
        *,
        id: str | None = None,
        classes: str | None = None,
    ) -> None:
        super().__init__(id=id, classes=classes)
        self.look = look
        self._now = now
        self._entries = Entries(now)
        self._ticker: Timer | None = None
        self._flush_timer: Timer | None = None
        self._pause = FRAME
        self._flushed = now() - MAX_FRAME
        self._cursor: Entry | None = None
        self._bar: tuple[int, int] = (0, 0)
        self._more_below = False
        self._painted: dict[int, tuple[Line, Marks, Strip]] = {}
        self._asked_older: Part | None = None
        self._dragging: int | None = None

    @property
    def _reel(self) -> Reel:
        return self._entries.reel

    # What is shown --------------------------------------------------------------------------------------------------

    @property
    def blocks(self) -> tuple[Block, ...]:
        """All blocks, in order."""
        return tuple(entry.block for entry in self._entries.order)

    @property
    def following(self) -> bool:
        """Whether the end is kept in sight."""
        return self._reel.following

    @property
    def cursor(self) -> Block | None:
        """The block the cursor is on, None when there is no cursor."""
        return None if self._cursor is None else self._cursor.block

    def extend(self, blocks: Iterable[Block]) -> None:
        """Put blocks at the end."""
        self.apply(tuple(Added(block) for block in blocks))

    def apply(self, changes: Sequence[Change]) -> None:
        """Take a transcript's changes. Drawing is done later, together for all that come meanwhile."""
        only_text = True
        first = self._reel.parts[0] if self._reel.parts else None
        for change in changes:
            only_text = only_text and isinstance(change, Grew)
            self._entries.take(change)
        if not only_text:
            self._keep_true(first)
        if changes:
            self._schedule(soon=not only_text)

    def _keep_true(self, first: Part | None) -> None:
        """Let cursor, selection and ticker follow what has come or gone."""
        if (
            self._cursor is not None
            and self._entries.get(self._cursor.block.id) is not self._cursor
        ):
            self._cursor = None
        if first is not None and self.is_mounted and self.text_selection is not None:
            if first.at < len(self._reel.parts) and self._reel.parts[first.at] is first:
                self._shift_selection(first.at)
            else:
                self.screen.clear_selection()
        if self.is_mounted:
            self._run_clock()

    def _run_clock(self) -> None:
        """Let the clock run while there is something it is for."""
        if not self._entries.clocks and self._ticker is not None:
            self._ticker.stop()
            self._ticker = None
        elif self._entries.clocks and self._ticker is None:
            self._ticker = self.set_interval(1.0, self._tick)

    def _tick(self) -> None:
        """A second has passed: draw the clocks that are in sight."""
        if self._entries.tick():
            self._refresh_rows()

    # Drawing ----------------------------------------------------------------------------------------------------------

    def redraw(self) -> None:
        """The look has changed: draw everything again."""
        self._resize()
        self.refresh()

    def on_mount(self) -> None:
        """Begin to draw."""
        self._run_clock()

    def on_resize(self, event: events.Resize) -> None:
        """Lay out for another width or height; the first row in sight stays."""
        self._resize()
        self.refresh()

    def _resize(self) -> None:
        width, height = self.size
        if width > 0 and height > 0:
            self._entries.resize(self.look.page(width), height)
            self._painted.clear()
            self._lay_out()

    def _schedule(self, *, soon: bool) -> None:
        """See to it that changes are drawn: at the next chance, or when the pause is over."""
        if not self.is_mounted or self._reel.page is None:
            return
        wait = 0.0 if soon else self._flushed + self._pause - self._now()
        if self._flush_timer is not None:
            if not soon:
                return
            self._flush_timer.stop()
        self._flush_timer = self.set_timer(max(wait, 0.001), self._flush)

    def _flush(self) -> None:
        """Draw what has changed since the last time."""
        self._flush_timer = None
        begun = time.thread_time()
        self._entries.sync()
        self._refresh_rows()

        def drawn() -> None:
            cost = time.thread_time() - begun
            self._pause = min(MAX_FRAME, max(FRAME, SHARE * cost))
            self._flushed = self._now()

        self._flushed = self._now()
        self.call_after_refresh(drawn)

    def _refresh_rows(self) -> None:
        """Lay out anew and paint the rows that came out different."""
        if self._reel.page is None:
            return
        before, bar, more = self._reel.window, self._bar, self._more_below
        self._lay_out()
        window = self._reel.window
        changed = {
            y
            for y in range(max(len(before), len(window)))
            if y >= len(before) or y >= len(window) or before[y].line is not window[y].line
        }
        if more != self._more_below:
            changed.add(self.size.height - 1)
        if len(changed) * 2 > self.size.height:
            self.refresh()
            return
        width = self.size.width
        regions = [Region(0, y, width, 1) for y in changed]
        if bar != self._bar:
            rows = set(range(*bar)) ^ set(range(*self._bar))
            regions += [Region(width - 1, y, 1, 1) for y in rows - changed]
        if regions:
            self.refresh(*regions)

    def _lay_out(self) -> None:
        reel = self._reel
        reel.lay_out()
        reel.forget()
        height = self.size.height
        total, top = reel.total_rows, reel.top_row
        self._bar = (0, 0)
        if total > height > 0:
            size = max(1, height * height // total)
            free = height - size
            start = (
                free if reel.is_at_end else min(free, round(top * free / max(1, total - height)))
            )
            self._bar = (start, start + size)
        self._more_below = not reel.following and not reel.is_at_end
        # Textual's own idea of the scroll position is kept true without its watchers: they would lay out the screen.
        self._set_quietly("virtual_size", Size(self.size.width, max(total, height)))
        self._set_quietly("scroll_y", float(top))
        self._set_quietly("scroll_target_y", float(top))
        if not reel.is_at_start:
            self._asked_older = None
        elif reel.parts and self._asked_older is not reel.parts[0] and self.is_mounted:
            self._asked_older = reel.parts[0]
            self.post_message(self.OlderWanted(self))

    def _set_quietly(self, name: str, value: object) -> None:
        reactive: Any = Widget.__dict__[name]
        self.set_reactive(reactive, value)

    def render_lines(self, crop: Region) -> list[Strip]:
        """Give the rows of a region of the view."""
        strips = [self._paint(y) for y in range(crop.y, crop.bottom)]
        if crop.x or crop.width != self.size.width:
            return [strip.crop(crop.x, crop.right) for strip in strips]
        return strips

    def render_line(self, y: int) -> Strip:
        """Give one row of the view with the offsets that selecting needs."""
        window = self._reel.window
        if not 0 <= y < len(window):
            return self._blank()
        place = window[y]
        return place.line.strip.apply_offsets(0, place.part.at * STRIDE + place.row)

    def _paint(self, y: int) -> Strip:
        window = self._reel.window
        page = self._reel.page
        if page is None or not 0 <= y < len(window):
            return self._blank()
        place = window[y]
        marks = self._marks(y, place)
        known = self._painted.get(y)
        if known is not None and known[0] is place.line and known[1] == marks:
            return known[2]
        strip = paint(page, place.line, marks)
        self._painted[y] = (place.line, marks, strip)
        return strip

    def _marks(self, y: int, place: Place) -> Marks:
        selection = self.text_selection
        span = selection.get_span(place.part.at * STRIDE + place.row) if selection else None
        on_cursor = self.has_focus and self._cursor is not None and place.row >= place.part.gap
        return Marks(
            bar=self._bar[0] <= y < self._bar[1],
            cursor=on_cursor and self._is_under_cursor(place.part.entry),
            selected=span,
            more_below=self._more_below and y == self.size.height - 1,
        )

    def _is_under_cursor(self, entry: Entry) -> bool:
        return entry is self._cursor or (self._cursor is not None and self._cursor in entry.group)

    def _blank(self) -> Strip:
        return Strip.blank(self.size.width, self.look.theme.style("text"))

    # Scrolling --------------------------------------------------------------------------------------------------------

    def scroll_rows(self, rows: int) -> None:
        """Move down by some rows, up when negative."""
        self._moved(lambda: self._reel.move(rows))

    def page(self, pages: int) -> None:
        """Move down by windows, up when negative; a row of the old window stays in sight."""
        self.scroll_rows(pages * max(1, self.size.height - 1))

    def scroll_to_top(self) -> None:
        """Move to the first row."""
        self._moved(self._reel.to_start)

    def follow(self) -> None:
        """Move to the end and keep it in sight."""
        self._moved(self._reel.to_end)

    def _moved(self, move: Callable[[], None]) -> None:
        if self._reel.page is None:
            return
        before = list(self._reel.window)
        move()
        if [place.line for place in before] != [place.line for place in self._reel.window]:
            self.refresh()
        self._refresh_rows()

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Textual moved the view (a drag beyond the edge, a call of its own): move as far."""
        if self._reel.page is not None and self.size.height == len(self._reel.window):
            self.scroll_rows(round(new_value) - self._reel.top_row)

    def _on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        event.stop()
        event.prevent_default()
        self.scroll_rows(WHEEL_ROWS)

    def _on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        event.stop()
        event.prevent_default()
        self.scroll_rows(-WHEEL_ROWS)

    # Cursor and folding -----------------------------------------------------------------------------------------------

    def move_cursor(self, blocks: int) -> None:
        """Move the cursor by blocks; without one it begins at the last block in sight."""
        shown = list(self._entries.shown())
        if not shown:
            return
        if self._cursor not in shown:
            seen = [place.part.entry for place in self._reel.window]
            target = seen[-1] if seen else shown[-1]
        else:
            at = shown.index(self._cursor) + blocks
            target = shown[max(0, min(at, len(shown) - 1))]
        self._cursor = target
        self._reel.show(target.parts)
        self._refresh_rows()
        self.refresh()

    def toggle(self, block_id: str) -> None:
        """Unfold a block, or fold it again."""
        entry = self._entries.get(block_id)
        if entry is not None:
            self._entries.toggle(entry)
            self._refresh_rows()

    def toggle_detail(self) -> None:
        """Unfold or fold the block under the cursor; without one every call and thought, those to come as well."""
        if self.has_focus and self._cursor is not None:
            self._entries.toggle(self._cursor)
        else:
            self._entries.toggle_detail()
        self._refresh_rows()

    def on_focus(self) -> None:
        """Show the cursor."""
        self.refresh()

    def on_blur(self) -> None:
        """Hide the cursor."""
        self._cursor = None
        self.refresh()

    def action_cursor(self, blocks: int) -> None:
        """Move the cursor."""
        self.move_cursor(blocks)

    def action_fold(self) -> None:
        """Unfold or fold the block under the cursor."""
        if self._cursor is not None:
            self.toggle(self._cursor.block.id)

    def action_copy_block(self) -> None:
        """Ask for the block under the cursor to be copied."""
        if self._cursor is not None:
            self.post_message(self.CopyWanted(self.text_of(self._cursor.block.id)))

    def action_rows(self, pages: int) -> None:
        """Move by windows."""
        self.page(pages)

    def action_start(self) -> None:
        """Move to the first row."""
        self.scroll_to_top()

    def action_end(self) -> None:
        """Move to the end and follow it."""
        self.follow()

    # Mouse and selecting ----------------------------------------------------------------------------------------------

    def text_of(self, block_id: str) -> str:
        """Give a block's text as it is copied: an answer's markdown, what others show."""
        entry = self._entries.get(block_id)
        if entry is None:
            return ""
        if entry.text:
            return entry.text
        first, last = entry.parts[0].at, entry.parts[-1].at
        return text_between(self._reel, Spot(first, 0, 0), Spot(last, STRIDE, STRIDE))

    def get_selection(self, selection: Selection) -> tuple[str, str] | None:
        """Give what is selected, as text."""
        if self._reel.page is None or not self._reel.parts:
            return None
        start, end = _spot(selection.start), _spot(selection.end)
        return text_between(self._reel, start, end), "\n"

    def selection_updated(self, selection: Selection | None) -> None:
        """Paint the selection."""
        self.refresh()

    def on_click(self, event: events.Click) -> None:
        """Twice selects a word, three times a line; once on a head or a fold opens and closes."""
        event.prevent_default()
        window = self._reel.window
        if not 0 <= event.y < len(window):
            return
        place = window[event.y]
        x = _character(place.line.strip, event.x)
        if event.chain == 2:
            first, last = word_at(place.line, x)
            self._select(
                Spot(place.part.at, place.row, first), Spot(place.part.at, place.row, last)
            )
        elif event.chain == 3 and place.row >= place.part.gap:
            self._select(*line_at(self._reel, place.part.at, place.row))
        elif event.chain == 1 and not self.text_selection:
            for match in _URL.finditer(place.line.strip.text):
                if match.start() <= x < match.end():
                    self.post_message(self.LinkClicked(match[0]))
                    return
            if place.line.folds:
                self.toggle(place.part.entry.block.id)

    def _select(self, start: Spot, end: Spot) -> None:
        self.screen.selections = {
            self: Selection(
                Offset(start.x, start.at * STRIDE + start.row),
                Offset(end.x, end.at * STRIDE + end.row),
            )
        }

    def _shift_selection(self, parts: int) -> None:
        """Parts were put before all others: what is selected stays selected."""
        selection = self.text_selection
        if selection is not None and parts:
            moved = (spot and Offset(spot.x, spot.y + parts * STRIDE) for spot in selection)
            self.screen.selections = {self: Selection(*moved)}

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Take hold of the scroll bar."""
        if self._bar[1] and event.x == self.size.width - 1:
            event.stop()
            start, end = self._bar
            self._dragging = event.y - start if start <= event.y < end else (end - start) // 2
            self.capture_mouse()
            self._drag_to(event.y)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Drag the scroll bar."""
        if self._dragging is not None:
            event.stop()
            self._drag_to(event.y)

    def on_mouse_up(self, event: events.MouseUp) -> None:
        """Let go of the scroll bar."""
        if self._dragging is not None:
            self._dragging = None
            self.release_mouse()

    def _drag_to(self, y: int) -> None:
        height = self.size.height
        start, end = self._bar
        free = height - (end - start)
        wanted = y - (self._dragging or 0)
        if free <= 0 or wanted >= free:
            self.follow()
            return
        rows = self._reel.total_rows - height
        target = round(max(0, wanted) * rows / free)
        if target == 0:
            self.scroll_to_top()
        else:
            self.scroll_rows(target - self._reel.top_row)


def _spot(offset: Offset | None) -> Spot | None:
    if offset is None:
        return None
    at, row = divmod(offset.y, STRIDE)
    return Spot(at, row, offset.x)


def _character(strip: Strip, x: int) -> int:
    """Give the character of a row that is drawn at a cell."""
    cells = 0
    for at, char in enumerate(strip.text):
        cells += width_of(char)
        if x < cells:
            return at
    return len(strip.text)
