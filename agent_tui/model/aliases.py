"""The short names of models, and which of the places that name one is heard.

Aliases point at the newest generation; ``ANTHROPIC_DEFAULT_<FAMILY>_MODEL`` moves one.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from agent_tui.model.prices import bare_id
from agent_tui.settings.paths import Environment

NEWEST: Mapping[str, str] = {
    "fable": "claude-fable-5-2",
    "opus": "claude-opus-5-5",
    "sonnet": "claude-sonnet-5-5",
    "haiku": "claude-haiku-5-5",
}
DEFAULT_ALIAS = "sonnet"

ALIASES = ("default", "best", *NEWEST, "opusplan")
"""Every short name, as a picker or a completion offers them."""


def resolve(
    name: str | None, env: Environment, *, plan: bool = False, available: Collection[str] = ()
) -> str:
    """Give the model id that a name stands for; a name that is no alias is given back as it is.

    Args:
        name: an alias, an id, or None for the default. ``[1m]`` at its end is taken off: the window is native.
        env: the environment, for the overrides.
        plan: whether the session is in plan mode, which ``opusplan`` depends on.
        available: the ids the server lists, where known: ``best`` is Fable only if one of them is.
    """
    asked = (name or "").strip()
    short = asked.lower().removesuffix("[1m]")
    match short:
        case "" | "default":
            return _moved(env.get("ANTHROPIC_DEFAULT_MODEL"), env) or _newest(DEFAULT_ALIAS, env)
        case "best":
            return _best(env, available)
        case "opusplan":
            return _newest("opus" if plan else "sonnet", env)
        case _ if short in NEWEST:
            return _newest(short, env)
        case _:
            return asked[: len(short)]


def _best(env: Environment, available: Collection[str]) -> str:
    listed = [model for model in available if bare_id(model).startswith("claude-fable-")]
    if not listed:
        return _newest("opus", env)
    newest = _newest("fable", env)
    return newest if newest in listed or newest != NEWEST["fable"] else listed[0]


def _newest(family: str, env: Environment) -> str:
    moved = env.get(f"ANTHROPIC_DEFAULT_{family.upper()}_MODEL").strip()
    return moved or NEWEST[family]


def _moved(name: str, env: Environment) -> str:
    """Resolve a default that may itself be the short name of a family."""
    short = name.strip()
    return _newest(short.lower(), env) if short.lower() in NEWEST else short
