"""Looking for a text in blocks: how often it stands in what a block says, folded away or not."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from typing import Any, TypeAlias, cast

from agent_tui.protocol.display import CommandDisplay, DiffDisplay, Display
from agent_tui.view.blocks import (
    AnswerBlock,
    Block,
    CompactBlock,
    ErrorBlock,
    NoticeBlock,
    PromptBlock,
    ResultBlock,
    ThoughtBlock,
    ToolBlock,
)
from agent_tui.view.clean import clean

Needle: TypeAlias = re.Pattern[str]

MAX_NEEDLE = 200
"""Characters that are looked for; nobody types more, and a pasted page is never found."""
_NO_TEXT = frozenset({"kind", "status", "id", "task_id", "output_path", "cwd"})
"""Fields of displays that no person reads as text."""


def needle_of(text: str) -> Needle | None:
    """Make what is looked for: in any case, any blanks standing for any others; None when there is nothing to look for."""
    words = clean(text[:MAX_NEEDLE]).split()
    if not words:
        return None
    return re.compile(r"\s+".join(re.escape(word) for word in words), re.IGNORECASE)


def count_in(block: Block, needle: Needle) -> int:
    """Count the places in a block; at least one for each that is seen when all of the block is shown."""
    return sum(len(needle.findall(text)) for text in texts_of(block))


def texts_of(block: Block) -> Iterator[str]:
    """Give what a block says, piece by piece, as plain as it is read."""
    match block:
        case AnswerBlock(text=text) | CompactBlock(summary=text):
            yield text.replace("**", "").replace("`", "")
        case PromptBlock() | ThoughtBlock() | NoticeBlock() | ErrorBlock():
            yield block.text
        case ResultBlock():
            yield block.why
        case ToolBlock():
            yield from _call(block)


def _call(block: ToolBlock) -> Iterator[str]:
    yield block.name
    display = block.display
    if display is None:
        yield from strings(block.input)
    else:
        yield from _display(display)
    if not isinstance(display, CommandDisplay | DiffDisplay) or block.state == "failed":
        yield block.result
    for inner in block.inside:
        yield from texts_of(inner)


def _display(display: Display) -> Iterator[str]:
    if isinstance(display, DiffDisplay):
        yield display.path
        for hunk in display.hunks:
            yield from (line[1:] for line in hunk.lines)
    else:
        yield from strings(display)


def strings(value: Any) -> Iterator[str]:
    """Give every text in plain data."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for item in cast("Mapping[str, Any]", value).values():
            yield from strings(item)
    elif isinstance(value, Sequence):
        for item in cast("Sequence[Any]", value):
            yield from strings(item)
    elif is_dataclass(value) and not isinstance(value, type):
        for field in fields(value):
            if field.name not in _NO_TEXT:
                yield from strings(getattr(value, field.name))
