"""The types of stored sessions."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from agent_tui.sdk import session_types as ours
from agent_tui.sdk.session_types import SessionKey, SessionStore

pytestmark = pytest.mark.anyio
KEY: SessionKey = {"project_key": "p", "session_id": "s"}


class Least(SessionStore):
    """A store that is derived, with what is needed only."""

    async def append(self, key: Any, entries: Any) -> None: ...

    async def load(self, key: Any) -> Any: ...


async def test_optional_methods_are_absent_in_a_store_that_only_derives() -> None:
    kind: Any = Least  # a checker takes the methods that raise for abstract ones
    store = kind()
    for call in (
        store.list_sessions("p"),
        store.list_session_summaries("p"),
        store.delete(KEY),
        store.list_subkeys(KEY),
    ):
        with pytest.raises(NotImplementedError):
            await call


@pytest.mark.parametrize("name", ["SDKSessionInfo", "SessionMessage", "ForkSessionResult"])
def test_fields_are_the_peers(name: str) -> None:
    peer: Any = pytest.importorskip("claude_agent_sdk", reason="pip install agent-tui[peer]")
    mine, other = (
        [(field.name, field.default) for field in dataclasses.fields(vars(module)[name])]
        for module in (ours, peer)
    )
    assert mine == other


@pytest.mark.parametrize(
    "name",
    [
        "SessionKey",
        "SessionListSubkeysKey",
        "SessionStoreEntry",
        "SessionStoreListEntry",
        "SessionSummaryEntry",
    ],
)
def test_keys_are_the_peers(name: str) -> None:
    peer: Any = pytest.importorskip("claude_agent_sdk", reason="pip install agent-tui[peer]")
    kinds: list[Any] = [vars(module)[name] for module in (ours, peer)]
    mine, other = kinds
    assert set(mine.__annotations__) == set(other.__annotations__)
    assert mine.__required_keys__ == other.__required_keys__
