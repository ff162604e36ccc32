"""Warnings about options: what can't be honoured here, told once by name, and callbacks that will not be called."""

from __future__ import annotations

import warnings


class UnsupportedOptionWarning(UserWarning):
    """An option was accepted and has no effect here; the text names it."""


class CanUseToolShadowedWarning(UserWarning):
    """``can_use_tool`` is given, and some calls are allowed before it would be asked."""


_told: set[str] = set()


def unsupported(name: str, why: str) -> None:
    """Warn that the option ``name`` has no effect; once in the life of the program."""
    if name not in _told:
        _told.add(name)
        warnings.warn(f"{name} has no effect here: {why}", UnsupportedOptionWarning, stacklevel=2)


def shadowed(*, mode: str | None, allowed_tools: list[str]) -> None:
    """Warn when calls are allowed before ``can_use_tool`` would be asked."""
    if mode == "bypassPermissions":
        text = "can_use_tool will not be asked: bypassPermissions allows every call before it."
    else:
        whole = list(dict.fromkeys(filter(None, map(_whole_tool, allowed_tools))))
        if not whole:
            return
        names = ", ".join(whole)
        text = f"can_use_tool will not be asked about {names}: allowed_tools allows every call."
    hint = " A PreToolUse hook sees all calls."
    warnings.warn(text + hint, CanUseToolShadowedWarning, stacklevel=2)


def _whole_tool(rule: str) -> str | None:
    """Give the tool that a rule speaks of as a whole: ``Read``, ``Read()`` or ``Read(*)``."""
    name, bracket, rest = rule.strip().partition("(")
    return name if name and (not bracket or rest in (")", "*)")) else None
