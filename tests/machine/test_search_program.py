"""Running a search program."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from agent_tui.machine import search_program as module
from agent_tui.machine.search_program import Outcome, run_search
from tests.machine.alive import NAP, gone

pytestmark = pytest.mark.anyio


async def run(
    line: str, folder: Path, *, most: int = 1_000, seconds: float = 10
) -> tuple[list[bytes], Outcome]:
    found: list[bytes] = []

    async def take(record: bytes) -> bool:
        found.append(record)
        return len(found) < most

    env = {"PATH": os.environ["PATH"]}
    outcome = await run_search(
        ["sh", "-c", line], str(folder), b"\n", take, seconds=seconds, env=env
    )
    return found, outcome


async def test_records_come_whole_and_the_code_is_told(tmp_path: Path) -> None:
    found, outcome = await run("printf 'a\\n\\nb'; echo oh >&2; pwd >&2; exit 3", tmp_path)
    assert found == [b"a", b"", b"b"]
    assert outcome == Outcome(3, f"oh\n{tmp_path}")


async def test_who_has_enough_ends_it(tmp_path: Path) -> None:
    found, outcome = await run("while :; do echo 3071; sleep 0; done", tmp_path, most=5)
    assert found == [b"3071"] * 5
    assert outcome.code is None
    assert not outcome.timed_out


async def test_time_runs_out(tmp_path: Path) -> None:
    begun = time.monotonic()
    found, outcome = await run(f"echo first; {NAP}72", tmp_path, seconds=0.3)
    assert time.monotonic() - begun < 3
    assert found == [b"first"]
    assert outcome == Outcome(None, "", timed_out=True)
    assert await gone(f"{NAP}72")


async def test_a_record_without_end_is_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MAX_RECORD", 100_000)
    line = "head -c 900000 /dev/zero | tr '\\0' x; echo; echo next"
    found, outcome = await run(line, tmp_path)
    assert found == [b"next"]
    assert outcome == Outcome(0, "", passed_over=1)


async def test_much_complaint_is_bounded(tmp_path: Path) -> None:
    _, outcome = await run("head -c 300000 /dev/zero | tr '\\0' x >&2", tmp_path)
    assert len(outcome.errors) == module.MAX_ERRORS
