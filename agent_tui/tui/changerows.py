"""The rows of one file's change on the review screen: heads, lines, folds, and comments under their lines."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import TypeAlias, overload

from agent_tui.protocol.display import Hunk
from agent_tui.protocol.reviews import FileChange, HunkOrigin
from agent_tui.tui.diffpaint import DiffPainter
from agent_tui.tui.displays.diff import counts
from agent_tui.tui.facts import counted, cut_path
from agent_tui.tui.hunks import HunkRow, hunk_rows, side_by_side
from agent_tui.tui.lines import Line, Page, Span, blank_line, make_line
from agent_tui.tui.theme import TextRole
from agent_tui.tui.wrapping import wrap_prose
from agent_tui.view.clean import clean, clean_fields, exact
from agent_tui.view.remarks import Remark, Remarks, Side, Spot

COLUMN = 1
"""Where the text of the pane begins."""
CODE = 8
"""Where the code begins, while numbers have four digits."""

Make: TypeAlias = Callable[[], Line]


@dataclass(frozen=True, slots=True)
class Place:
    """A line one can stand on: the hunk it is in (0-based), its row, and the old line beside it in two columns."""

    row: int
    hunk: int
    line: HunkRow
    beside: HunkRow | None = None


@dataclass(frozen=True, slots=True)
class Marked:
    """Where the person stands: the first and last of the chosen places; none while they are elsewhere."""

    first: int = -1
    last: int = -1

    def __contains__(self, place: int) -> bool:
        return self.first <= place <= self.last


class ChangeRows(Sequence[Line]):
    """Rows that are drawn when they are looked at.

    Attributes:
        places: the lines one can stand on, in order.
        heads: the row of each hunk's head.
        writing_row: the row under which a comment is being written; None while none is.
    """

    def __init__(
        self,
        page: Page,
        change: FileChange,
        remarks: Remarks,
        *,
        two_columns: bool = False,
        wrap: bool = False,
        writing: Spot | None = None,
        whole: bool = False,
    ) -> None:
        self._page = page
        self._path = change.file.path
        self._change = clean_fields(change, exact)
        self._remarks = remarks
        self._two = two_columns
        self._marked = Marked()
        self._writing = writing
        self._whole = whole
        hunks = change.display.hunks
        largest = max(
            (max(h.old_start + h.old_lines, h.new_start + h.new_lines) for h in hunks), default=1
        )
        self._paint = DiffPainter(page, max(4, len(str(largest))), COLUMN, wrap)
        self._makes: list[Make] = []
        self._made: dict[int, Line] = {}
        self.places: list[Place] = []
        self.heads: list[int] = []
        self.writing_row: int | None = None
        self._said: set[tuple[Side, int]] = set()
        self._lay_out()

    def __len__(self) -> int:
        return len(self._makes)

    @overload
    def __getitem__(self, index: int) -> Line: ...
    @overload
    def __getitem__(self, index: slice) -> list[Line]: ...
    def __getitem__(self, index: int | slice) -> Line | list[Line]:
        if isinstance(index, slice):
            return [self[at] for at in range(*index.indices(len(self)))]
        index = index + len(self) if index < 0 else index
        if index not in self._made:
            self._made[index] = self._makes[index]()
        return self._made[index]

    def __iter__(self) -> Iterator[Line]:
        return (self[at] for at in range(len(self)))

    def mark(self, marked: Marked) -> None:
        """Show where the person stands."""
        for was, now in ((self._marked, marked), (marked, self._marked)):
            for at in range(max(was.first, 0), min(was.last + 1, len(self.places))):
                if at not in now or at in (was.last, now.last):
                    row = self.places[at].row
                    for part in range(self._paint.parts(self.places[at].line)):
                        self._made.pop(row + part, None)
        self._marked = marked

    def first_change(self, hunk: int) -> int:
        """Give the first place of a hunk where something was changed."""
        inside = [at for at, place in enumerate(self.places) if place.hunk == hunk]
        changed = [at for at in inside if self.places[at].line.sign != " "]
        return (changed or inside)[0]

    def part(self, start: int, end: int | None = None) -> Sequence[Line]:
        """Give some of the rows; they too are drawn when they are looked at."""
        return _Part(self, start, len(self) if end is None else end)

    def spot(self, first: int, last: int) -> Spot | None:
        """Give the lines from one place to another; None where there are none."""
        chosen = self.places[first : last + 1]
        if not chosen:
            return None
        lines = [
            line for place in chosen for line in (place.beside, place.line) if line is not None
        ]
        if self._two:  # an unchanged line stands on both sides
            lines = [line for at, line in enumerate(lines) if line not in lines[:at]]
        spot = spot_of(self._path, self._change.file.shown, lines)
        return replace(spot, lines=tuple(line.text for line in lines)) if self._whole else spot

    # Laying out -----------------------------------------------------------------------------------------------------

    def _lay_out(self) -> None:
        change = self._change
        blank = partial(blank_line, self._page)
        self._makes += [blank] if self._whole else [blank, self._file, blank]
        if change.file.note:
            self._say(change.file.note)
        if change.file.foreign:
            self._say("others changed this file, too: what they did is among this")
        below = 0
        for number, hunk in enumerate(change.display.hunks):
            self.heads.append(len(self._makes))
            if not self._whole:
                self._makes.append(partial(self._head, number, hunk))
            self._hunk(number, hunk)
            self._makes.append(partial(blank_line, self._page))
            below = change.lines - (hunk.new_start + hunk.new_lines) + 1
        if change.display.truncated:
            self._say(f"{counted(change.display.truncated, 'line')} left out")
        else:
            self._fold(below)
        self._strays()

    def _say(self, text: str) -> None:
        muted = self._page.theme.style("muted")
        line = partial(make_line, self._page, [(clean(text), muted)], column=COLUMN)
        self._makes += [line, partial(blank_line, self._page)]

    def _fold(self, count: int) -> None:
        """Say how many lines are left out, if any are."""
        if count <= 0:
            return
        page, muted = self._page, self._page.theme.style("muted")
        lead = [(" " * COLUMN, muted), (page.glyphs.left_out.ljust(3), muted)]
        text = [(counted(count, "unchanged line"), muted)]
        self._makes.append(partial(make_line, page, text, lead=lead, column=COLUMN + 3))
        self._makes.append(partial(blank_line, page))

    def _hunk(self, number: int, hunk: Hunk) -> None:
        rows = hunk_rows(hunk, self._change.display.path)
        if self._two:
            for left, right in side_by_side(rows):
                line = right or left
                assert line is not None
                beside = left if right is not None and left is not right else None
                self._place(
                    number, line, beside, partial(self._both, left, right, len(self.places))
                )
            return
        for row in rows:
            at = len(self.places)
            makes = [partial(self._line, row, part, at) for part in range(self._paint.parts(row))]
            self._place(number, row, None, *makes)

    def _place(self, hunk: int, line: HunkRow, beside: HunkRow | None, *makes: Make) -> None:
        self.places.append(Place(len(self._makes), hunk, line, beside))
        self._makes += makes
        for one in (beside, line):
            if one is not None:
                self._remark(*_at(one))

    def _remark(self, side: Side, number: int) -> None:
        """Put what is said of the lines that end here under them."""
        writing = self._writing
        self._said.add((side, number))
        if writing is not None and (writing.side, writing.last) == (side, number):
            self.writing_row = len(self._makes)
            self._makes.append(partial(self._band, self._about(writing), "accent", "accent"))
            return
        remark = self._remarks.at(self._path, side, number)
        if remark is not None:
            self._remarked(remark)

    def _remarked(self, remark: Remark) -> None:
        page = self._page
        self._makes.append(partial(self._band, self._about(remark.spot), "muted", "muted"))
        style = page.theme.style("strong", "surface")
        width = page.right - self._paint.code_column - 1
        for row in wrap_prose([(clean(remark.text), style)], width):
            text = "".join(piece for piece, _ in row.spans)
            self._makes.append(partial(self._band, text, "strong", "muted"))

    def _strays(self) -> None:
        """Show what was said of lines that are not here any more."""
        for remark in self._remarks.of(self._path):
            if (remark.spot.side, remark.spot.last) not in self._said:
                self._remarked(remark)

    def _about(self, spot: Spot) -> str:
        name = spot.name.replace("-", self._page.glyphs.dash)
        return f"{self._page.glyphs.comment} {name}"

    # Drawing --------------------------------------------------------------------------------------------------------

    def _file(self) -> Line:
        page, file = self._page, self._change.file
        path = cut_path(clean(file.shown), page.text_width - 16, page.glyphs.cut)
        spans: list[Span] = [(path, page.theme.style("strong", bold=True))]
        if file.what != "changed":
            word = "new" if file.what == "created" else "removed"
            spans.append((f" {word}", page.theme.style("muted")))
        return make_line(page, spans, column=COLUMN, facts=counts(page, file.added, file.removed))

    def _head(self, number: int, hunk: Hunk) -> Line:
        page, theme = self._page, self._page.theme
        origins = self._change.origins
        origin = origins[number] if number < len(origins) else HunkOrigin()
        lead = [
            (" " * COLUMN, theme.style("text")),
            (f"{number + 1}".ljust(3), theme.style("strong", bold=True)),
        ]
        spans = [(clean(hunk.heading), theme.style("muted"))]
        facts = [(when(origin), theme.style("muted"))]
        return make_line(page, spans, lead=lead, column=COLUMN + 3, facts=facts)

    def _margin(self, place: int) -> Span | None:
        marked = self._marked
        if place not in marked:
            return None
        glyphs = self._page.glyphs
        mark = glyphs.prompt if place == marked.last else glyphs.bar
        return (mark, self._page.theme.style("accent", bold=True))

    def _line(self, row: HunkRow, part: int, place: int) -> Line:
        return self._paint.line(row, part, self._margin(place))

    def _both(self, left: HunkRow | None, right: HunkRow | None, place: int) -> Line:
        return self._paint.both(left, right, self._margin(place))

    def _band(self, text: str, role: TextRole, bar: TextRole) -> Line:
        page, theme = self._page, self._page.theme
        column = self._paint.code_column
        spans = [
            (page.glyphs.bar, theme.style(bar, "surface")),
            (text, theme.style(role, "surface")),
        ]
        blank = [(" " * column, theme.style("text"))]
        return make_line(page, spans, lead=blank, column=column, on="surface", source=text)


class _Part(Sequence[Line]):
    def __init__(self, rows: ChangeRows, start: int, end: int) -> None:
        self._rows = rows
        self._start = start
        self._size = max(0, end - start)

    def __len__(self) -> int:
        return self._size

    @overload
    def __getitem__(self, index: int) -> Line: ...
    @overload
    def __getitem__(self, index: slice) -> list[Line]: ...
    def __getitem__(self, index: int | slice) -> Line | list[Line]:
        if isinstance(index, slice):
            return [self[at] for at in range(*index.indices(self._size))]
        if not -self._size <= index < self._size:
            raise IndexError(index)
        return self._rows[self._start + index % self._size]


def _at(row: HunkRow) -> tuple[Side, int]:
    return ("old", row.old_number) if row.sign == "-" else ("new", row.number)


def spot_of(path: str, shown: str, lines: Sequence[HunkRow]) -> Spot:
    """Name neighbouring lines of a diff: by their numbers now, unless none of them is there now."""
    there = [line for line in lines if line.sign != "-"]
    side: Side = "new" if there else "old"
    numbers = [line.number for line in there or lines]
    texts = tuple(f"{line.sign}{line.text}" for line in lines)
    return Spot(path, shown, side, min(numbers), max(numbers), texts)


def when(origin: HunkOrigin) -> str:
    """Say who made a hunk and when: ``turn 3, 14:03``, ``command, 14:03``."""
    who: dict[str, str] = {"command": "command", "review": "you", "rewind": "rewind"}
    name = who.get(origin.by, f"turn {origin.turn}" if origin.turn else "")
    return ", ".join(filter(None, (name, clock_of(origin.at))))


def clock_of(at: str) -> str:
    """Give a moment's time, with its day where that is not today; empty where it can't be read."""
    try:
        moment = datetime.fromisoformat(at).astimezone()
    except ValueError:
        return ""
    today = time.localtime()
    same = (moment.year, moment.timetuple().tm_yday) == (today.tm_year, today.tm_yday)
    return moment.strftime("%H:%M" if same else "%d %b %H:%M")
