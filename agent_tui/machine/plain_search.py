"""A small stand-in for ripgrep, run as a program of its own so that it can be ended in the middle of a bad pattern.

``python -m agent_tui.machine.plain_search REQUEST``, with a JSON object of the fields of ``Request``, in the folder to
search. It prints what ripgrep prints for ``--files``, ``-l``, ``-c`` (with ``--null``) and ``--json``, so that one
reader serves both.
"""

from __future__ import annotations

import base64
import json
import os
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO

from agent_tui.machine.file_types import FILE_TYPES
from agent_tui.machine.globs import GlobError
from agent_tui.machine.lines_found import Event, events, matching_lines
from agent_tui.machine.walk import Walk
from agent_tui.protocol.codec import from_json, to_json

BINARY_LOOKED_AT = 64 * 1024


@dataclass(frozen=True, slots=True)
class Request:
    """What to do. ``output``: ``files`` (by name only), ``list`` (files with matches), ``count``, ``json``."""

    output: str
    pattern: str = ""
    target: str = "./"
    globs: tuple[str, ...] = ()
    type: str | None = None
    ignore_case: bool = False
    multiline: bool = False
    before: int = 0
    after: int = 0
    hidden: bool = True
    no_ignore: bool = False

    def to_json(self) -> str:
        """Give the argument for the program."""
        return json.dumps(to_json(self))


def main(arguments: list[str]) -> int:
    """Run one request: 0 something was found, 1 nothing, 2 the request is wrong."""
    request = from_json(Request, json.loads(arguments[0]))
    try:
        regex = _compiled(request)
        if request.type is not None and request.type not in FILE_TYPES:
            raise GlobError(f"unrecognized file type: {request.type}")
        found = _search(request, regex, sys.stdout.buffer)
    except (GlobError, re.error) as error:
        sys.stderr.write(f"{'regex parse error: ' if isinstance(error, re.error) else ''}{error}\n")
        return 2
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    return 0 if found else 1


def _search(request: Request, regex: re.Pattern[str], out: BinaryIO) -> bool:
    found = False
    for path in _files(request):
        raw = os.fsencode(path)
        if request.output == "files":
            out.write(raw + b"\0")
            found = True
            continue
        data = _contents(path)
        if data is None:
            continue
        if request.output == "json":
            found = _print_events(path, events(data, regex, request), out) or found
            continue
        count = matching_lines(data, regex, request, stop_at_first=request.output == "list")
        if count:
            found = True
            out.write(raw + b"\0" + (b"" if request.output == "list" else b"%d\n" % count))
        out.flush()
    return found


def _files(request: Request) -> Iterator[str]:
    if os.path.isfile(request.target):  # noqa: PTH113 - one named directly is searched whatever rules say
        yield request.target
        return
    globs = tuple(FILE_TYPES[request.type]) if request.type else ()
    walk = Walk(request.globs, globs, hidden=request.hidden, no_ignore=request.no_ignore)
    yield from walk.files()


def _contents(path: str) -> bytes | None:
    """Read a text file; None for one that is binary or can't be read."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
        with open(handle, "rb") as file:  # noqa: PTH123
            data = file.read()
    except OSError:
        return None
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", "replace").encode()
    if b"\0" in data[:BINARY_LOOKED_AT]:
        return None
    return data.split(b"\0", 1)[0].removeprefix(b"\xef\xbb\xbf")


def _print_events(path: str, found: Iterator[Event], out: BinaryIO) -> bool:
    any_found = False
    name = _text(os.fsencode(path))
    for event in found:
        if not any_found:
            _print(out, "begin", {"path": name})
        any_found = True
        data: dict[str, Any] = {
            "path": name,
            "lines": _text(event.text),
            "line_number": event.number,
            "submatches": [
                {"match": _text(event.text[start:end]), "start": start, "end": end}
                for start, end in event.spans
            ],
        }
        _print(out, "match" if event.is_match else "context", data)
    if any_found:
        _print(out, "end", {"path": name, "binary_offset": None})
        out.flush()
    return any_found


def _print(out: BinaryIO, kind: str, data: dict[str, Any]) -> None:
    out.write(json.dumps({"type": kind, "data": data}).encode() + b"\n")


def _text(raw: bytes) -> dict[str, str]:
    try:
        return {"text": raw.decode()}
    except UnicodeDecodeError:
        return {"bytes": base64.b64encode(raw).decode()}


_POSIX = {
    "alnum": "a-zA-Z0-9",
    "alpha": "a-zA-Z",
    "ascii": "\\x00-\\x7f",
    "blank": " \\t",
    "digit": "0-9",
    "lower": "a-z",
    "punct": "!-/:-@\\[-`{-~",
    "space": "\\s",
    "upper": "A-Z",
    "word": "\\w",
    "xdigit": "0-9a-fA-F",
}


def _compiled(request: Request) -> re.Pattern[str]:
    """Compile a pattern of ripgrep's language as far as Python's is the same, or can be made to be."""
    pattern = re.sub(r"\[:(\w+):\]", lambda match: _POSIX.get(match[1], match[0]), request.pattern)
    pattern = re.sub(r"\(\?<(?![=!])", "(?P<", pattern)
    pattern = re.sub(
        r"\\x\{([0-9a-fA-F]+)\}", lambda match: re.escape(chr(int(match[1], 16))), pattern
    )
    pattern = pattern.replace("\\z", "\\Z")
    flags = re.MULTILINE
    if request.ignore_case:
        flags |= re.IGNORECASE
    if request.multiline:
        flags |= re.DOTALL
    return re.compile(pattern, flags)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
