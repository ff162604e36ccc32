"""The conversation: a view of blocks one can go through, unfold, select and copy from, by keys and by mouse."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.selection import Selection

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
from agent_tui.tui.panes.painting import Marks
from agent_tui.tui.panes.parts import Entry, Part
from agent_tui.tui.panes.reel import Place
from agent_tui.view.blocks import Block, Change, Grew
from agent_tui.view.clean import clean

_URL = re.compile(r"https?://[^\s<>\"'`)\]]+")


class Conversation(BlockView):
    """Shows blocks. ``apply`` takes a transcript's changes, ``extend`` blocks as they are."""

    can_focus = True
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "cursor(-1)", show=False),
        Binding("down,j", "cursor(1)", show=False),
        Binding("enter,space", "fold", show=False),
        Binding("y", "copy_block", show=False),
        Binding("pageup", "rows(-1)", show=False),
        Binding("pagedown", "rows(1)", show=False),
        Binding("home", "start", show=False),
        Binding("end", "end", show=False),
    ]

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
        """A block is to be copied."""

        text: str

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
        return marks._replace(cursor=here, selected=span) if here or span else marks

    # Cursor and folding -----------------------------------------------------------------------------------------------

    def move_cursor(self, blocks: int) -> None:
        """Move the cursor by blocks; without one it begins at the last block in sight."""
        shown = list(self.entries.shown())
        if not shown:
            return
        if self._cursor not in shown:
            seen = [place.part.entry for place in self.reel.window]
            target = seen[-1] if seen else shown[-1]
        else:
            at = shown.index(self._cursor) + blocks
            target = shown[max(0, min(at, len(shown) - 1))]
        self._cursor = target
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

    def on_focus(self) -> None:
        """Show the cursor."""
        self.refresh()

    def on_blur(self) -> None:
        """Hide the cursor."""
        self._cursor = None
        self.refresh()

    def action_cursor(self, blocks: int) -> None:
        """Move the cursor."""
        self.move_cursor(blocks)

    def action_fold(self) -> None:
        """Unfold or fold the block under the cursor."""
        if self._cursor is not None:
            self.toggle(self._cursor.block.id)

    def action_copy_block(self) -> None:
        """Ask for the block under the cursor to be copied."""
        if self._cursor is not None:
            self.post_message(self.CopyWanted(self.text_of(self._cursor.block.id)))

    def action_rows(self, pages: int) -> None:
        """Move by windows."""
        self.page(pages)

    def action_start(self) -> None:
        """Move to the first row."""
        self.scroll_to_top()

    def action_end(self) -> None:
        """Move to the end and follow it."""
        self.follow()

    # Mouse and selecting ----------------------------------------------------------------------------------------------

    def text_of(self, block_id: str) -> str:
        """Give a block's text as it is copied: an answer's markdown, what others show."""
        entry = self.entries.get(block_id)
        if entry is None:
            return ""
        if entry.text:
            return clean(entry.text)
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
