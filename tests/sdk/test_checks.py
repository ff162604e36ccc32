from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import pytest

from agent_tui.protocol.errors import UsageError
from agent_tui.sdk import (
    AgentDefinition,
    CanUseToolShadowedWarning,
    ClaudeAgentOptions,
    InMemorySessionStore,
    UnsupportedOptionWarning,
)
from agent_tui.sdk.checks import NO_EFFECT, check, check_values, warn
from agent_tui.settings.paths import Environment

AS_ANYONE = Environment({}, Path("/"))
ID = "11111111-1111-4111-8111-111111111111"


async def yes(*_: Any) -> Any: ...


class Bare:
    """A store with what every store needs, and no more."""

    async def append(self, key: Any, entries: Any) -> None: ...

    async def load(self, key: Any) -> None: ...


@pytest.mark.parametrize(
    "wanted",
    [
        {"can_use_tool": yes, "permission_prompt_tool_name": "mcp__a__b"},
        {"session_store": InMemorySessionStore(), "enable_file_checkpointing": True},
        {"session_store": Bare(), "continue_conversation": True},
        {"skills": "some"},
        {"skills": [""]},
        {"skills": ["*"]},
        {"skills": ["pdf*"]},
        {"skills": ["/pdf"]},
        {"skills": [" pdf"]},
        {"skills": ["a(b)"]},
        {"skills": ["a,b"]},
        {"skills": ["a\nb"]},
    ],
)
def test_what_excludes_each_other_or_is_malformed_is_refused(wanted: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=next(iter(wanted)) if "skills" not in wanted else "skill"):
        check(ClaudeAgentOptions(**wanted))


@pytest.mark.parametrize(
    "wanted",
    [
        {},
        {"can_use_tool": yes},
        {"session_store": InMemorySessionStore(), "continue_conversation": True},
        {"session_store": Bare()},
        {"skills": "all"},
        {"skills": ["pdf", "tools:pdf"]},
    ],
)
def test_what_goes_together_is_taken(wanted: dict[str, Any]) -> None:
    check(ClaudeAgentOptions(**wanted))


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        ({"max_budget_usd": 0}, "max_budget_usd"),
        ({"max_budget_usd": -1}, "max_budget_usd"),
        ({"max_budget_usd": float("nan")}, "max_budget_usd"),
        ({"max_turns": -1}, "max_turns"),
        ({"fork_session": True}, "fork_session"),
        ({"session_id": "mine"}, "UUID"),
        ({"session_id": ID, "resume": ID}, "fork_session"),
        ({"session_id": ID, "continue_conversation": True}, "fork_session"),
        ({"resume_session_at": "u1"}, "resume"),
        ({"resume": ID, "resume_drops_turn": "u1"}, "resume_session_at"),
    ],
)
def test_a_value_out_of_its_range_names_its_option(wanted: dict[str, Any], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        check_values(ClaudeAgentOptions(**wanted), AS_ANYONE)


def test_values_in_their_range_are_taken() -> None:
    options = ClaudeAgentOptions(
        max_turns=0, max_budget_usd=0.01, resume=ID, fork_session=True, session_id=ID
    )
    check_values(options, AS_ANYONE)


def test_bypass_as_root_needs_a_sandbox(monkeypatch: pytest.MonkeyPatch) -> None:
    options = ClaudeAgentOptions(permission_mode="bypassPermissions")
    monkeypatch.setattr("os.geteuid", lambda: 0)
    with pytest.raises(UsageError, match="IS_SANDBOX=1"):
        check_values(options, AS_ANYONE)
    check_values(options, Environment({"IS_SANDBOX": "1"}, Path("/")))
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    check_values(options, AS_ANYONE)


GIVEN: dict[str, Any] = {
    "cli_path": "/usr/bin/agent",
    "max_buffer_size": 1,
    "stderr": print,
    "plugins": [{"type": "local", "path": "p"}],
    "skills": ["pdf"],
}


def test_every_option_without_effect_is_tried() -> None:
    assert GIVEN.keys() == NO_EFFECT.keys()


@pytest.mark.parametrize("name", GIVEN)
def test_what_has_no_effect_warns_once_by_name(name: str) -> None:
    options = ClaudeAgentOptions(**{name: GIVEN[name]})
    with pytest.warns(UnsupportedOptionWarning, match=f"^{name} has no effect"):
        warn(options)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warn(options)


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        ({"extra_args": {"debug": None}}, r"extra_args\['debug'\]"),
        ({"agents": {"a": AgentDefinition("d", "p", effort=3)}}, r"agents\['a'\].effort"),
    ],
)
def test_a_value_without_effect_warns_by_name(wanted: dict[str, Any], said: str) -> None:
    with pytest.warns(UnsupportedOptionWarning, match=said):
        warn(ClaudeAgentOptions(**wanted))


def test_the_usual_options_warn_of_nothing() -> None:
    flags: dict[str, str | None] = {"replay-user-messages": None, "trust": None}
    warn(ClaudeAgentOptions(extra_args=flags, allowed_tools=["Read"]))
    warn(ClaudeAgentOptions(can_use_tool=yes, allowed_tools=["Bash(npm *)"]))


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        ({"permission_mode": "bypassPermissions"}, "every call"),
        ({"allowed_tools": ["Read", "Read()", "Edit(*)", "Bash(ls *)"]}, "Read, Edit:"),
        ({"skills": "all"}, "Skill"),
    ],
)
@pytest.mark.filterwarnings("ignore::agent_tui.sdk.warned.UnsupportedOptionWarning")
def test_a_callback_that_will_not_be_asked_is_warned_of(wanted: dict[str, Any], said: str) -> None:
    with pytest.warns(CanUseToolShadowedWarning, match=said):
        warn(ClaudeAgentOptions(can_use_tool=yes, **wanted))
