"""The session's permissions: mode, rules and folders in force, asked about one call at a time.

``permissions.policy.decide`` is the judge; this holds what it judges by, and the changes answers make to it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from agent_tui.loop.limited_rules import LimitedRules
from agent_tui.permissions.made import about_to_change, about_to_make
from agent_tui.permissions.places import Ground
from agent_tui.permissions.policy import Allowed, Decision, Denied, MustAsk, decide, only_looks
from agent_tui.permissions.resolver import Resolver
from agent_tui.permissions.rules import RuleBook
from agent_tui.permissions.secrets import is_secret
from agent_tui.permissions.verdict import MODES
from agent_tui.protocol.access import Access, ReadPath, RunCommand
from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.messages import PERMISSION_MODES, PermissionMode
from agent_tui.protocol.ports import MayRead
from agent_tui.protocol.requests import (
    Allow,
    Deny,
    HookDecision,
    PermissionAnswer,
    PermissionRequest,
    PermissionRuleValue,
    PermissionUpdate,
)

YIELDING: frozenset[PermissionMode] = frozenset({"default", "plan", "dontAsk"})
"""The session's modes under which a sub-agent may have one of its own; the others hold for everybody."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Where calls happen: the project folder, further working folders, the shell's folder (it moves).

    ``rules_root`` is the folder that patterns beginning with ``/`` mean once they are stored: the repository's.
    """

    project: Path
    added: tuple[Path, ...]
    shell_cwd: Callable[[], str]
    rules_root: Path

    @property
    def working_dirs(self) -> tuple[Path, ...]:
        """The folders that count as inside, the project's first."""
        return (self.project, *self.added)


@dataclass(frozen=True, slots=True)
class Judged:
    """A call that was asked about, kept so that it can be judged again when rules change.

    ``mode`` is the one a sub-agent's kind wants. It counts where the session's mode is one of ``YIELDING``.
    """

    access: Access
    tool_name: str
    tool_input: JsonObject
    hook: HookDecision | None
    read_only: bool
    mode: PermissionMode | None = None


