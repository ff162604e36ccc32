"""Texts with unknown stretches, compared without regular expressions: time is linear in the text, whatever the pattern.

A *pattern* and a *text* are both sequences of items: one literal character, ``ONE`` (any single character), a ``OneOf``
(a character of a class, in patterns only) or ``ANY`` (any characters, none too). A rule is a pattern; a shell word such as ``a$x`` is a text that ends in ``ANY``. They
``overlap`` when some string fits both.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias


class Wild(Enum):
    """What stands for characters that aren't known."""

    ONE = "?"
    ANY = "*"


ONE = Wild.ONE
ANY = Wild.ANY


@dataclass(frozen=True, slots=True)
class OneOf:
    """One character of a class: ``[a-z_]``, or with ``negated`` one that is not in it. Pairs are first and last."""

    ranges: tuple[tuple[str, str], ...]
    negated: bool = False
    folds: bool = False

    def holds(self, char: str) -> bool:
        """Tell whether the class has a character; where case is folded, in either case."""
        spellings = {char, char.lower(), char.upper()} if self.folds else {char}
        found = any(first <= one <= last for one in spellings for first, last in self.ranges)
        return found != self.negated


Item: TypeAlias = str | Wild | OneOf
Items: TypeAlias = tuple[Item, ...]


def items(*pieces: Item) -> Items:
    """Make a sequence of items of literal texts and wild ones."""
    out: list[Item] = []
    for piece in pieces:
        if isinstance(piece, str):
            out.extend(piece)
        elif piece is not ANY or not out or out[-1] is not ANY:
            out.append(piece)
    return tuple(out)


def read_class(text: str, start: int) -> tuple[OneOf, int] | None:
    r"""Read a class of characters that begins with the ``[`` at ``start``; give it and where it ends.

    As in gitignore: ``!`` or ``^`` at its head negates, ``]`` at its head is a character of it, ``\`` takes away a
    character's meaning. None: it is never closed, so the ``[`` is a character like others.
    """
    at = start + 1
    negated = text[at : at + 1] in ("!", "^") and at < len(text)
    at += negated
    first, ranges = at, list[tuple[str, str]]()
    while at < len(text):
        if text[at] == "]" and at > first:
            return OneOf(tuple(ranges), negated), at + 1
        low, at = _member(text, at)
        high = low
        if text[at : at + 1] == "-" and text[at + 1 : at + 2] not in ("", "]"):
            high, at = _member(text, at + 1)
        ranges.append((low, high))
    return None


def _member(text: str, at: int) -> tuple[str, int]:
    escaped = text[at] == "\\" and at + 1 < len(text)
    return text[at + escaped], at + escaped + 1


def star_pattern(text: str) -> Items:
    """Read a pattern in which only ``*`` is special."""
    return items(*(ANY if char == "*" else char for char in text))


def overlap(pattern: Items, text: Items) -> bool:
    """Tell whether some string fits both; for a text without wild items: whether the pattern matches it.

    The places reached in the pattern are the bits of one integer, so a step costs a few operations whatever the
    pattern's length.
    """
    stars = _bits(pattern, ANY)
    singles = _bits(pattern, ONE)
    where: dict[str, int] = {}
    classes: list[tuple[OneOf, int]] = []
    for index, item in enumerate(pattern):
        if isinstance(item, str):
            where[item] = where.get(item, 0) | 1 << index
        elif isinstance(item, OneOf):
            classes.append((item, 1 << index))
    everywhere = (1 << len(pattern) + 1) - 1
    reached = _past_stars(1, stars)
    for item in text:
        if item is ANY:
            lowest = (reached & -reached).bit_length() - 1
            reached = everywhere & ~((1 << lowest) - 1)
        else:
            step = everywhere >> 1
            if isinstance(item, str):
                step = stars | singles | where.get(item, 0)
                step |= sum(bit for one, bit in classes if one.holds(item))
            moved = reached & step
            reached = _past_stars((moved & stars) | (moved & ~stars) << 1, stars)
        if not reached:
            return False
    return bool(reached >> len(pattern) & 1)


def matches(pattern: Items, text: str) -> bool:
    """Tell whether the pattern fits the whole of a known text."""
    return overlap(pattern, tuple(text))


def segments_match(patterns: Sequence[Items | None], names: Sequence[str]) -> bool:
    """Match path segments; None in ``patterns`` is ``**``: any number of segments, none too."""
    reached = {0}
    for name in names:
        reached = _skip_doubles(patterns, reached)
        step: set[int] = set()
        for index in reached:
            if index == len(patterns):
                continue
            pattern = patterns[index]
            if pattern is None:
                step.add(index)
            elif matches(pattern, name):
                step.add(index + 1)
        reached = step
        if not reached:
            return False
    return len(patterns) in _skip_doubles(patterns, reached)


def _skip_doubles(patterns: Sequence[Items | None], reached: Iterable[int]) -> set[int]:
    out: set[int] = set()
    for start in reached:
        index = start
        out.add(index)
        while index < len(patterns) and patterns[index] is None:
            index += 1
            out.add(index)
    return out


def _bits(pattern: Items, wanted: Wild) -> int:
    return sum(1 << index for index, item in enumerate(pattern) if item is wanted)


def _past_stars(reached: int, stars: int) -> int:
    while True:
        more = reached | (reached & stars) << 1
        if more == reached:
            return reached
        reached = more
