"""What a request would have cost in tokens: a quarter of its bytes, split by a prompt cache that works by the rules.

An entry is written where a block carries ``cache_control``, covers all that comes before it (tools, system,
messages) and lives five minutes from its last use.
"""

from __future__ import annotations

import hashlib
import json
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any, cast

from agent_tui.demo.script import Reply
from agent_tui.protocol.content import JsonObject, block_to_json
from agent_tui.protocol.usage import Usage

LIFETIME = 300.0
"""Seconds an entry lives after its last use."""

MINIMUM = 512
"""Tokens; a shorter prefix is not kept."""


class Meter:
    """Counts tokens and remembers prefixes. Safe to use from several threads."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._until: dict[str, float] = {}
        self._lock = threading.Lock()

    def usage(self, body: JsonObject, reply: Reply) -> Usage:
        """Account for one request and its reply, and keep the marked prefixes."""
        now = self._clock()
        total, read, marked = 0, 0, 0
        key = hashlib.sha256(str(body.get("model")).encode())
        keep: list[str] = []
        with self._lock:
            for block, is_marked in _blocks(body):
                key.update(block)
                total += len(block)
                name = key.hexdigest()
                if self._until.get(name, 0.0) > now:
                    read = total
                    keep.append(name)
                if is_marked and total // 4 >= MINIMUM:
                    marked = total
                    keep.append(name)
            self._until = {name: end for name, end in self._until.items() if end > now}
            self._until.update(dict.fromkeys(keep, now + LIFETIME))
        said = sum(len(_canonical(block_to_json(block))) for block in reply.blocks)
        written = max(0, marked - read)
        return Usage(
            input_tokens=_tokens(total) - _tokens(read + written),
            output_tokens=max(1, _tokens(said)),
            cache_creation_input_tokens=_tokens(read + written) - _tokens(read),
            cache_read_input_tokens=_tokens(read),
        )


def count_tokens(body: JsonObject) -> int:
    """Count the tokens of a request, at least 1."""
    return max(1, _tokens(sum(len(block) for block, _ in _blocks(body))))


def _tokens(size: int) -> int:
    return size // 4


def _blocks(body: JsonObject) -> Iterator[tuple[bytes, bool]]:
    """Give the parts of the prompt in the order of the cache, each with whether it is marked."""
    for tool in _entries(body.get("tools")):
        yield _without_mark(tool)
    for block in _entries(body.get("system")):
        yield _without_mark(block)
    for entry in _entries(body.get("messages")):
        role = str(entry.get("role"))
        for block in _entries(entry.get("content")):
            yield _without_mark({**block, "role": role})


def _without_mark(block: JsonObject) -> tuple[bytes, bool]:
    plain = {key: value for key, value in block.items() if key != "cache_control"}
    return _canonical(plain), block.get("cache_control") is not None


def _entries(value: Any) -> list[JsonObject]:
    if isinstance(value, str):
        return [{"type": "text", "text": value}]
    entries = cast("list[Any]", value) if isinstance(value, list) else []
    return [cast("JsonObject", entry) for entry in entries if isinstance(entry, dict)]


def _canonical(value: Any) -> bytes:
    return json.dumps(value, sort_keys=True, ensure_ascii=False).encode("utf-8", "replace")
