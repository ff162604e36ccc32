"""Options of a wrong type, told by name before anything is started, not by what they break later."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Mapping
from typing import Any, cast

from agent_tui.sdk.hook_types import HookMatcher
from agent_tui.sdk.options import AgentDefinition, ClaudeAgentOptions


def _whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _text(value: object) -> bool:
    return isinstance(value, str)


def _path(value: object) -> bool:
    return isinstance(value, str | os.PathLike)


def _several(value: object, fits: Callable[[object], bool]) -> bool:
    """Whether it is a list or the like; a text is none, though it has parts too."""
    if not isinstance(value, Collection) or isinstance(value, str | bytes | Mapping):
        return False
    return all(map(fits, cast("Collection[object]", value)))


def _mapping(value: object, fits: Callable[[object], bool]) -> bool:
    if not isinstance(value, Mapping):
        return False
    given = cast("Mapping[object, object]", value)
    return all(map(_text, given)) and all(map(fits, given.values()))


def _texts(value: object) -> bool:
    return _several(value, _text)


def _anything(value: object) -> bool:
    return True


def _matchers(value: object) -> bool:
    return _several(value, lambda one: isinstance(one, HookMatcher))


_KINDS: tuple[tuple[str, Callable[[Any], bool], tuple[str, ...]], ...] = (
    (
        "a text",
        _text,
        (
            *("permission_mode", "resume", "session_id", "model", "fallback_model"),
            *("permission_prompt_tool_name", "user", "resume_session_at", "resume_drops_turn"),
            *("effort", "client_app", "settings"),
        ),
    ),
    ("a text or a path", _path, ("cwd",)),
    ("a whole number", _whole, ("max_turns", "max_thinking_tokens", "load_timeout_ms")),
    ("a number", _number, ("max_budget_usd",)),
    (
        "a list of texts",
        _texts,
        ("allowed_tools", "disallowed_tools", "betas", "setting_sources"),
    ),
    (
        "a list of names or the preset",
        lambda value: _texts(value) or isinstance(value, Mapping),
        ("tools",),
    ),
    ("a list of folders", lambda value: _several(value, _path), ("add_dirs",)),
    ("a mapping of texts", lambda value: _mapping(value, _text), ("env",)),
    ("a mapping of flags", lambda value: _mapping(value, _anything), ("extra_args",)),
    ("a mapping", lambda value: isinstance(value, Mapping), ("thinking", "output_format")),
    (
        'an object {"total": a whole number}',
        lambda value: isinstance(value, Mapping) and _whole(value.get("total")),  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType]
        ("task_budget",),
    ),
    (
        "a mapping of names to AgentDefinition",
        lambda value: _mapping(value, lambda one: isinstance(one, AgentDefinition)),
        ("agents",),
    ),
    (
        "a mapping of events to lists of HookMatcher",
        lambda value: _mapping(value, _matchers),
        ("hooks",),
    ),
)

_NEEDED = ("allowed_tools", "disallowed_tools", "betas", "add_dirs", "env", "extra_args")
"""Options that can't be None."""


def check_types(options: ClaudeAgentOptions) -> None:
    """Refuse values of a wrong type.

    Raises:
        TypeError: one is; the text names the option and says what it must be.
    """
    given = vars(options)
    for what, fits, names in _KINDS:
        for name in names:
            value: object = given[name]
            if value is None and name not in _NEEDED:
                continue
            if not fits(value):
                raise TypeError(f"{name} must be {what}, not {value!r:.80}")
