"""A change on its way."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent_tui.protocol.ports import FileBytes, Seen
from agent_tui.tools.file_change import (
    MAX_ORIGINAL,
    FileChange,
    RefusedError,
    changed_meanwhile,
    decoded,
)
from agent_tui.tools.text import TextFile


def file(data: bytes) -> FileBytes:
    return FileBytes("/f", "/f", data, str(hash(data)))


def seen(data: bytes | None, digest: str = "old") -> Seen:
    return Seen(digest, 1, data=data)


@pytest.mark.parametrize(
    ("before", "now", "told"),
    [
        (b"a\nb\nc\n", b"a\nx\nc\n", "line 2."),
        (b"a\nb\nc\n", b"a\nx\ny\nc\nz\n", "lines 2-3, line 5."),
        (b"a\nb\nc\n", b"a\nc\n", "line 2 (lines removed)."),
        (b"a\nb\n", b"a\r\nb\r\n", "line ends or encoding"),
        (b"a\n", b"a\0", "bytes changed"),
        (None, b"a", "bytes changed"),
    ],
)
def test_what_changed_is_told(before: bytes | None, now: bytes, told: str) -> None:
    assert told in changed_meanwhile(seen(before), file(now))


def test_many_places_are_counted() -> None:
    old = "".join(f"{n}\n\n" for n in range(15)).encode()
    text = changed_meanwhile(seen(old), file(old.replace(b"\n\n", b"!\n\n")))
    assert text.endswith("and 5 more places.")


def test_what_is_as_it_was_or_never_seen_is_not_told() -> None:
    now = file(b"a")
    assert changed_meanwhile(None, now) == ""
    assert changed_meanwhile(seen(b"a", now.digest), now) == ""


@pytest.mark.anyio
async def test_a_change_tells_its_parts() -> None:
    change = FileChange("/w/f", file(b"a\n"), TextFile("a\n"), TextFile("b\n"))
    told = await change.told(Path("/w"))
    assert told.display.path == "f"
    assert told.patch[0]["lines"] == list(told.display.hunks[0].lines) == ["-a", "+b"]
    assert told.original == "a\n"
    long = FileChange("/f", file(b""), TextFile("x" * (MAX_ORIGINAL + 1)), TextFile(""))
    assert (await long.told(Path("/"))).original is None
    new = await FileChange("/f", None, None, TextFile("b\n")).told(Path("/"))
    assert (new.patch, new.original, new.display.created) == ([], None, True)


def test_only_text_is_edited() -> None:
    assert decoded("f", file(b"a")).text == "a"
    with pytest.raises(RefusedError, match="f can't be edited as text: it is a binary file"):
        decoded("f", file(b"\0"))
