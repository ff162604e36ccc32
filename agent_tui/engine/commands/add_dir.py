"""``/add-dir``."""

from __future__ import annotations

import os
from pathlib import Path

from anyio import to_thread

from agent_tui.engine.command import CommandContext
from agent_tui.protocol.errors import UsageError
from agent_tui.protocol.requests import PermissionUpdate


class Command:
    """Let the model work in a further folder, for this session."""

    hint = "<folder>"

    async def run(self, args: str, context: CommandContext) -> None:
        """Add the folder that ``args`` names; from the project's folder on, ``~`` is the home."""
        base, name = context.premises.base, args.strip()
        if not name:
            raise UsageError("Usage: /add-dir <folder>")
        path = _meant(name, base.cwd, base.env.home)
        if not await to_thread.run_sync(os.path.isdir, path):
            raise UsageError(f"There is no folder {path}.")
        if path in map(str, context.policy.working_dirs):
            raise UsageError(f"{path} is a working folder already.")
        await context.wiring.apply((PermissionUpdate("addDirectories", directories=(path,)),))
        await context.output(f"{path} is a working folder of this session now.")


def _meant(name: str, cwd: Path, home: Path) -> str:
    if name == "~" or name.startswith("~/"):
        name = f"{home}{name[1:]}"
    return os.path.normpath(cwd / name)
