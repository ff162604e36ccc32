from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent_tui.model.sse import SseEvent, SseParser


def parse(*chunks: bytes) -> list[SseEvent]:
    parser = SseParser()
    return [event for chunk in chunks for event in parser.feed(chunk)] + parser.close()


@pytest.mark.parametrize(
    ("raw", "events"),
    [
        (b"event: a\ndata: 1\n\n", [("a", "1")]),
        (b"data: 1\n\ndata: 2\n\n", [("", "1"), ("", "2")]),
        (b"data:1\r\n\r\ndata: 2\r\rdata:  3\n\n", [("", "1"), ("", "2"), ("", " 3")]),
        (b"data: {\ndata: }\n\n", [("", "{\n}")]),
        (b": a comment\n\n:\n\ndata: 1\n: in between\nid: 7\nretry: 1\n\n", [("", "1")]),
        (b"event: a\n\ndata: 1\n\n", [("", "1")]),
        (b"data\n\n", [("", "")]),
        (b"\xef\xbb\xbfdata: 1\n\n", [("", "1")]),
        (b"data: no empty line at the end\n", [("", "no empty line at the end")]),
        (b"data: not even a line end", [("", "not even a line end")]),
        (b"<html>\n<body>\n\n</html>", []),
        (b"", []),
        (b"\n\n\r\n\r\r", []),
    ],
)
def test_what_a_stream_means(raw: bytes, events: list[tuple[str, str]]) -> None:
    assert [(event.name, event.data) for event in parse(raw)] == events


@pytest.mark.parametrize("mark", ["\u2028", "\u2029", "\x85", "\x0b", "\x0c", "\x1c", "\x1e"])
def test_other_line_ends_of_unicode_are_text(mark: str) -> None:
    assert parse(f"data: one{mark}two\n\n".encode()) == [SseEvent("", f"one{mark}two")]


def test_a_character_cut_in_the_middle_is_whole_again() -> None:
    raw = "data: é€😀\n\n".encode()
    assert parse(*(raw[i : i + 1] for i in range(len(raw)))) == [SseEvent("", "é€😀")]


def test_an_event_is_given_with_the_chunk_that_ends_it() -> None:
    parser = SseParser()
    assert parser.feed(b"data: 1\r\n") == []
    assert parser.feed(b"\r") == [SseEvent("", "1")]
    assert parser.feed(b"\ndata: 2\n\n") == [SseEvent("", "2")]
    assert parser.close() == []


def test_a_huge_event_in_small_chunks_is_no_matter() -> None:
    data = "x" * 8_000_000
    raw = f"data: {data}\n\n".encode()
    assert parse(*(raw[i : i + 16_384] for i in range(0, len(raw), 16_384))) == [SseEvent("", data)]


lines = st.sampled_from(
    [
        "",
        "data: a",
        "data:b",
        "data",
        ": note",
        "event: e",
        "data: é\u2028😀",
        "id: 1",
        "{",
        "data: ",
    ]
)
streams = st.lists(st.tuples(lines, st.sampled_from(["\n", "\r\n", "\r"])), max_size=12).map(
    lambda parts: "".join(line + end for line, end in parts).encode()
)


@settings(deadline=None)
@given(raw=streams, cuts=st.lists(st.integers(0, 200), max_size=12))
def test_any_chunking_of_a_stream_gives_the_same_events(raw: bytes, cuts: list[int]) -> None:
    places = sorted({0, len(raw), *(min(cut, len(raw)) for cut in cuts)})
    assert parse(*(raw[a:b] for a, b in pairwise(places))) == parse(raw)


@settings(deadline=None)
@given(raw=st.binary(max_size=80), cuts=st.lists(st.integers(0, 80), max_size=6))
def test_any_chunking_of_any_bytes_gives_the_same_events(raw: bytes, cuts: list[int]) -> None:
    places = sorted({0, len(raw), *(min(cut, len(raw)) for cut in cuts)})
    assert parse(*(raw[a:b] for a, b in pairwise(places))) == parse(raw)
