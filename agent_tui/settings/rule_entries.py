"""The entries of ``permissions.allow``, ``.ask`` and ``.deny`` of a settings file: a rule, alone or with examples.

An entry is a text, or an object: ``{"rule": "Bash(git push *)", "match": ["git push -f"], "not_match": ["git pull"]}``.
Examples are only read here; ``permissions.examples`` holds them against the rule.

An entry that can't be read is told with its file and line. One that restricts stops the start: left out, it would no
longer restrict. One that allows is left out.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from agent_tui.protocol.errors import SettingsError
from agent_tui.protocol.requests import RuleBehavior
from agent_tui.settings.positions import Steps, Written

BEHAVIORS: tuple[RuleBehavior, ...] = ("allow", "ask", "deny")
STRICTER = frozenset({"ask", "deny"})

RULE, MATCH, NOT_MATCH = "rule", "match", "not_match"
MAX_EXAMPLES = 100
"""For each rule; each is tried at every start."""
SHOWN = 80
"""Characters of a value that are shown."""


@dataclass(frozen=True, slots=True)
class RuleExample:
    """What a rule must cover (``fits``), or must not; ``line`` is its own, 0 unknown."""

    text: str
    fits: bool
    line: int = 0


@dataclass(frozen=True, slots=True)
class SourcedRule:
    """A rule as it was written, and where: source name, file, line (from 1, 0 unknown), folder that ``/`` means."""

    behavior: RuleBehavior
    text: str
    source: str
    path: str = ""
    line: int = 0
    anchor: str = ""
    examples: tuple[RuleExample, ...] = ()


class _NoEntryError(Exception):
    """An entry is no rule: where, and why."""

    def __init__(self, steps: Steps, why: str) -> None:
        super().__init__(why)
        self.steps = steps
        self.why = why


def read_entries(
    permissions: Mapping[str, Any], written: Written, source: str, anchor: str
) -> tuple[list[SourcedRule], list[str]]:
    """Read the rules of a file.

    Args:
        permissions: what stands under ``permissions``.
        written: the file, for the lines.
        source: its name as a source of rules.
        anchor: the folder that ``/`` means in its patterns.

    Returns:
        the rules, and a sentence for each allow rule that is left out.

    Raises:
        SettingsError: an entry that restricts can't be read, or there is no list of rules.
    """
    rules: list[SourcedRule] = []
    problems: list[str] = []
    for behavior in BEHAVIORS:
        entries = permissions.get(behavior, [])
        if not isinstance(entries, list):
            where = written.at("permissions", behavior)
            raise SettingsError(
                f"{where}: permissions.{behavior} must be a list of rules; mend it."
            )
        for index, entry in enumerate(cast("list[Any]", entries)):
            steps: Steps = ("permissions", behavior, index)
            try:
                text, examples = _read(entry, steps, written)
            except _NoEntryError as error:
                problem = f"{written.at(*error.steps)}: permissions.{behavior} holds {error.why}"
                if behavior in STRICTER:
                    raise SettingsError(
                        f"{problem}. What it was to restrict can't be told, so nothing is started; mend it."
                    ) from None
                problems.append(f"{problem}; the allow rule is left out.")
                continue
            line = written.line(*steps, RULE)
            rules.append(SourcedRule(behavior, text, source, written.name, line, anchor, examples))
    return rules, problems


def rule_of(entry: Any) -> str | None:
    """Give the rule's text of an entry; None when it is no entry."""
    if isinstance(entry, dict):
        entry = cast("dict[str, Any]", entry).get(RULE)
    return entry if isinstance(entry, str) else None


def shown(value: Any) -> str:
    """Write a value of a file for a sentence, shortened."""
    text = repr(value)
    return text if len(text) <= SHOWN else f"{text[: SHOWN - 3]}..."


def _read(entry: Any, steps: Steps, written: Written) -> tuple[str, tuple[RuleExample, ...]]:
    if isinstance(entry, str):
        return entry, ()
    if not isinstance(entry, dict):
        raise _NoEntryError(steps, f"{shown(entry)}, which is no rule")
    given = cast("dict[str, Any]", entry)
    text = given.get(RULE)
    if not isinstance(text, str):
        raise _NoEntryError((*steps, RULE), f"{shown(entry)}, whose rule is no text")
    for key in given:
        if key not in (RULE, MATCH, NOT_MATCH):
            why = f"{shown(key)} beside the rule {text}; it may have match and not_match"
            raise _NoEntryError((*steps, key), why)
    examples = (
        *_examples(given, MATCH, steps, written),
        *_examples(given, NOT_MATCH, steps, written),
    )
    return text, examples


def _examples(given: dict[str, Any], key: str, steps: Steps, written: Written) -> list[RuleExample]:
    found: Any = given.get(key, [])
    if not isinstance(found, list):
        raise _NoEntryError((*steps, key), f"the rule {given[RULE]}, whose {key} is no list")
    texts = cast("list[Any]", found)
    if len(texts) > MAX_EXAMPLES:
        why = f"the rule {given[RULE]} with more than {MAX_EXAMPLES} examples"
        raise _NoEntryError((*steps, key), why)
    out: list[RuleExample] = []
    for index, text in enumerate(texts):
        at = (*steps, key, index)
        if not isinstance(text, str) or not text.strip():
            why = f"the rule {given[RULE]} with {shown(text)} in {key}, which is no example"
            raise _NoEntryError(at, why)
        out.append(RuleExample(text, key == MATCH, written.line(*at)))
    return out
