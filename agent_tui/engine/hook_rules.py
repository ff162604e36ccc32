"""Whether a call fits the rule (``if``) a hook is limited to: as a deny rule would cover it, any part of a shell line."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

from agent_tui.permissions.policy import Denied, MustAsk, decide
from agent_tui.permissions.resolver import Resolver
from agent_tui.permissions.rules import RuleBook
from agent_tui.protocol.access import NoAccess, RunCommand
from agent_tui.protocol.content import JsonObject
from agent_tui.settings.layers import SourcedRule
from agent_tui.tools.base import InvalidInputError, ToolSet


class HookRules:
    """Judges rules of hooks. Where it can't be told whether one fits, it does: the hook is run once too often.

    Args:
        tools: the session's tools.
        folders: the folders that count as inside, the project's first.
        shell_cwd: the shell's folder now.
        resolver: answers about paths.
    """

    def __init__(
        self,
        tools: ToolSet,
        folders: tuple[Path, ...],
        shell_cwd: Callable[[], str],
        resolver: Resolver,
    ) -> None:
        self._tools = {tool.name: tool for tool in tools.tools}
        self._folders = folders
        self._shell_cwd = shell_cwd
        self._resolver = resolver

    def covers(self, rule: str, tool_name: str, given: JsonObject) -> bool:
        """Tell whether a call fits the rule."""
        book = rule_book(rule, str(self._folders[0]))
        if book.problems:
            return True
        here = Path(self._shell_cwd())
        tool = self._tools.get(tool_name)
        access = NoAccess()
        if tool is not None:
            try:
                access = tool.access(tool.parse(given), self._folders[0])
            except InvalidInputError:
                return True
        if isinstance(access, RunCommand):
            access = RunCommand(access.command, str(here))
        decision = decide(
            access,
            tool_name,
            given,
            mode="bypassPermissions",
            rules=book,
            hook=None,
            resolver=self._resolver,
            working_dirs=self._folders,
            cwd=here,
            read_only=False,
        )
        if isinstance(decision, MustAsk):
            return decision.decided_by in ("rule", "unparsable")
        return isinstance(decision, Denied)


@lru_cache(maxsize=256)
def rule_book(rule: str, anchor: str) -> RuleBook:
    """Read one rule; ``problems`` say why it can't be used."""
    return RuleBook.of([SourcedRule("deny", rule, "hook", anchor=anchor)])
