"""Heights of many parts: which part is at a row, and at which row a part begins, without adding them all up."""

from __future__ import annotations

from collections.abc import Iterable


class Heights:
    """A list of heights in rows with a binary indexed tree over it: every question costs log n."""

    def __init__(self, heights: Iterable[int] = ()) -> None:
        self.rebuild(heights)

    def rebuild(self, heights: Iterable[int]) -> None:
        """Take all heights anew."""
        self._heights = list(heights)
        self._tree = [0, *self._heights]
        for at in range(1, len(self._tree)):
            parent = at + (at & -at)
            if parent < len(self._tree):
                self._tree[parent] += self._tree[at]
        self.total = sum(self._heights)

    def __len__(self) -> int:
        return len(self._heights)

    def __getitem__(self, index: int) -> int:
        return self._heights[index]

    def __setitem__(self, index: int, height: int) -> None:
        difference = height - self._heights[index]
        if not difference:
            return
        self._heights[index] = height
        self.total += difference
        at = index + 1
        while at < len(self._tree):
            self._tree[at] += difference
            at += at & -at

    def append(self, height: int) -> None:
        """Add a part at the end."""
        at = len(self._tree)
        node, child = height, at - 1
        while child > at - (at & -at):
            node += self._tree[child]
            child -= child & -child
        self._tree.append(node)
        self._heights.append(height)
        self.total += height

    def pop(self) -> None:
        """Take the last part away."""
        self._tree.pop()
        self.total -= self._heights.pop()

    def before(self, index: int) -> int:
        """Give the rows of all parts before one."""
        rows = 0
        while index > 0:
            rows += self._tree[index]
            index -= index & -index
        return rows

    def find(self, row: int) -> tuple[int, int]:
        """Give the part at a row and the row inside it; the end of the last part for rows beyond."""
        if not self._heights:
            return 0, 0
        at, rest = 0, max(0, row)
        step = 1 << (len(self._tree).bit_length() - 1)
        while step:
            if at + step < len(self._tree) and self._tree[at + step] <= rest:
                at += step
                rest -= self._tree[at]
            step >>= 1
        if at >= len(self._heights):
            return len(self._heights) - 1, max(0, self._heights[-1] - 1)
        return at, rest
