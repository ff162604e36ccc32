"""Whole sessions with a program's store, on one machine and on the next."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from agent_tui.engine.extras import NO_EXTRAS, Extras
from agent_tui.engine.opening import OpenSession, with_session
from agent_tui.journal.codec import parse
from agent_tui.protocol.errors import SessionError
from agent_tui.protocol.messages import ResultMessage, SystemMessage
from agent_tui.protocol.ops import Prompt
from agent_tui.sdk.options import ClaudeAgentOptions
from agent_tui.sdk.session_types import SessionKey
from agent_tui.sdk.stores import InMemorySessionStore
from agent_tui.sdk.storing import with_store
from agent_tui.sdk.translate import Opening
from agent_tui.settings.options import SessionOptions
from agent_tui.settings.paths import journal, project_key
from tests.engine.sessions import Answers, Place, Talk, refused
from tests.fakes.api_server import ApiServer

pytestmark = pytest.mark.anyio


@pytest.fixture
def here(tmp_path: Path) -> Iterator[Place]:
    """A machine with a home of its own."""
    with ApiServer() as api:
        made = Place.at(tmp_path, api)
        yield replace(made, options=replace(made.options, interactive=False, origin="sdk"))
        assert not refused(api)


async def talk(place: Place, options: ClaudeAgentOptions, *prompts: str, **session: Any) -> Talk:
    """Talk in a session that is opened with a program's store."""
    asked = replace(place.options, session=SessionOptions(from_print=True, **session))
    opening = await with_store(Opening(asked, place.env, Extras(approver=Answers())), options)
    said = Talk()

    async def body(opened: OpenSession) -> None:
        said.journal = opened.journal_path
        with opened.session.subscribe() as messages:
            for text in prompts:
                opened.session.send(Prompt(text, str(uuid.uuid4())))
                async for message in messages:
                    said.heard.append(message)
                    if isinstance(message, ResultMessage):
                        break

    await with_session(opening.options, opening.env, body, extras=opening.extras)
    return said


def key(place: Place, session_id: str) -> SessionKey:
    return {"project_key": project_key(place.project), "session_id": session_id}


def lines_of(path: Path) -> list[Any]:
    return [parse(line) for line in path.read_bytes().splitlines()]


async def test_without_a_store_nothing_changes(here: Place) -> None:
    opening = Opening(here.options, here.env, NO_EXTRAS)
    assert await with_store(opening, ClaudeAgentOptions()) is opening


@pytest.mark.parametrize("mode", ["batched", "eager"])
async def test_a_session_goes_on_on_another_machine(here: Place, tmp_path: Path, mode: Any) -> None:
    store = InMemorySessionStore()
    options = ClaudeAgentOptions(session_store=store, session_store_flush=mode)
    here.api.enqueue("one", "two", "three")
    first = await talk(here, options, "remember the plum")
    assert store.get_entries(key(here, first.session_id)) == lines_of(first.journal)
    there = replace(here, home=tmp_path / "other-home")
    second = await talk(there, options, "and the pear", resume=first.session_id)
    assert second.session_id == first.session_id
    assert second.journal.is_relative_to(there.home)
    assert "remember the plum" in str(here.api.messages[-1].messages)
    assert second.result.total_cost_usd is not None
    assert second.result.total_cost_usd > (first.result.total_cost_usd or 0)
    assert store.get_entries(key(here, first.session_id)) == lines_of(second.journal)
    third = await talk(here, options, "both?", continue_newest=True)
    assert third.session_id == first.session_id
    assert "and the pear" in str(here.api.messages[-1].messages)


async def test_a_fork_is_in_the_store_whole(here: Place) -> None:
    store = InMemorySessionStore()
    options = ClaudeAgentOptions(session_store=store)
    here.api.enqueue("one", "two")
    first = await talk(here, options, "hi")
    before = store.get_entries(key(here, first.session_id))
    fork = await talk(here, options, "on", resume=first.session_id, fork=True)
    assert store.get_entries(key(here, fork.session_id)) == lines_of(fork.journal)
    assert store.get_entries(key(here, first.session_id)) == before
    assert store.size == 2


async def test_a_store_that_fails_loses_nothing_here_and_is_told_of(
    here: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Full(InMemorySessionStore):
        async def append(self, key: Any, entries: Any) -> None:
            raise OSError("full")

    monkeypatch.setattr("agent_tui.sdk.mirroring.PAUSES", (0.0, 0.0))
    here.api.enqueue("one")
    said = await talk(here, ClaudeAgentOptions(session_store=Full()), "hi")
    assert said.result.subtype == "success"
    [error] = [
        m for m in said.heard if isinstance(m, SystemMessage) and m.subtype == "mirror_error"
    ]
    assert error.data["key"] == key(here, said.session_id)
    assert "full" in error.data["error"]
    assert said.heard.index(error) < said.heard.index(said.result)
    assert lines_of(said.journal)[-1]["subtype"] == "result"


async def test_an_unknown_session_is_refused(here: Place) -> None:
    options = ClaudeAgentOptions(session_store=InMemorySessionStore())
    unknown = "22222222-2222-4222-8222-222222222222"
    with pytest.raises(SessionError, match=f"no session {unknown}"):
        await talk(here, options, "hi", resume=unknown)
    assert not journal(here.env, here.project, unknown).exists()


async def test_a_store_that_does_not_answer_is_refused(here: Place) -> None:
    options = ClaudeAgentOptions(session_store=InMemorySessionStore(), load_timeout_ms=0)
    with pytest.raises(SessionError, match="within 0 ms"):
        await talk(here, options, "hi", resume="22222222-2222-4222-8222-222222222222")
