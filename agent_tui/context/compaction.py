"""Cutting the window: the request for a summary, the summary in its answer, and the lines that make it so.

The request repeats system, tools and history byte for byte, so it reads what the last one wrote to the cache; only
the instruction at its end is new.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from importlib import resources
from typing import Literal

from agent_tui.context.request import CacheTtl, build_request
from agent_tui.journal.entries import CompactBoundaryEntry, Stamp, UserEntry
from agent_tui.journal.fold import Conversation
from agent_tui.journal.lines import Line, block_size, lines_from
from agent_tui.journal.persistent import Log
from agent_tui.journal.sendable import bounded
from agent_tui.model.client import ModelRequest
from agent_tui.protocol.content import ContentBlock, JsonObject, TextBlock

Trigger = Literal["manual", "auto"]

MAX_ATTEMPTS = 3
"""Requests made for one compaction: whole, with shortened results, the newest half."""

SHORT_RESULT = 2_000
SHORT_TEXT = 20_000
_SUMMARY = re.compile(r"<summary>(.*?)(?:</summary>|\Z)", re.DOTALL)


def summary_request(
    conversation: Conversation,
    system: Sequence[str],
    tools: Sequence[JsonObject],
    model: str,
    max_tokens: int,
    extra: JsonObject | None = None,
    *,
    instructions: str = "",
    attempt: int = 1,
    ttl: CacheTtl | None = None,
) -> ModelRequest:
    """Ask for a summary of the conversation; what isn't told here is as in the main loop's requests.

    ``instructions`` says what the person wants kept. ``attempt`` 1 sends the history as it is; when that was refused
    as too long or came to nothing, 2 sends it with long results shortened and 3 its newest half only.
    """
    shown = conversation
    if attempt > 1:
        shown = replace(shown, lines=Log(_shortened(line) for line in shown.lines))
    if attempt > 2:
        shown = replace(shown, lines=Log(_newest_half(shown.lines)))
    return build_request(
        shown,
        system,
        tools,
        model,
        max_tokens,
        extra,
        ttl=ttl,
        ask=compact_instruction(instructions),
    )


def compact_instruction(instructions: str = "") -> str:
    """Give the text that asks for the summary."""
    text = resources.files("agent_tui.context").joinpath("compact.md").read_text("utf-8").strip()
    if instructions.strip():
        text += f"\n\nThe user asks for this in the summary: {instructions.strip()}"
    return text


def read_summary(blocks: Iterable[ContentBlock]) -> str | None:
    """Find the summary in an answer: between its tags, else all of the text; None when there is none."""
    text = "\n".join(block.text for block in blocks if isinstance(block, TextBlock))
    found = _SUMMARY.search(text)
    summary = (found.group(1) if found else text).strip()
    return summary or None


def summary_text(summary: str, *, going_on: bool) -> str:
    """Give what the model is shown instead of the history; ``going_on`` when it is in the middle of its work."""
    text = (
        "This conversation began earlier; its older part did not fit the context window any more. "
        f"This summary stands for it:\n\n{summary}"
    )
    if going_on:
        text += "\n\nGo on with the work where it stood, without greeting, asking or summing up."
    return text


def boundary_entries(
    stamp: Stamp,
    conversation: Conversation,
    summary: str,
    *,
    trigger: Trigger,
    kept_from: str | None,
    pre_tokens: int,
    fixed_tokens: int,
    duration_ms: int,
    going_on: bool = False,
) -> tuple[CompactBoundaryEntry, UserEntry]:
    """Make the two lines that cut the window; append them together.

    Args:
        stamp: makes their headers.
        conversation: what is cut.
        summary: what stands for it.
        trigger: who asked.
        kept_from: the first line that stays (``window.kept_from``).
        pre_tokens: how full the window was.
        fixed_tokens: of system prompt and tools, for the estimate of what is left.
        duration_ms: how long the summary took.
        going_on: the model is in the middle of its work.
    """
    text = summary_text(summary, going_on=going_on)
    kept = lines_from(conversation.lines, kept_from)
    size = len(text.encode("utf-8", "replace")) + sum(line.size for line in kept)
    metadata: JsonObject = {
        "trigger": trigger,
        "pre_tokens": pre_tokens,
        "post_tokens": fixed_tokens + size // 4,
        "duration_ms": duration_ms,
    }
    summary_header = stamp.header(None)
    if kept:
        metadata["preserved_segment"] = {
            "head_uuid": kept[0].uuid,
            "anchor_uuid": summary_header.uuid,
            "tail_uuid": kept[-1].uuid,
        }
    boundary = CompactBoundaryEntry(
        stamp.header(None),
        metadata,
        summary_uuid=summary_header.uuid,
        kept_from=kept[0].uuid if kept else None,
        logical_parent_uuid=conversation.head,
    )
    entry = UserEntry(
        replace(summary_header, parent_uuid=boundary.header.uuid),
        {"role": "user", "content": [{"type": "text", "text": text}]},
        is_compact_summary=True,
    )
    return boundary, entry


def _shortened(line: Line) -> Line:
    blocks = tuple(map(_shortened_block, line.blocks))
    return replace(line, blocks=blocks, size=sum(map(block_size, blocks)))


def _shortened_block(block: JsonObject) -> JsonObject:
    match block["type"]:
        case "text":
            return {**block, "text": bounded(block["text"], SHORT_TEXT)}
        case "tool_result" if isinstance(block["content"], str):
            return {**block, "content": bounded(block["content"], SHORT_RESULT)}
        case "tool_result":
            return {**block, "content": [_shortened_part(part) for part in block["content"]]}
        case "image" | "document":
            return {"type": "text", "text": f"[{block['type']} left out]"}
        case _:
            return block


def _shortened_part(part: JsonObject) -> JsonObject:
    if part["type"] == "text":
        return {**part, "text": bounded(part["text"], SHORT_RESULT)}
    return {"type": "text", "text": f"[{part['type']} left out]"}


def _newest_half(lines: Log[Line]) -> list[Line]:
    """Give the newest lines that make up half of the size, from the first response among them on."""
    room = sum(line.size for line in lines) // 2
    start = len(lines)
    while start > 0 and room >= lines[start - 1].size:
        start -= 1
        room -= lines[start].size
    newest = lines[start:]
    first = next((i for i, line in enumerate(newest) if line.role == "assistant"), 0)
    return newest[first:] or list(lines[-1:])
