"""Judging paths: what the rules, the working folders and the protected places say about one file."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from agent_tui.permissions.match import PathRule, literal_path
from agent_tui.permissions.places import Ground
from agent_tui.permissions.rule import FOLDER_TOOL, Rule, Rules
from agent_tui.permissions.secrets import is_secret, secret_reason
from agent_tui.permissions.verdict import Hit, Verdict


@dataclass(frozen=True, slots=True)
class FileVerdict:
    """What holds for one file: rules that hit, whether it is inside, protected, allowed by a rule.

    ``secret``: secrets are kept there, and no rule opens it.
    """

    path: str
    denied: Hit | None = None
    asked: Hit | None = None
    doubt: str = ""
    inside: bool = False
    protected: bool = False
    rule: Rule | None = None
    secret: bool = False


class FileRules:
    """The path rules in force at one place, made ready once."""

    def __init__(self, rules: Rules, ground: Ground) -> None:
        self._rules = rules
        self._ground = ground

    def _ready(self, tool: str, rules: tuple[Rule, ...]) -> tuple[PathRule, ...]:
        return tuple(
            PathRule.of(rule, self._ground.anchors, self._ground.resolver)
            for rule in rules
            if rule.tool == tool and rule.content is not None
        )

    @cached_property
    def read_denies(self) -> tuple[PathRule, ...]:
        """Deny rules for reading."""
        return self._ready("Read", self._rules.deny)

    @cached_property
    def read_asks(self) -> tuple[PathRule, ...]:
        """Ask rules for reading."""
        return self._ready("Read", self._rules.ask)

    @cached_property
    def edit_denies(self) -> tuple[PathRule, ...]:
        """Deny rules for writing."""
        return self._ready("Edit", self._rules.deny)

    @cached_property
    def edit_asks(self) -> tuple[PathRule, ...]:
        """Ask rules for writing."""
        return self._ready("Edit", self._rules.ask)

    @cached_property
    def edit_allows(self) -> tuple[PathRule, ...]:
        """Allow rules for writing."""
        return self._ready("Edit", self._rules.allow)

    @cached_property
    def read_allows(self) -> tuple[PathRule, ...]:
        """Allow rules for reading; what may be written may be read."""
        return _by_weight(self._ready("Read", self._rules.allow) + self.edit_allows)

    def leads_to(self, path: str) -> str:
        """Give the file that is written in place of a link, "" for none."""
        return self._ground.leads_to(path)

    def own(self, path: str) -> str:
        """Say why a write there is asked in every mode: it would change agent-tui itself; empty where it would not."""
        if not self._ground.own(path):
            return ""
        return f"It changes {path}, where agent-tui keeps its own settings, whom you trust, and your key."

    def private(self, path: str) -> bool:
        """Tell whether a place is the person's own; see ``Ground.private``."""
        return self._ground.private(path)

    def read(self, path: str, *, deep: bool = False, hidden: bool = True) -> FileVerdict:
        """Judge reading a file; with ``deep`` a folder with all in it."""
        paths = self._ground.both(path)
        denied, asked = _first(self.read_denies, paths), _first(self.read_asks, paths)
        doubt = ""
        if denied is None and deep:
            denied, doubt = self._below(self.read_denies, paths[1], hidden=hidden)
            if denied is None and asked is None:
                asked, doubted = self._below(self.read_asks, paths[1], hidden=hidden)
                doubt = doubt or doubted
        if denied is None and self.read_denies and self._ground.unknowable(path):
            doubt = f"{path} can be any file, also one that a rule forbids to read"
        rule = _allowing(self.read_allows, paths)
        return FileVerdict(
            path,
            denied,
            asked,
            doubt,
            self._ground.is_inside(path),
            False,
            rule,
            rule is None and is_secret(self._ground, path),
        )

    def write(self, path: str, *, notebook: bool = False) -> FileVerdict:
        """Judge writing a file. What may not be read may not be written either (but notebooks)."""
        paths = self._ground.both(path)
        unreadable = () if notebook else self.read_denies
        rule = _allowing(self.edit_allows, paths)
        return FileVerdict(
            path,
            _first(_by_weight((*self.edit_denies, *unreadable)), paths),
            _first(self.edit_asks, paths),
            "",
            self._ground.is_inside(path),
            self._ground.protected(path),
            rule,
            rule is None and is_secret(self._ground, path),
        )

    def enter(self, path: str) -> FileVerdict:
        """Judge moving the session to a folder."""
        paths = self._ground.both(path)
        denied = _first(self._ready(FOLDER_TOOL, self._rules.deny), paths)
        asked = _first(self._ready(FOLDER_TOOL, self._rules.ask), paths)
        listed = [rule for rule in self._rules.allow if rule.tool == FOLDER_TOOL]
        rule = next((rule for rule in listed if rule.whole), None)
        rule = rule or _allowing(self._ready(FOLDER_TOOL, self._rules.allow), paths)
        if denied is None and listed and rule is None:
            denied = Hit(listed[0], path)
        return FileVerdict(path, denied, asked, rule=rule)

    def _below(
        self, rules: Iterable[PathRule], folder: str, *, hidden: bool
    ) -> tuple[Hit | None, str]:
        """A folder is read whole: a file in it that a rule is about is hit if it is there, a doubt if it may be."""
        if not self._ground.resolver.is_dir(folder):
            return None, ""
        for ready in rules:
            if not ready.may_be_below(folder, hidden=hidden):
                continue
            known = [literal_path(pattern) for pattern in ready.patterns]
            there = [path for path in known if path and self._ground.resolver.exists(path)]
            if there:
                return Hit(ready.rule, there[0]), ""
            if any(path is None for path in known):
                return (
                    None,
                    f"it reads all of {folder}, where the rule {ready.rule} may be about files",
                )
        return None, ""


