"""Where Vim's motions lead, and what its text objects cover: pure functions over a text.

A motion gives a place in the text, or None when it leads nowhere. What an operator takes of it depends on the kind of
motion: up to the place, with the character at the place, or whole lines.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

Kind: TypeAlias = Literal["exclusive", "inclusive", "lines"]
Motion: TypeAlias = Callable[[str, int, int], int | None]
"""Takes the text, where the cursor is, and how often; gives where it goes."""

_WORD = re.compile(r"\w+|[^\w\s]+|(?<=\n)(?=\n)")
_BIG_WORD = re.compile(r"\S+|(?<=\n)(?=\n)")
PAIRS = {"(": ")", "[": "]", "{": "}", "<": ">"}
_OBJECT_PAIRS = {
    **{key: (a, b) for a, b in PAIRS.items() for key in (a, b)},
    "b": ("(", ")"),
    "B": ("{", "}"),
}
_QUOTES = frozenset("\"'`")


@dataclass(frozen=True, slots=True)
class Reach:
    """What an operator works on: from ``start`` up to ``end``; ``lines``: these are whole lines without the last break."""

    start: int
    end: int
    lines: bool = False


# Lines --------------------------------------------------------------------------------------------


def line_start(text: str, at: int) -> int:
    """Give where the line begins."""
    return text.rfind("\n", 0, at) + 1


def line_end(text: str, at: int) -> int:
    """Give where the line ends, before its break."""
    end = text.find("\n", at)
    return len(text) if end < 0 else end


def first_word(text: str, at: int) -> int:
    """Give the first place of the line that is no blank; its end when there is none."""
    start, end = line_start(text, at), line_end(text, at)
    return start + len(text[start:end]) - len(text[start:end].lstrip())


def lines_around(text: str, at: int, count: int) -> Reach:
    """Give ``count`` whole lines from the one at a place on."""
    end = line_end(text, at)
    for _ in range(count - 1):
        end = line_end(text, min(end + 1, len(text)))
    return Reach(line_start(text, at), end, lines=True)


def _to_line_end(text: str, at: int, count: int) -> int:
    end = lines_around(text, at, count).end
    return max(end - 1, line_start(text, end))


def _line(text: str, at: int, count: int) -> int:
    """Give the first word of a line by its number, from 1; the last line for 0."""
    if not count:
        return first_word(text, len(text))
    start = 0
    for _ in range(count - 1):
        end = text.find("\n", start)
        if end < 0:
            break
        start = end + 1
    return first_word(text, start)


def _paragraph_after(text: str, at: int, count: int) -> int:
    for _ in range(count):
        found = re.compile(r"\n(?=\n)").search(text, at + (text[at : at + 1] == "\n"))
        at = found.end() if found else len(text)
    return at


def _paragraph_before(text: str, at: int, count: int) -> int:
    for _ in range(count):
        found = text.rfind("\n\n", 0, max(at, 0))
        at = found + 1 if found >= 0 else 0
    return at


# Words --------------------------------------------------------------------------------------------


def _forward(pattern: re.Pattern[str]) -> Motion:
    def go(text: str, at: int, count: int) -> int:
        for _ in range(count):
            starts = (m.start() for m in pattern.finditer(text, at) if m.start() > at)
            here = pattern.match(text, at)
            inside = here.end() if here else at
            at = next((s for s in starts if s >= inside), len(text))
        return at

    return go


def _backward(pattern: re.Pattern[str]) -> Motion:
    def go(text: str, at: int, count: int) -> int:
        for _ in range(count):
            at = max((m.start() for m in pattern.finditer(text) if m.start() < at), default=0)
        return at

    return go


def _word_end(pattern: re.Pattern[str]) -> Motion:
    def go(text: str, at: int, count: int) -> int:
        for _ in range(count):
            ends = (m.end() - 1 for m in pattern.finditer(text) if m.end() > m.start())
            at = next((end for end in ends if end > at), max(len(text) - 1, 0))
        return at

    return go


def _word_end_before(pattern: re.Pattern[str]) -> Motion:
    def go(text: str, at: int, count: int) -> int:
        for _ in range(count):
            ends = (m.end() - 1 for m in pattern.finditer(text) if m.end() > m.start())
            at = max((end for end in ends if end < at), default=0)
        return at

    return go


# Finding ------------------------------------------------------------------------------------------


def find(text: str, at: int, count: int, how: str, char: str, *, again: bool = False) -> int | None:
    """Find a character in the line: ``how`` is ``f``, ``F``, ``t`` or ``T``; ``again``: next to it doesn't count."""
    start, end = line_start(text, at), line_end(text, at)
    on = how in "ft"
    place = at
    for turn in range(count):
        skip = 1 if how in "tT" and (again or turn) else 0
        if on:
            place = text.find(char, place + 1 + skip, end)
        else:
            place = text.rfind(char, start, max(place - skip, start))
        if place < 0:
            return None
        if turn < count - 1:
            place += {"t": -1, "T": 1}.get(how, 0)
    return place + {"t": -1, "T": 1}.get(how, 0)


