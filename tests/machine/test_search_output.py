"""Reading what search programs print."""

from __future__ import annotations

import json
from typing import Any

import pytest

from agent_tui.machine.search_output import MAX_TEXT, FileTaker, LineTaker
from agent_tui.protocol.ports import FoundFile, FoundLine, GrepQuery

pytestmark = pytest.mark.anyio


def record(kind: str, path: str = "./f", **data: Any) -> bytes:
    return json.dumps({"type": kind, "data": {"path": {"text": path}, **data}}).encode()


def line(kind: str, number: int, text: str) -> bytes:
    return record(kind, lines={"text": text}, line_number=number, submatches=[])


def taker(most: int = 10, **query: Any) -> LineTaker:
    return LineTaker("/w", GrepQuery("x", "/w", "content", **query), most, lambda _: True)


async def test_names_and_counts() -> None:
    names = FileTaker("/w", counted=False)
    for name in (b"./a", b"./\xff"):
        assert await names(name)
    assert names.files() == [FoundFile("/w/a"), FoundFile("/w/\udcff")]
    counts = FileTaker("/w", counted=True)
    for part in (b"./a", b"3\r\n./b\nc", b"12\n"):
        await counts(part)
    assert counts.files() == [FoundFile("/w/a", 3), FoundFile("/w/b\nc", 12)]


async def test_lines_know_where_some_were_left_out() -> None:
    take = taker(after=1)
    for one in (record("begin"), line("match", 2, "x\r\n"), line("context", 3, "y\n")):
        assert await take(one)
    await take(line("match", 9, "x" * 9_000))
    assert take.lines == [
        FoundLine("/w/f", 2, "x", True),
        FoundLine("/w/f", 3, "y", False),
        FoundLine("/w/f", 9, "x" * MAX_TEXT, True, gap=True),
    ]


async def test_enough_is_one_more_than_wanted() -> None:
    take = taker(1)
    await take(record("begin"))
    assert await take(line("match", 1, "x"))
    assert not await take(line("match", 2, "x"))


async def test_a_file_that_turns_out_binary_is_taken_back() -> None:
    take = taker()
    for one in (record("begin"), line("match", 1, "x\n"), record("end", binary_offset=7)):
        await take(one)
    assert take.lines == []


async def test_odd_bytes_come_as_base64() -> None:
    take = taker(only_matching=True)
    await take(b'{"type":"begin","data":{"path":{"bytes":"Li//"}}}')
    spot = {"match": {"bytes": "eP8="}, "start": 2, "end": 4}
    data: dict[str, Any] = {"lines": {"bytes": "YQp4/w=="}, "line_number": 4, "submatches": [spot]}
    await take(record("match", **data))
    assert take.lines == [FoundLine("/w/\udcff", 5, "x\ufffd", True)]
