"""What the sandbox changes about a decision: lines that run inside need no question, lines that want out get one.

What runs inside is bounded whatever it does, so it is let through after everything that forbids it or wants it asked:
deny rules, hooks, ask rules about certain lines, doubts about either, removals of critical paths, places where secrets
are kept. An ask rule for all of ``Bash`` is about lines that could do anything, so it doesn't count inside. A line that
isn't understood is let through as well, unless a rule for lines or files is in force that it may hide from. In plan
mode everything is as without a sandbox: the mode is about what shall happen, not about what can.

A line that wants to run outside is asked, whatever rule allows it: such rules were given for what they say, and what a
program does by then may have been written inside. Lines that only look, hooks and the mode that approves all let it
through as ever. Programs that shall always run outside are named in ``sandbox.excludedCommands``.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from agent_tui.permissions.rule import COMMAND_TOOLS, Rule
from agent_tui.permissions.rules import RuleBook
from agent_tui.permissions.shell.analysis import analyse
from agent_tui.permissions.shell.forms import Fit, strict_fit
from agent_tui.protocol.access import Access, RunCommand
from agent_tui.protocol.messages import PermissionMode

LEAVING: Final = "It wants to run outside the sandbox."


def unasked(access: Access, mode: PermissionMode) -> bool:
    """Tell whether a call runs in the sandbox and needs no approval for that."""
    return isinstance(access, RunCommand) and access.sandboxed and access.unasked and mode != "plan"


def inside(access: Access, mode: PermissionMode) -> bool:
    """Tell whether a call runs in the sandbox, where that counts."""
    return isinstance(access, RunCommand) and access.sandboxed and mode != "plan"


def leaves(access: Access) -> bool:
    """Tell whether a call wants to run outside the sandbox that others run in."""
    return isinstance(access, RunCommand) and access.leaves


def spared(rules: RuleBook, access: Access, mode: PermissionMode) -> RuleBook:
    """Give the rules without those that ask about every shell line, where they don't count."""
    if not unasked(access, mode):
        return rules
    return replace(rules, ask=tuple(rule for rule in rules.ask if not _asks_all(rule)))


def kept_closed(path: str) -> str:
    """Say that a protected place can't be written inside, and what can be done; for the model."""
    return (
        f"It writes {path}, a protected place, which can't be written in the sandbox. If it is needed, call again with "
        "dangerouslyDisableSandbox: true, so that the person is asked."
    )


def runs_outside(line: str, excluded: Iterable[str]) -> bool:
    """Tell whether one of the programs that run outside is surely among those that a line runs.

    Args:
        line: the whole line; it runs outside as a whole.
        excluded: as in ``Bash(...)``; without a ``*`` an entry means the command with any arguments.
    """
    patterns = [text if "*" in text else f"{text}:*" for text in excluded]
    if not patterns:
        return False
    analysis = analyse(line)
    if analysis.problem:
        return False
    return any(
        strict_fit(pattern, part) is Fit.YES for part in analysis.parts for pattern in patterns
    )


def _asks_all(rule: Rule) -> bool:
    return rule.whole and rule.tool in COMMAND_TOOLS