def _partner(text: str, at: int, count: int) -> int | None:
    """Find the bracket that belongs to the first one at the cursor or behind it in the line."""
    signs = {**PAIRS, **{b: a for a, b in PAIRS.items()}}
    del signs["<"], signs[">"]
    end = line_end(text, at)
    here = next((i for i in range(at, end) if text[i] in signs), None)
    if here is None:
        return None
    sign, other = text[here], signs[text[here]]
    step = 1 if sign in PAIRS else -1
    depth, place = 0, here
    while 0 <= place < len(text):
        depth += (text[place] == sign) - (text[place] == other)
        if not depth:
            return place
        place += step
    return None


MOTIONS: Mapping[str, tuple[Kind, Motion]] = {
    "0": ("exclusive", lambda text, at, _: line_start(text, at)),
    "^": ("exclusive", lambda text, at, _: first_word(text, at)),
    "_": ("lines", lambda text, at, n: first_word(text, lines_around(text, at, n).end)),
    "$": ("inclusive", _to_line_end),
    "w": ("exclusive", _forward(_WORD)),
    "W": ("exclusive", _forward(_BIG_WORD)),
    "b": ("exclusive", _backward(_WORD)),
    "B": ("exclusive", _backward(_BIG_WORD)),
    "e": ("inclusive", _word_end(_WORD)),
    "E": ("inclusive", _word_end(_BIG_WORD)),
    "ge": ("inclusive", _word_end_before(_WORD)),
    "gE": ("inclusive", _word_end_before(_BIG_WORD)),
    "gg": ("lines", lambda text, at, n: _line(text, at, n or 1)),
    "G": ("lines", _line),
    "%": ("inclusive", _partner),
    "{": ("exclusive", _paragraph_before),
    "}": ("exclusive", _paragraph_after),
}
"""Those that need nothing but the text; ``h j k l`` go by whole characters and columns, and ``f t ; ,`` by a character."""
COUNT_IS_PLACE = frozenset({"gg", "G"})
"""Here a count names a line, and none at all means something else than 1."""


# Text objects -------------------------------------------------------------------------------------


def text_object(text: str, at: int, around: bool, name: str) -> Reach | None:
    """Give what ``iw``, ``a(`` and the like cover; None when there is none here."""
    if name in ("w", "W"):
        return _word_object(text, at, around, big=name == "W")
    if name in _QUOTES:
        return _quoted(text, at, around, name)
    if name == "p":
        return _paragraph(text, at, around)
    if name in _OBJECT_PAIRS:
        return _enclosed(text, at, around, *_OBJECT_PAIRS[name])
    return None


def _word_object(text: str, at: int, around: bool, *, big: bool) -> Reach | None:
    start, end = line_start(text, at), line_end(text, at)
    if start == end:
        return None
    pattern = re.compile(r"\s+|\S+" if big else r"\s+|\w+|[^\w\s]+")
    pieces = [m.span() for m in pattern.finditer(text, start, end)]
    here = next((i for i, (a, b) in enumerate(pieces) if a <= at < b), len(pieces) - 1)
    first, last = here, here
    if around:
        blank = text[pieces[here][0]].isspace()
        if here + 1 < len(pieces) and (blank or text[pieces[here + 1][0]].isspace()):
            last = here + 1
        elif here and (blank or text[pieces[here - 1][0]].isspace()):
            first = here - 1
    return Reach(pieces[first][0], pieces[last][1])


def _quoted(text: str, at: int, around: bool, quote: str) -> Reach | None:
    start, end = line_start(text, at), line_end(text, at)
    marks = [i for i in range(start, end) if text[i] == quote and text[i - 1 : i] != "\\"]
    for a, b in zip(marks[::2], marks[1::2], strict=False):
        if at <= b:
            if not around:
                return Reach(a + 1, b)
            rest = text[b + 1 : end]
            behind = len(rest) - len(rest.lstrip())
            before = 0 if behind else len(text[start:a]) - len(text[start:a].rstrip())
            return Reach(a - before, b + 1 + behind)
    return None


def _enclosed(text: str, at: int, around: bool, opening: str, closing: str) -> Reach | None:
    depth, start = 0, at
    if text[at : at + 1] == closing:
        start -= 1
    while start >= 0:
        sign = text[start : start + 1]
        depth += (sign == closing) - (sign == opening)
        if depth < 0:
            break
        start -= 1
    if start < 0:
        return None
    depth = 0
    for end in range(start, len(text)):
        depth += (text[end] == opening) - (text[end] == closing)
        if not depth:
            return Reach(start, end + 1) if around else Reach(start + 1, end)
    return None


def _paragraph(text: str, at: int, around: bool) -> Reach:
    lines = text.split("\n")
    number = text.count("\n", 0, at)
    blank = not lines[number].strip()

    def grow(index: int, step: int, blank: bool) -> int:
        while 0 <= index + step < len(lines) and (not lines[index + step].strip()) == blank:
            index += step
        return index

    first, last = grow(number, -1, blank), grow(number, 1, blank)
    if around and last + 1 < len(lines):
        last = grow(last + 1, 1, not blank)
    start = sum(len(line) + 1 for line in lines[:first])
    end = start + sum(len(line) + 1 for line in lines[first : last + 1]) - 1
    return Reach(start, end, lines=True)
