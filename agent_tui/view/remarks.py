"""Comments of the person on lines of files, collected until they are sent to the model as one message."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

Side: TypeAlias = Literal["new", "old"]

BEGINNING = "I looked through it. My comments:"


@dataclass(frozen=True, slots=True)
class Spot:
    """Neighbouring lines of one file.

    Attributes:
        path: names the file; ``shown`` is its name for people.
        side: lines as they are now, or as they were where all of them are gone.
        first, last: their numbers on that side, 1-based.
        lines: the lines, in a diff each with its sign.
    """

    path: str
    shown: str
    side: Side
    first: int
    last: int
    lines: tuple[str, ...]

    @property
    def name(self) -> str:
        """Say which lines: ``line 120``, ``lines 134-135``, ``removed line 7``."""
        gone = "removed " if self.side == "old" else ""
        if self.first == self.last:
            return f"{gone}line {self.first}"
        return f"{gone}lines {self.first}-{self.last}"


@dataclass(frozen=True, slots=True)
class Remark:
    """What the person says of some lines."""

    spot: Spot
    text: str


class Remarks:
    """All that was said and not sent yet."""

    def __init__(self) -> None:
        self._all: list[Remark] = []

    def __len__(self) -> int:
        return len(self._all)

    def __iter__(self) -> Iterator[Remark]:
        return iter(self._all)

    @property
    def files(self) -> int:
        """In how many files."""
        return len({remark.spot.path for remark in self._all})

    def of(self, path: str) -> list[Remark]:
        """Give those on one file, by line."""
        found = [remark for remark in self._all if remark.spot.path == path]
        return sorted(found, key=lambda one: (one.spot.last, one.spot.side == "new"))

    def at(self, path: str, side: Side, last: int) -> Remark | None:
        """Give the one that stands under a line."""
        return next(
            (one for one in self.of(path) if (one.spot.side, one.spot.last) == (side, last)), None
        )

    def put(self, spot: Spot, text: str) -> None:
        """Say something of some lines, in place of what stood under the last of them; nothing takes that back."""
        known = self.at(spot.path, spot.side, spot.last)
        if known is not None:
            self._all.remove(known)
        if text.strip():
            self._all.append(Remark(spot, text.strip()))

    def clear(self) -> None:
        """Forget all."""
        self._all.clear()

    def message(self, beginning: str = BEGINNING) -> str:
        """Give them as one message: each with its file, its lines and what stands there."""
        paths = sorted({one.spot.path: one.spot.shown for one in self._all}.items())
        parts = [beginning]
        for path, shown in paths:
            for one in self.of(path):
                place = f"{shown}, {one.spot.name}" if shown else one.spot.name.capitalize()
                quoted = "\n".join(f"> {line}".rstrip() for line in one.spot.lines)
                parts.append(f"{place}:\n{quoted}\n{one.text}")
        return "\n\n".join(parts)
