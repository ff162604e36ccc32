"""Blocks in a scrolling view that draws only what is in sight.

Changes are collected and drawn at most thirty times a second, less often while drawing is dear; only rows that came out
different are painted. What is read never moves: the view follows the end until the person scrolls up.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from textual import events
from textual.geometry import Region, Size
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.timer import Timer
from textual.widget import Widget

from agent_tui.tui.lines import Line
from agent_tui.tui.look import Look
from agent_tui.tui.panes.copying import row_number
from agent_tui.tui.panes.entries import Entries
from agent_tui.tui.panes.painting import Marks, paint
from agent_tui.tui.panes.parts import Part
from agent_tui.tui.panes.reel import Place, Reel
from agent_tui.tui.panes.thinbar import ThinBar
from agent_tui.view.blocks import Added, Block, Change

FRAME = 1 / 30
"""Seconds between two drawings while text streams, at least."""
MAX_FRAME = 0.25
SHARE = 4
"""A drawing that took so long is followed by this many times as long a pause: streaming leaves time for keys."""
WHEEL_ROWS = 3


class BlockView(ScrollView):
    """Draws and scrolls blocks. ``now`` is a monotonic clock in seconds, for what runs."""

    DEFAULT_CSS = """
    BlockView { scrollbar-size: 0 0; overflow-x: hidden; overflow-y: scroll; }
    """

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
        self.entries = Entries(now)
        self._ticker: Timer | None = None
        self._flush_timer: Timer | None = None
        self._pause = FRAME
        self._flushed = 0.0
        self._bar = ThinBar()
        self._more_below = False
        self._painted: dict[int, tuple[Line, Marks, Strip]] = {}
        self._asked_older: Part | None = None
        self._grip: int | None = None

    @property
    def reel(self) -> Reel:
        """The parts of all blocks and the window on them."""
        return self.entries.reel

    @property
    def blocks(self) -> tuple[Block, ...]:
        """All blocks, in order."""
        return tuple(entry.block for entry in self.entries.order)

    @property
    def following(self) -> bool:
        """Whether the end is kept in sight."""
        return self.reel.following

    def extend(self, blocks: Iterable[Block]) -> None:
        """Put blocks at the end."""
        self.apply(tuple(Added(block) for block in blocks))

    def apply(self, changes: Sequence[Change]) -> None:
        """Take a transcript's changes. Drawing is done later, together for all that come meanwhile."""
        for change in changes:
            self.entries.take(change)
        if changes and self.is_mounted:
            self._run_clock()
            self._schedule()

    def _run_clock(self) -> None:
        """Let the clock run while there is something it is for."""
        if not self.entries.clocks and self._ticker is not None:
            self._ticker.stop()
            self._ticker = None
        elif self.entries.clocks and self._ticker is None:
            self._ticker = self.set_interval(self.look.tick, self._tick)

    def _tick(self) -> None:
        """A second has passed: draw the clocks that are in sight."""
        if self.entries.tick():
            self.refresh_rows()

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
            self.entries.resize(self.look.page(width), height)
            self._painted.clear()
            self._lay_out()

    def _schedule(self) -> None:
        """See to it that changes are drawn: at once, but when the last time was a moment ago after a pause."""
        if self.reel.page is not None and self._flush_timer is None:
            wait = self._flushed + self._pause - time.monotonic()
            self._flush_timer = self.set_timer(max(wait, 0.001), self._flush)

    def _flush(self) -> None:
        """Draw what has changed since the last time."""
        self._flush_timer = None
        self._flushed = time.monotonic()
        begun = time.thread_time()
        self.entries.sync()
        self.refresh_rows()

        def drawn() -> None:
            self._pause = min(MAX_FRAME, max(FRAME, SHARE * (time.thread_time() - begun)))
            self._flushed = time.monotonic()

        self.call_after_refresh(drawn)

    def refresh_rows(self) -> None:
        """Lay out anew and paint the rows that came out different."""
        if self.reel.page is None:
            return
        before, bar, more = self.reel.window, self._bar, self._more_below
        self._lay_out()
        window = self.reel.window
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
            rows = (bar.rows() ^ self._bar.rows()) - changed
            regions += [Region(width - 1, y, 1, 1) for y in rows]
        if regions:
            self.refresh(*regions)

    def _lay_out(self) -> None:
        reel = self.reel
        reel.lay_out()
        reel.forget()
        height = self.size.height
        total, top = reel.total_rows, reel.top_row
        self._bar = ThinBar.of(total, height, top, at_end=reel.is_at_end)
        self._more_below = not reel.following and not reel.is_at_end
        # Textual's own idea of the scroll position is kept true without its watchers: they would lay out the screen.
        self._set_quietly("virtual_size", Size(self.size.width, max(total, height)))
        self._set_quietly("scroll_y", float(top))
        self._set_quietly("scroll_target_y", float(top))
        if not reel.is_at_start:
            self._asked_older = None
        elif reel.parts and self._asked_older is not reel.parts[0] and self.is_mounted:
            self._asked_older = reel.parts[0]
            self.start_reached()

    def start_reached(self) -> None:
        """The first row there is has come in sight."""

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
        window = self.reel.window
        if not 0 <= y < len(window):
            return self._blank()
        place = window[y]
        return place.line.strip.apply_offsets(0, row_number(place.part.at, place.row))

    def _paint(self, y: int) -> Strip:
        window = self.reel.window
        page = self.reel.page
        if page is None or not 0 <= y < len(window):
            return self._blank()
        place = window[y]
        marks = self.marks(y, place)
        known = self._painted.get(y)
        if known is not None and known[0] is place.line and known[1] == marks:
            return known[2]
        strip = paint(page, place.line, marks)
        self._painted[y] = (place.line, marks, strip)
        return strip

    def marks(self, y: int, place: Place) -> Marks:
        """Say what is painted over a row of the view."""
        return Marks(bar=y in self._bar, more_below=self._more_below and y == self.size.height - 1)

    def _blank(self) -> Strip:
        return Strip.blank(self.size.width, self.look.theme.style("text"))

    # Scrolling --------------------------------------------------------------------------------------------------------

    def scroll_rows(self, rows: int) -> None:
        """Move down by some rows, up when negative."""
        self._moved(lambda: self.reel.move(rows))

    def page(self, pages: int) -> None:
        """Move down by windows, up when negative; a row of the old window stays in sight."""
        self.scroll_rows(pages * max(1, self.size.height - 1))

    def scroll_to_top(self) -> None:
        """Move to the first row."""
        self._moved(self.reel.to_start)

    def follow(self) -> None:
        """Move to the end and keep it in sight."""
        self._moved(self.reel.to_end)

    def _moved(self, move: Callable[[], None]) -> None:
        if self.reel.page is None:
            return
        before = list(self.reel.window)
        move()
        if [place.line for place in before] != [place.line for place in self.reel.window]:
            self.refresh()
        self.refresh_rows()

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Textual moved the view (a drag beyond the edge, a call of its own): move as far."""
        rows = round(new_value) - self.reel.top_row
        if rows and self.reel.page is not None and self.size.height == len(self.reel.window):
            self.scroll_rows(rows)

    def _on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        event.stop()
        event.prevent_default()
        self.scroll_rows(WHEEL_ROWS)

    def _on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        event.stop()
        event.prevent_default()
        self.scroll_rows(-WHEEL_ROWS)

    # The scroll bar ---------------------------------------------------------------------------------------------------

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Take hold of the scroll bar."""
        if self._bar and event.x == self.size.width - 1:
            event.stop()
            self._grip = self._bar.grip(event.y)
            self.capture_mouse()
            self._drag_to(event.y)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Drag the scroll bar."""
        if self._grip is not None:
            event.stop()
            self._drag_to(event.y)

    def on_mouse_up(self, event: events.MouseUp) -> None:
        """Let go of the scroll bar."""
        if self._grip is not None:
            self._grip = None
            self.release_mouse()

    def _drag_to(self, y: int) -> None:
        target = self._bar.leads_to(y, self._grip or 0)
        if target is None:
            self.follow()
        elif target == 0:
            self.scroll_to_top()
        else:
            self.scroll_rows(target - self.reel.top_row)
