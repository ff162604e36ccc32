"""The conversation: a view of blocks one can go through, search, unfold, select and copy from, by keys and by mouse."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from textual import events
from textual.message import Message
from textual.selection import Selection

from agent_tui.protocol.display import AgentDisplay
from agent_tui.tui.look import Look
from agent_tui.tui.panes.blockview import BlockView
from agent_tui.tui.panes.copying import (
    Spot,
    character_at,
    line_at,
    row_number,
    selection_of,
    shifted,
    spot_of,
    text_between,
    word_at,
)
from agent_tui.tui.panes.finding import Finding
from agent_tui.tui.panes.painting import Marks
from agent_tui.tui.panes.parts import Entry, Part
from agent_tui.tui.panes.reel import Place
from agent_tui.tui.places import stretches_in_row
from agent_tui.view.blocks import Block, Change, Grew, ToolBlock
from agent_tui.view.clean import clean
from agent_tui.view.copies import extracts_of, source_of

Request: TypeAlias = Literal["find", "before", "next", "raw", "export"]
REQUESTS: Mapping[str, Request] = {
    "walk:find": "find",
    "walk:before": "before",
    "walk:next": "next",
    "walk:raw": "raw",
    "walk:export": "export",
}
_URL = re.compile(r"https?://[^\s<>\"'`)\]]+")


class Conversation(BlockView):
    """Shows blocks. ``apply`` takes a transcript's changes, ``extend`` blocks as they are."""

    can_focus = True

    class OlderWanted(Message):
        """The first row is in sight: whoever has older blocks may prepend them."""

        def __init__(self, conversation: Conversation) -> None:
            super().__init__()
            self.conversation = conversation

    @dataclass
    class LinkClicked(Message):
        """An address in the text was clicked."""

        url: str

    @dataclass
    class CopyWanted(Message):
        """A text is to be copied; ``what`` says what it is, and ``then`` what the same key copies next."""

        text: str
        what: str = ""
        then: str = ""

    @dataclass
    class Asked(Message):
        """A key of the cursor that others act on: a search, its next place, the block's raw form, its export."""

        what: Request

    @dataclass
    class InsideWanted(Message):
        """The card of a sub-agent is unfolded: what it said and did is to be fetched."""

        call_id: str

    class Counted(Message):
        """The search has found other places, or none any more."""

    def __init__(
        self,
        look: Look,
        now: Callable[[], float] = time.monotonic,
        *,
        id: str | None = None,
        classes: str | None = None,
    ) -> None:
        super().__init__(look, now, id=id, classes=classes)
        self._cursor: Entry | None = None
        self._extract = 0
        self.finding: Finding | None = None

    @property
    def cursor(self) -> Block | None:
        """The block the cursor is on, None when there is no cursor."""
        return None if self._cursor is None else self._cursor.block

    def apply(self, changes: Sequence[Change]) -> None:
        """Take a transcript's changes; cursor and selection stay on what they are on."""
        first = self.reel.parts[0] if self.reel.parts else None
        super().apply(changes)
        if not all(isinstance(change, Grew) for change in changes):
            self._keep_true(first)
            if self.finding is not None and self.finding.needle is not None:
                self.finding.look_again()
                self.post_message(self.Counted())

    def _keep_true(self, first: Part | None) -> None:
        """Let cursor and selection follow what has come or gone."""
        if self._cursor is not None and self.entries.get(self._cursor.block.id) is not self._cursor:
            self._cursor = None
        selection = self.text_selection if self.is_attached else None
        if selection is not None and first is not None:
            if first not in self.reel:
                self.screen.clear_selection()
            elif first.at:
                self.screen.selections = {self: shifted(selection, first.at)}

    def start_reached(self) -> None:
        """Ask for older blocks."""
        self.post_message(self.OlderWanted(self))

    def marks(self, y: int, place: Place) -> Marks:
        """Say what is painted over a row: the selection and the cursor, too."""
        marks = super().marks(y, place)
        selection = self.text_selection
        span = selection.get_span(row_number(place.part.at, place.row)) if selection else None
        entry = place.part.entry
        on_cursor = self.has_focus and self._cursor is not None and place.row >= place.part.gap
        here = on_cursor and (entry is self._cursor or self._cursor in entry.group)
        marks = marks._replace(cursor=here, selected=span) if here or span else marks
        return marks if self.finding is None else self._found_in(self.finding, place, marks)

    def _found_in(self, finding: Finding, place: Place, marks: Marks) -> Marks:
        part, row = place.part, place.row - place.part.gap
        if finding.needle is None or row < 0 or part.body is None:
            return marks
        found = stretches_in_row(part.body, row, finding.needle)
        if not found:
            return marks
        at = finding.current
        current = at.stretches if at is not None and at.part is part else ()
        here = tuple((one.start, one.end) for one in current if one.row == row)
        return marks._replace(found=found, current=here)

    # Searching --------------------------------------------------------------------------------------------------------

    def find(self, text: str) -> None:
        """Begin a search, or look for another text; what is found nearest comes in sight."""
        if self.reel.page is None:
            return
        if self.finding is None:
            self.finding = Finding(self.entries)
        self.finding.look_for(text)
        self._moved_by_search()

    def find_next(self, by: int) -> bool:
        """Show the next place, or the one before with -1; False when there is none that way."""
        if self.finding is None or not self.finding.step(by):
            return False
        self._moved_by_search()
        return True

    def find_end(self, *, last: bool) -> None:
        """Show the last place there is, or the first."""
        if self.finding is not None:
            self.finding.to_end(last=last)
            self._moved_by_search()

    def stop_finding(self, *, back: bool) -> None:
        """End the search: ``back`` where it began, or stay."""
        finding, self.finding = self.finding, None
        if finding is not None:
            if back:
                finding.go_back()
            self.refresh()
            self.refresh_rows()

    def _moved_by_search(self) -> None:
        if self.finding is not None and self._cursor is not None:
            self._cursor = self.finding.entry or self._cursor
        self.refresh()
        self.refresh_rows()
        self.post_message(self.Counted())

    # Cursor and folding -----------------------------------------------------------------------------------------------

    def move_cursor(self, blocks: int) -> None:
        """Move the cursor by blocks; without one it begins at the last block in sight."""
        shown = list(self.entries.shown())
        if not shown:
            return
        if self._cursor not in shown:
            seen = [place.part.entry for place in self.reel.window]
            target = seen[-1] if seen else shown[-1]
            if self.finding is not None and self.finding.entry in shown:
                target = self.finding.entry
        else:
            at = shown.index(self._cursor) + blocks
            target = shown[max(0, min(at, len(shown) - 1))]
        self._cursor, self._extract = target, 0
        self.reel.show(target.parts)
        self.refresh_rows()
        self.refresh()

    def toggle(self, block_id: str) -> None:
        """Unfold a block, or fold it again."""
        entry = self.entries.get(block_id)
        if entry is not None:
            self._toggle(entry)

    def _toggle(self, entry: Entry) -> None:
        """Unfold or fold; what is above it stays where it is, the end may go out of sight."""
        self.entries.toggle(entry)
        self._want_inside(entry)
        self.reel.following = False
        self.refresh_rows()
        self.reel.following = self.reel.is_at_end

    def toggle_detail(self) -> None:
        """Unfold or fold the block under the cursor; without one every call and thought, those to come as well."""
        if self.has_focus and self._cursor is not None:
            self._toggle(self._cursor)
        else:
            self.entries.toggle_detail()
            self.refresh_rows()
            for entry in {place.part.entry for place in self.reel.window}:
                self._want_inside(entry)

    def _want_inside(self, entry: Entry) -> None:
        block = entry.block
        if not entry.expanded or not isinstance(block, ToolBlock):
            return
        if isinstance(block.display, AgentDisplay) and (not block.inside or block.behind):
            self.post_message(self.InsideWanted(block.id))

    def on_focus(self) -> None:
        """Show the cursor."""
        self.refresh()

    def on_blur(self) -> None:
        """Hide the cursor."""
        self._cursor = None
        self.refresh()

    def on_key(self, event: events.Key) -> None:
        """Walk. Without a cursor only what brings one counts: other keys are typed."""
        action = self.look.habits.keys.action(event.key, "walk", "screen")
        if action in MOVES:
            MOVES[action](self)
        elif action.startswith("walk:") and self._cursor is not None:
            self._do(action, self._cursor)
        else:
            return
        event.stop()
        event.prevent_default()

    def _do(self, action: str, entry: Entry) -> None:
        match action:
            case "walk:fold":
                self._toggle(entry)
            case "walk:copy":
                self.post_message(self.CopyWanted(self.text_of(entry.block.id)))
            case "walk:copyPart":
                self._copy_part(entry)
            case "walk:unified":
                self.entries.toggle_unified()
                self.refresh_rows()
            case action if action in REQUESTS:
                self.post_message(self.Asked(REQUESTS[action]))
            case _:
                pass

    def _copy_part(self, entry: Entry) -> None:
        """Ask for the code, the command or the output alone to be copied; pressed again, for the next of them."""
        extracts = extracts_of(entry.whole)
        if extracts:
            at = self._extract % len(extracts)
            self._extract = at + 1
            then = extracts[(at + 1) % len(extracts)].what if len(extracts) > 1 else ""
            self.post_message(self.CopyWanted(clean(extracts[at].text), extracts[at].what, then))

    # Mouse and selecting ----------------------------------------------------------------------------------------------

    def text_of(self, block_id: str) -> str:
        """Give a block's text as it is copied: its source where it has one, else what it shows."""
        entry = self.entries.get(block_id)
        if entry is None:
            return ""
        source = source_of(entry.whole)
        if source:
            return clean(source)
        first, last = entry.parts[0].at, entry.parts[-1].at
        return text_between(self.reel, Spot(first, 0, 0), Spot(last + 1, 0, 0))

    def get_selection(self, selection: Selection) -> tuple[str, str] | None:
        """Give what is selected, as text."""
        if self.reel.page is None or not self.reel.parts:
            return None
        text = text_between(self.reel, spot_of(selection.start), spot_of(selection.end))
        return text, "\n"

    def selection_updated(self, selection: Selection | None) -> None:
        """Paint the selection."""
        self.refresh()

    def on_click(self, event: events.Click) -> None:
        """Twice selects a word, three times a line; once on a head or a fold opens and closes."""
        event.prevent_default()
        window = self.reel.window
        if not 0 <= event.y < len(window):
            return
        place = window[event.y]
        x = character_at(place.line, event.x)
        if event.chain == 2:
            first, last = word_at(place.line, x)
            self._select(
                Spot(place.part.at, place.row, first), Spot(place.part.at, place.row, last)
            )
        elif event.chain == 3 and place.row >= place.part.gap:
            self._select(*line_at(self.reel, place.part.at, place.row))
        elif event.chain == 1 and not self.text_selection:
            for match in _URL.finditer(place.line.strip.text):
                if match.start() <= x < match.end():
                    self.post_message(self.LinkClicked(match[0]))
                    return
            if place.line.folds:
                self.toggle(place.part.entry.block.id)

    def _select(self, start: Spot, end: Spot) -> None:
        self.screen.selections = {self: selection_of(start, end)}


MOVES: Mapping[str, Callable[[Conversation], None]] = {
    "walk:up": lambda pane: pane.move_cursor(-1),
    "walk:down": lambda pane: pane.move_cursor(1),
    "walk:top": lambda pane: pane.scroll_to_top(),
    "walk:bottom": lambda pane: pane.follow(),
    "screen:pageUp": lambda pane: pane.page(-1),
    "screen:pageDown": lambda pane: pane.page(1),
}
"""Keys that move, with a cursor or without one."""
