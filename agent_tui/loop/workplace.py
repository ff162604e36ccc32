"""Where the calls of a session run."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from agent_tui.protocol.access import Access, RunCommand
from agent_tui.protocol.messages import PermissionMode
from agent_tui.protocol.ports import Ports, Sandbox
from agent_tui.tools.base import AnyTool


@dataclass(frozen=True, slots=True)
class Workplace:
    """Where calls run: the world, the project folder, and the folder for output too long to return.

    For a sub-agent, ``agent`` says who asks the person, ``agent_id`` names it, and ``mode`` is the permission mode its
    kind wants where the session's lets it (``Policy.judge``).
    """

    ports: Ports
    cwd: Path
    spill: Path
    agent: str | None = None
    agent_id: str | None = None
    mode: PermissionMode | None = None

    def access(self, tool: AnyTool, args: Any) -> Access:
        """Say what a call would touch; a shell line runs where the shell is by now, and perhaps in the sandbox."""
        access = tool.access(args, self.cwd)
        if not isinstance(access, RunCommand):
            return access
        access = replace(access, cwd=self.ports.shell.cwd)
        return in_sandbox(access, self.ports.sandbox)


def in_sandbox(access: RunCommand, sandbox: Sandbox | None) -> RunCommand:
    """Say of a shell line whether it runs in the sandbox, or would but for its own wish."""
    if sandbox is None:
        return replace(access, leaves=False)
    held = sandbox.holds(access.command, leaves=access.leaves)
    leaves = access.leaves and not held and sandbox.holds(access.command, leaves=False)
    return replace(access, leaves=leaves, sandboxed=held, unasked=held and sandbox.unasked)
