"""Which options a program may be given, and its words sorted by that: options, their values, the rest.

Whether an option takes the next word is told by a table, and tables can be wrong, or right for another version. So unless
a program is ``loose`` no word that begins with ``-`` may be a value, or stand behind ``--``, and be none of the options
that are known: whichever of the words the program takes for options, all of them are harmless.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from agent_tui.permissions.shell.words import Hole, Word, word_of

_NUMERIC = re.compile(r"-\d+")


@dataclass(frozen=True, slots=True)
class Options:
    """The options that are known.

    Attributes:
        flags: letters without a value.
        valued: letters with one, attached or the next word.
        long: names after ``--``, with or without ``=value``.
        long_valued: names whose value may be the next word.
        numeric: ``-5`` is an option.
        mixed: options may come after other words (GNU); else the first other word ends them.
        loose: no option of the program matters, so a word that can't be read may be one.
        exact: it is sure which options take the next word, so such a word may begin with ``-``.
    """

    flags: str = ""
    valued: str = ""
    long: frozenset[str] = frozenset()
    long_valued: frozenset[str] = frozenset()
    numeric: bool = False
    mixed: bool = True
    loose: bool = False
    exact: bool = False


@dataclass(frozen=True, slots=True)
class Sorted:
    """A program's words: ``rest`` is what isn't an option, ``at`` where the rest began; values by option name."""

    rest: tuple[Word, ...]
    values: tuple[tuple[str, Word], ...]
    given: frozenset[str]
    at: int

    def value(self, *wanted: str) -> Word | None:
        """Give the value of the first of these options that was given."""
        return next((word for name, word in self.values if name in wanted), None)


def sort_words(words: Sequence[Word], known: Options) -> Sorted | None:
    """Sort a program's words (its name left out); None when one may be an option that isn't known."""
    reader = _Reader(words, known)
    return reader.read()


class _Reader:
    def __init__(self, words: Sequence[Word], known: Options) -> None:
        self._words = words
        self._known = known
        self._rest: list[Word] = []
        self._values: list[tuple[str, Word]] = []
        self._apart: list[Word] = []
        self._given: set[str] = set()
        self._at = 0

    def read(self) -> Sorted | None:
        words, known = self._words, self._known
        first = len(words)
        while self._at < len(words):
            word = words[self._at]
            if word.is_text("--"):
                first = min(first, self._at + 1)
                self._rest.extend(words[self._at + 1 :])
                if known.mixed and not all(map(self._plain, self._rest)):
                    return None
                break
            if _is_operand(word, loose=known.loose):
                first = min(first, self._at)
                if not known.mixed:
                    self._rest.extend(words[self._at :])
                    break
                if not self._whole(word):
                    return None
                self._rest.append(word)
                self._at += 1
            elif not self._option(word):
                return None
        if not all(map(self._plain, self._apart)):
            return None
        if not all(self._whole(word) for _, word in self._values):
            return None
        return Sorted(tuple(self._rest), tuple(self._values), frozenset(self._given), first)

    def _whole(self, word: Word) -> bool:
        """Tell whether a word surely stays one, so that no option falls out of it; files' names may be several."""
        return self._known.loose or not any(
            isinstance(piece, Hole) and not piece.quoted and piece.kind not in ("glob", "process")
            for piece in word.pieces
        )

    def _plain(self, word: Word) -> bool:
        """Tell whether a word may stand where no option is expected; see the head of the file."""
        known = self._known
        if known.loose:
            return True
        if not self._whole(word):
            return False
        if known.exact or _is_operand(word, loose=False):
            return not (isinstance(word.pieces[0], Hole) and word.splits)
        return word.literal and bool(_NUMERIC.fullmatch(word.start))

    def _option(self, word: Word) -> bool:
        start = word.start
        if start.startswith("--"):
            return self._long(word, start)
        if not word.literal and not self._known.valued:
            return False
        if self._known.numeric and word.literal and _NUMERIC.fullmatch(start):
            self._at += 1
            return True
        return len(start) > 1 and start[0] == "-" and self._short(word, start)

    def _long(self, word: Word, start: str) -> bool:
        name, equals, value = start[2:].partition("=")
        known = self._known
        if equals:
            if name not in known.long and name not in known.long_valued:
                return False
            self._values.append((name, _rest_of(word, len(start) - len(value))))
        elif not word.literal:
            return False
        elif name in known.long_valued:
            self._at += 1
            if self._at >= len(self._words):
                return False
            self._apart.append(self._words[self._at])
            self._values.append((name, self._words[self._at]))
        elif name not in known.long:
            return False
        self._given.add(name)
        self._at += 1
        return True

    def _short(self, word: Word, start: str) -> bool:
        for index, letter in enumerate(start[1:], 1):
            if letter in self._known.flags:
                self._given.add(letter)
                continue
            if letter not in self._known.valued:
                return False
            self._given.add(letter)
            if index + 1 < len(start) or not word.literal:
                self._values.append((letter, _rest_of(word, index + 1)))
                self._at += 1
                return True
            self._at += 2
            if self._at > len(self._words):
                return False
            self._apart.append(self._words[self._at - 1])
            self._values.append((letter, self._words[self._at - 1]))
            return True
        self._at += 1
        return word.literal


def _is_operand(word: Word, *, loose: bool) -> bool:
    if word.is_text("-"):
        return True
    if word.start:
        return not word.start.startswith("-")
    first = word.pieces[0]
    if first == "":
        return True
    return loose or (isinstance(first, Hole) and first.kind in ("tilde", "process"))


def _rest_of(word: Word, skip: int) -> Word:
    """Give a word without its first ``skip`` characters, which are literal."""
    rest = word.start[skip:]
    if word.literal:
        return word_of(rest)
    return Word(word.raw, (rest, *word.pieces[1:]) if rest else word.pieces[1:])
