"""Changes to sessions in a program's store."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

import pytest

from agent_tui.sdk import store_changes
from agent_tui.sdk.session_files import project_key_for_directory
from agent_tui.sdk.session_types import SessionKey, SessionStore
from agent_tui.sdk.store_changes import (
    delete_session_via_store,
    fork_session_via_store,
    import_session_to_store,
    rename_session_via_store,
    tag_session_via_store,
)
from agent_tui.sdk.store_sessions import (
    get_session_info_from_store,
    get_session_messages_from_store,
)
from agent_tui.sdk.stores import InMemorySessionStore
from tests.sdk.file_store import FileStore
from tests.sdk.stored import NOBODY, a_session, kinds, save, save_agent, stored

pytestmark = pytest.mark.anyio


@pytest.fixture
def path(clean_room: Path) -> Path:
    """A local session of the current folder."""
    return save(a_session(clean_room / "work"), clean_room / "work")


def key(path: Path) -> SessionKey:
    return {"project_key": path.parent.name, "session_id": path.stem}


class Batches(InMemorySessionStore):
    """Remembers how many lines came at a time."""

    def __init__(self) -> None:
        super().__init__()
        self.sizes: list[int] = []

    async def append(self, key: SessionKey, entries: Any) -> None:
        self.sizes.append(len(entries))
        await super().append(key, entries)


async def test_titles_and_tags_are_lines(path: Path) -> None:
    store = InMemorySessionStore()
    await import_session_to_store(path.stem, store)
    await rename_session_via_store(store, path.stem, " mine ")
    await tag_session_via_store(store, path.stem, "t")
    info = await get_session_info_from_store(store, path.stem)
    assert info is not None
    assert (info.custom_title, info.tag) == ("mine", "t")
    await tag_session_via_store(store, path.stem, None)
    info = await get_session_info_from_store(store, path.stem)
    assert info is not None
    assert info.tag is None


async def test_only_sessions_can_be_changed() -> None:
    store = InMemorySessionStore()
    for call in (
        rename_session_via_store(store, "nonsense", "x"),
        rename_session_via_store(store, NOBODY, " "),
        tag_session_via_store(store, "nonsense", "x"),
        tag_session_via_store(store, NOBODY, "\u200b"),
        delete_session_via_store(store, "nonsense"),
        fork_session_via_store(store, "nonsense"),
        fork_session_via_store(store, NOBODY, None, "nonsense"),
        import_session_to_store("nonsense", store),
    ):
        with pytest.raises(ValueError, match=r"UUID|blank|seen"):
            await call
    for call in (fork_session_via_store(store, NOBODY), import_session_to_store(NOBODY, store)):
        with pytest.raises(FileNotFoundError, match=NOBODY):
            await call
    assert store.size == 0


async def test_a_store_that_can_not_delete_keeps(path: Path, tmp_path: Path) -> None:
    store, keeper = InMemorySessionStore(), cast("SessionStore", FileStore(tmp_path))
    for one in (store, keeper):
        await import_session_to_store(path.stem, one)
        await delete_session_via_store(one, path.stem)
    assert store.size == 0
    assert await keeper.load(key(path)) is not None


async def test_a_copy_passes_through_us(path: Path) -> None:
    store = InMemorySessionStore()
    await import_session_to_store(path.stem, store)
    before = store.get_entries(key(path))
    made = await fork_session_via_store(store, path.stem)
    assert store.get_entries(key(path)) == before
    old = await get_session_messages_from_store(store, path.stem)
    new = await get_session_messages_from_store(store, made.session_id)
    assert kinds(new) == kinds(old)
    assert not {one.uuid for one in old} & {one.uuid for one in new}
    info = await get_session_info_from_store(store, made.session_id)
    assert info is not None
    assert info.custom_title == "fix the tests (fork)"
    part = await fork_session_via_store(store, path.stem, None, old[0].uuid, "only that")
    assert kinds(await get_session_messages_from_store(store, part.session_id)) == kinds(old)[:1]


async def test_what_is_put_in_is_what_the_file_holds(path: Path) -> None:
    save_agent(path, "one", "seen", toolUseId="toolu_1")
    with path.open("ab") as file:
        file.write(b'damaged\n{"no": "type"}\n')
    store = InMemorySessionStore()
    await import_session_to_store(path.stem, store, directory=str(Path.cwd()))
    story = a_session(Path.cwd())
    assert len(store.get_entries(key(path))) == len(stored(story))
    side = store.get_entries({**key(path), "subpath": "subagents/agent-one"})
    assert side[0] == {"type": "agent_metadata", "toolUseId": "toolu_1"}
    assert {one.get("isSidechain") for one in cast("list[Any]", side[1:])} == {True}
    await import_session_to_store(path.stem, store)
    assert len(store.get_entries(key(path))) == len(stored(story)), "uuids know one another"


async def test_sub_agents_can_be_left_out(path: Path) -> None:
    save_agent(path, "one", "seen")
    store = InMemorySessionStore()
    await import_session_to_store(path.stem, store, include_subagents=False)
    listed = {"project_key": path.parent.name, "session_id": path.stem}
    assert await store.list_subkeys(cast("Any", listed)) == []
    assert project_key_for_directory() == path.parent.name


async def test_lines_come_in_batches(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = len(path.read_bytes().splitlines())
    store = Batches()
    await import_session_to_store(path.stem, store, batch_size=4)
    assert set(store.sizes[:-1]) == {4}
    assert sum(store.sizes) == lines
    store = Batches()
    await import_session_to_store(path.stem, store, batch_size=0)
    assert store.sizes == [lines]
    monkeypatch.setattr(store_changes, "MAX_BATCH_BYTES", 1)
    store = Batches()
    await import_session_to_store(path.stem, store)
    assert store.sizes == [1] * lines
