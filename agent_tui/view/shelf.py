"""Where a transcript keeps its blocks: in order, named by what they came from, and the one that still grows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from agent_tui.protocol import content as api
from agent_tui.view.blocks import Added, Block, Removed, Updated


class Shelf:
    """Blocks in order, found by id or by the response they belong to."""

    def __init__(self) -> None:
        self._blocks: dict[str, Block] = {}
        self._source: dict[str, list[str]] = {}

    def __iter__(self) -> Iterator[Block]:
        return iter(self._blocks.values())

    def __contains__(self, block_id: str) -> bool:
        return block_id in self._blocks

    def get(self, block_id: str) -> Block | None:
        """Give a block, None when there is none of this id."""
        return self._blocks.get(block_id)

    @property
    def last(self) -> Block | None:
        """The newest block."""
        return next(reversed(self._blocks.values()), None)

    def name(self, source: str) -> str:
        """Make the id of the next block of a source: a response, or a kind of message that has no uuid."""
        made = self._source.setdefault(source, [])
        block_id = f"{source}/{len(made)}"
        made.append(block_id)
        return block_id

    def belongs(self, block_id: str, source: str) -> None:
        """Note that a block with an id of its own belongs to a response."""
        self._source.setdefault(source, []).append(block_id)

    def of(self, source: str) -> tuple[str, ...]:
        """Give the ids of a response's blocks."""
        return tuple(b for b in self._source.get(source, ()) if b in self._blocks)

    def add(self, block: Block) -> Added:
        """Put a block at the end."""
        self._blocks[block.id] = block
        return Added(block)

    def update(self, block: Block) -> Updated:
        """Put a block in the place of the one with its id."""
        self._blocks[block.id] = block
        return Updated(block)

    def remove(self, block_id: str) -> Removed:
        """Take a block out; its name is free again."""
        del self._blocks[block_id]
        for source, ids in reversed(self._source.items()):
            if block_id in ids:
                ids.remove(block_id)
                if not ids:
                    del self._source[source]
                break
        return Removed(block_id)

    def put_before(self, older: Shelf) -> tuple[Block, ...]:
        """Put all blocks of another shelf before these and give them; where both have a name, the older changes.

        That happens when a page ends in the middle of a response.
        """
        before: dict[str, Block] = {}
        for block in older:
            named = replace(block, id=f"{block.id}<") if block.id in self._blocks else block
            before[named.id] = named
        self._blocks = before | self._blocks
        for source, ids in older._source.items():
            self._source[source] = ids + self._source.get(source, [])
        return tuple(before.values())


class Streaming:
    """The block that grows: at most one, the last of the response that is being received."""

    def __init__(self, message_id: str = "") -> None:
        self.message_id = message_id
        self.kind = ""
        self.block_id: str | None = None
        self.parts: list[str] = []

    def is_becoming(self, piece: api.ContentBlock) -> bool:
        """Whether ``piece`` is the finished form of the open block."""
        match piece:
            case api.TextBlock(text):
                return self.kind == "text" and bool(text.strip())
            case api.ThinkingBlock() | api.RedactedThinkingBlock():
                return "thinking" in self.kind
            case api.ToolUseBlock(id=tool_use_id):
                return self.block_id == tool_use_id
            case _:
                return False