def _first(rules: Iterable[PathRule], paths: tuple[str, str]) -> Hit | None:
    return next((Hit(ready.rule, paths[0]) for ready in rules if ready.covers(paths)), None)


def _by_weight(rules: tuple[PathRule, ...]) -> tuple[PathRule, ...]:
    return tuple(sorted(rules, key=lambda ready: ready.rule.rank[0]))


def _allowing(rules: tuple[PathRule, ...], paths: tuple[str, str]) -> Rule | None:
    """Find the rule that allows a file; a link and what it leads to may be allowed by two, the link's is given then."""
    whole = _first(rules, paths)
    if whole is not None:
        return whole.rule
    link, target = (_first(rules, (path, path)) for path in paths)
    return link.rule if link is not None and target is not None else None


def judge_read(rules: FileRules, path: str, *, widely: bool = False) -> Verdict:
    """Judge a tool that reads a file, or searches a folder (what is forbidden in it is left out by ``may_read``).

    ``widely``: outside the working folders too, but for private places.
    """
    found = rules.read(path)
    free = not found.secret and (found.inside or (widely and not rules.private(path)))
    return Verdict(
        denied=found.denied,
        asked=found.asked,
        doubt=found.doubt,
        free=free,
        allowed=free or found.rule is not None,
        rule=None if free else found.rule,
        secret=path if found.secret else "",
        why=secret_reason(path) if found.secret else f"{path} is outside the working folders.",
        blocked_path=None if free else path,
        default_to_no=found.secret,
    )


def judge_folder(rules: FileRules, path: str) -> Verdict:
    """Judge that the session moves to a folder. Where ``Cd`` rules allow some, they forbid all others."""
    found = rules.enter(path)
    return Verdict(denied=found.denied, asked=found.asked, free=True, allowed=True, rule=found.rule)


def judge_write(rules: FileRules, path: str, *, notebook: bool, by_edits: bool) -> Verdict:
    """Judge a tool that writes a file."""
    found = rules.write(path, notebook=notebook)
    edits = by_edits and found.inside and not found.secret
    why = "No rule allows this change."
    if found.secret:
        why = secret_reason(path)
    elif not found.inside:
        why = f"{path} is outside the working folders."
    return Verdict(
        denied=found.denied,
        asked=found.asked,
        critical=rules.own(path),
        protected=path if found.protected else "",
        secret=path if found.secret else "",
        allowed=found.rule is not None or edits,
        rule=found.rule,
        by_edits=edits and found.rule is None,
        why=why,
        blocked_path=None if found.inside and not found.protected and not found.secret else path,
        leads_to=rules.leads_to(path),
        default_to_no=found.protected or found.secret,
    )
