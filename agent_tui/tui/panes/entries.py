"""All blocks of a conversation in order, kept true to a transcript's changes, and the reel that shows their parts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Literal

from agent_tui.protocol.display import DiffDisplay
from agent_tui.tui.lines import Page
from agent_tui.tui.panes.parts import Entry, Part, entry_of
from agent_tui.tui.panes.reel import Reel
from agent_tui.view.blocks import (
    Added,
    Block,
    Change,
    Cleared,
    Closed,
    Grew,
    Prepended,
    Removed,
    ToolBlock,
    Updated,
)


class Entries:
    """Takes changes. ``now`` is a monotonic clock in seconds, for what runs or waits."""

    def __init__(self, now: Callable[[], float]) -> None:
        self.reel = Reel()
        self.order: list[Entry] = []
        self.clocks: dict[Entry, float] = {}
        self.detail = False
        self.unified = False
        self._now = now
        self._by_id: dict[str, Entry] = {}
        self._growing: dict[Entry, None] = {}
        self._list: Entry | None = None

    def get(self, block_id: str) -> Entry | None:
        """Give an entry by its block's id."""
        return self._by_id.get(block_id)

    def take(self, change: Change) -> None:
        """Make one change. What has grown is shown after ``sync``."""
        match change:
            case Grew(block_id, text):
                entry = self._by_id.get(block_id)
                if entry is not None:
                    entry.grow(text)
                    self._growing[entry] = None
            case Added(block):
                self._add(block)
            case Updated(block) | Closed(block):
                self._update(block)
            case Removed(block_id):
                self._remove(block_id)
            case Prepended(blocks):
                self._prepend(blocks)
            case Cleared():
                self._clear()

    def sync(self) -> None:
        """Bring the parts of what has grown up to its text."""
        for entry in self._growing:
            parts = list(entry.parts)
            entry.sync()
            self._adopt(entry, parts)
        self._growing.clear()

    # Changes ----------------------------------------------------------------------------------------------------------

    def _add(self, block: Block) -> None:
        if block.id in self._by_id:
            self._update(block)
            return
        entry = entry_of(block, expanded=self.detail and block.kind in ("tool", "thought"))
        entry.unified = self.unified
        self._by_id[block.id] = entry
        self.order.append(entry)
        self.reel.append(entry.parts)
        self._note_state(entry, None)

    def _update(self, block: Block) -> None:
        entry = self._by_id.get(block.id)
        if entry is None:
            return
        before, parts = entry.block, list(entry.parts)
        entry.take(block)
        self._growing.pop(entry, None)
        self._adopt(entry, parts)
        self._note_state(entry, before)

    def _remove(self, block_id: str) -> None:
        entry = self._by_id.pop(block_id, None)
        if entry is None:
            return
        at = self._place(entry)
        del self.order[at]
        self._growing.pop(entry, None)
        self.clocks.pop(entry, None)
        if at == len(self.order):
            for _ in entry.parts:
                self.reel.pop()
        else:
            self._rebuild()
        if isinstance(entry.block, ToolBlock) and self.order:
            self._regroup(min(at, len(self.order) - 1))
        if entry is self._list:
            self._list = None
            self._find_list()

    def _prepend(self, blocks: Sequence[Block]) -> None:
        fresh = [entry_of(block) for block in blocks if block.id not in self._by_id]
        for entry in fresh:
            entry.unified = self.unified
        self.order[:0] = fresh
        self._by_id.update((entry.block.id, entry) for entry in fresh)
        self._rebuild()
        at = 0
        while at < len(fresh):
            at = self._regroup(at) + 1
        self._find_list()

    def _clear(self) -> None:
        page, rows = self.reel.page, self.reel.rows
        self.reel = Reel()
        if page is not None:
            self.reel.resize(page, rows)
        self.order.clear()
        self.clocks.clear()
        self._by_id.clear()
        self._growing.clear()
        self._list = None

    def _adopt(self, entry: Entry, before: Sequence[Part]) -> None:
        """Make the reel hold an entry's parts as they are now."""
        same = 0
        while same < min(len(before), len(entry.parts)) and before[same] is entry.parts[same]:
            same += 1
        if same == len(before) == len(entry.parts):
            self.reel.guess_again(entry.parts[-1])
        elif self.order[-1] is entry:
            for _ in before[same:]:
                self.reel.pop()
            self.reel.append(entry.parts[same:])
        else:
            self._rebuild()

    def _rebuild(self) -> None:
        self.reel.rebuild(part for entry in self.order for part in entry.parts)

    def _place(self, entry: Entry) -> int:
        """Find an entry; nearly always it is one of the last."""
        for at in range(len(self.order) - 1, -1, -1):
            if self.order[at] is entry:
                return at
        raise ValueError("no such entry")

    # Calls that only looked share a row, and so do those that only changed the task list --------------------------------

    def _note_state(self, entry: Entry, before: Block | None) -> None:
        block = entry.block
        if isinstance(block, ToolBlock):
            self._note_clock(entry, block, before)
            if _folds(entry) or entry.group or entry.folded:
                self._regroup(self._place(entry))
            if entry.holds_list and entry is not self._list:
                self._take_list(entry)

    def _regroup(self, at: int) -> int:
        """Fold the runs of finished calls at a place and beside it, each into one row; give the last place of its own."""
        first, last = self._run(at)
        for place in (first - 1, last + 1):
            if 0 <= place < len(self.order):
                begin, end = self._run(place)
                self._fold(tuple(self.order[begin : end + 1]))
        self._fold(tuple(self.order[first : last + 1]))
        return last

    def _run(self, at: int) -> tuple[int, int]:
        """Find the first and last place of a run; what doesn't fold is alone."""
        order = self.order
        first = last = at
        kind = _folds(order[at])
        if kind:
            while first > 0 and _folds(order[first - 1]) == kind:
                first -= 1
            while last < len(order) - 1 and _folds(order[last + 1]) == kind:
                last += 1
        return first, last

    def _fold(self, run: tuple[Entry, ...]) -> None:
        for number, entry in enumerate(run):
            group = run if len(run) > 1 and number == 0 else ()
            self._set_group(entry, group, folded=number > 0)

    def _set_group(self, entry: Entry, group: tuple[Entry, ...], *, folded: bool) -> None:
        if group or entry.group or entry.folded != folded:
            entry.group, entry.folded = group, folded
            entry.touch()
            self.reel.guess_again(entry.parts[0])

    # The newest task list is shown whole ------------------------------------------------------------------------------

    def _take_list(self, entry: Entry) -> None:
        """Show this list whole if it is the newest, and the one before in one row."""
        before = self._list
        if before is not None:
            if self._place(before) > self._place(entry):
                return
            before.newest_list = False
            self._draw_again(before)
        self._list = entry
        entry.newest_list = True
        self._draw_again(entry)

    def _find_list(self) -> None:
        """Find the newest list among all, where none is known."""
        if self._list is None:
            found = next((entry for entry in reversed(self.order) if entry.holds_list), None)
            if found is not None:
                self._take_list(found)

    def _draw_again(self, entry: Entry) -> None:
        """Draw what a call is shown in anew."""
        first, _ = self._run(self._place(entry))
        for one in {self.order[first], entry}:
            one.touch()
            self.reel.guess_again(one.parts[0])

    # Clocks -----------------------------------------------------------------------------------------------------------

    def _note_clock(self, entry: Entry, block: ToolBlock, before: Block | None) -> None:
        if block.state not in ("running", "asking"):
            self.clocks.pop(entry, None)
            entry.elapsed_ms = None
            return
        if block.state == "running":
            self.clocks[entry] = self._now() - (block.elapsed_ms or 0) / 1000
        elif not isinstance(before, ToolBlock) or before.state != "asking":
            self.clocks[entry] = self._now()
        entry.elapsed_ms = round((self._now() - self.clocks[entry]) * 1000)

    def tick(self) -> bool:
        """Set the clocks of what is in sight; tell whether there was any."""
        seen = {place.part.entry for place in self.reel.window} & self.clocks.keys()
        for entry in seen:
            entry.elapsed_ms = round((self._now() - self.clocks[entry]) * 1000)
            entry.touch()
        return bool(seen)

    # Folding ----------------------------------------------------------------------------------------------------------

    def toggle(self, entry: Entry) -> None:
        """Unfold an entry, with those that share its row, or fold it again."""
        for one in entry.group or (entry,):
            self.set_expanded(one, expanded=not one.expanded)

    def toggle_detail(self) -> None:
        """Unfold every call and thought, those to come as well; or fold them again."""
        self.detail = not self.detail
        for entry in self.order:
            if entry.block.kind in ("tool", "thought"):
                self.set_expanded(entry, expanded=self.detail)

    def toggle_unified(self) -> None:
        """Show changes of files in one column, or beside one another again where there is room."""
        self.unified = not self.unified
        for entry in self.order:
            entry.unified = self.unified
            if isinstance(entry.block, ToolBlock) and isinstance(entry.block.display, DiffDisplay):
                entry.touch()
                self.reel.guess_again(entry.parts[0])

    def set_expanded(self, entry: Entry, *, expanded: bool) -> None:
        """Unfold an entry, or fold it; nothing happens to one that has no more to show."""
        if not entry.can_expand or entry.expanded == expanded:
            return
        entry.expanded = expanded
        entry.sync()
        entry.touch()
        for part in entry.parts:
            self.reel.guess_again(part)
        if isinstance(entry.block, ToolBlock) and (entry.block.looked or entry.holds_list):
            self._regroup(self._place(entry))

    def shown(self) -> Iterable[Entry]:
        """Give the entries that have rows of their own, in order."""
        return (entry for entry in self.order if not entry.folded)

    def resize(self, page: Page, rows: int) -> None:
        """Take a new page and height of the window."""
        known = self.reel.page
        self.reel.resize(known if known is not None and known == page else page, rows)


def _folds(entry: Entry) -> Literal["", "looked", "list"]:
    """Tell with which neighbours a call may share a row; empty: with none."""
    block = entry.block
    if entry.expanded or not isinstance(block, ToolBlock) or block.behind:
        return ""
    if entry.holds_list:
        return "list"
    return "looked" if block.looked and block.state == "done" else ""
