"""Sequences that grow at the end and never change for those who hold an older one.

All versions share one list; each knows its own length. Growing the newest version is O(1); growing an older one
copies, so what a holder sees never changes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Generic, TypeVar, cast, overload

T = TypeVar("T")


class Log(Sequence[T]):
    """An append-only sequence: ``plus`` gives the longer one, this one stays."""

    __slots__ = ("_items", "_size")

    def __init__(self, items: Iterable[T] = ()) -> None:
        self._items = list(items)
        self._size = len(self._items)

    def plus(self, item: T) -> Log[T]:
        """Give this sequence with ``item`` at its end."""
        longer: Log[T] = Log()
        mine = self._items if len(self._items) == self._size else self._items[: self._size]
        mine.append(item)
        longer._items = mine
        longer._size = self._size + 1
        return longer

    def __len__(self) -> int:
        return self._size

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> list[T]: ...
    def __getitem__(self, index: int | slice) -> T | list[T]:
        if isinstance(index, slice):
            return [self._items[i] for i in range(*index.indices(self._size))]
        if not -self._size <= index < self._size:
            raise IndexError(index)
        return self._items[index % self._size]

    def __iter__(self) -> Iterator[T]:
        items = self._items
        return (items[i] for i in range(self._size))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Log) and list(self) == list(other)  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]

    __hash__ = None  # pyright: ignore[reportAssignmentType]

    def __repr__(self) -> str:
        return f"Log({list(self)!r})"


class Names(Generic[T]):
    """A set that only grows, with the same promise as ``Log``."""

    __slots__ = ("_places", "_size")

    def __init__(self) -> None:
        self._places: dict[T, int] = {}
        self._size = 0

    def plus(self, name: T) -> Names[T]:
        """Give this set with ``name`` in it."""
        if name in self:
            return self
        more: Names[T] = Names()
        mine = self._places
        if len(mine) != self._size:
            mine = {key: place for key, place in mine.items() if place < self._size}
        mine[name] = self._size
        more._places = mine
        more._size = self._size + 1
        return more

    def __contains__(self, name: object) -> bool:
        places = cast("dict[object, int]", self._places)
        return places.get(name, self._size) < self._size

    def __len__(self) -> int:
        return self._size

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Names) and set(self) == set(other)  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]

    def __iter__(self) -> Iterator[T]:
        return (name for name, place in self._places.items() if place < self._size)

    __hash__ = None  # pyright: ignore[reportAssignmentType]
