"""Output in bounded memory."""

from __future__ import annotations

from pathlib import Path

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_tui.machine import capture as module
from agent_tui.machine.capture import Capture

pytestmark = pytest.mark.anyio


async def test_short_output_is_whole_and_needs_no_file(tmp_path: Path) -> None:
    capture = Capture(tmp_path / "s" / "f", 100)
    await capture.feed(b"one\ntw")
    await capture.feed("ö é".encode()[:2])
    assert capture.so_far().head == "one\ntwö"
    await capture.feed(b"\xff\0")
    found = capture.finish()
    assert found.head == "one\ntwö\\xff\\x00"
    assert (found.total_bytes, found.total_lines, found.path) == (10, 2, None)
    assert not (tmp_path / "s").exists()


async def test_long_output_has_both_ends_and_a_file(tmp_path: Path) -> None:
    capture = Capture(tmp_path / "f", 1_000)
    for start in range(0, 60_000, 500):
        await capture.feed(b"".join(b"%d\n" % n for n in range(start, start + 500)))
    found = capture.finish()
    assert found.head.startswith("0\n1\n")
    assert len(found.head) == 4_000
    assert found.tail.endswith("59998\n59999\n")
    assert len(found.tail) == module.TAIL_BYTES
    assert found.total_lines == 60_000
    assert found.path == str(tmp_path / "f")
    assert (tmp_path / "f").read_bytes() == b"".join(b"%d\n" % n for n in range(60_000))
    assert found.total_bytes == (tmp_path / "f").stat().st_size


async def test_a_file_that_turns_out_needless_is_removed(tmp_path: Path) -> None:
    capture = Capture(tmp_path / "f", 10)
    await capture.feed("ääääääää".encode())
    assert (tmp_path / "f").exists()
    found = capture.finish()
    assert (found.head, found.path) == ("ä" * 8, None)
    assert not (tmp_path / "f").exists()


async def test_text_that_grows_when_shown_gets_its_file(tmp_path: Path) -> None:
    capture = Capture(tmp_path / "f", 10)
    await capture.feed(b"\xff" * 9)
    found = capture.finish()
    assert found.path == str(tmp_path / "f")
    assert (tmp_path / "f").read_bytes() == b"\xff" * 9


async def test_the_file_has_its_limit_and_may_fail(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "FILE_BYTES", 100)
    capture = Capture(tmp_path / "f", 10)
    await capture.feed(b"x" * 70)
    capture.feed_now(b"y" * 70)
    assert capture.finish().total_bytes == 140
    assert (tmp_path / "f").read_bytes() == b"x" * 70 + b"y" * 30
    (tmp_path / "blocked").touch()
    capture = Capture(tmp_path / "blocked" / "f", 10)
    await capture.feed(b"x" * 70)
    assert capture.finish().path is None
    (tmp_path / "full").symlink_to("/dev/full")  # a link, since the file is removed
    full = Capture(tmp_path / "full", 10)
    await full.feed(b"x" * 70)
    assert full.finish().head == "x" * 70


@given(st.text("aé€😀", min_size=1), st.data())
def test_a_cut_never_halves_a_character(text: str, data: st.DataObject) -> None:
    capture = Capture(Path("/dev/null/f"), 4)
    raw = text.encode()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "TAIL_BYTES", 7)
        while raw:
            size = data.draw(st.integers(1, len(raw)))
            capture.feed_now(raw[:size])
            raw = raw[size:]
            found = capture.so_far()
            assert "\\x" not in found.head + found.tail
        found = capture.finish()
    assert text.startswith(found.head)
    assert text.endswith(found.tail)


async def test_a_file_that_is_to_be_kept_is_there_from_the_begin(tmp_path: Path) -> None:
    capture = Capture(tmp_path / "f", 100, keep_file=True)
    capture.begin()
    assert (tmp_path / "f").read_bytes() == b""
    await capture.feed(b"short")
    assert (tmp_path / "f").read_bytes() == b"short"
    assert capture.finish().head == "short"
    assert (tmp_path / "f").read_bytes() == b"short"


async def test_a_stop_parts_no_bytes_in_memory_from_the_file(tmp_path: Path) -> None:
    capture = Capture(tmp_path / "f", 100, keep_file=True)
    capture.begin()
    with anyio.CancelScope() as scope:
        scope.cancel()
        await capture.feed(b"last words")
    assert capture.finish().head == "last words"
    assert (tmp_path / "f").read_bytes() == b"last words"
