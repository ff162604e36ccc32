"""Looking for a text in what was said in a session, without decoding the lines that do not hold it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, cast

from agent_tui.journal.entries import content_blocks
from agent_tui.protocol.content import JsonObject

MAX_FILE_BYTES = 32 * 1024 * 1024
"""Of one session, only its newest part of this size is searched."""

AROUND = 40
"""Characters shown to each side of what was found."""


def excerpt_of(path: Path, text: str, max_bytes: int = MAX_FILE_BYTES) -> str | None:
    """Find ``text``, in any case, in prompts, answers and results; give it with what stands around it.

    None when it is not there, or the file can't be read. The newest place counts.
    """
    limit = min(max_bytes, MAX_FILE_BYTES)
    try:
        with path.open("rb") as file:
            size = file.seek(0, 2)
            file.seek(max(0, size - limit))
            data = file.read(limit)
    except OSError:
        return None
    wanted = text.casefold()
    if text.isascii():
        return _newest(data, data.lower(), _as_stored(text).lower(), wanted)
    return _newest_decoded(data, wanted)


def _newest(data: bytes, lower: bytes, needle: bytes, wanted: str) -> str | None:
    end = len(lower)
    while (at := lower.rfind(needle, 0, end)) >= 0:
        start = lower.rfind(b"\n", 0, at) + 1
        stop = lower.find(b"\n", at)
        found = _in_line(data[start : stop if stop >= 0 else None], wanted)
        if found is not None:
            return found
        end = start
    return None


def _newest_decoded(data: bytes, wanted: str) -> str | None:
    """Other letters have cases of more than one form, so the lines themselves are compared."""
    for line in reversed(data.split(b"\n")):
        if wanted in line.decode("utf-8", "replace").casefold():
            found = _in_line(line, wanted)
            if found is not None:
                return found
    return None


def _as_stored(text: str) -> bytes:
    return json.dumps(text, ensure_ascii=False)[1:-1].encode()


def _in_line(line: bytes, wanted: str) -> str | None:
    try:
        raw: object = json.loads(line)
    except (ValueError, RecursionError):
        return None
    entry = cast("JsonObject", raw) if isinstance(raw, dict) else {}
    if entry.get("isMeta") or not isinstance(entry.get("message"), dict):
        return None
    for block in content_blocks(entry["message"]):
        for said in _texts(block):
            at = said.casefold().find(wanted)
            if at >= 0:
                return _around(said, at, len(wanted))
    return None


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
