from __future__ import annotations

import io
import json
import os
import sys
from pathlib import Path

import pytest

from agent_tui.headless.output import Output, complain


def test_a_record_is_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    output = Output()
    output.record({"a": "ü\n", "b": [1]})
    output.write(lambda: print("plain"))
    first, second = capsys.readouterr().out.splitlines()
    assert (json.loads(first), second) == ({"a": "ü\n", "b": [1]}, "plain")
    assert not output.broken


def test_a_reader_that_has_left_is_no_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "w") as gone:
        monkeypatch.setattr(sys, "stdout", gone)
        output = Output()
        output.record({"a": 1})
        output.record({"b": 2})
    assert (output.broken, output.lost) == (True, False)


def test_it_is_seen_without_writing_that_nobody_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    read, write = os.pipe()
    with os.fdopen(write, "w") as pipe:
        monkeypatch.setattr(sys, "stdout", pipe)
        output = Output()
        assert not output.left()
        os.close(read)
        assert output.left()
    assert (output.broken, output.lost) == (True, False)


def test_what_is_no_pipe_has_no_reader_to_leave(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with (tmp_path / "out").open("w") as file:
        monkeypatch.setattr(sys, "stdout", file)
        assert not Output().left()
    monkeypatch.setattr(sys, "stdout", io.StringIO())
    assert not Output().left()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is full")
def test_no_room_is_a_failure_that_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with Path("/dev/full").open("w") as full:
        monkeypatch.setattr(sys, "stdout", full)
        output = Output()
        output.record({"a": 1})
    assert (output.broken, output.lost) == (True, True)
    assert "No space left" in capsys.readouterr().err


def test_a_complaint_cannot_drive_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    complain("bad \x1b[2Jline")
    assert capsys.readouterr().err == "agent-tui: bad line\n"
