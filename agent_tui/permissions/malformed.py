"""Restrictions that can't be read stop the start: left out, they would no longer restrict."""

from __future__ import annotations

from collections.abc import Iterable

from agent_tui.permissions.rule import RuleSource, parse_rule
from agent_tui.protocol.errors import SettingsError, UsageError
from agent_tui.settings.layers import SourcedRule

FLAG = "--disallowedTools"
"""The only flag that restricts."""

SHOWN = 80


def insist(entries: Iterable[SourcedRule]) -> None:
    """Refuse deny and ask rules that have not the form of a rule; allow rules are left out elsewhere, with a notice.

    Raises:
        UsageError: one of the command line.
        SettingsError: one of a settings file; the text names the file and the line.
    """
    for entry in entries:
        if entry.behavior == "allow" or parse_rule(entry.text) is not None:
            continue
        shown = entry.text if len(entry.text) <= SHOWN else f"{entry.text[: SHOWN - 3]}..."
        text = (
            f"{shown!r} is no rule, so what it was to restrict can't be told and nothing is started. "
            "Write Tool or Tool(what), e.g. Bash(rm *)."
        )
        if entry.source == "flag" and not entry.path:
            raise UsageError(f"{FLAG}: {text}")
        place = RuleSource(entry.source, entry.path, entry.line)
        raise SettingsError(f"{place}: permissions.{entry.behavior}: {text}")
