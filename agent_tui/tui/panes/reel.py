"""Parts one below the other, seen through a window: what is in sight, and how it moves.

Only parts in sight are drawn; the heights of all others are guesses, or what they were when last seen. The window holds on
to a row of a part and not to a number of rows from the top, so nothing that is learned or added elsewhere moves it.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from agent_tui.tui.lines import Line, Page, blank_line
from agent_tui.tui.panes.heights import Heights
from agent_tui.tui.panes.parts import Part
from agent_tui.tui.panes.spacing import gap_between

KEPT = 400
"""Parts whose rows are kept after they went out of sight."""
MARGIN = 2
"""Rows that are kept between what is shown and the window's edge."""
NEAR = 3
"""Windows of rows up to which a move is exact; farther ones go by the guesses."""


class Place(NamedTuple):
    """One row of the window: which part, which of its rows (the gap first), and what is drawn."""

    part: Part
    row: int
    line: Line


class Anchor(NamedTuple):
    """Where the window is: the part at its top with the row of its body, and whether it follows the end."""

    part: Part | None
    row: int
    following: bool


class Reel:
    """All parts of a conversation and the window on them."""

    def __init__(self) -> None:
        self.parts: list[Part] = []
        self.heights = Heights()
        self.following = True
        self.window: list[Place] = []
        self._page: Page | None = None
        self._blank: Line | None = None
        self._rows = 0
        # The part at the top and the row of its body; negative in the gap above it, whose height may change.
        self._top: tuple[Part, int] | None = None
        self._recent: OrderedDict[Part, None] = OrderedDict()

    # What is there --------------------------------------------------------------------------------------------------

    @property
    def page(self) -> Page | None:
        """The page rows are drawn for."""
        return self._page

    @property
    def rows(self) -> int:
        """How many rows the window has."""
        return self._rows

    def __contains__(self, part: Part) -> bool:
        return 0 <= part.at < len(self.parts) and self.parts[part.at] is part

    def resize(self, page: Page, rows: int) -> None:
        """Take a new page and height; rows drawn for another page are drawn again when they come in sight."""
        if page is not self._page:
            self._blank = blank_line(page)
        self._page = page
        self._rows = rows

    def append(self, parts: Iterable[Part]) -> None:
        """Put parts at the end."""
        for part in parts:
            part.at = len(self.parts)
            self.parts.append(part)
            self.heights.append(self._guess(part))

    def pop(self) -> None:
        """Take the last part away."""
        part = self.parts.pop()
        self.heights.pop()
        self._gone(part)

    def rebuild(self, parts: Iterable[Part]) -> None:
        """Take all parts anew; the window stays on what it shows if that is still there."""
        known = {part: self.heights[part.at] for part in self.parts}
        self.parts = list(parts)
        for at, part in enumerate(self.parts):
            part.at = at
        self.heights.rebuild(
            known[part] if part in known else self._guess(part) for part in self.parts
        )
        for part in known.keys() - set(self.parts):
            self._gone(part)

    def guess_again(self, part: Part) -> None:
        """A part that isn't drawn has changed: guess its height anew."""
        if part.body is None and 0 <= part.at < len(self.parts):
            self.heights[part.at] = self._guess(part)

    def _gone(self, part: Part) -> None:
        self._recent.pop(part, None)
        if self._top is not None and self._top[0] is part:
            at = min(part.at, len(self.parts) - 1)
            self._top = (self.parts[at], -self.parts[at].gap) if at >= 0 else None

    def _guess(self, part: Part) -> int:
        return 2 if self._page is None else part.estimate(self._page)

    # Heights --------------------------------------------------------------------------------------------------------

    def measure(self, at: int) -> int:
        """Draw a part, so that its height is known; give it."""
        page = self._page
        assert page is not None
        part = self.parts[at]
        body = part.rows(page)
        self._recent[part] = None
        self._recent.move_to_end(part)
        part.gap = gap_between(self._above(at), part, page) if len(body) else 0
        height = part.gap + len(body)
        self.heights[at] = height
        return height

    def _above(self, at: int) -> Part | None:
        """Find the nearest part above that has rows."""
        page = self._page
        assert page is not None
        for above in range(at - 1, -1, -1):
            if len(self.parts[above].rows(page)):
                return self.parts[above]
        return None

    def forget(self) -> None:
        """Let go of the rows of parts that have long been out of sight."""
        seen = {place.part for place in self.window}
        while len(self._recent) > KEPT:
            part, _ = self._recent.popitem(last=False)
            if part in seen:
                self._recent[part] = None
                return
            part.forget()

    # The window -----------------------------------------------------------------------------------------------------

    @property
    def top_row(self) -> int:
        """How many rows are above the window, as far as is known."""
        if self._top is None or not self.parts:
            return 0
        at, row = self._anchor()
        return self.heights.before(at) + row

    @property
    def total_rows(self) -> int:
        """How many rows there are, as far as is known."""
        return self.heights.total

    @property
    def is_at_start(self) -> bool:
        """Whether the first row is in sight."""
        return self._top is None or (
            self._top[1] == 0 and self.heights.before(self._top[0].at) == 0
        )

    @property
    def is_at_end(self) -> bool:
        """Whether the last row is in sight."""
        if not self.window or len(self.window) < self._rows:
            return True
        last = self.window[-1]
        below = self.heights.total - self.heights.before(last.part.at + 1)
        return below == 0 and last.row == self.heights[last.part.at] - 1

    def lay_out(self) -> list[Place]:
        """Find what is in sight; afterwards every height in the window is exact."""
        if self._page is None or not self.parts or self._rows <= 0:
            self.window = []
            return self.window
        window = self._from_end() if self.following or self._top is None else self._from_top()
        if len(window) < self._rows:
            # There is room below the end: the window never shows less than it could.
            window = self._from_end()
        self.window = window
        if window:
            self._hold(window[0].part.at, window[0].row)
        return window

    def _anchor(self) -> tuple[int, int]:
        """Give the place of the part at the top, and its row there."""
        assert self._top is not None
        part, row = self._top
        return part.at, max(0, row + part.gap)

    def _hold(self, at: int, row: int) -> None:
        """Hold on to a row of a part that is measured."""
        part = self.parts[at]
        self._top = (part, row - part.gap)

    def _from_top(self) -> list[Place]:
        assert self._top is not None
        window: list[Place] = []
        height = self.measure(self._top[0].at)
        first, row = self._anchor()
        row = min(row, max(0, height - 1))
        for at in range(first, len(self.parts)):
            self.measure(at)
            self._place(window, at, row, self._rows - len(window))
            row = 0
            if len(window) >= self._rows:
                break
        return window

    def _from_end(self) -> list[Place]:
        stretches: list[tuple[int, int]] = []
        wanted = self._rows
        for at in range(len(self.parts) - 1, -1, -1):
            height = self.measure(at)
            first = max(0, height - wanted)
            stretches.append((at, first))
            wanted -= height - first
            if wanted <= 0:
                break
        window: list[Place] = []
        for at, first in reversed(stretches):
            self._place(window, at, first, self._rows - len(window))
        return window

    def _place(self, window: list[Place], at: int, row: int, most: int) -> None:
        part = self.parts[at]
        body = part.body
        assert self._blank is not None and body is not None
        for number in range(row, min(self.heights[at], row + most)):
            line = self._blank if number < part.gap else body[number - part.gap]
            window.append(Place(part, number, line))

    # Moving ---------------------------------------------------------------------------------------------------------

    def move(self, rows: int) -> None:
        """Move the window down, or up with negative ``rows``; it follows again when it reaches the end."""
        if self._top is None or not rows:
            return
        self.following = False
        if abs(rows) > NEAR * max(1, self._rows):
            at, row = self.heights.find(max(0, self.top_row + rows))
            self._hold(at, row)
        elif rows > 0:
            self._step_down(rows)
        else:
            self._step_up(-rows)
        self.lay_out()
        self.following = self.is_at_end

    def _step_down(self, rows: int) -> None:
        at, row = self._anchor()
        row += rows
        while at < len(self.parts) - 1 and row >= self.measure(at):
            row -= self.heights[at]
            at += 1
        self._hold(at, row)

    def _step_up(self, rows: int) -> None:
        at, row = self._anchor()
        row -= rows
        while row < 0 and at > 0:
            at -= 1
            row += self.measure(at)
        self._hold(at, max(0, row))

    def to_start(self) -> None:
        """Move the window to the first row."""
        if self.parts:
            self.following = False
            self.measure(0)
            self._hold(0, 0)
            self.lay_out()
            self.following = self.is_at_end

    def to_end(self) -> None:
        """Move the window to the last row, and keep it there while rows are added."""
        self.following = True
        self.lay_out()

    @property
    def anchor(self) -> Anchor:
        """Say where the window is, so that one can come back to it."""
        part, row = self._top if self._top is not None else (None, 0)
        return Anchor(part, row, self.following)

    def back_to(self, anchor: Anchor) -> None:
        """Move the window back to where it was, as far as that is still there."""
        if anchor.following:
            self.to_end()
        elif anchor.part is not None and anchor.part in self:
            self.following = False
            self.measure(anchor.part.at)
            self._top = (anchor.part, anchor.row)
            self.lay_out()

    def show_row(self, part: Part, row: int) -> None:
        """Move the window so that a row of a part's body is in sight, with some rows around it."""
        if self._page is None or part not in self:
            return
        self.measure(part.at)
        shown = [y for y, at in enumerate(self.window) if at.part is part]
        row += part.gap
        near = [y for y in shown if self.window[y].row == row]
        if near and MARGIN <= near[0] < self._rows - MARGIN:
            return
        self.following = False
        self._hold(part.at, row)
        self._step_up(self._rows // 3)
        self.lay_out()
        self.following = self.is_at_end

    def show(self, parts: Sequence[Part]) -> None:
        """Move the window no farther than is needed to see parts that follow one another, their beginning above all."""
        if not parts or self._page is None or not self.window:
            return
        first, last = parts[0], parts[-1]
        seen = [place for place in self.window if first.at <= place.part.at <= last.at]
        height = sum(self.measure(part.at) for part in parts)
        if len(seen) == min(height, self._rows):
            return
        top = self.heights.before(first.at)
        bottom = top + height
        if top < self.top_row or height > self._rows:
            self.following = False
            self._hold(first.at, 0)
        elif bottom > self.top_row + self._rows:
            self.following = False
            self._hold(first.at, 0)
            self._step_up(self._rows - height)
        self.lay_out()
        self.following = self.is_at_end
