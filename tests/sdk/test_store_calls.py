"""Calls of a program's store."""

from __future__ import annotations

from typing import Any

import anyio
import pytest

from agent_tui.sdk.session_types import SessionStore
from agent_tui.sdk.store_calls import StoreError, StoreTimeoutError, asked, offers, said
from agent_tui.sdk.stores import InMemorySessionStore

pytestmark = pytest.mark.anyio


class Bare:
    """Nothing at all."""


class Derived(SessionStore):
    async def append(self, key: Any, entries: Any) -> None: ...
    async def load(self, key: Any) -> Any: ...
    async def delete(self, key: Any) -> None: ...


def test_only_a_stores_own_methods_count() -> None:
    kind: Any = Derived
    assert offers(InMemorySessionStore(), "list_sessions")
    assert not offers(Bare(), "list_sessions")
    assert offers(kind(), "delete")
    assert not offers(kind(), "list_subkeys")
    hung: Any = Bare()
    hung.delete = lambda key: None  # pyright: ignore[reportUnknownLambdaType]
    assert offers(hung, "delete")
    hung.delete = None
    assert not offers(hung, "delete")


def test_the_peers_protocol_stands_in_for_nothing_either() -> None:
    peer: Any = pytest.importorskip("claude_agent_sdk", reason="pip install agent-tui[peer]")
    kind: Any = type("Theirs", (peer.SessionStore,), {"list_subkeys": Derived.delete})
    assert not offers(kind(), "list_sessions")
    assert offers(kind(), "list_subkeys")
    assert offers(peer.InMemorySessionStore(), "delete")


async def test_an_answer_is_given() -> None:
    async def call() -> int:
        return 5

    assert await asked("load", call, 10) == 5


async def test_a_failure_says_what_was_asked_and_what_was_raised() -> None:
    async def call() -> int:
        raise RuntimeError("disk on fire")

    with pytest.raises(StoreError, match="failed in load: RuntimeError: disk on fire"):
        await asked("load", call, 10)
    assert said(KeyError()) == "KeyError"


async def test_no_time_is_no_time() -> None:
    async def call() -> int:
        return 5

    with pytest.raises(StoreTimeoutError, match="load within 0 ms"):
        await asked("load", call, 0)


async def test_what_does_not_answer_is_left() -> None:
    with pytest.raises(StoreTimeoutError, match="10 ms"):
        await asked("load", anyio.sleep_forever, 0.01)


async def test_being_cancelled_is_no_failure_of_the_store() -> None:
    with anyio.CancelScope() as scope:
        scope.cancel()
        await asked("load", anyio.sleep_forever, 10)
    assert scope.cancelled_caught
