"""What the conversation shows, cut into parts that are drawn by themselves.

A block is one part; an answer that streams, or is long, has a part for each piece of its markdown, so that nothing but
the last piece is ever drawn again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from agent_tui.protocol.display import DiffDisplay, TaskListDisplay
from agent_tui.tui.blocks.answer import Document
from agent_tui.tui.blocks.drawing import View, render_block
from agent_tui.tui.blocks.tool import fold_looking, fold_tasks, merge_lists
from agent_tui.tui.coderows import CodeRows
from agent_tui.tui.highlight import code_of
from agent_tui.tui.lines import Line, Page
from agent_tui.view.blocks import (
    AnswerBlock,
    Block,
    ErrorBlock,
    NoticeBlock,
    PromptBlock,
    ThoughtBlock,
    ToolBlock,
)
from agent_tui.view.clean import clean
from agent_tui.view.pieces import Piece, Splitter

WHOLE = 4_000
"""Characters up to which a finished answer is one part."""
SHORT = 300
"""Rows up to which a part drawn again keeps those that came out the same."""


class Part:
    """A stretch of rows.

    Attributes:
        entry: the block it belongs to.
        at: its place among all parts; the reel keeps it.
        gap: blank rows above, as last laid out.
        body: its rows as last drawn, None when they are not at hand.
    """

    __slots__ = ("_drawn_for", "_stale", "at", "body", "entry", "gap")

    def __init__(self, entry: Entry) -> None:
        self.entry = entry
        self.at = -1
        self.gap = 0
        self.body: Sequence[Line] | None = None
        self._drawn_for: Page | None = None
        self._stale = False

    def rows(self, page: Page) -> Sequence[Line]:
        """Give the rows for this page; they are made again only when they must be."""
        if self.body is None or self._stale or self._drawn_for is not page:
            old = self.body if self._drawn_for is page else None
            new = self.draw(page)
            self.body = new if old is None else _keep_same(old, new)
            self._drawn_for = page
            self._stale = False
        return self.body

    def touch(self) -> None:
        """Say that what it shows has changed."""
        self._stale = True

    def forget(self) -> None:
        """Let the rows go; they are made again when they are wanted."""
        self.body = None

    def draw(self, page: Page) -> Sequence[Line]:
        """Make the rows."""
        raise NotImplementedError

    def estimate(self, page: Page) -> int:
        """Guess how many rows there will be, with the gap."""
        raise NotImplementedError


class BlockPart(Part):
    """A whole block."""

    __slots__ = ()

    def draw(self, page: Page) -> Sequence[Line]:
        """Draw the block; of calls folded together only the first one, for all."""
        entry = self.entry
        if entry.folded:
            return ()
        blocks = [one.block for one in entry.group if isinstance(one.block, ToolBlock)]
        newest = (entry.group or (entry,))[-1].newest_list
        if not blocks:
            brief = entry.holds_list and not newest
            view = View(entry.expanded, entry.elapsed_ms, brief, entry.unified)
            return render_block(entry.block, page, view)
        if not entry.holds_list:
            return (fold_looking(blocks, page),)
        if newest:
            return render_block(merge_lists(blocks), page)
        return (fold_tasks(blocks, page),)

    def estimate(self, page: Page) -> int:
        """Guess by the kind of block."""
        block = self.entry.block
        if self.entry.folded:
            return 0
        if isinstance(block, ToolBlock):
            if isinstance(block.display, DiffDisplay) and block.state == "done":
                return 2 + min(20, block.display.added + block.display.removed + 6)
            return 2
        text = _text_of(block)
        if isinstance(block, ThoughtBlock) or not text:
            return 2
        return 1 + _rows_of(text, page)


class PiecePart(Part):
    """One piece of an answer."""

    __slots__ = ("_partial", "_shown", "piece")

    def __init__(self, entry: Entry, piece: Piece) -> None:
        super().__init__(entry)
        self.piece = piece
        self._shown = 0
        self._partial = False

    def draw(self, page: Page) -> Sequence[Line]:
        """Draw the piece; a fence that is still being written in a way that lets it grow."""
        if self.piece.kind != "fence" or self.piece.closed:
            from agent_tui.tui.markdown import draw_piece  # door: the parser, with the first answer

            return draw_piece(page, self.piece)
        language = clean(self.piece.language)
        lines = [clean(line) for line in self.piece.code()]
        self._shown, self._partial = len(lines), False
        return CodeRows(page, code_of(lines, language=language), lines, label=language)

    def take(self, piece: Piece) -> None:
        """Show this piece from now on."""
        same = piece is self.piece or (
            piece.kind == self.piece.kind
            and piece.lines == self.piece.lines
            and piece.language == self.piece.language
        )
        self.piece = piece
        if not same:
            self.touch()

    def grow(self, partial: str | None) -> None:
        """Show the lines a fence has got since, and the one that is being written (None: none)."""
        rows = self.body
        if not isinstance(rows, CodeRows) or self._stale:
            return
        if self._partial:
            rows.drop_last()
        fresh = [clean(line) for line in self.piece.code(self._shown)]
        self._shown += len(fresh)
        self._partial = partial is not None
        rows.extend([*fresh, clean(partial)] if partial is not None else fresh)

    def estimate(self, page: Page) -> int:
        """Guess by the number and length of the lines."""
        width = page.prose_width
        return self.piece.gap + sum(max(1, -(-len(line) // width)) for line in self.piece.lines)


class Entry:
    """A block on the screen, and the state that belongs to looking at it.

    Attributes:
        block: as the transcript last told it.
        parts: its parts, at least one.
        expanded: all of it is shown.
        group: calls that are shown in this one's row, with itself; empty when there is no such row.
        folded: it is shown in the row of another.
        newest_list: it shows the task list as it is now; those before it are one row.
        unified: a change of a file is shown in one column, however wide the page is.
        elapsed_ms: how long it has been running or waiting by now; None when it isn't.
    """

    __slots__ = (
        "_grown",
        "block",
        "elapsed_ms",
        "expanded",
        "folded",
        "group",
        "newest_list",
        "parts",
        "unified",
    )

    def __init__(self, block: Block, *, expanded: bool = False) -> None:
        self.block = block
        self.expanded = expanded
        self.group: tuple[Entry, ...] = ()
        self.folded = False
        self.newest_list = False
        self.unified = False
        self.elapsed_ms: int | None = None
        self._grown: list[str] = []
        self.parts: list[Part] = [BlockPart(self)]

    @property
    def holds_list(self) -> bool:
        """Whether it is a call that has changed the task list, and shows it."""
        block = self.block
        return (
            isinstance(block, ToolBlock)
            and block.state == "done"
            and not block.looked
            and isinstance(block.display, TaskListDisplay)
        )

    @property
    def can_expand(self) -> bool:
        """Whether there is more to it than is shown of itself."""
        block = self.block
        match block.kind:
            case "tool":
                return True
            case "thought":
                return bool(block.text.strip() or self._grown)
            case "compact":
                return bool(block.summary)
            case "prompt" | "notice":
                return len(block.text) > WHOLE // 10 or block.text.count("\n") >= 4
            case _:
                return False

    @property
    def text(self) -> str:
        """The block's text so far, empty when it has none."""
        return _text_of(self.block) + "".join(self._grown)

    @property
    def whole(self) -> Block:
        """The block with all its text so far."""
        if self._grown and isinstance(self.block, AnswerBlock | ThoughtBlock):
            return replace(self.block, text=self.text)
        return self.block

    def grow(self, text: str) -> None:
        """Take more text; it is shown after ``sync``."""
        self._grown.append(text)

    def take(self, block: Block) -> None:
        """Take the block as it is now."""
        self.block = block
        self._grown.clear()
        self.touch()

    def touch(self) -> None:
        """Say that what it shows has changed."""
        for part in self.parts:
            part.touch()

    def sync(self) -> None:
        """Bring the parts up to the text."""
        if self._grown and self.expanded and isinstance(self.block, ThoughtBlock):
            self.block = replace(self.block, text=self.text)
            self._grown.clear()
            self.touch()


