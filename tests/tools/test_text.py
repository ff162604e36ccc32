"""Text files: what is not touched stays."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_tui.tools.text import NotTextError, TextFile, sendable, split_lines

BYTES = st.lists(
    st.sampled_from([b"a", b"b", b"\n", b"\r\n", b"\r", "é".encode(), b"\x99", "😀".encode()])
).map(b"".join)


@given(BYTES)
def test_reading_and_writing_is_nothing(data: bytes) -> None:
    assert TextFile.decode(data).encode() == data
    assert TextFile.decode(b"\xef\xbb\xbf" + data).encode() == b"\xef\xbb\xbf" + data
    sendable(TextFile.decode(data).text).encode()


@given(BYTES, st.integers(0, 40), st.integers(1, 6))
def test_only_what_is_replaced_changes(data: bytes, at: int, length: int) -> None:
    file = TextFile.decode(data)
    part = file.text[at : at + length]
    if not part:
        return
    places = file.places(part)
    assert at in places or any(place < at < place + len(part) for place in places)
    changed = file.replaced(places, len(part), "<>")
    assert changed.raw.count("<>") == len(places)
    assert changed.raw.replace("\r\n", "\n").replace("\r", "\n") == file.text.replace(
        part, "<>"
    ).replace("\r", "\n")


@pytest.mark.parametrize(
    ("raw", "newline", "text"),
    [
        ("a\nb", "\n", "a\nb"),
        ("a\r\nb\r\n", "\r\n", "a\nb\n"),
        ("a\r\nb\nc\n", "\n", "a\nb\nc\n"),
        ("a\rb", "\r", "a\nb"),
        ("a\rb\n", "\n", "a\rb\n"),
        ("", "\n", ""),
    ],
)
def test_line_ends(raw: str, newline: str, text: str) -> None:
    file = TextFile(raw)
    assert (file.newline, file.text) == (newline, text)
    assert file.with_text(text).text == text


def test_new_lines_take_the_ends_of_their_file() -> None:
    assert TextFile("a\r\nb\r\n").with_text("x\ny\r\n").raw == "x\r\ny\r\n"
    assert TextFile("a\rb").replaced([0], 1, "x\ny").raw == "x\ry\rb"


@pytest.mark.parametrize(
    "data", [b"a\0b", b"\xff\xfe\0\0a\0\0\0", b"\xff\xfe\0\xd8", b"\xfe\xff\xd8"]
)
def test_what_is_no_text_is_told(data: bytes) -> None:
    with pytest.raises(NotTextError):
        TextFile.decode(data)


def test_lines_are_split_at_lf_only() -> None:
    assert split_lines("a\u2028b\x0cc\n\n") == ["a\u2028b\x0cc", ""]
    assert TextFile.decode(b"a\x99\x98").odd_bytes == 2
