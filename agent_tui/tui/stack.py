"""Sequences of rows one below the other, without making any of them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import overload

from agent_tui.tui.lines import Line
from agent_tui.tui.places import Lazy
from agent_tui.view.searching import Needle


class Stack(Sequence[Line]):
    """Several sequences of rows as one; rows are made when they are asked for."""

    def __init__(self, *parts: Sequence[Line]) -> None:
        self._parts = [part for part in parts if len(part)]
        self._starts: list[int] = []
        self._count = 0
        for part in self._parts:
            self._starts.append(self._count)
            self._count += len(part)

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, index: int) -> Line: ...
    @overload
    def __getitem__(self, index: slice) -> list[Line]: ...
    def __getitem__(self, index: int | slice) -> Line | list[Line]:
        if isinstance(index, slice):
            return [self[at] for at in range(*index.indices(self._count))]
        index = index + self._count if index < 0 else index
        if not 0 <= index < self._count:
            raise IndexError(index)
        part = bisect_right(self._starts, index) - 1
        return self._parts[part][index - self._starts[part]]

    def rows_with(self, needle: Needle) -> Iterator[int]:
        """Give the rows near which a text may stand; parts that are drawn already are looked through whole."""
        for start, part in zip(self._starts, self._parts, strict=True):
            rows = part.rows_with(needle) if isinstance(part, Lazy) else range(len(part))
            yield from (start + row for row in rows)

    def __iter__(self) -> Iterator[Line]:
        return (line for part in self._parts for line in part)
