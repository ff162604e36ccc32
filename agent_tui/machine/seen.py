"""What the model was shown of the session's files: the memory behind "read it first" and "changed since"."""

from __future__ import annotations

from dataclasses import replace

from agent_tui.protocol.ports import Seen

MAX_BYTES_OF_ONE = 1024 * 1024
MAX_BYTES_OF_ALL = 16 * 1024 * 1024


class Memory:
    """Seen files by real path. Digests are kept for ever, bytes only of the newest few."""

    def __init__(self) -> None:
        self._seen: dict[str, Seen] = {}

    def add(self, real_path: str, seen: Seen) -> None:
        """Note what was shown; ranges of the same bytes add up, other bytes start anew."""
        before = self._seen.pop(real_path, None)
        if before is not None and before.digest == seen.digest:
            seen = replace(
                seen,
                ranges=merged(before.ranges + seen.ranges),
                data=before.data if seen.data is None else seen.data,
            )
        else:
            seen = replace(seen, ranges=merged(seen.ranges))
        if seen.data is not None and len(seen.data) > MAX_BYTES_OF_ONE:
            seen = replace(seen, data=None)
        self._seen[real_path] = seen
        self._forget_old_bytes()

    def get(self, real_path: str) -> Seen | None:
        """Give what was shown of a file."""
        return self._seen.get(real_path)

    def all(self) -> dict[str, Seen]:
        """Give everything, oldest first."""
        return dict(self._seen)

    def _forget_old_bytes(self) -> None:
        room = MAX_BYTES_OF_ALL
        for path, seen in reversed(self._seen.items()):
            room -= len(seen.data or b"")
            if room < 0 and seen.data is not None:
                self._seen[path] = replace(seen, data=None)


def merged(ranges: tuple[tuple[int, int], ...]) -> tuple[tuple[int, int], ...]:
    """Join ranges of lines that touch or overlap, in order."""
    out: list[tuple[int, int]] = []
    for first, last in sorted(ranges):
        if out and first <= out[-1][1] + 1:
            out[-1] = (out[-1][0], max(out[-1][1], last))
        else:
            out.append((first, last))
    return tuple(out)
