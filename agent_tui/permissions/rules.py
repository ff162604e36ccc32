"""The book of all rules that hold.

Reading never fails: a rule that can't be used stays out of the book and is told as a *problem*, a sentence with file
and line, so one bad line takes nothing else with it.
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
    OLD_NAMES,
    Rule,
    RuleSource,
    parse_rule,
    problem_of,
    tool_named,
)
from agent_tui.permissions.secrets import secret_by_name
from agent_tui.protocol.requests import PermissionRuleValue, PermissionUpdate, RuleBehavior
from agent_tui.settings.layers import SourcedRule

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
    def of(cls, entries: Iterable[SourcedRule]) -> RuleBook:
        """Read the rules that settings and flags gave."""
        book = cls()
        for entry in entries:
            source = RuleSource(entry.source, entry.path, entry.line, entry.anchor)
            book = book._adding(entry.text, entry.behavior, source)
        return book

    def rules(self, behavior: RuleBehavior) -> tuple[Rule, ...]:
        """Give the rules of one behaviour, in order."""
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
        canonical = OLD_NAMES.get(tool_name, tool_name)
        return any(rule.whole and tool_named(rule, canonical) for rule in self.deny)

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
        book = self
        present = {(r.value, r.source.name) for r in self.rules(update.behavior)}
        for value in update.rules:
            if (value, name) not in present:
                book = book._adding(str(value), update.behavior, RuleSource(name))
        return book

    def _adding(self, text: str, behavior: RuleBehavior, source: RuleSource) -> RuleBook:
        value = parse_rule(text)
        why = "it has not the form Tool or Tool(specifier)"
        if value is not None:
            why = problem_of(value, behavior) or ""
        if value is None or why:
            shown = text if len(text) <= 80 else f"{text[:77]}..."
            note = f"{source}: the {behavior} rule {shown!r} is left out: {why}."
            return replace(self, problems=(*self.problems, note))
        return self._put(behavior, (*self.rules(behavior), Rule(behavior, value, source)))

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