class Policy:
    """Judges calls by the mode, rules and folders in force.

    ``limited`` are the rules of the session that hold for a while only.
    """

    def __init__(
        self,
        mode: PermissionMode,
        rules: RuleBook,
        around: Surroundings,
        resolver: Resolver,
        limited: LimitedRules | None = None,
    ) -> None:
        self.mode: PermissionMode = mode
        self.limited = limited or LimitedRules()
        self._book = rules
        self._around = around
        self._resolver = resolver
        self._asked: dict[str, Judged] = {}
        self._settled: dict[str, Allowed | Denied] = {}
        self._made: frozenset[str] = frozenset()

    @property
    def rules(self) -> RuleBook:
        """The rules in force now, those with a limit among the session's."""
        return self.limited.joined(self._book)

    @property
    def working_dirs(self) -> tuple[Path, ...]:
        """The folders that count as inside."""
        return self._around.working_dirs

    def mode_of(self, call: Judged) -> PermissionMode:
        """Give the mode that holds for a call: a sub-agent's own where the session's lets it."""
        return call.mode if call.mode and self.mode in YIELDING else self.mode

    def judge(self, call: Judged) -> Decision:
        """Decide one call; looking at it counts nothing, see ``used``."""
        return self._judge(call, self.rules)

    def used(self, call: Judged) -> None:
        """Count a call that was let through unasked: for the rules for some calls that it could not do without."""
        counted = self.limited.counted
        needed = list(counted)
        for rule in reversed(counted):
            spared = [other for other in counted if other == rule or other not in needed]
            if isinstance(self._judge(call, self.limited.joined(self._book, spared)), Allowed):
                needed.remove(rule)
        for rule in needed:
            self.limited.use(rule)

    def would_allow(self, request_id: str, rules: tuple[PermissionRuleValue, ...]) -> bool:
        """Tell whether an open request would not be asked if these rules allowed what they cover."""
        call = self._asked.get(request_id)
        more = self.rules.with_update(PermissionUpdate("addRules", rules))
        return call is not None and isinstance(self._judge(call, more), Allowed)

    def _judge(self, call: Judged, rules: RuleBook) -> Decision:
        return self.judge_by(call, self.mode_of(call), rules)

    def judge_by(self, call: Judged, mode: PermissionMode, rules: RuleBook) -> Decision:
        """Decide one call by another mode, or other rules, with all else as it is."""
        return decide(
            call.access,
            call.tool_name,
            call.tool_input,
            mode=mode,
            rules=rules,
            hook=call.hook,
            resolver=self._resolver,
            working_dirs=self._around.working_dirs,
            cwd=Path(self._around.shell_cwd()),
            read_only=call.read_only,
            made=self._made,
        )

    def ground(self, call: Judged) -> Ground:
        """Give the folders a call is judged by, and the one a command would start in."""
        folders = tuple(map(str, self._around.working_dirs))
        access = call.access
        here = access.cwd if isinstance(access, RunCommand) else self._around.shell_cwd()
        return Ground(folders, here, self._resolver, self._made)

    def only_looks(self, access: RunCommand) -> bool:
        """Tell whether a shell line changes nothing, so that it may run beside other calls."""
        here = Path(access.cwd)
        return only_looks(access.command, here, self._around.working_dirs, self._resolver)

    def about_to_make(self, access: RunCommand) -> tuple[str, ...]:
        """Give the paths that a shell line is about to make; blocks for a moment on files."""
        folders = tuple(map(str, self._around.working_dirs))
        return about_to_make(access.command, Ground(folders, access.cwd, self._resolver))

    def about_to_change(self, command: str, cwd: str) -> dict[str, bool]:
        """Give the paths that a shell line names to be written, and (True) to be removed; blocks for a moment on files."""
        folders = tuple(map(str, self._around.working_dirs))
        return about_to_change(command, Ground(folders, cwd, self._resolver))

    def note_made(self, path: str) -> None:
        """Remember what this session made, if it is there: it may be removed again where edits need no question."""
        if self._resolver.exists(path):
            self._made |= {self._resolver.realpath(path)}

    def asked(self, request_id: str, call: Judged) -> None:
        """Remember what a request is about while it is open."""
        self._asked[request_id] = call

    def closed(self, request_id: str) -> Allowed | Denied | None:
        """Forget it; gives what settled it in the person's stead, None when nothing did."""
        self._asked.pop(request_id, None)
        return self._settled.pop(request_id, None)

    def settle(self, request: PermissionRequest) -> PermissionAnswer | None:
        """Give the answer an open request gets now without being asked, None when it would be.

        An allow counts as a call: see ``used``.
        """
        call = self._asked.get(request.id)
        if call is None:
            return None
        match self.judge(call):
            case Allowed() as verdict:
                self.used(call)
                self._settled[request.id] = verdict
                return Allow()
            case Denied(message) as verdict:
                self._settled[request.id] = verdict
                return Deny(message)
            case MustAsk():
                return None

    def proposed(self, updates: tuple[PermissionUpdate, ...]) -> tuple[PermissionUpdate, ...]:
        """Give proposed rules so that they mean the same here and where they are stored.

        A path from here is written from the file system's root (``//…``) when the rule would be stored for a
        folder above: there ``/src`` is another place.
        """
        if self._around.project == self._around.rules_root:
            return updates
        return tuple(
            replace(update, rules=tuple(map(self._from_root, update.rules))) for update in updates
        )

    def _from_root(self, rule: PermissionRuleValue) -> PermissionRuleValue:
        content = rule.rule_content or ""
        if rule.tool_name not in ("Edit", "Read") or not re.match("/(?!/)", content):
            return rule
        return replace(rule, rule_content=f"/{self._around.project}{content}")

    def may_read(self, path: str, *, secrets: bool = False) -> bool:
        """Tell whether a search may show a file; ``secrets``: places where secrets are kept too."""
        folders = self._around.working_dirs
        return self.rules.may_read(path, folders, self._resolver, secrets=secrets)

    def reader(self, access: Access) -> MayRead:
        """Give what tells a search which files it may show: with those it was aimed at, once it may run.

        Where nothing is asked, secrets are not left out either.
        """
        secrets = MODES[self.mode].approves_all
        if isinstance(access, ReadPath) and not secrets:
            folders = tuple(map(str, self._around.working_dirs))
            here = Ground(folders, self._around.shell_cwd(), self._resolver)
            secrets = is_secret(here, access.path)
        return partial(self.may_read, secrets=secrets)

    def update(self, updates: tuple[PermissionUpdate, ...]) -> tuple[PermissionUpdate, ...]:
        """Take over the changes of an answer; give them as they hold now: a time that is left has an end then."""
        return tuple(map(self._update, updates))

    def _update(self, update: PermissionUpdate) -> PermissionUpdate:
        if update.type == "setMode":
            if update.mode in PERMISSION_MODES:
                self.mode = update.mode
        elif update.type == "addDirectories":
            new = tuple(map(self._folder, update.directories))
            self._around = replace(self._around, added=self._around.added + new)
        elif update.type == "removeDirectories":
            gone = set(map(self._folder, update.directories))
            kept = tuple(folder for folder in self._around.added if folder not in gone)
            self._around = replace(self._around, added=kept)
        elif update.limit is not None:
            return self._update_limited(update)
        else:
            self._book = self._book.with_update(update)
            if update.behavior == "allow" and update.destination == "session":
                if update.type == "removeRules":
                    self.limited.remove(update.rules)
                elif update.type == "replaceRules":
                    self.limited.remove(None)
        return update

    def _folder(self, name: str) -> Path:
        """Read a folder of an update: ``~/`` is the home, others count from the session's first folder."""
        home = Path(self._resolver.home)
        return home / name[2:] if name.startswith("~/") else self._around.project / name

    def _update_limited(self, update: PermissionUpdate) -> PermissionUpdate:
        """A limit belongs to a rule that allows and is added; anything else with one would hold for longer than meant."""
        if update.type != "addRules" or update.behavior != "allow":
            return update
        return self.limited.add(update)
