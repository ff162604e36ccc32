"""The book of all rules that hold.

Reading never fails: a rule that can't be used stays out of the book and is told as a *problem*, a sentence with file
and line, so one bad line takes nothing else with it. Rules are kept by the weight of their sources and then by their
text, and each once: neither the order of rules in a file nor a repetition changes anything.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Final

from agent_tui.permissions.files import FileRules
from agent_tui.permissions.places import Ground
from agent_tui.permissions.resolver import Resolver
from agent_tui.permissions.rule import (
    Rule,
    RuleSource,
    canonical,
    parse_rule,
    problem_of,
    tool_named,
)
from agent_tui.permissions.secrets import secret_by_name
from agent_tui.protocol.requests import PermissionRuleValue, PermissionUpdate, RuleBehavior
from agent_tui.settings.rule_entries import SourcedRule

_DESTINATIONS: Final = {
    "session": "session",
    "localSettings": "local",
    "projectSettings": "project",
    "userSettings": "user",
}


@dataclass(frozen=True, slots=True)
class RuleBook:
    """Every rule that holds, and what was left out and why (``problems``, sentences for a person)."""

    allow: tuple[Rule, ...] = ()
    ask: tuple[Rule, ...] = ()
    deny: tuple[Rule, ...] = ()
    problems: tuple[str, ...] = field(default=(), compare=False)

    @classmethod
    def of(cls, entries: Iterable[SourcedRule], problems: Iterable[str] = ()) -> RuleBook:
        """Read the rules that settings and flags gave; ``problems`` are those of rules that were left out before."""
        found: dict[RuleBehavior, list[Rule]] = {"allow": [], "ask": [], "deny": []}
        left_out = list(problems)
        for entry in entries:
            source = RuleSource(entry.source, entry.path, entry.line, entry.anchor)
            rule = _read(entry.text, entry.behavior, source)
            if isinstance(rule, Rule):
                found[entry.behavior].append(rule)
            else:
                left_out.append(rule)
        in_order = {behavior: _ordered(rules) for behavior, rules in found.items()}
        return cls(in_order["allow"], in_order["ask"], in_order["deny"], tuple(left_out))

    def rules(self, behavior: RuleBehavior) -> tuple[Rule, ...]:
        """Give the rules of one behaviour, those of the highest source first."""
        return {"allow": self.allow, "ask": self.ask, "deny": self.deny}[behavior]

    def with_update(self, update: PermissionUpdate) -> RuleBook:
        """Give the book after a change of rules; updates of mode and folders change nothing here."""
        name = _DESTINATIONS[update.destination]
        wanted = set(update.rules)
        match update.type:
            case "addRules":
                return self._adding_all(update, name)
            case "removeRules":
                return self._without(update.behavior, name, wanted)
            case "replaceRules":
                return self._without(update.behavior, name, None)._adding_all(update, name)
            case _:
                return self

    def hides(self, tool_name: str) -> bool:
        """Tell whether a deny rule names the whole tool, so that the model never sees it."""
        name = canonical(tool_name)
        return any(rule.whole and tool_named(rule, name) for rule in self.deny)

    def may_read(
        self,
        path: str,
        working_dirs: tuple[Path, ...],
        resolver: Resolver,
        *,
        secrets: bool = False,
    ) -> bool:
        """Tell whether a search may show a file (absolute path); by its name and the file it leads to.

        ``secrets``: places where secrets are kept too; else only what an allow rule opens of them.
        """
        denies = tuple(r for r in self.deny if r.tool == "Read" and r.content is not None)
        secret = not secrets and secret_by_name(path, resolver.home) and not self._reads_all
        if not denies and not secret:
            return True
        allows = tuple(
            r for r in self.allow if r.tool in ("Read", "Edit") and r.content is not None
        )
        files = _files(denies, allows, tuple(map(str, working_dirs)), resolver)
        found = files.read(path)
        return found.denied is None and not (secret and found.secret)

    @property
    def _reads_all(self) -> bool:
        return any(rule.tool == "Read" and rule.whole for rule in self.allow)

    def _adding_all(self, update: PermissionUpdate, name: str) -> RuleBook:
        behavior, source = update.behavior, RuleSource(name)
        present = {(r.value, r.source.name) for r in self.rules(behavior)}
        new = [v for v in update.rules if (v, name) not in present]
        read = [_read(str(value), behavior, source) for value in new]
        rules = [rule for rule in read if isinstance(rule, Rule)]
        problems = tuple(rule for rule in read if isinstance(rule, str))
        if not read:
            return self
        book = self._put(behavior, _ordered((*self.rules(behavior), *rules)))
        return replace(book, problems=(*self.problems, *problems))

    def _without(
        self, behavior: RuleBehavior, name: str, values: set[PermissionRuleValue] | None
    ) -> RuleBook:
        kept = tuple(
            rule
            for rule in self.rules(behavior)
            if rule.source.name != name or (values is not None and rule.value not in values)
        )
        return self._put(behavior, kept)

    def _put(self, behavior: RuleBehavior, rules: tuple[Rule, ...]) -> RuleBook:
        match behavior:
            case "allow":
                return replace(self, allow=rules)
            case "ask":
                return replace(self, ask=rules)
            case "deny":
                return replace(self, deny=rules)


def _read(text: str, behavior: RuleBehavior, source: RuleSource) -> Rule | str:
    """Read one rule; where it can't be used, give the sentence that says so."""
    value = parse_rule(text)
    why = "it has not the form Tool or Tool(specifier)"
    if value is not None:
        why = problem_of(value, behavior)
        if why is None:
            return Rule(behavior, value, source)
    shown = text if len(text) <= 80 else f"{text[:77]}..."
    return f"{source}: the {behavior} rule {shown!r} is left out: {why}."


def _ordered(rules: Iterable[Rule]) -> tuple[Rule, ...]:
    """Put rules in the order of their sources; of the same rule in one file the first counts."""
    kept: dict[tuple[object, ...], Rule] = {}
    for rule in rules:
        kept.setdefault((rule.source.name, *rule.rank), rule)
    return tuple(sorted(kept.values(), key=lambda rule: rule.rank))


@lru_cache(maxsize=8)
def _files(
    denies: tuple[Rule, ...],
    allows: tuple[Rule, ...],
    folders: tuple[str, ...],
    resolver: Resolver,
) -> FileRules:
    """Make the rules ready once for the many files of a search."""
    ground = Ground(folders, folders[0] if folders else "/", resolver)
    return FileRules(RuleBook(allow=allows, deny=denies), ground)
