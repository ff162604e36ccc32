"""Answers what a front end asks about what was said in the open session: places of a text, raw lines, sub-agents, money."""

from __future__ import annotations

import json
import time
from collections import deque
from collections.abc import Iterable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Protocol, TypeAlias, cast

import anyio.to_thread

from agent_tui.engine.finding import places_before
from agent_tui.engine.usage_report import UsageReport
from agent_tui.journal.codec import parse
from agent_tui.journal.entries import Entry, ResponseEntry, ResultEntry, UserEntry, content_blocks
from agent_tui.journal.file import Reading
from agent_tui.journal.fold import Conversation
from agent_tui.journal.replay import ToolDisplay, messages, user_message
from agent_tui.journal.side_chain import read_meta, read_side, side_agents, side_journal
from agent_tui.protocol.content import JsonObject, TextBlock
from agent_tui.protocol.looking import (
    Find,
    Found,
    Inside,
    ModelSpent,
    PromptSpent,
    Raw,
    RawLines,
    Spending,
    Spent,
)
from agent_tui.protocol.masking import Masker
from agent_tui.protocol.queries import MessagePage
from agent_tui.protocol.records import to_record
from agent_tui.protocol.usage import Usage

Question: TypeAlias = Find | Raw | Inside | Spending
Answer: TypeAlias = Found | RawLines | MessagePage | Spent

MOST_LINES = 50
"""Raw lines that are given of one thing; the newest count."""
MOST_INSIDE = 400
"""Messages of a sub-agent that are given; the newest count."""
MINUTES_5, HOUR = 300.0, 3600.0
"""Seconds for which the API keeps what was written into its cache."""
MOST_CHARS = 300
"""Of a prompt's text no more is told."""


class Session(Protocol):
    """What the answers need of an open session."""

    @property
    def journal_path(self) -> Path:
        """Where its journal is."""
        ...

    @property
    def tool_display(self) -> ToolDisplay:
        """How a call looks."""
        ...

    @property
    def usage(self) -> UsageReport:
        """Its conversation and its requests."""
        ...


async def answer(question: Question, session: Session, masker: Masker) -> Answer:
    """Answer one question. The journal is read beside everything else, in a thread.

    Raises:
        JournalError: it can't be read.
    """
    path = session.journal_path
    match question:
        case Find(text, before):
            return await anyio.to_thread.run_sync(_find, path, text, before, session, masker)
        case Raw(ident):
            return await anyio.to_thread.run_sync(_raw, path, ident, masker)
        case Inside(call_id):
            return await anyio.to_thread.run_sync(_inside, path, call_id, session, masker)
        case Spending():
            entries = await anyio.to_thread.run_sync(_entries_of_money, path)
            return spent(entries, session.usage, time.time(), masker)


def _find(path: Path, text: str, before: str | None, session: Session, masker: Masker) -> Found:
    if not path.exists():
        return Found()
    display = session.tool_display
    return Found(places_before(Reading(path), text, before, tool_display=display, masker=masker))


# Raw lines ------------------------------------------------------------------------------------------------------------


def _raw(path: Path, ident: str, masker: Masker) -> RawLines:
    if not ident or not path.exists():
        return RawLines()
    found = list(lines_about(path, ident))
    return RawLines(tuple(map(masker.data, found[-MOST_LINES:])), max(0, len(found) - MOST_LINES))


def lines_about(path: Path, ident: str) -> Iterator[JsonObject]:
    """Give the lines of a journal that are of a message, a response or a call, or answer it."""
    needle = json.dumps(ident).encode()
    with path.open("rb") as file:
        for raw in file:
            if needle in raw and (line := parse(raw)) is not None and ident in _idents(line):
                yield line


def _idents(line: JsonObject) -> Iterator[object]:
    """Give what a line is known by."""
    yield line.get("uuid")
    message = line.get("message")
    if isinstance(message, dict):
        told = cast("JsonObject", message)
        yield told.get("id")
        for block in content_blocks(told):
            yield from (block.get("id"), block.get("tool_use_id"))


