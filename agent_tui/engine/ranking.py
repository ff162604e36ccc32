"""Fuzzy ranking of paths: every character of the query in order, the file's name before its folders.

Made for hundreds of thousands of paths, between one key and the next. Those that can be best are looked for first, and only
so many of each kind are compared: the query begins the file's name, stands in it, stands in the path. They are found in
one long text, at the speed of a search for a word. Only where these are few it is looked for here and there, where a bit
mask of the characters has thrown most paths out. Short, shallow paths come first, so what is left out of a kind is what
would have been last in it.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from heapq import nsmallest
from itertools import accumulate, islice

SEPARATORS = frozenset("/_-. ")
MOST_WHOLE = 1_500
"""So many paths of each kind in which the query stands as it is are compared."""
MOST_SPREAD = 3_000
"""So many paths that may hold its characters here and there are."""
ENOUGH = 1_000
"""Where the query stands as it is in so many paths, no others are looked for."""
RECENT_BONUS = 12.0
"""What the file used last is given on top of its score; those before it less and less."""

_INITIALS = re.compile(r"(?:^|[/_\-. ])([^/_\-. ])")


@dataclass(frozen=True, slots=True)
class Match:
    """A path that matches: higher ``score`` is better; ``at`` are the matched characters' places."""

    path: str
    score: float
    at: tuple[int, ...]


def mask(text: Iterable[str]) -> int:
    """Give the set of lower-case characters as bits (some share a bit)."""
    bits = 0
    for char in set(text):
        bits |= 1 << (ord(char) & 63)
    return bits


def score(query: str, path: str) -> Match | None:
    """Match lower-case ``query`` in ``path``, preferring the file name; None when it does not occur."""
    lower = path.lower()
    base = lower.rstrip("/").rfind("/") + 1
    at = _places(query, lower, base) or _places(query, lower, 0)
    if at is None:
        return None
    points = 0.0
    previous = -2
    for place in at:
        points += 1
        if place == previous + 1:
            points += 2
        if place == 0 or lower[place - 1] in SEPARATORS:
            points += 2
        if place >= base:
            points += 1
        previous = place
    if lower[base:].startswith(query):
        points += 6
    if lower[base:] == query or lower == query:
        points += 10
    return Match(path, points - _weight(path), at)


def _weight(path: str) -> float:
    """What a path loses for its length and depth."""
    return len(path) / 200 + path.count("/") / 10


def _places(query: str, text: str, start: int) -> tuple[int, ...] | None:
    whole = text.find(query, start)
    if whole >= 0:
        return tuple(range(whole, whole + len(query)))
    places: list[int] = []
    at = start - 1
    for char in query:
        at = text.find(char, at + 1)
        if at < 0:
            return None
        places.append(at)
    return tuple(places)


class _Text:
    """Lines in one text, to find those that hold a word."""

    def __init__(self, lines: Iterable[str]) -> None:
        whole = [line.replace("\n", " ") for line in lines]
        self._text = "\n".join(("", *whole, ""))
        self._starts = array("L", accumulate((len(line) + 1 for line in whole), initial=1))

    def holding(self, word: str, most: int, *, begin: bool = False) -> list[int]:
        """Give the numbers of the first lines that hold a word, or begin with it."""
        text, starts, wanted = self._text, self._starts, f"\n{word}" if begin else word
        found: list[int] = []
        at = text.find(wanted, 0 if begin else 1)
        while at >= 0 and len(found) < most:
            number = bisect_right(starts, at + begin) - 1
            found.append(number)
            at = text.find(wanted, starts[number + 1] - 1)
        return found


@dataclass(slots=True)
class _Table:
    """Paths and what is known of each, at the same place of each list; ``paths`` grows last, so it tells the size."""

    paths: list[str] = field(default_factory=list[str])
    masks: list[int] = field(default_factory=list[int])
    initials: list[int] = field(default_factory=list[int])

    def add(self, paths: Sequence[str]) -> None:
        lows = [path.lower() for path in paths]
        self.masks.extend(map(mask, lows))
        self.initials.extend([mask(_INITIALS.findall(low)) for low in lows])
        self.paths.extend(paths)

    def ordered(self) -> _Table:
        """Give the same, light paths first."""
        order = sorted(range(len(self.paths)), key=lambda place: _weight(self.paths[place]))
        return _Table(
            [self.paths[place] for place in order],
            [self.masks[place] for place in order],
            [self.initials[place] for place in order],
        )


