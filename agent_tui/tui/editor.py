"""A text being typed: insertion, motion by whole characters and words, kill ring, undo, folded pastes.

Pure: knows no keys, no widths of a screen and no widgets. Positions are indexes into ``Editor.text``. A folded paste is
one character of the text (from the end of the last private plane), so motion and deletion take it whole.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from rich.cells import split_graphemes

FOLD_LINES = 200
FOLD_CHARS = 10_000
"""A paste above either is folded: each later key would redraw it (textual-performance.md section 6)."""
MAX_UNDO = 400
MAX_KILLS = 40

_CHIP_BASE = 0x10F000
_CHIP_END = 0x10FFFD
_CHIPS = re.compile(f"[{chr(_CHIP_BASE)}-{chr(_CHIP_END)}]")
_WORD = re.compile(r"\w+|[^\w\s]+")
_NON_BLANK = re.compile(r"\S+")

Change = Literal["type", "erase", "kill-left", "kill-right", "yank", "other"]


def must_fold(text: str) -> bool:
    """Tell whether a pasted text is too big to be shown as it is."""
    return len(text) > FOLD_CHARS or text.count("\n") >= FOLD_LINES


def chip_label(text: str) -> str:
    """Give what stands for a folded paste."""
    lines = text.count("\n") + 1
    if lines > 1:
        return f"[pasted {lines:,} lines]"
    return f"[pasted {len(text):,} characters]"


@dataclass(slots=True)
class KillRing:
    """What was cut last, newest last; one ring for all fields of a screen."""

    items: list[str] = field(default_factory=list[str])
    at: int = -1

    def push(self, text: str, join: Literal["left", "right"] | None) -> None:
        """Keep a cut; neighbouring cuts in a row are ``join``-ed to one."""
        if not text:
            return
        if join and self.items:
            last = self.items[-1]
            self.items[-1] = text + last if join == "left" else last + text
        else:
            self.items.append(text)
            del self.items[:-MAX_KILLS]
        self.at = len(self.items) - 1

    def current(self) -> str:
        """Give what a yank puts in, empty when nothing was cut yet."""
        return self.items[self.at] if self.items else ""

    def older(self) -> str:
        """Turn the ring by one."""
        if self.items:
            self.at = (self.at - 1) % len(self.items)
        return self.current()


class Editor:
    """The text, the cursor and what may be undone.

    Attributes:
        text: what was typed; chips are single characters, see ``expanded``.
        cursor: where the next character goes, 0 to ``len(text)``.
        chips: per chip character the paste it stands for.
    """

    def __init__(self, kills: KillRing | None = None, *, single_line: bool = False) -> None:
        self.text = ""
        self.cursor = 0
        self.chips: dict[str, str] = {}
        self.kills = kills if kills is not None else KillRing()
        self._single = single_line
        self._undo: list[tuple[str, int]] = []
        self._redo: list[tuple[str, int]] = []
        self._last: Change = "other"
        self._yanked: tuple[int, int] | None = None

    # -- whole texts ---------------------------------------------------------------------------

    def expanded(self) -> str:
        """Give the text with every folded paste in full: what is sent."""
        if not self.chips:
            return self.text
        return _CHIPS.sub(lambda found: self.chips.get(found[0], ""), self.text)

    def replace(self, text: str, cursor: int | None = None, *, fold: bool = True) -> None:
        """Put in another text; can be undone. A big one is folded unless ``fold`` is false."""
        self._remember("other")
        text = _CHIPS.sub("", text)
        self.text = self._chip(text) if fold and must_fold(text) else text
        self.cursor = len(self.text) if cursor is None else min(cursor, len(self.text))

    def clear(self) -> str:
        """Empty it and give what was there, in full; can be undone."""
        before = self.expanded()
        if self.text:
            self.replace("")
        return before

    def saved(self) -> tuple[str, dict[str, str], int]:
        """Give all of it, to be handed to ``restore``."""
        return self.text, dict(self.chips), self.cursor

    def restore(self, saved: tuple[str, Mapping[str, str], int]) -> None:
        """Put back what ``saved`` gave; can be undone."""
        self._remember("other")
        self.text, self.cursor = saved[0], min(saved[2], len(saved[0]))
        self.chips.update(saved[1])

    # -- changing ------------------------------------------------------------------------------

    def insert(self, text: str, *, typed: bool = True) -> None:
        """Put text in at the cursor."""
        text = _CHIPS.sub("", text)
        if self._single:
            text = text.replace("\n", " ")
        if not text:
            return
        joins = typed and self._last == "type" and not text.isspace()
        self._remember("type" if typed else "other", joins=joins)
        self._splice(self.cursor, self.cursor, text)

    def paste(self, text: str) -> None:
        """Put a pasted text in, folded when it is big."""
        text = _CHIPS.sub("", text)
        if self._single or not must_fold(text):
            self.insert(text, typed=False)
            return
        self._remember("other")
        self._splice(self.cursor, self.cursor, self._chip(text))

    def backspace(self) -> None:
        """Erase the character before the cursor, whole."""
        self._erase(self._left_of(self.cursor), self.cursor)

    def delete(self) -> None:
        """Erase the character under the cursor, whole."""
        self._erase(self.cursor, self._right_of(self.cursor))

    def kill_to_line_end(self) -> None:
        """Cut to the end of the line; at the end, the line break."""
        end = self._line_end(self.cursor)
        self._kill(self.cursor, end if end > self.cursor else min(end + 1, len(self.text)), "right")

    def kill_to_line_start(self) -> None:
        """Cut to the start of the line; at the start, the line break before it."""
        start = self._line_start(self.cursor)
        self._kill(start if start < self.cursor else max(start - 1, 0), self.cursor, "left")

    def kill_word_left(self) -> None:
        """Cut back to the blank before the word."""
        starts = [m.start() for m in _NON_BLANK.finditer(self.text, 0, self.cursor)]
        self._kill(starts[-1] if starts else 0, self.cursor, "left")

    def kill_word_right(self) -> None:
        """Cut to the end of the word."""
        self._kill(self.cursor, self._word_end(self.cursor), "right")

    def yank(self) -> None:
        """Put in what was cut last."""
        self._yank(self.kills.current(), self.cursor, self.cursor)

    def yank_older(self) -> None:
        """Right after a yank: replace it by what was cut before."""
        if self._last == "yank" and self._yanked:
            self._yank(self.kills.older(), *self._yanked)

    def undo(self) -> None:
        """Take the last change back."""
        self._travel(self._undo, self._redo)

    def redo(self) -> None:
        """Do again what was taken back."""
        self._travel(self._redo, self._undo)

    def replace_range(self, start: int, end: int, text: str) -> None:
        """Put ``text`` in place of a range (a completion); the cursor ends behind it."""
        self._remember("other")
        self._splice(start, end, text)

    # -- moving --------------------------------------------------------------------------------

    def move_to(self, at: int) -> None:
        """Put the cursor at an index."""
        self.cursor = max(0, min(at, len(self.text)))
        self._last = "other"

    def left(self) -> None:
        """One character back."""
        self.move_to(self._left_of(self.cursor))

    def right(self) -> None:
        """One character on."""
        self.move_to(self._right_of(self.cursor))

    def word_left(self) -> None:
        """To the start of the word before the cursor."""
        starts = [m.start() for m in _WORD.finditer(self.text, 0, self.cursor)]
        self.move_to(starts[-1] if starts else 0)

    def word_right(self) -> None:
        """To the end of the word behind the cursor."""
        self.move_to(self._word_end(self.cursor))

    def line_start(self) -> None:
        """To the start of the line."""
        self.move_to(self._line_start(self.cursor))

    def line_end(self) -> None:
        """To the end of the line."""
        self.move_to(self._line_end(self.cursor))

    # -- inside --------------------------------------------------------------------------------

    def _splice(self, start: int, end: int, text: str) -> None:
        self.text = self.text[:start] + text + self.text[end:]
        self.cursor = start + len(text)

    def _erase(self, start: int, end: int) -> None:
        if start < end:
            self._remember("erase", joins=self._last == "erase")
            self._splice(start, end, "")

    def _kill(self, start: int, end: int, way: Literal["left", "right"]) -> None:
        kind: Change = "kill-left" if way == "left" else "kill-right"
        if start >= end:
            return
        again = self._last in ("kill-left", "kill-right")
        cut = _CHIPS.sub(lambda found: self.chips.get(found[0], ""), self.text[start:end])
        self.kills.push(cut, way if again else None)
        self._remember(kind)
        self._splice(start, end, "")

    def _yank(self, text: str, start: int, end: int) -> None:
        if self._single:
            text = text.replace("\n", " ")
        if text:
            self._remember("yank")
            self._splice(start, end, self._chip(text) if must_fold(text) else text)
            self._yanked = (start, self.cursor)

    def _chip(self, text: str) -> str:
        char = chr(_CHIP_BASE + len(self.chips) % (_CHIP_END - _CHIP_BASE))
        self.chips[char] = text
        return char

    def _remember(self, kind: Change, *, joins: bool = False) -> None:
        if not joins:
            self._undo.append((self.text, self.cursor))
            del self._undo[:-MAX_UNDO]
        self._redo.clear()
        self._last = kind

    def _travel(self, source: list[tuple[str, int]], target: list[tuple[str, int]]) -> None:
        if source:
            target.append((self.text, self.cursor))
            self.text, self.cursor = source.pop()
            self._last = "other"

    def _line_start(self, at: int) -> int:
        return self.text.rfind("\n", 0, at) + 1

    def _line_end(self, at: int) -> int:
        end = self.text.find("\n", at)
        return len(self.text) if end < 0 else end

    def _word_end(self, at: int) -> int:
        found = _WORD.search(self.text, at)
        return found.end() if found else len(self.text)

    def _left_of(self, at: int) -> int:
        start = self._line_start(at)
        if at == start:
            return max(at - 1, 0)
        return start + max(s for s, _end, _width in _clusters(self.text[start:at]))

    def _right_of(self, at: int) -> int:
        end = self._line_end(at)
        if at == end:
            return min(at + 1, len(self.text))
        return at + _clusters(self.text[at:end])[0][1]


def _clusters(text: str) -> list[tuple[int, int, int]]:
    """Split into what a person calls characters: (start, end, cells); nothing has width 0 but a first mark."""
    if "\t" not in text:
        return split_graphemes(text)[0]
    out: list[tuple[int, int, int]] = []
    at = 0
    for part in text.split("\t"):
        out += [(at + start, at + end, width) for start, end, width in split_graphemes(part)[0]]
        at += len(part) + 1
        out.append((at - 1, at, 1))  # a tab would count as a mark of the character before it
    return out[:-1]


# -- layout ------------------------------------------------------------------------------------

TAB = 4
Spot = tuple[int, int, int, str]
"""A drawn character: start and end in the text, width in cells, what is drawn."""


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the wrapped text: from ``start`` to ``end`` (without a line break), and its characters."""

    start: int
    end: int
    spots: tuple[Spot, ...]

    def column(self, at: int) -> int:
        """Give the cell at which index ``at`` begins."""
        return sum(width for _start, end, width, _draw in self.spots if end <= at)

    def index(self, column: int) -> int:
        """Give the index of the character drawn at a cell; behind the last one, the end."""
        x = 0
        for start, _end, width, _draw in self.spots:
            if column < x + max(width, 1):
                return start
            x += width
        return self.end


