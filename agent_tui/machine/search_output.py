"""Reading what a search program prints: names, counts, or lines as JSON."""

from __future__ import annotations

import base64
import json
import os
from typing import Any, cast

from anyio import to_thread

from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.ports import FoundFile, FoundLine, GrepQuery, MayRead

MAX_FILES = 200_000
MAX_TEXT = 4_000
"""Of a longer line only the beginning is kept."""


class FileTaker:
    """Takes names ended by NUL; with ``counted``, each is followed by a number and LF."""

    def __init__(self, folder: str, *, counted: bool) -> None:
        self._folder = folder
        self._counted = counted
        self._records: list[bytes] = []

    async def __call__(self, record: bytes) -> bool:
        """Take a record; False when there are more than can be kept."""
        self._records.append(record)
        return len(self._records) < MAX_FILES

    def files(self) -> list[FoundFile]:
        """Give what was found."""
        if not self._counted:
            return [FoundFile(self._path(name)) for name in self._records]
        found: list[FoundFile] = []
        name: bytes | None = None
        for record in self._records:  # each holds a name's number, then the next name
            count, _, following = record.partition(b"\n")
            if name is None:
                name = record
            elif count.strip().isdigit():
                found.append(FoundFile(self._path(name), int(count)))
                name = following
        return found

    def _path(self, name: bytes) -> str:
        return _joined(self._folder, os.fsdecode(name))


class LineTaker:
    """Takes lines of JSON as ``rg --json`` prints them, until it has one more than ``most``."""

    def __init__(self, folder: str, query: GrepQuery, most: int, may_read: MayRead) -> None:
        self.lines: list[FoundLine] = []
        self.hidden = 0
        self._folder = folder
        self._query = query
        self._most = most
        self._may_read = may_read
        self._path = ""
        self._skips = False
        self._begun_at = 0

    async def __call__(self, record: bytes) -> bool:
        """Take a record; False when there are enough."""
        event = cast("JsonObject", json.loads(record))
        data = cast("JsonObject", event["data"])
        match event["type"]:
            case "begin":
                self._path = _joined(self._folder, os.fsdecode(_bytes(data["path"])))
                self._begun_at = len(self.lines)
                self._skips = not await to_thread.run_sync(self._may_read, self._path)
                self.hidden += self._skips
            case "match" | "context" if not self._skips:
                self._take(data, is_match=event["type"] == "match")
            case "end" if data.get("binary_offset") is not None:
                del self.lines[self._begun_at :]
            case _:
                pass
        return len(self.lines) <= self._most

    def _take(self, data: JsonObject, *, is_match: bool) -> None:
        number = int(data["line_number"] or 0)
        raw = _bytes(data["lines"])
        if self._query.only_matching:
            if is_match:
                for match in cast("list[JsonObject]", data["submatches"]):
                    before = raw.count(b"\n", 0, match["start"])
                    self._add(number + before, _bytes(match["match"]), is_match=True)
            return
        self._add(number, raw, is_match=is_match)

    def _add(self, number: int, raw: bytes, *, is_match: bool) -> None:
        text = raw.decode("utf-8", "replace").removesuffix("\n")
        for at, line in enumerate(text.split("\n")):
            gap = self._is_gap(number + at)
            shown = line.removesuffix("\r")[:MAX_TEXT]
            self.lines.append(FoundLine(self._path, number + at, shown, is_match, gap))

    def _is_gap(self, number: int) -> bool:
        if not self.lines or not (self._query.before or self._query.after):
            return False
        last = self.lines[-1]
        return last.path != self._path or last.number + 1 < number


def _joined(folder: str, name: str) -> str:
    return os.path.join(folder, name.removeprefix("./"))  # noqa: PTH118 - Path would resolve dots


def _bytes(value: Any) -> bytes:
    entry = cast("dict[str, str]", value)
    if "text" in entry:
        return entry["text"].encode("utf-8", "surrogatepass")
    return base64.b64decode(entry["bytes"])
