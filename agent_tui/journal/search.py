"""Looking for a text in what was said in a session, without decoding the lines that do not hold it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from agent_tui.journal.entries import content_blocks
from agent_tui.protocol.content import JsonObject

MAX_FILE_BYTES = 32 * 1024 * 1024
"""Of one session, only its newest part of this size is searched."""

AROUND = 40
"""Characters shown to each side of what was found."""


MOST_PLACES = 99
"""No more places are counted in one session."""


@dataclass(frozen=True, slots=True)
class Places:
    """How often a text was said, ``MOST_PLACES`` at most, and the newest place with what stands around it."""

    count: int = 0
    newest: str = ""


NOWHERE = Places()


def places_of(path: Path, text: str, max_bytes: int = MAX_FILE_BYTES) -> Places:
    """Find ``text``, in any case, in prompts, answers and results; nowhere when the file can't be read."""
    limit = min(max_bytes, MAX_FILE_BYTES)
    try:
        with path.open("rb") as file:
            size = file.seek(0, 2)
            file.seek(max(0, size - limit))
            data = file.read(limit)
    except OSError:
        return NOWHERE
    wanted = text.casefold()
    lines = _with_bytes(data, _as_stored(text).lower()) if text.isascii() else _with(data, wanted)
    found = NOWHERE
    for line in lines:
        here = _in_line(line, wanted)
        found = Places(min(found.count + here.count, MOST_PLACES), found.newest or here.newest)
        if found.count == MOST_PLACES:
            break
    return found


def _with_bytes(data: bytes, needle: bytes) -> Iterator[bytes]:
    """Give the lines that hold the needle, in any case, the newest first."""
    lower = data.lower()
    end = len(lower)
    while (at := lower.rfind(needle, 0, end)) >= 0:
        start = lower.rfind(b"\n", 0, at) + 1
        stop = lower.find(b"\n", at)
        yield data[start : stop if stop >= 0 else None]
        end = start


def _with(data: bytes, wanted: str) -> Iterator[bytes]:
    """The same for other letters, which have cases of more than one form, so the lines themselves are compared."""
    for line in reversed(data.split(b"\n")):
        if wanted in line.decode("utf-8", "replace").casefold():
            yield line


def _as_stored(text: str) -> bytes:
    return json.dumps(text, ensure_ascii=False)[1:-1].encode()


def _in_line(line: bytes, wanted: str) -> Places:
    try:
        raw: object = json.loads(line)
    except (ValueError, RecursionError):
        return NOWHERE
    entry = cast("JsonObject", raw) if isinstance(raw, dict) else {}
    if entry.get("isMeta") or not isinstance(entry.get("message"), dict):
        return NOWHERE
    count, newest = 0, ""
    for block in content_blocks(entry["message"]):
        for said in _texts(block):
            folded = said.casefold()
            count += folded.count(wanted)
            at = folded.find(wanted)
            if at >= 0 and not newest:
                newest = _around(said, at, len(wanted))
    return Places(count, newest)


def _texts(block: JsonObject) -> list[str]:
    match block.get("type"):
        case "text":
            return [str(block.get("text", ""))]
        case "tool_use":
            return _strings(block.get("input"))
        case "tool_result":
            return _strings(block.get("content"))
        case _:
            return []


def _strings(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, list):
        return [text for item in cast("list[Any]", value) for text in _strings(item)]
    if isinstance(value, dict):
        entries = cast("JsonObject", value)
        if entries.get("type") == "base64":
            return []
        return [text for item in entries.values() for text in _strings(item)]
    return []


def _around(said: str, at: int, length: int) -> str:
    start, stop = max(0, at - AROUND), min(len(said), at + length + AROUND)
    text = " ".join(said[start:stop].split())
    return f"{'…' if start else ''}{text}{'…' if stop < len(said) else ''}"