class Wrapped:
    """The rows of a text at a width; wraps only lines it has not seen lately."""

    def __init__(self, draw: Callable[[str], str] | None = None) -> None:
        self._draw = draw
        self._seen: dict[tuple[str, int], tuple[tuple[Spot, ...], ...]] = {}

    def rows(self, editor: Editor, width: int) -> list[Row]:
        """Give the rows; there is at least one."""
        out: list[Row] = []
        start = 0
        for line in editor.text.split("\n"):
            for spots in self._line(line, editor.chips, width):
                moved = tuple((s + start, e + start, w, d) for s, e, w, d in spots)
                first = moved[0][0] if moved else start
                out.append(Row(first, moved[-1][1] if moved else start, moved))
            start += len(line) + 1
        return out

    def _line(
        self, line: str, chips: Mapping[str, str], width: int
    ) -> tuple[tuple[Spot, ...], ...]:
        made = self._seen.get((line, width))
        if made is None:
            if len(self._seen) > 500:
                self._seen.clear()
            made = self._seen[line, width] = _wrap(self._spots(line, chips), max(width, 2))
        return made

    def _spots(self, line: str, chips: Mapping[str, str]) -> list[Spot]:
        out: list[Spot] = []
        x = 0
        for start, end, width in _clusters(line):
            text = line[start:end]
            if text[0] in chips:
                draw = chip_label(chips[text[0]])
                width = len(draw)
            elif text == "\t":
                width = TAB - x % TAB
                draw = " " * width
            else:
                draw = self._draw(text) if self._draw else text
                width = width if draw == text else len(draw)
            out.append((start, end, width, draw))
            x += width
        return out


def _wrap(spots: list[Spot], width: int) -> tuple[tuple[Spot, ...], ...]:
    """Break at blanks, else anywhere. A row may hold ``width`` cells; blanks at its end don't count."""
    rows: list[tuple[Spot, ...]] = []
    row: list[Spot] = []
    used = 0
    for spot in spots:
        while row and used + spot[2] > width and spot[3] != " ":
            cut = max((i + 1 for i, s in enumerate(row) if s[3] == " "), default=len(row))
            rows.append(tuple(row[:cut]))
            row = row[cut:]
            used = sum(s[2] for s in row)
        row.append(spot)
        used += spot[2]
    rows.append(tuple(row))
    return tuple(rows)
