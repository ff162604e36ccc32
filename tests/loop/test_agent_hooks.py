"""Hooks as a sub-agent's loop fires them."""

from __future__ import annotations

import pytest

from agent_tui.loop.agent_hooks import AgentHooks
from agent_tui.protocol.hooks import HookOutcome
from tests.loop.spoken import Spoken

pytestmark = pytest.mark.anyio


async def test_every_event_names_it_and_its_end_is_one_of_its_own() -> None:
    session = Spoken({"SubagentStop": HookOutcome(blocked="not yet")})
    hooks = AgentHooks(session, "a1", "helper", "/side.jsonl")
    await hooks.started()
    await hooks.fire("PreToolUse", {"tool_name": "Read"}, match="Read")
    outcome = await hooks.fire("Stop", {"stop_hook_active": False})
    assert outcome.blocked == "not yet"
    who = {"agent_id": "a1", "agent_type": "helper"}
    assert session.heard == [
        ("SubagentStart", who, "helper"),
        ("PreToolUse", {"tool_name": "Read", **who}, "Read"),
        (
            "SubagentStop",
            {"stop_hook_active": False, **who, "agent_transcript_path": "/side.jsonl"},
            "helper",
        ),
    ]
