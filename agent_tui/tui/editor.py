"""A text being typed: insertion, motion by whole characters and words, kill ring, undo, chips.

Pure: knows no keys, no widths of a screen and no widgets. Positions are indexes into ``Editor.text``. A chip (a folded
paste, a picture) is one character of the text (from the end of the last private plane), so motion and deletion take it
whole.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from agent_tui.tui.chips import (
    CHIP_BASE,
    CHIP_END,
    CHIPS,
    Chip,
    Picture,
    Saved,
    folded,
    must_fold,
    pictured,
)
from agent_tui.tui.typed_rows import clusters

MAX_UNDO = 400
MAX_KILLS = 40

_WORD = re.compile(r"\w+|[^\w\s]+")
_NON_BLANK = re.compile(r"\S+")

Change = Literal["type", "erase", "kill-left", "kill-right", "yank", "other"]


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
        chips: per chip character what it stands for.
    """

    def __init__(self, kills: KillRing | None = None, *, single_line: bool = False) -> None:
        self.text = ""
        self.cursor = 0
        self.chips: dict[str, Chip] = {}
        self.kills = kills if kills is not None else KillRing()
        self._single = single_line
        self._undo: list[tuple[str, int]] = []
        self._redo: list[tuple[str, int]] = []
        self._last: Change = "other"
        self._yanked: tuple[int, int] | None = None
        self._grouped: bool | None = None

    # -- whole texts ---------------------------------------------------------------------------

    def expanded(self) -> str:
        """Give the text with every folded paste in full: what is sent."""
        return self.plain(self.text)

    def plain(self, text: str) -> str:
        """Give a part of the text with every chip in full."""
        if not self.chips:
            return text
        return CHIPS.sub(
            lambda found: self.chips[found[0]].text if found[0] in self.chips else "", text
        )

    def pictures(self) -> dict[int, Picture]:
        """Give the pictures in the text by the number it names them by, in its order."""
        found = (self.chips.get(char) for char in CHIPS.findall(self.text))
        return {chip.number: chip.picture for chip in found if chip and chip.picture is not None}

    def replace(self, text: str, cursor: int | None = None, *, fold: bool = True) -> None:
        """Put in another text; can be undone. A big one is folded unless ``fold`` is false."""
        self.end_group()
        self._remember("other")
        text = CHIPS.sub("", text)
        self.text = self._chip(folded(text)) if fold and must_fold(text) else text
        self.cursor = len(self.text) if cursor is None else min(cursor, len(self.text))

    def clear(self) -> str:
        """Empty it and give what was there, in full; can be undone."""
        before = self.expanded()
        if self.text:
            self.replace("")
        return before

    def saved(self) -> Saved:
        """Give all of it, to be handed to ``restore``."""
        return self.text, dict(self.chips), self.cursor

    def restore(self, saved: Saved) -> None:
        """Put back what ``saved`` gave; can be undone."""
        self.end_group()
        self._remember("other")
        self.text, self.cursor = saved[0], min(saved[2], len(saved[0]))
        self.chips.update(saved[1])

    # -- changing ------------------------------------------------------------------------------

    def insert(self, text: str, *, typed: bool = True) -> None:
        """Put text in at the cursor."""
        text = CHIPS.sub("", text)
        if self._single:
            text = text.replace("\n", " ")
        if not text:
            return
        joins = typed and self._last == "type" and not text.isspace()
        self._remember("type" if typed else "other", joins=joins)
        self._splice(self.cursor, self.cursor, text)

    def paste(self, text: str) -> None:
        """Put a pasted text in, folded when it is big."""
        text = CHIPS.sub("", text)
        if self._single or not must_fold(text):
            self.insert(text, typed=False)
            return
        self._remember("other")
        self._splice(self.cursor, self.cursor, self._chip(folded(text)))

    def add_picture(self, picture: Picture) -> None:
        """Put a picture in at the cursor, as a chip with the next number."""
        self._remember("other")
        chip = pictured(picture, max(self.pictures(), default=0) + 1)
        self._splice(self.cursor, self.cursor, self._chip(chip) + " ")

    def put_back_pictures(self, pictures: Mapping[int, Picture]) -> None:
        """Make chips again of the pictures that a text speaks of by number: it was sent, and came back."""
        for number, picture in pictures.items():
            chip = pictured(picture, number)
            at = self.text.find(chip.text)
            if at >= 0:
                self._splice(at, at + len(chip.text), self._chip(chip))
        if pictures:
            self.cursor = len(self.text)

    def folded_at_cursor(self) -> int | None:
        """Say where the folded paste stands that the cursor touches, the one under it first; None without one."""
        for at in (self.cursor, self.cursor - 1):
            chip = self.chips.get(self.text[at : at + 1]) if at >= 0 else None
            if chip is not None and chip.picture is None:
                return at
        return None

    def unfold(self) -> None:
        """Put the whole text of the folded paste that the cursor touches in its place."""
        at = self.folded_at_cursor()
        if at is not None:
            self._remember("other")
            self._splice(at, at + 1, self.chips[self.text[at]].text)

    def backspace(self) -> None:
        """Erase the character before the cursor, whole."""
        self._erase(self.before(self.cursor), self.cursor)

    def delete(self) -> None:
        """Erase the character under the cursor, whole."""
        self._erase(self.cursor, self.after(self.cursor))

    def kill_to_line_end(self) -> None:
        """Cut to the end of the line; at the end, the line break."""
        end = self.end_of_line(self.cursor)
        self._kill(self.cursor, end if end > self.cursor else min(end + 1, len(self.text)), "right")

    def kill_to_line_start(self) -> None:
        """Cut to the start of the line; at the start, the line break before it."""
        start = self.start_of_line(self.cursor)
        self._kill(start if start < self.cursor else max(start - 1, 0), self.cursor, "left")

    def kill_word_left(self) -> None:
        """Cut back to the blank before the word."""
        starts = [m.start() for m in _NON_BLANK.finditer(self.text, 0, self.cursor)]
        self._kill(starts[-1] if starts else 0, self.cursor, "left")

    def kill_word_back(self) -> None:
        """Cut back to the start of the word."""
        starts = [m.start() for m in _WORD.finditer(self.text, 0, self.cursor)]
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
        self.move_to(self.before(self.cursor))

    def right(self) -> None:
        """One character on."""
        self.move_to(self.after(self.cursor))

    def word_left(self) -> None:
        """To the start of the word before the cursor."""
        starts = [m.start() for m in _WORD.finditer(self.text, 0, self.cursor)]
        self.move_to(starts[-1] if starts else 0)

    def word_right(self) -> None:
        """To the end of the word behind the cursor."""
        self.move_to(self._word_end(self.cursor))

    def line_start(self) -> None:
        """To the start of the line."""
        self.move_to(self.start_of_line(self.cursor))

    def line_end(self) -> None:
        """To the end of the line."""
        self.move_to(self.end_of_line(self.cursor))

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
        self.kills.push(self.plain(self.text[start:end]), way if again else None)
        self._remember(kind)
        self._splice(start, end, "")

    def _yank(self, text: str, start: int, end: int) -> None:
        if self._single:
            text = text.replace("\n", " ")
        if text:
            self._remember("yank")
            self._splice(start, end, self._chip(folded(text)) if must_fold(text) else text)
            self._yanked = (start, self.cursor)

    def _chip(self, chip: Chip) -> str:
        char = chr(CHIP_BASE + len(self.chips) % (CHIP_END - CHIP_BASE))
        self.chips[char] = chip
        return char

    def _remember(self, kind: Change, *, joins: bool = False) -> None:
        if self._grouped is not None:
            joins, self._grouped = self._grouped, True
        if not joins:
            self._undo.append((self.text, self.cursor))
            del self._undo[:-MAX_UNDO]
        self._redo.clear()
        self._last = kind

    def begin_group(self) -> bool:
        """From here to ``end_group`` all changes are taken back by one undo; tell whether one began: there is one only."""
        began = self._grouped is None
        self._grouped = self._grouped or False
        return began

    def end_group(self) -> None:
        """End the group, if there is one."""
        self._grouped = None
        self._last = "other"

    def _travel(self, source: list[tuple[str, int]], target: list[tuple[str, int]]) -> None:
        self.end_group()
        if source:
            target.append((self.text, self.cursor))
            self.text, self.cursor = source.pop()
            self._last = "other"

    # -- places --------------------------------------------------------------------------------

    def start_of_line(self, at: int) -> int:
        """Give where the line begins that ``at`` is in."""
        return self.text.rfind("\n", 0, at) + 1

    def end_of_line(self, at: int) -> int:
        """Give where the line ends that ``at`` is in, before its line break."""
        end = self.text.find("\n", at)
        return len(self.text) if end < 0 else end

    def _word_end(self, at: int) -> int:
        found = _WORD.search(self.text, at)
        return found.end() if found else len(self.text)

    def before(self, at: int) -> int:
        """Give where the character before ``at`` begins."""
        start = self.start_of_line(at)
        if at == start:
            return max(at - 1, 0)
        return start + max(s for s, _end, _width in clusters(self.text[start:at]))

    def after(self, at: int) -> int:
        """Give where the character at ``at`` ends."""
        end = self.end_of_line(at)
        if at == end:
            return min(at + 1, len(self.text))
        return at + clusters(self.text[at:end])[0][1]