# Sub-agents -----------------------------------------------------------------------------------------------------------


def _inside(path: Path, call_id: str, session: Session, masker: Masker) -> MessagePage:
    for agent_id in side_agents(path):
        journal = side_journal(path, agent_id)
        meta = read_meta(journal)
        if meta is not None and meta.tool_use_id == call_id:
            said = messages(read_side(journal), tool_display=session.tool_display)
            kept = said[-MOST_INSIDE:]
            records = tuple(to_record(masker.data(message)) for message in kept)
            return MessagePage(records, len(said) > len(kept))
    return MessagePage()


# Money ----------------------------------------------------------------------------------------------------------------


def _entries_of_money(path: Path) -> list[Entry]:
    if not path.exists():
        return []
    kept: deque[Entry] = deque()
    for entry in Reading(path):
        if isinstance(entry, ResultEntry | ResponseEntry) or (
            isinstance(entry, UserEntry) and entry.is_prompt
        ):
            kept.append(entry)
    return list(kept)


def spent(entries: Iterable[Entry], usage: UsageReport, now: float, masker: Masker) -> Spent:
    """Say what a session has cost; ``now`` is seconds since the epoch."""
    conversation, requests = usage.conversation(), usage.requests
    window = usage.tokens()
    cold = requests.price(requests.model, Usage(cache_creation_input_tokens=window)).cost_usd
    listed = list(entries)
    return Spent(
        models=_models(conversation),
        prompts=tuple(masker.data(prompt) for prompt in _prompts(listed)),
        total_usd=conversation.total_cost_usd,
        cache_share=_cache_share(conversation),
        warm_for=_warm_for(listed, now),
        cold_usd=cold,
        window_tokens=window,
    )


def _models(conversation: Conversation) -> tuple[ModelSpent, ...]:
    found = [
        ModelSpent(
            name,
            used.usage.input_tokens,
            used.usage.cache_read_input_tokens,
            used.usage.cache_creation_input_tokens,
            used.usage.output_tokens,
            used.cost_usd,
        )
        for name, used in conversation.model_usage.items()
    ]
    return tuple(sorted(found, key=lambda model: -(model.cost_usd or 0)))


def _cache_share(conversation: Conversation) -> float | None:
    whole = sum((used.usage for used in conversation.model_usage.values()), Usage())
    return whole.cache_read_input_tokens / whole.prompt_tokens if whole.prompt_tokens else None


def _prompts(entries: Iterable[Entry]) -> Iterator[PromptSpent]:
    """Join each result with the prompt it belongs to; what is still running has none yet."""
    prompt: UserEntry | None = None
    for entry in entries:
        if isinstance(entry, UserEntry) and not entry.steers:
            prompt = entry
        elif isinstance(entry, ResultEntry) and prompt is not None:
            result = entry.result
            if result.num_turns:
                text = " ".join(_said(prompt).split())[:MOST_CHARS]
                yield PromptSpent(prompt.header.timestamp, text, result.num_turns, result.cost_usd)
            prompt = None


def _said(entry: UserEntry) -> str:
    content = user_message(entry).content
    if isinstance(content, str):
        return content
    return "\n".join(block.text for block in content if isinstance(block, TextBlock))


def _warm_for(entries: list[Entry], now: float) -> float | None:
    """Say for how many seconds the newest main response's prefix stays in the cache."""
    for entry in reversed(entries):
        if isinstance(entry, ResponseEntry) and entry.purpose == "main":
            used = entry.usage
            if not (used.cache_read_input_tokens or used.cache_creation_input_tokens):
                return None
            lives = HOUR if used.cache_creation_1h_tokens else MINUTES_5
            try:
                since = now - datetime.fromisoformat(entry.header.timestamp).timestamp()
            except ValueError:
                return None
            return max(0.0, lives - since)
    return None
