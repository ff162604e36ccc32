"""The lines of a text that a pattern matches, with lines around them, in ripgrep's order."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol


class Wanted(Protocol):
    """What of a request is asked for here."""

    @property
    def multiline(self) -> bool:
        """A match may span lines."""
        ...

    @property
    def before(self) -> int:
        """Lines to show before a match."""
        ...

    @property
    def after(self) -> int:
        """Lines to show after a match."""
        ...


@dataclass(frozen=True, slots=True)
class Event:
    """Lines that match (several if a match spans them), or one line of context.

    ``text`` keeps the line ends; ``spans`` are the matches in it, in bytes.
    """

    number: int
    text: bytes
    is_match: bool
    spans: tuple[tuple[int, int], ...] = ()


def matching_lines(
    data: bytes, regex: re.Pattern[str], wanted: Wanted, *, stop_at_first: bool
) -> int:
    """Count the matches' lines."""
    count = 0
    for _ in _matches(_lines(data), regex, multiline=wanted.multiline):
        count += 1
        if stop_at_first:
            break
    return count


def events(data: bytes, regex: re.Pattern[str], wanted: Wanted) -> Iterator[Event]:
    """Give the matches with their context, every line once."""
    lines = _lines(data)
    done = 0  # lines up to here were given
    context_until = 0
    for first, last, spans in _matches(lines, regex, multiline=wanted.multiline):
        for at in range(done, min(context_until, first)):
            yield Event(at + 1, lines[at], is_match=False)
        done = max(done, min(context_until, first))
        for at in range(max(done, first - wanted.before), first):
            yield Event(at + 1, lines[at], is_match=False)
        yield Event(first + 1, b"".join(lines[first:last]), True, spans)
        done, context_until = last, last + wanted.after
    for at in range(done, min(context_until, len(lines))):
        yield Event(at + 1, lines[at], is_match=False)


_Match = tuple[int, int, tuple[tuple[int, int], ...]]


def _matches(lines: list[bytes], regex: re.Pattern[str], *, multiline: bool) -> Iterator[_Match]:
    """Give first line, line after the last, and spans of each match, by order; lines count from 0."""
    if multiline:
        yield from _spanning(lines, regex)
        return
    for at, line in enumerate(lines):
        text = _decoded(line)
        bare = text.rstrip("\n").removesuffix("\r")
        spans = tuple(
            (_size(text[: match.start()]), _size(text[: match.end()]))
            for match in regex.finditer(bare)
        )
        if spans:
            yield at, at + 1, spans


def _spanning(lines: list[bytes], regex: re.Pattern[str]) -> Iterator[_Match]:
    starts: list[int] = []
    size = 0
    for line in lines:
        starts.append(size)
        size += len(line)
    text = _decoded(b"".join(lines))
    open_match: tuple[int, int, list[tuple[int, int]]] | None = None
    at = place = 0  # the same place, in characters and in bytes
    line = 0
    for match in regex.finditer(text):
        place += _size(text[at : match.start()])
        at = match.start()
        start, end = place, place + _size(match[0])
        while line + 1 < len(starts) and starts[line + 1] <= start:
            line += 1
        last = line
        while last + 1 < len(starts) and starts[last + 1] < end:
            last += 1
        if start >= size and not (start == end == size == 0):
            continue
        if open_match is not None and line < open_match[1]:
            first, until, spans = open_match
            spans.append((start - starts[first], end - starts[first]))
            open_match = (first, max(until, last + 1), spans)
            continue
        if open_match is not None:
            yield open_match[0], open_match[1], tuple(open_match[2])
        base = starts[line] if starts else 0
        open_match = (line, last + 1, [(start - base, end - base)])
    if open_match is not None:
        yield open_match[0], open_match[1], tuple(open_match[2])


def _lines(data: bytes) -> list[bytes]:
    lines = [line + b"\n" for line in data.split(b"\n")]
    if lines[-1] == b"\n":
        lines.pop()
    else:
        lines[-1] = lines[-1][:-1]
    return lines


def _decoded(line: bytes) -> str:
    return line.decode("utf-8", "surrogateescape")


def _size(text: str) -> int:
    return len(text.encode("utf-8", "surrogateescape"))
