"""What of a program's options contradicts itself, is out of range, or has no effect here."""

from __future__ import annotations

import os
import uuid

from agent_tui.protocol.errors import UsageError
from agent_tui.sdk.options import ClaudeAgentOptions
from agent_tui.sdk.store_calls import offers
from agent_tui.sdk.warned import shadowed, unsupported
from agent_tui.settings.paths import Environment

REPLAY = "replay-user-messages"
TRUST = "trust"
FLAGS = frozenset({REPLAY, TRUST})
"""The flags of ``extra_args`` that mean something here."""

NO_EFFECT: dict[str, str] = {
    "cli_path": "the agent runs in your program",
    "max_buffer_size": "nothing is read from another program",
    "stderr": "there is no other program that could print",
    "plugins": "plugins are not loaded",
    "skills": "skills are not loaded",
}
"""Options that are accepted and not honoured, and why."""


def check(options: ClaudeAgentOptions) -> None:
    """Refuse what contradicts itself, before anything is started.

    Raises:
        ValueError: two options exclude each other, or a skill's name is malformed.
    """
    if options.can_use_tool is not None and options.permission_prompt_tool_name is not None:
        raise ValueError(
            "can_use_tool and permission_prompt_tool_name exclude each other: one answers"
        )
    if options.session_store is not None and options.enable_file_checkpointing:
        raise ValueError("session_store and enable_file_checkpointing exclude each other")
    if (
        options.session_store is not None
        and options.continue_conversation
        and not offers(options.session_store, "list_sessions")
    ):
        raise ValueError("continue_conversation needs a session_store that has list_sessions")
    _check_skills(options.skills)


def check_values(options: ClaudeAgentOptions, env: Environment) -> None:
    """Refuse values that a session can't be opened with.

    Raises:
        UsageError: a value is out of its range; the text names the option.
    """
    if options.max_budget_usd is not None and not options.max_budget_usd > 0:
        raise UsageError("max_budget_usd must be more than 0")
    if options.max_turns is not None and options.max_turns < 0:
        raise UsageError("max_turns can't be negative; 0 means no limit")
    if (
        options.permission_mode == "bypassPermissions"
        and os.geteuid() == 0
        and env.get("IS_SANDBOX") != "1"
    ):
        raise UsageError(
            "bypassPermissions as root is refused; use another user, "
            "or set IS_SANDBOX=1 if this machine is a sandbox"
        )
    _check_session(options)


def warn(options: ClaudeAgentOptions) -> None:
    """Warn about what has no effect, once by name, and about a callback that will not be asked."""
    for name, why in NO_EFFECT.items():
        value: object = vars(options)[name]
        if value is not None and value is not False and value != []:
            unsupported(name, why)
    for flag in options.extra_args:
        if flag not in FLAGS:
            unsupported(f"extra_args[{flag!r}]", "there is no other program to give it to")
    for name, agent in (options.agents or {}).items():
        if isinstance(agent.effort, int):
            unsupported(f"agents[{name!r}].effort", "a number names no level; name one")
    if options.can_use_tool is not None:
        shadowed(mode=options.permission_mode, allowed_tools=_allowed(options))


def _allowed(options: ClaudeAgentOptions) -> list[str]:
    return [*options.allowed_tools, *(["Skill"] if options.skills == "all" else [])]


def _check_session(options: ClaudeAgentOptions) -> None:
    goes_on = options.continue_conversation or options.resume is not None
    if options.fork_session and not goes_on:
        raise UsageError("fork_session goes with resume or continue_conversation")
    if options.session_id is not None:
        _check_uuid("session_id", options.session_id)
        if goes_on and not options.fork_session:
            raise UsageError(
                "session_id with resume or continue_conversation needs fork_session=True"
            )
    if options.resume_session_at is not None and options.resume is None:
        raise UsageError("resume_session_at goes with resume")
    if options.resume_drops_turn is not None and options.resume_session_at is None:
        raise UsageError("resume_drops_turn goes with resume_session_at")


def _check_uuid(name: str, value: str) -> None:
    try:
        uuid.UUID(value)
    except ValueError:
        raise UsageError(f"{name} must be a UUID, not {value!r}") from None


def _check_skills(skills: object) -> None:
    if skills is None or skills == "all":
        return
    if not isinstance(skills, list):
        raise ValueError(f'skills must be a list of names or "all", not {skills!r}')
    for name in skills:  # pyright: ignore[reportUnknownVariableType]
        if not isinstance(name, str) or not _is_skill(name):
            raise ValueError(f"{name!r} is no name of a skill; write each name out, as its folder")


def _is_skill(name: str) -> bool:
    return (
        bool(name)
        and name == name.strip()
        and name.isprintable()
        and not name.startswith("/")
        and not set(name) & set("(),*")
    )
