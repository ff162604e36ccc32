"""Sessions in a program's store."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

import pytest

from agent_tui.protocol.content import JsonObject
from agent_tui.sdk.session_files import project_key_for_directory
from agent_tui.sdk.session_info import get_session_info
from agent_tui.sdk.session_types import SessionKey, SessionStore
from agent_tui.sdk.sessions import get_session_messages, get_subagent_messages
from agent_tui.sdk.store_changes import import_session_to_store
from agent_tui.sdk.store_sessions import (
    as_lines,
    get_session_info_from_store,
    get_session_messages_from_store,
    get_subagent_messages_from_store,
    list_sessions_from_store,
    list_subagents_from_store,
)
from agent_tui.sdk.stores import InMemorySessionStore
from tests.journal.story import Story
from tests.sdk.file_store import FileStore
from tests.sdk.stored import NOBODY, a_session, line, new_story, save, save_agent, stored

pytestmark = pytest.mark.anyio


def key(story: Story, cwd: Path) -> SessionKey:
    return {"project_key": project_key_for_directory(cwd), "session_id": story.session_id}


async def put(store: Any, story: Story, cwd: Path) -> None:
    await store.append(key(story, cwd), cast("Any", stored(story)))


class Counting(InMemorySessionStore):
    """Remembers what was loaded."""

    def __init__(self) -> None:
        super().__init__()
        self.loaded: list[str] = []

    async def load(self, key: SessionKey) -> Any:
        self.loaded.append(key["session_id"])
        return await super().load(key)


@pytest.fixture
def cwd(clean_room: Path) -> Path:
    return clean_room / "work"


async def test_lists_come_from_summaries_newest_first(cwd: Path) -> None:
    store = Counting()
    one, two = a_session(cwd, "one"), a_session(cwd, "two", title="Two")
    for story in (one, two, one):
        await put(store, story, cwd)
    await put(store, a_session(cwd, "elsewhere"), cwd / "other")
    found = await list_sessions_from_store(store)
    assert [info.session_id for info in found] == [one.session_id, two.session_id]
    assert (found[1].summary, found[1].custom_title, found[1].file_size) == ("Two", "Two", None)
    assert found[0].created_at == 1_772_366_400_000
    assert [i.session_id for i in await list_sessions_from_store(store, str(cwd), 1, 1)] == [
        two.session_id
    ]
    assert store.loaded == []


async def test_a_summary_that_is_old_or_another_makers_is_not_trusted(cwd: Path) -> None:
    store = Counting()
    one, two = a_session(cwd, "one"), a_session(cwd, "two")
    for story in (one, two):
        await put(store, story, cwd)
    summaries = {s["session_id"]: s for s in store._summaries.values()}  # pyright: ignore[reportPrivateUsage]
    summaries[one.session_id]["mtime"] -= 1
    summaries[two.session_id]["data"] = {"theirs": True}
    found = await list_sessions_from_store(store)
    assert {info.summary for info in found} == {"one", "two"}
    assert sorted(store.loaded) == sorted([one.session_id, two.session_id])


async def test_a_store_without_summaries_is_loaded(cwd: Path, tmp_path: Path) -> None:
    store = FileStore(tmp_path)
    story = a_session(cwd, "one")
    await put(store, story, cwd)
    silent = new_story(cwd)
    silent.started()
    await put(store, silent, cwd)
    [info] = await list_sessions_from_store(cast("SessionStore", store))
    assert (info.session_id, info.summary) == (story.session_id, "one")


async def test_a_store_that_can_not_list_is_refused() -> None:
    class Least:
        async def append(self, key: Any, entries: Any) -> None: ...
        async def load(self, key: Any) -> Any: ...

    least = cast("Any", Least())
    with pytest.raises(ValueError, match="list_sessions"):
        await list_sessions_from_store(least)
    with pytest.raises(ValueError, match="list_subkeys"):
        await list_subagents_from_store(least, NOBODY)
    assert await get_session_messages_from_store(least, NOBODY) == []
    assert await get_subagent_messages_from_store(least, NOBODY, "one") == []


async def test_side_chains_are_no_sessions(cwd: Path) -> None:
    store = Counting()
    side = [line("user", "u", None, "hi", isSidechain=True)]
    await store.append(
        {"project_key": project_key_for_directory(), "session_id": NOBODY}, cast("Any", side)
    )
    assert await list_sessions_from_store(store) == []
    assert await get_session_info_from_store(store, NOBODY) is None


async def test_the_store_tells_what_the_files_tell(cwd: Path) -> None:
    path = save(a_session(cwd), cwd)
    save_agent(path, "one", "seen", toolUseId="toolu_1", parentAgentId="zero")
    save_agent(path, "two", "seen too")
    store = InMemorySessionStore()
    await import_session_to_store(path.stem, store)
    info = await get_session_info_from_store(store, path.stem)
    local = get_session_info(path.stem)
    assert info is not None
    assert local is not None
    assert vars(info) | {"last_modified": 0} == vars(local) | {
        "last_modified": 0,
        "file_size": None,
    }
    assert await get_session_messages_from_store(store, path.stem) == get_session_messages(
        path.stem
    )
    assert await get_session_messages_from_store(store, path.stem, None, 2, 1) == (
        get_session_messages(path.stem, None, 2, 1)
    )
    assert await list_subagents_from_store(store, path.stem) == ["one", "two"]
    for agent in ("one", "two", "none"):
        assert await get_subagent_messages_from_store(store, path.stem, agent) == (
            get_subagent_messages(path.stem, agent)
        )


async def test_a_sub_agent_is_found_without_a_list(cwd: Path) -> None:
    class NoList(InMemorySessionStore):
        list_subkeys = None  # pyright: ignore[reportAssignmentType]

    path = save(a_session(cwd), cwd)
    save_agent(path, "one", "seen", toolUseId="toolu_1")
    store: Any = NoList()
    await import_session_to_store(path.stem, store)
    said = await get_subagent_messages_from_store(store, path.stem, "one")
    assert [one.parent_tool_use_id for one in said] == ["toolu_1", "toolu_1"]
    with pytest.raises(ValueError, match="list_subkeys"):
        await list_subagents_from_store(store, path.stem)


async def test_what_is_not_there_is_nothing() -> None:
    store = InMemorySessionStore()
    for unknown in (NOBODY, "nonsense"):
        assert await get_session_info_from_store(store, unknown) is None
        assert await get_session_messages_from_store(store, unknown) == []
        assert await list_subagents_from_store(store, unknown) == []
        assert await get_subagent_messages_from_store(store, unknown, "x") == []
    assert as_lines(None) == []
    odd: Any = [{"type": "x"}, 5, None]
    only: list[JsonObject] = [{"type": "x"}]
    assert as_lines(odd) == only


async def test_the_peer_reads_the_same_from_our_store(cwd: Path) -> None:
    peer: Any = pytest.importorskip("claude_agent_sdk", reason="pip install agent-tui[peer]")
    path = save(a_session(cwd), cwd)
    save_agent(path, "one", "seen", toolUseId="toolu_1")
    store = InMemorySessionStore()
    await import_session_to_store(path.stem, store)
    mine = await get_session_messages_from_store(store, path.stem)
    theirs = await peer.get_session_messages_from_store(store, path.stem)
    assert [vars(one) for one in mine] == [vars(one) for one in theirs]
    mine = await get_subagent_messages_from_store(store, path.stem, "one")
    theirs = await peer.get_subagent_messages_from_store(store, path.stem, "one")
    assert [vars(one) for one in mine] == [vars(one) for one in theirs]
    other = peer.InMemorySessionStore()
    await import_session_to_store(path.stem, other)
    [info] = await list_sessions_from_store(other)
    assert info.summary == "fix the tests"
