"""Restrictions that can't be read stop the start: left out, they would no longer restrict."""

from __future__ import annotations

from collections.abc import Iterable

from agent_tui.permissions.rule import RuleSource, parse_rule, problem_of, restricts_nothing
from agent_tui.protocol.errors import SettingsError, UsageError
from agent_tui.settings.rule_entries import SourcedRule

FLAG = "--disallowedTools"
"""The only flag that restricts."""

SHOWN = 80


def insist(entries: Iterable[SourcedRule]) -> None:
    """Refuse deny and ask rules that can't be read or used; allow rules are left out elsewhere, with a notice.

    A restriction that was never one may be left out with a notice too: see ``restricts_nothing``.

    Raises:
        UsageError: one of the command line.
        SettingsError: one of a settings file; the text names the file and the line.
    """
    for entry in entries:
        why = None if entry.behavior == "allow" else _why_not(entry)
        if why is not None:
            raise refusal(entry, why)


def refusal(entry: SourcedRule, why: str, line: int = 0) -> SettingsError | UsageError:
    """Make the error that stops the start because of a rule that restricts; ``line`` is the value's, 0: the rule's."""
    shown = entry.text if len(entry.text) <= SHOWN else f"{entry.text[: SHOWN - 3]}..."
    text = f"{shown!r} {why}"
    if entry.source == "flag" and not entry.path:
        return UsageError(f"{FLAG}: {text}")
    place = RuleSource(entry.source, entry.path, line or entry.line)
    return SettingsError(f"{place}: permissions.{entry.behavior}: {text}")


def _why_not(entry: SourcedRule) -> str | None:
    value = parse_rule(entry.text)
    if value is None:
        return (
            "is no rule, so what it was to restrict can't be told and nothing is started. "
            "Write Tool or Tool(what), e.g. Bash(rm *)."
        )
    why = problem_of(value, entry.behavior)
    if why is None or restricts_nothing(value):
        return None
    return f"would restrict nothing ({why}), so nothing is started. Mend the rule or remove it."