@dataclass(frozen=True, slots=True)
class _Left:
    """What the masks left of the first ``size`` paths of a table for a query."""

    query: str = ""
    places: Sequence[int] = ()
    size: int = 0
    table: _Table | None = None


class _Texts:
    """Whole paths and names alone, of a table to which nothing is added any more."""

    def __init__(self, table: _Table) -> None:
        lows = [path.lower() for path in table.paths]
        self._whole = _Text(lows)
        self._names = _Text(low[low.rstrip("/").rfind("/") + 1 :] for low in lows)

    def holding(self, query: str) -> list[int]:
        """Give the places where the query stands as it is, the best kinds first."""
        found = self._names.holding(query, MOST_WHOLE, begin=True)
        for text in (self._names, self._whole):
            if len(found) < MOST_WHOLE:
                found += text.holding(query, MOST_WHOLE)
        return list(dict.fromkeys(found))


class Ranker:
    """Paths that can be searched; add to it while they are still being listed."""

    def __init__(self) -> None:
        self._listed: tuple[_Table, _Texts | None] = (_Table(), None)
        self._left = _Left()

    def __len__(self) -> int:
        return len(self._listed[0].paths)

    def add(self, paths: list[str]) -> None:
        """Add paths, in slices: this is where the work is. A search may go on in another thread."""
        table = self._listed[0]
        self._listed = (table, None)
        table.add(paths)

    def settle(self) -> None:
        """Bring them in order when there are no more to come. Takes a while for many: call it in a thread."""
        table = self._listed[0].ordered()
        self._listed = (table, _Texts(table))

    def search(self, query: str, limit: int, recent: Sequence[str] = ()) -> list[Match]:
        """Give the best matches, best first; an empty query gives ``recent`` ones, then shallow ones.

        ``recent`` are paths that were used lately, the last one first.
        """
        table, texts = self._listed
        query = query.lower()
        if not query:
            shallow = sorted(table.paths[:5000], key=lambda path: (path.count("/"), path))
            return [Match(path, 0, ()) for path in dict.fromkeys((*recent, *shallow))][:limit]
        found = [
            match
            for place in self._worth(table, texts, query)
            if (match := score(query, table.paths[place])) is not None
        ]
        used = list(_used(query, recent))
        known = {match.path for match in used}
        every = [*used, *(match for match in found if match.path not in known)]
        return nsmallest(limit, every, key=lambda match: (-match.score, match.path))

    def _worth(self, table: _Table, texts: _Texts | None, query: str) -> list[int]:
        """Give the places that are worth to be compared."""
        if texts is None:  # still being listed
            return list(self._narrowed(table, query))[: MOST_WHOLE + MOST_SPREAD]
        whole = texts.holding(query)
        if len(whole) >= ENOUGH or len(query) == 1:
            return whole
        places = self._narrowed(table, query)
        if len(places) > MOST_SPREAD:
            wanted, initials = mask(query), table.initials
            likely = (place for place in places if initials[place] & wanted == wanted)
            first = dict.fromkeys((*islice(likely, MOST_SPREAD), *islice(places, MOST_SPREAD)))
            places = list(first)[:MOST_SPREAD]
        return list(dict.fromkeys((*whole, *places)))

    def _narrowed(self, table: _Table, query: str) -> Sequence[int]:
        """Throw out what lacks a character of the query; a longer query looks only through what a shorter one left."""
        left, wanted, masks, size = self._left, mask(query), table.masks, len(table.paths)
        same = left.table is table and left.size == size
        if same and left.query and query.startswith(left.query):
            places = [place for place in left.places if masks[place] & wanted == wanted]
        else:
            every = enumerate(islice(masks, size))
            places = [place for place, bits in every if bits & wanted == wanted]
        self._left = _Left(query, places, size, table)
        return places


def _used(query: str, recent: Sequence[str]) -> Iterable[Match]:
    for number, path in enumerate(recent):
        match = score(query, path)
        if match is not None:
            bonus = RECENT_BONUS * (1 - number / len(recent))
            yield Match(path, match.score + bonus, match.at)
