"""A store in memory, and summaries of sessions."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any, cast

import pytest

from agent_tui.sdk.session_types import SessionKey, SessionStoreEntry, SessionSummaryEntry
from agent_tui.sdk.stores import InMemorySessionStore, fold_session_summary, told_by
from tests.sdk.file_store import FileStore
from tests.sdk.stored import a_session, line, parallel, stored

pytestmark = pytest.mark.anyio
KEY: SessionKey = {"project_key": "p", "session_id": "s"}
SIDE: SessionKey = {**KEY, "subpath": "subagents/agent-1"}


def entries(lines: list[Any]) -> list[SessionStoreEntry]:
    return cast("list[SessionStoreEntry]", lines)


@pytest.mark.parametrize("name", ["InMemorySessionStore", "FileStore"])
async def test_the_peers_suite_passes(name: str, tmp_path: Path) -> None:
    testing: Any = pytest.importorskip(
        "claude_agent_sdk.testing", reason="pip install agent-tui[peer]"
    )
    numbers = itertools.count()

    def make() -> Any:
        if name == "FileStore":
            return FileStore(tmp_path / str(next(numbers)))
        return InMemorySessionStore()

    await testing.run_session_store_conformance(make)


async def test_a_line_that_comes_again_replaces_itself() -> None:
    store = InMemorySessionStore()
    await store.append(KEY, entries([{"type": "x", "uuid": "1", "n": 1}, {"type": "t"}]))
    await store.append(KEY, entries([{"type": "x", "uuid": "1", "n": 2}, {"type": "t"}]))
    assert store.get_entries(KEY) == [
        {"type": "x", "uuid": "1", "n": 2},
        {"type": "t"},
        {"type": "t"},
    ]


async def test_what_is_kept_is_nobody_elses() -> None:
    store = InMemorySessionStore()
    given = entries([{"type": "x", "uuid": "1", "deep": [1]}])
    await store.append(KEY, given)
    cast("Any", given[0])["deep"].append(2)
    loaded = cast("Any", await store.load(KEY))
    loaded[0]["deep"].append(3)
    assert store.get_entries(KEY) == [{"type": "x", "uuid": "1", "deep": [1]}]


async def test_it_counts_and_forgets() -> None:
    store = InMemorySessionStore()
    await store.append(KEY, entries([{"type": "x"}]))
    await store.append(SIDE, entries([{"type": "x"}]))
    await store.append({**KEY, "session_id": "t"}, entries([{"type": "x"}]))
    assert store.size == 2
    store.clear()
    assert store.size == 0
    assert await store.load(KEY) is None
    assert store.get_entries(KEY) == []
    assert await store.list_sessions("p") == await store.list_session_summaries("p") == []


async def test_what_was_written_later_is_newer() -> None:
    store = InMemorySessionStore()
    for session in ("a", "b", "a"):
        await store.append({**KEY, "session_id": session}, entries([{"type": "x"}]))
    times = {one["session_id"]: one["mtime"] for one in await store.list_sessions("p")}
    assert times["a"] > times["b"]


@pytest.mark.parametrize("size", [1, 2, 5, 100])
def test_a_summary_tells_what_all_lines_tell_however_they_came(size: int, tmp_path: Path) -> None:
    story = a_session(tmp_path, "fix it", title="mine")
    lines = [*stored(story), {"type": "tag", "tag": "t"}]
    summary: SessionSummaryEntry | None = None
    for start in range(0, len(lines), size):
        summary = fold_session_summary(summary, KEY, entries(lines[start : start + size]))
    assert summary is not None
    told = told_by(summary)
    assert told is not None
    seen = told.seen()
    assert (seen.title, seen.first_prompt, seen.tag) == ("mine", "fix it", "t")
    assert (seen.cwd, seen.branch, seen.created) == (
        str(tmp_path),
        "main",
        "2026-03-01T12:00:00.000Z",
    )
    assert (summary["session_id"], summary["mtime"]) == ("s", 0)


def test_a_summary_is_folded_from_a_copy_and_keeps_its_time() -> None:
    first = fold_session_summary(None, KEY, entries(parallel()[:1]))
    first["mtime"] = 7
    kept = dict(first["data"])
    second = fold_session_summary(first, KEY, entries([{"type": "tag", "tag": "x"}]))
    assert first["data"] == kept
    assert second["mtime"] == 7


def test_the_summary_of_a_sub_agent_or_of_another_maker_tells_nothing() -> None:
    side = [line("user", "u", None, "hi", isSidechain=True)]
    assert told_by(fold_session_summary(None, KEY, entries(side))) is None
    assert told_by({"session_id": "s", "mtime": 1, "data": {"custom_title": "x"}}) is None


def test_the_peers_fold_goes_on_from_ours() -> None:
    peer: Any = pytest.importorskip("claude_agent_sdk", reason="pip install agent-tui[peer]")
    ours = fold_session_summary(None, KEY, entries(parallel()))
    theirs = peer.fold_session_summary(ours, KEY, entries([{"type": "tag", "tag": "x"}]))
    assert theirs["session_id"] == "s"
    back = fold_session_summary(
        peer.fold_session_summary(None, KEY, entries(parallel())), KEY, entries(parallel())
    )
    told = told_by(back)
    assert told is not None
    assert told.seen().first_prompt == "go"
