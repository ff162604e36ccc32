"""A text looked for in the conversation: how many places there are, the one that is looked at, and the way back.

Counting goes by what blocks say, drawn or not, so it costs little however long the conversation is. A block one comes to
is drawn, unfolded if need be, and from then on counts what is really seen in it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from agent_tui.tui.panes.entries import Entries
from agent_tui.tui.panes.parts import Entry, Part, PiecePart
from agent_tui.tui.panes.reel import Anchor
from agent_tui.tui.places import Stretch, places
from agent_tui.view.searching import Needle, count_in, needle_of


@dataclass(frozen=True, slots=True)
class Spotted:
    """A place that is drawn: the part, and the stretches of its body's rows."""

    part: Part
    stretches: tuple[Stretch, ...]


class Finding:
    """One search, from its first letter until it is left.

    Attributes:
        text: what is looked for, as typed.
        older: places in messages that are not here yet.
        current: the place that is looked at, None when it can't be seen or there is none.
    """

    def __init__(self, entries: Entries) -> None:
        self.text = ""
        self.older = 0
        self.current: Spotted | None = None
        self.needle: Needle | None = None
        self._entries = entries
        self._begun_at: Anchor = entries.reel.anchor
        self._found: dict[Entry, int] = {}
        self._at: tuple[Entry, int] | None = None
        self._unfolded: Entry | None = None
        self._first: Entry | None = None

    # What there is ----------------------------------------------------------------------------------------------------

    @property
    def here(self) -> int:
        """How many places there are in what is here."""
        return sum(self._found.values())

    @property
    def number(self) -> int:
        """Which place is looked at, the oldest of all being 1; 0 for none."""
        if self._at is None:
            return 0
        entry, which = self._at
        before = 0
        for one, count in self._found.items():
            if one is entry:
                return self.older + before + which + 1
            before += count
        return 0

    @property
    def entry(self) -> Entry | None:
        """The block of the place that is looked at."""
        return self._at[0] if self._at is not None else None

    def look_for(self, text: str) -> None:
        """Look for another text, beginning at what is in sight."""
        before, self.text, self.needle = self.text, text, needle_of(text)
        longer = bool(before.strip()) and text.casefold().startswith(before.casefold())
        self._count(list(self._found) if longer else self._entries.order)
        self._at = self.current = None
        self._begin()

    def look_again(self) -> None:
        """Blocks have come or gone: count anew, and stay at the place that is looked at if it is still there."""
        known, first = self._found, self._first
        self._count(self._entries.order)
        if first is not None and first is not self._first:
            self.older = max(0, self.older - self._before(first))
        if self._at is not None:
            entry, which = self._at
            if entry not in self._found:
                self._at = self.current = None
            elif entry in known:
                self._found[entry] = known[entry]
                self._at = entry, min(which, known[entry] - 1)

    def _before(self, entry: Entry) -> int:
        """Count the places in blocks before one."""
        places = 0
        for one in self._entries.order:
            if one is entry:
                return places
            places += self._found.get(one, 0)
        return 0

    def _count(self, entries: list[Entry]) -> None:
        needle = self.needle
        self._found = {}
        self._first = self._entries.order[0] if self._entries.order else None
        if needle is not None:
            for entry in entries:
                count = count_in(entry.whole, needle)
                if count:
                    self._found[entry] = count

    # Moving -----------------------------------------------------------------------------------------------------------

    def _begin(self) -> None:
        """Look at the last place that is in sight or above, else at the first one below."""
        window = self._entries.reel.window
        last = window[-1].part.entry if window else None
        seen = True
        best: Entry | None = None
        wanted = iter(self._found)
        target = next(wanted, None)
        for entry in self._entries.order if target is not None else ():
            if entry is target:
                best = entry if seen or best is None else best
                target = next(wanted, None)
            if entry is last:
                seen = False
            if target is None or (not seen and best is not None):
                break
        if best is not None:
            self._go_to(best, -1)
        else:
            self._fold_back()

    def step(self, by: int) -> bool:
        """Look at the next place, or with -1 at the one before; False when there is none that way."""
        if self._at is None:
            self._begin()
            return self._at is not None
        entry, which = self._at
        if 0 <= which + by < self._found.get(entry, 0):
            self._go_to(entry, which + by)
            return True
        order = list(self._found)
        at = order.index(entry) + by
        if not 0 <= at < len(order):
            return False
        self._go_to(order[at], 0 if by > 0 else -1)
        return True

    def to_end(self, *, last: bool) -> None:
        """Look at the last place of all, or at the first of what is here."""
        if self._found:
            order = list(self._found)
            self._go_to(order[-1 if last else 0], -1 if last else 0)

    def _go_to(self, entry: Entry, which: int) -> None:
        """Show a place of an entry, -1 its last one."""
        if entry is not self._unfolded:
            self._fold_back()
        spotted = self._spotted(entry)
        self._found[entry] = max(1, len(spotted))
        which = self._found[entry] - 1 if which < 0 else min(which, self._found[entry] - 1)
        self._at = entry, which
        self.current = spotted[which] if spotted else None
        if self.current is not None:
            self._entries.reel.show_row(self.current.part, self.current.stretches[0].row)
        else:
            self._entries.reel.show(entry.parts)

    def _spotted(self, entry: Entry) -> list[Spotted]:
        """Find the places of an entry in its rows; it is unfolded where that shows more of them."""
        seen = [] if entry.folded or entry.group else list(self._drawn(entry))
        if entry.expanded or not entry.can_expand or (seen and len(seen) >= self._found[entry]):
            return seen
        self._entries.set_expanded(entry, expanded=True)
        more = list(self._drawn(entry))
        if len(more) > len(seen):
            self._unfolded = entry
            return more
        self._entries.set_expanded(entry, expanded=False)
        return list(self._drawn(entry)) if seen else []

    def _drawn(self, entry: Entry) -> Iterator[Spotted]:
        needle, reel = self.needle, self._entries.reel
        if needle is None or reel.page is None:
            return
        for part in entry.parts:
            if isinstance(part, PiecePart) and len(entry.parts) > 1 and not _may_hold(part, needle):
                continue
            reel.measure(part.at)
            for found in places(part.body or (), needle):
                if found:
                    yield Spotted(part, found)

    def _fold_back(self) -> None:
        entry, self._unfolded = self._unfolded, None
        if entry is not None and self._entries.get(entry.block.id) is entry:
            self._entries.set_expanded(entry, expanded=False)

    # The end ----------------------------------------------------------------------------------------------------------

    def go_back(self) -> None:
        """Leave all as it was before the search."""
        self._fold_back()
        self._entries.reel.back_to(self._begun_at)


def _may_hold(part: PiecePart, needle: Needle) -> bool:
    return bool(needle.search(part.piece.source.replace("**", "").replace("`", "")))
