from __future__ import annotations

from typing import Any

import pytest

from agent_tui.headless.control import Control
from agent_tui.headless.words import Asked
from agent_tui.protocol.errors import UsageError
from agent_tui.protocol.messages import StatusChanged
from agent_tui.protocol.ops import Interrupt, Op, Rename, SetMode, SetModel, SetThinking, StopTask
from agent_tui.protocol.queries import (
    Commands,
    ContextUsage,
    Data,
    Failed,
    Query,
    Reply,
    RewindFiles,
    ServerControl,
    ServerStatus,
)

pytestmark = pytest.mark.anyio


class Session:
    """Remembers what was sent and asked."""

    def __init__(self, reply: Reply | None = None, cost: float | None = 0.25) -> None:
        self.sent: list[Op] = []
        self.asked: list[Query] = []
        self._reply = reply or Data({"models": [1], "n": 1})
        self.control = Control(self.sent.append, self.query, lambda: cost)

    async def query(self, query: Query) -> Reply:
        self.asked.append(query)
        return self._reply

    def at_once(self, subtype: str, **fields: Any) -> Any:
        return self.control.at_once(Asked("r", subtype, fields))

    async def looked_up(self, subtype: str, **fields: Any) -> Any:
        return await self.control.looked_up(Asked("r", subtype, fields))


@pytest.mark.parametrize(
    ("subtype", "fields", "op"),
    [
        ("interrupt", {}, Interrupt()),
        ("set_model", {"model": "opus"}, SetModel("opus")),
        ("set_model", {"model": None}, SetModel(None)),
        ("set_max_thinking_tokens", {"max_thinking_tokens": 4000}, SetThinking(4000)),
        ("set_max_thinking_tokens", {"max_thinking_tokens": 0}, SetThinking(0)),
        ("set_max_thinking_tokens", {"max_thinking_tokens": None}, SetThinking(None)),
        ("set_permission_mode", {"mode": "plan"}, SetMode("plan")),
        ("set_permission_mode", {"mode": "manual"}, SetMode("default")),
        ("stop_task", {"task_id": "b1"}, StopTask("b1")),
        ("rename_session", {"title": "Mine"}, Rename("Mine")),
    ],
)
def test_what_is_to_be_changed_is_handed_on(subtype: str, fields: dict[str, Any], op: Op) -> None:
    session = Session()
    assert session.at_once(subtype, **fields) is not None
    assert session.sent == [op]


@pytest.mark.parametrize(
    ("subtype", "fields", "word"),
    [
        ("set_permission_mode", {"mode": "auto"}, "'auto' is not available"),
        ("set_permission_mode", {"mode": "dontAsk"}, "there are default, plan"),
        ("set_permission_mode", {}, "a mode"),
        ("set_model", {"model": 7}, "a model"),
        ("set_max_thinking_tokens", {"max_thinking_tokens": -1}, "a whole number"),
        ("set_max_thinking_tokens", {"max_thinking_tokens": True}, "a whole number"),
        ("stop_task", {}, "a task_id"),
        ("rename_session", {"title": " "}, "a title"),
    ],
)
def test_what_can_not_be_done_says_why(subtype: str, fields: dict[str, Any], word: str) -> None:
    session = Session()
    session.control.see(StatusChanged("s", "m", "default", modes=("default", "plan")))
    with pytest.raises(UsageError, match=word):
        session.at_once(subtype, **fields)
    assert session.sent == []


def test_the_cost_is_told_as_far_as_it_is_known() -> None:
    assert Session().at_once("get_session_cost") == {
        "text": "Total cost: $0.2500",
        "total_cost_usd": 0.25,
    }
    assert Session(cost=None).at_once("get_session_cost")["total_cost_usd"] is None


@pytest.mark.parametrize(
    ("subtype", "fields", "query"),
    [
        ("mcp_status", {}, ServerStatus()),
        ("mcp_reconnect", {"serverName": "a"}, ServerControl("a", "reconnect")),
        ("mcp_toggle", {"serverName": "a", "enabled": True}, ServerControl("a", "enable")),
        ("mcp_toggle", {"serverName": "a", "enabled": False}, ServerControl("a", "disable")),
        ("get_context_usage", {}, ContextUsage()),
        ("rewind_files", {"user_message_id": "u1"}, RewindFiles("u1")),
        ("rewind_files", {"user_message_id": "u1", "dry_run": True}, RewindFiles("u1", True)),
    ],
)
async def test_what_has_to_be_looked_up_is_asked_of_the_engine(
    subtype: str, fields: dict[str, Any], query: Query
) -> None:
    session = Session()
    assert session.at_once(subtype, **fields) is None
    assert await session.looked_up(subtype, **fields) == {"models": [1], "n": 1}
    assert session.asked == [query]


async def test_what_is_not_known_is_refused() -> None:
    session = Session()
    for subtype in ("initialize", "frobnicate", "None"):
        assert session.at_once(subtype) is None
        with pytest.raises(UsageError, match=r"open already|not known"):
            await session.looked_up(subtype)


async def test_an_engine_that_says_no_is_an_error() -> None:
    with pytest.raises(UsageError, match="no server"):
        await Session(Failed("no server")).looked_up("mcp_status")


async def test_what_there_is_to_choose_from_answers_initialize() -> None:
    session = Session()
    offered = await session.control.commands()
    assert offered == {
        "models": [1], "n": 1, "hook_on_failure_supported": True, "hooks_applied": True,
    }  # fmt: skip
    assert await session.looked_up("list_models") == {"models": [1]}
    assert session.asked == [Commands(), Commands()]