class AnswerEntry(Entry):
    """An answer that streams, or is long: one part for each piece."""

    __slots__ = ("_settled", "_splitter")

    def __init__(self, block: AnswerBlock) -> None:
        super().__init__(block)
        self._begin(block)

    def _begin(self, block: AnswerBlock) -> None:
        self._splitter = Splitter()
        self._splitter.feed(block.text)
        if not block.open:
            self._splitter.end()
        self._settled = 0
        self.parts = []
        self.sync()

    def grow(self, text: str) -> None:
        """Take more text; it is shown after ``sync``."""
        self._grown.append(text)
        self._splitter.feed(text)

    def take(self, block: Block) -> None:
        """Take the block as it is now; when it says what has been streamed, nothing is drawn again."""
        assert isinstance(block, AnswerBlock)
        same = block.text == self.text
        self.block = block
        self._grown.clear()
        if not same:
            self._begin(block)
        elif not block.open:
            self._splitter.end()
            self.sync()

    def sync(self) -> None:
        """Bring the parts up to the text; those of closed pieces stay as they are."""
        splitter = self._splitter
        pieces = splitter.pieces
        closed = len(pieces) if not pieces or pieces[-1].closed else len(pieces) - 1
        fence = splitter.open_fence
        tail = (
            [fence]
            if fence is not None
            else splitter.tail()
            if splitter.partial or closed < len(pieces)
            else ()
        )
        wanted = [*pieces[self._settled : closed], *tail]
        for at, piece in enumerate(wanted, self._settled):
            if at < len(self.parts):
                part = self.parts[at]
                assert isinstance(part, PiecePart)
                part.take(piece)
            else:
                part = PiecePart(self, piece)
                self.parts.append(part)
            if piece.kind == "fence":
                part.grow(self._partial_code() if piece is fence else None)
        del self.parts[self._settled + len(wanted) :]
        self._settled = closed
        if not self.parts:
            self.parts.append(PiecePart(self, Piece("prose", [""])))

    def _partial_code(self) -> str | None:
        """Give the code line that is being written; not what may become the fence's end."""
        partial = self._splitter.partial
        if not partial or self._splitter.closes_fence(partial):
            return None
        return partial


def entry_of(block: Block, *, expanded: bool = False) -> Entry:
    """Make the entry a block needs."""
    if isinstance(block, AnswerBlock) and (block.open or len(block.text) > WHOLE):
        return AnswerEntry(block)
    return Entry(block, expanded=expanded)


def _text_of(block: Block) -> str:
    match block:
        case PromptBlock() | AnswerBlock() | ThoughtBlock() | NoticeBlock() | ErrorBlock():
            return block.text
        case _:
            return ""


def _rows_of(text: str, page: Page) -> int:
    return text.count("\n") + 1 + len(text) // page.prose_width


def _keep_same(old: Sequence[Line], new: Sequence[Line]) -> Sequence[Line]:
    """Give the new rows, with the old ones where they are the same: what was made of those is still good.

    Rows that can grow, or know their source, stay the objects they are.
    """
    if isinstance(new, CodeRows | Document) or len(new) > SHORT or len(old) > SHORT:
        return new
    return [old[at] if at < len(old) and old[at] == line else line for at, line in enumerate(new)]
