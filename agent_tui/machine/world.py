"""The real world in one piece: every port of this machine."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from agent_tui.machine.files import RealFiles
from agent_tui.machine.limits import limits_of
from agent_tui.machine.search import RealSearch, find_ripgrep
from agent_tui.machine.shell import RealShell
from agent_tui.protocol.ports import Ports, Sandbox
from agent_tui.settings.paths import Environment


def real_ports(
    env: Environment,
    cwd: Path,
    variables: Mapping[str, str] | None = None,
    sandbox: Sandbox | None = None,
) -> Ports:
    """Make the ports of a session that works in ``cwd``. Its owner awaits ``shell.aclose()`` at the end.

    Args:
        env: what commands inherit, and where the limits are read from.
        cwd: absolute.
        variables: further variables for commands.
        sandbox: what commands run in, None for none.
    """
    limits = limits_of(env)
    return Ports(
        RealFiles(max_bytes=limits.file_bytes),
        RealShell(env, cwd, limits, dict(variables or {}), sandbox),
        RealSearch(find_ripgrep(), limits),
        limits,
        sandbox=sandbox,
    )
