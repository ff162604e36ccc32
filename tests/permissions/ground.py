"""A project to judge calls in: real folders, rules by their text, one question a call."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from agent_tui.permissions.places import Ground
from agent_tui.permissions.policy import Decision, MustAsk, decide
from agent_tui.permissions.resolver import RealResolver
from agent_tui.permissions.rules import RuleBook
from agent_tui.protocol.access import Access, ReadPath, RunCommand, WritePath
from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.messages import PermissionMode
from agent_tui.protocol.requests import HookDecision, RuleBehavior
from agent_tui.settings.layers import SourcedRule


def book(allow: Iterable[str] = (), deny: Iterable[str] = (), ask: Iterable[str] = ()) -> RuleBook:
    """Make a book of rules that stand in the user's settings."""
    given: list[tuple[RuleBehavior, Iterable[str]]] = [
        ("allow", allow),
        ("deny", deny),
        ("ask", ask),
    ]
    return RuleBook.of(
        SourcedRule(behavior, text, "user", "/home/me/settings.json", 7)
        for behavior, texts in given
        for text in texts
    )


@dataclass
class Project:
    """A folder with a home beside it."""

    folder: Path
    home: Path

    @classmethod
    def below(cls, room: Path) -> Project:
        folder, home = room / "work" / "project", room / "home"
        folder.mkdir(parents=True)
        home.mkdir(exist_ok=True)
        (folder / "src").mkdir()
        return cls(folder, home)

    @property
    def resolver(self) -> RealResolver:
        return RealResolver(str(self.home), (str(self.home / ".agent-tui"),), folds_case=False)

    def ground(self, *more: Path, cwd: Path | None = None, made: Iterable[str] = ()) -> Ground:
        folders = (str(self.folder), *map(str, more))
        return Ground(folders, str(cwd or self.folder), self.resolver, frozenset(made))

    def judge(
        self,
        access: Access,
        tool: str,
        given: JsonObject | None = None,
        *,
        rules: RuleBook | None = None,
        mode: PermissionMode = "default",
        hook: HookDecision | None = None,
        read_only: bool = False,
        cwd: Path | None = None,
        more: tuple[Path, ...] = (),
        made: frozenset[str] = frozenset(),
    ) -> Decision:
        return decide(
            access,
            tool,
            given or {},
            mode=mode,
            rules=rules or RuleBook(),
            hook=hook,
            resolver=self.resolver,
            working_dirs=(self.folder, *more),
            cwd=cwd or self.folder,
            read_only=read_only,
            made=made,
        )

    def bash(
        self,
        command: str,
        *,
        allow: Iterable[str] = (),
        deny: Iterable[str] = (),
        ask: Iterable[str] = (),
        mode: PermissionMode = "default",
        hook: HookDecision | None = None,
        cwd: Path | None = None,
        more: tuple[Path, ...] = (),
        made: frozenset[str] = frozenset(),
        rules: RuleBook | None = None,
    ) -> Decision:
        return self.judge(
            RunCommand(command, str(cwd or self.folder)),
            "Bash",
            {"command": command},
            rules=rules or book(allow, deny, ask),
            mode=mode,
            hook=hook,
            cwd=cwd,
            more=more,
            made=made,
        )

    def read(
        self, path: str, *, deny: Iterable[str] = (), allow: Iterable[str] = (), tool: str = "Read"
    ) -> Decision:
        where = str(self.folder / path)
        return self.judge(
            ReadPath(where), tool, {"file_path": where}, rules=book(allow, deny), read_only=True
        )

    def write(
        self,
        path: str,
        *,
        deny: Iterable[str] = (),
        allow: Iterable[str] = (),
        mode: PermissionMode = "default",
        tool: str = "Write",
        hook: HookDecision | None = None,
    ) -> Decision:
        where = str(self.folder / path)
        return self.judge(
            WritePath(where),
            tool,
            {"file_path": where},
            rules=book(allow, deny),
            mode=mode,
            hook=hook,
        )


def suggested(decision: Decision) -> list[list[str]]:
    """Give the rules of each suggestion of a question."""
    assert isinstance(decision, MustAsk)
    return [[str(rule) for rule in update.rules] for update in decision.suggestions]
