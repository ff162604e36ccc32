"""Which words of a changed line are new: for a pair of lines, the stretches that differ."""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from typing import TypeAlias

Stretch: TypeAlias = tuple[int, int]

MAX_CHARS = 500
"""Longer lines are compared at their two ends only."""
MIN_LIKENESS = 0.25
"""Less alike than this two lines are no change of one another, and nothing is marked."""

_WORDS = re.compile(r"\w+|\s+|[^\w\s]")


def changed_words(old: str, new: str) -> tuple[list[Stretch], list[Stretch]]:
    """Give the character ranges of ``old`` that went, and of ``new`` that came; both empty when all of it did."""
    if len(old) + len(new) > 2 * MAX_CHARS:
        return _between_ends(old, new)
    words_old, words_new = _WORDS.findall(old), _WORDS.findall(new)
    matcher = SequenceMatcher(None, words_old, words_new, autojunk=False)
    blocks = matcher.get_matching_blocks()
    same = sum(len("".join(words_old[b.a : b.a + b.size]).strip()) for b in blocks)
    longest = max(len(old.strip()), len(new.strip()))
    if not longest or same / longest < MIN_LIKENESS:
        return [], []
    gone: list[Stretch] = []
    came: list[Stretch] = []
    for tag, a0, a1, b0, b1 in matcher.get_opcodes():
        if tag != "equal":
            _mark(gone, words_old, a0, a1)
            _mark(came, words_new, b0, b1)
    return _joined(gone, old), _joined(came, new)


def _mark(stretches: list[Stretch], words: list[str], first: int, last: int) -> None:
    if last > first:
        start = sum(map(len, words[:first]))
        stretches.append((start, start + sum(map(len, words[first:last]))))


def _joined(stretches: list[Stretch], text: str) -> list[Stretch]:
    """Join stretches that only a blank or a single mark parts: many small spots are harder to read."""
    out: list[Stretch] = []
    for start, end in stretches:
        if out and (start - out[-1][1] <= 1 or not text[out[-1][1] : start].strip()):
            out[-1] = (out[-1][0], end)
        else:
            out.append((start, end))
    return out


def _between_ends(old: str, new: str) -> tuple[list[Stretch], list[Stretch]]:
    most = min(len(old), len(new))
    first = 0
    while first < most and old[first] == new[first]:
        first += 1
    last = 0
    while last < most - first and old[-1 - last] == new[-1 - last]:
        last += 1
    if (first + last) / max(len(old), len(new)) < MIN_LIKENESS:
        return [], []
    gone = [(first, len(old) - last)] if len(old) - last > first else []
    came = [(first, len(new) - last)] if len(new) - last > first else []
    return gone, came
