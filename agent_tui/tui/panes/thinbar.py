"""The scroll bar's arithmetic: which rows of the view it covers, and where a drag of it leads."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ThinBar:
    """A bar from row ``start`` up to ``end`` of a view of ``height`` rows on ``total``; empty when all is in sight."""

    start: int = 0
    end: int = 0
    height: int = 0
    total: int = 0

    @classmethod
    def of(cls, total: int, height: int, top: int, *, at_end: bool) -> ThinBar:
        """Make the bar for a view whose first row is ``top``."""
        if not total > height > 0:
            return cls(height=height, total=total)
        size = max(1, height * height // total)
        free = height - size
        start = free if at_end else min(free, round(top * free / (total - height)))
        return cls(start, start + size, height, total)

    def __contains__(self, row: int) -> bool:
        return self.start <= row < self.end

    def __bool__(self) -> bool:
        return self.end > self.start

    def rows(self) -> set[int]:
        """Give the rows it covers."""
        return set(range(self.start, self.end))

    def grip(self, row: int) -> int:
        """Where it is held when a row is pressed: on it at that place, beside it at its middle."""
        return row - self.start if row in self else (self.end - self.start) // 2

    def leads_to(self, row: int, grip: int) -> int | None:
        """Give the view's first row when the bar is dragged to a row; None means the end."""
        free = self.height - (self.end - self.start)
        wanted = row - grip
        if free <= 0 or wanted >= free:
            return None
        return round(max(0, wanted) * (self.total - self.height) / free)
