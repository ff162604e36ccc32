"""A session that a program's store holds, put on this machine's disk."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest

from agent_tui.journal.file import Journal, Reading
from agent_tui.journal.fold import fold
from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.errors import SessionError
from agent_tui.sdk.restoring import ASIDE, restore
from agent_tui.sdk.session_types import SessionKey
from agent_tui.sdk.sessions import get_session_messages, get_subagent_messages, list_subagents
from agent_tui.sdk.store_changes import import_session_to_store
from agent_tui.sdk.stores import InMemorySessionStore
from agent_tui.settings.options import Options, SessionOptions
from agent_tui.settings.paths import Environment, journal, project_key
from tests.journal.story import Story, text
from tests.sdk.stored import NOBODY, a_session, line, save, save_agent, save_lines, stored

pytestmark = pytest.mark.anyio


@pytest.fixture
def cwd(clean_room: Path) -> Path:
    return clean_room / "work"


def options(cwd: Path, **session: Any) -> Options:
    return Options(cwd=str(cwd), session=SessionOptions(**session))


def env() -> Environment:
    return Environment.of_process()


async def remote(story: Story, cwd: Path, store: InMemorySessionStore | None = None) -> Any:
    """A store that holds a session."""
    store = store or InMemorySessionStore()
    key: SessionKey = {"project_key": project_key(cwd), "session_id": story.session_id}
    await store.append(key, cast("Any", stored(story)))
    return store


def lines_of(path: Path) -> list[JsonObject]:
    return [json.loads(raw) for raw in path.read_bytes().splitlines()]


async def test_a_session_comes_whole_with_its_sub_agents(cwd: Path) -> None:
    path = save(a_session(cwd), cwd)
    save_agent(path, "one", "seen", toolUseId="toolu_1", parentAgentId="zero")
    store = InMemorySessionStore()
    await import_session_to_store(path.stem, store)
    before, said = lines_of(path), get_session_messages(path.stem)
    side = get_subagent_messages(path.stem, "one")
    for file in sorted(path.parent.rglob("*.*"), reverse=True):
        file.unlink()
    given = options(cwd, resume=path.stem)
    assert await restore(store, given, env()) == given
    assert lines_of(path) == before
    assert path.stat().st_mode & 0o777 == 0o600
    assert get_session_messages(path.stem) == said
    assert list_subagents(path.stem) == ["one"]
    assert get_subagent_messages(path.stem, "one") == side
    assert await restore(store, given, env()) == given
    assert lines_of(path) == before


async def test_a_new_session_asks_nobody(cwd: Path) -> None:
    broken = cast("Any", object())
    for given in (options(cwd), options(cwd, session_id=NOBODY)):
        assert await restore(broken, given, env()) is given


async def test_what_the_local_file_lacks_is_added(cwd: Path) -> None:
    story = a_session(cwd)
    path = save(story, cwd)
    story.prompt("and on")
    story.answer("m9", text("elsewhere"))
    store = await remote(story, cwd)
    await restore(store, options(cwd, resume=story.session_id), env())
    assert lines_of(path) == stored(story)
    assert fold(Reading(path)).prompts == 2


async def test_what_the_store_lacks_stays(cwd: Path) -> None:
    story = a_session(cwd)
    store = await remote(story, cwd)
    story.prompt("only here")
    path = save(story, cwd)
    await restore(store, options(cwd, resume=story.session_id), env())
    assert lines_of(path) == stored(story)


async def test_where_both_went_on_the_store_counts_and_nothing_is_lost(cwd: Path) -> None:
    story = a_session(cwd)
    common = list(story.entries)
    story.prompt("there")
    store = await remote(story, cwd)
    there = stored(story)
    here = Story(str(cwd), story.session_id)
    here.entries = common
    lines = [
        *stored(here),
        line("user", "local", story.uuid(0), "here", sessionId=story.session_id),
    ]
    path = save_lines(lines, journal(env(), cwd, story.session_id))
    await restore(store, options(cwd, resume=story.session_id), env())
    assert lines_of(path) == there
    assert lines_of(path.with_name(path.name + ASIDE)) == lines


async def test_a_local_session_in_use_is_left_alone(cwd: Path) -> None:
    story = a_session(cwd)
    path = save(story, cwd)
    story.prompt("there")
    store = await remote(story, cwd)
    before = path.read_bytes()
    held = Journal.open(path)
    with pytest.raises(SessionError, match="in use"):
        await restore(store, options(cwd, resume=story.session_id), env())
    held.close()
    assert path.read_bytes() == before


async def test_a_session_the_store_does_not_know_is_left_to_the_disk(cwd: Path) -> None:
    store = InMemorySessionStore()
    for name in (NOBODY, "a title", "../../x"):
        given = options(cwd, resume=name)
        assert await restore(store, given, env()) == given
    given = options(cwd, continue_newest=True)
    assert await restore(store, given, env()) == given
    assert not (env().home / ".agent-tui").exists()


async def test_the_newest_that_is_a_session_is_continued(cwd: Path) -> None:
    store = InMemorySessionStore()
    old, new = a_session(cwd, "old"), a_session(cwd, "new")
    for story in (old, new):
        await remote(story, cwd, store)
    side: SessionKey = {"project_key": project_key(cwd), "session_id": NOBODY}
    await store.append(side, cast("Any", [line("user", "u", None, "hi", isSidechain=True)]))
    given = options(cwd, continue_newest=True, fork=True)
    found = await restore(store, given, env())
    assert found.session == replace(given.session, resume=new.session_id, continue_newest=False)
    assert journal(env(), cwd, new.session_id).exists()
    assert not journal(env(), cwd, old.session_id).exists()
    assert not journal(env(), cwd, NOBODY).exists()


async def test_without_a_list_nothing_can_be_continued(cwd: Path) -> None:
    class Least:
        async def append(self, key: Any, entries: Any) -> None: ...
        async def load(self, key: Any) -> Any: ...

    with pytest.raises(ValueError, match="list_sessions"):
        await restore(cast("Any", Least()), options(cwd, continue_newest=True), env())
    given = options(cwd, resume=NOBODY)
    assert await restore(cast("Any", Least()), given, env()) == given


async def test_a_store_that_fails_or_is_slow_is_named(cwd: Path) -> None:
    class Broken(InMemorySessionStore):
        async def load(self, key: Any) -> Any:
            raise ConnectionError("gone")

    given = options(cwd, resume=NOBODY)
    with pytest.raises(SessionError, match="failed in load: ConnectionError: gone"):
        await restore(Broken(), given, env())
    with pytest.raises(SessionError, match="load within 0 ms"):
        await restore(InMemorySessionStore(), given, env(), 0)
    with pytest.raises(SessionError, match="list_sessions within 0 ms"):
        await restore(InMemorySessionStore(), options(cwd, continue_newest=True), env(), 0)


async def test_a_store_can_not_write_outside_the_session(cwd: Path) -> None:
    story = a_session(cwd)
    store = await remote(story, cwd)
    key: SessionKey = {"project_key": project_key(cwd), "session_id": story.session_id}
    bad = ("subagents/../../../x", "/tmp/x", "subagents/.hidden", "other/agent-x", "subagents")
    for subpath in bad:
        await store.append({**key, "subpath": subpath}, [{"type": "x"}])
    await store.append({**key, "subpath": "subagents/runs/r-1/agent-a"}, [{"type": "x"}])
    await restore(store, options(cwd, resume=story.session_id), env())
    root = env().home / ".agent-tui"
    written = {str(path.relative_to(root / "projects")) for path in root.rglob("*.jsonl")}
    here = f"{project_key(cwd)}/{story.session_id}"
    assert written == {f"{here}.jsonl", f"{here}/subagents/runs/r-1/agent-a.jsonl"}
