"""Prompt cache accounting by the documented rules, on a quarter of the UTF-8 bytes as tokens.

A prompt is a row of blocks: tools, then system, then messages. Every block has a key made of all
that comes before it and of what else decides the place in the cache (the model for everything,
the speed from the system on; tool choice, thinking, effort and the presence of pictures for the
messages). Entries are written only where a block is marked, and each mark looks back over at most
20 blocks for an entry that is still alive.

Two things are left out: that a change of thinking or effort also drops tools and system on some
models, and that old models strip the thinking of finished turns.
"""

from __future__ import annotations

import hashlib
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from .rules import (
    Json,
    ModelFacts,
    Settings,
    as_list,
    as_object,
    block_tokens,
    blocks_of,
    cacheable,
    canonical,
    effort_of,
    facts_of,
    objects,
    walk,
)

LOOK_BACK = 20
LIFETIME = {"5m": 300.0, "1h": 3600.0}


@dataclass(frozen=True)
class Accounting:
    """How the prompt of one request splits up.

    Attributes:
        input: Tokens neither read from the cache nor written to it.
        created_5m: Tokens written for five minutes.
        created_1h: Tokens written for an hour.
        read: Tokens read from the cache.
        writes: Keys to store once the response begins, with their lifetime.
        refreshed: Keys of the entries that were used.
        at: The time of the request.
    """

    input: int
    created_5m: int
    created_1h: int
    read: int
    writes: tuple[tuple[str, str], ...]
    refreshed: tuple[str, ...]
    at: float

    @property
    def created(self) -> int:
        """Tokens written to the cache."""
        return self.created_5m + self.created_1h

    @property
    def total(self) -> int:
        """Tokens of the whole prompt."""
        return self.input + self.created + self.read

    def usage(self) -> Json:
        """The input side of a `usage` object."""
        return {
            "input_tokens": self.input,
            "cache_creation_input_tokens": self.created,
            "cache_read_input_tokens": self.read,
            "cache_creation": {
                "ephemeral_5m_input_tokens": self.created_5m,
                "ephemeral_1h_input_tokens": self.created_1h,
            },
        }


@dataclass(frozen=True)
class Cell:
    """One block of the prompt: its key, the tokens up to and with it, and its mark's lifetime."""

    key: str
    tokens: int
    ttl: str | None


@dataclass
class _Entry:
    expires: float
    lifetime: float


class PromptCache:
    """The prompt cache of one workspace."""

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        """Makes an empty cache.

        Args:
            clock: Gives the time in seconds.
        """
        self.clock = clock
        self._entries: dict[str, _Entry] = {}
        self._lock = threading.Lock()

    def clear(self) -> None:
        """Forgets every entry."""
        with self._lock:
            self._entries.clear()

    def use(self, body: Json, settings: Settings | None = None) -> Accounting:
        """Accounts for a request and stores what it writes at once."""
        accounting = self.look(body, settings)
        self.store(accounting)
        return accounting

    def look(self, body: Json, settings: Settings | None = None) -> Accounting:
        """Accounts for a request without changing the cache."""
        facts = facts_of(body.get("model"), settings) or ModelFacts(str(body.get("model")))
        cells = prefix(body, facts)
        now = self.clock()
        with self._lock:
            alive = {key for key, entry in self._entries.items() if entry.expires > now}
        marked = [index for index, cell in enumerate(cells) if cell.ttl is not None]
        hits: list[int] = []
        for place in marked:
            window = range(place, max(-1, place - LOOK_BACK), -1)
            hit = next((index for index in window if cells[index].key in alive), None)
            if hit is not None:
                hits.append(hit)
        read = max((cells[index].tokens for index in hits), default=0)
        big = [place for place in marked if cells[place].tokens >= facts.cache_minimum]
        written = max((cells[place].tokens for place in big), default=0)
        end = max(read, written)
        hours = [cells[place].tokens for place in big if cells[place].ttl == "1h"]
        created_1h = max(0, max(hours, default=0) - read)
        total = cells[-1].tokens if cells else 0
        return Accounting(
            input=total - end,
            created_5m=end - read - created_1h,
            created_1h=created_1h,
            read=read,
            writes=tuple((cells[place].key, cells[place].ttl or "5m") for place in big),
            refreshed=tuple(cells[index].key for index in hits),
            at=now,
        )

    def store(self, accounting: Accounting) -> None:
        """Makes the writes of a request visible and renews the entries that it used."""
        with self._lock:
            for key in accounting.refreshed:
                entry = self._entries.get(key)
                if entry is not None:
                    entry.expires = max(entry.expires, accounting.at + entry.lifetime)
            for key, ttl in accounting.writes:
                old = self._entries.get(key)
                lifetime = LIFETIME[ttl]
                expires = accounting.at + lifetime
                if old is None or old.expires < expires:
                    self._entries[key] = _Entry(expires, lifetime)


def prefix(body: Json, facts: ModelFacts) -> list[Cell]:
    """The blocks of a prompt in prefix order, with their keys."""
    chain = hashlib.sha256(facts.id.encode())
    total = 0
    cells: list[Cell] = []
    spots: list[int] = []

    def add(role: str, block: Json) -> None:
        nonlocal total
        chain.update(f"\0{role}\0{_plain(block)}".encode("utf-8", "surrogatepass"))
        total += block_tokens(block)
        if cacheable(block):
            spots.append(len(cells))
        cells.append(Cell(chain.hexdigest(), total, _ttl(block.get("cache_control"))))

    for tool in objects(body.get("tools")):
        if tool.get("defer_loading") is not True:
            add("tools", tool)
    chain.update(f"\0speed {body.get('speed') or 'standard'}".encode())
    for block in blocks_of(body.get("system")):
        add("system", block)
    chain.update(f"\0{_message_level(body, facts)}".encode())
    for message in objects(body.get("messages")):
        for block in blocks_of(message.get("content")):
            add(str(message.get("role")), block)
    automatic = _ttl(body.get("cache_control"))
    if automatic is not None and spots and cells[spots[-1]].ttl is None:
        last = cells[spots[-1]]
        cells[spots[-1]] = Cell(last.key, last.tokens, automatic)
    return cells


def _message_level(body: Json, facts: ModelFacts) -> str:
    effort = effort_of(body) or facts.default_effort
    pictures = any(block.get("type") == "image" for _, block in walk(body))
    return canonical([body.get("tool_choice"), body.get("thinking"), effort, pictures])


def _plain(value: object) -> str:
    """Text of a block without its cache mark, and with string content as one text block."""
    block = as_object(value)
    if block is None:
        return canonical(value)
    rest = {name: part for name, part in block.items() if name != "cache_control"}
    if rest.get("type") == "tool_result" and isinstance(rest.get("content"), str):
        rest["content"] = [{"type": "text", "text": rest["content"]}] if rest["content"] else []
    elif as_list(rest.get("content")) is not None and rest.get("type") == "tool_result":
        rest["content"] = [_sorted_head(part) for part in objects(rest["content"])]
    return canonical(_sorted_head(rest))


def _sorted_head(block: Json) -> Json:
    """Orders the block's own keys, which carry no meaning; what is inside stays as it is."""
    return {name: block[name] for name in sorted(block)}


def _ttl(value: object) -> str | None:
    mark = as_object(value)
    if mark is None:
        return None
    ttl = mark.get("ttl", "5m")
    return ttl if isinstance(ttl, str) and ttl in LIFETIME else "5m"
