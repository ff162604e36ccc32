"""Which fence this machine has."""

from __future__ import annotations

import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

from agent_tui.machine.sandbox.bubblewrap import find_bubblewrap
from agent_tui.machine.sandbox.sandbox import Fence
from agent_tui.machine.sandbox.seatbelt import SANDBOX_EXEC, Seatbelt

LINUX_LACKS = "bubblewrap (the program bwrap) is not installed"
MAC_LACKS = "sandbox-exec is missing"
NO_FENCE = "this system ({system}) has no sandbox that is known"


@dataclass(frozen=True, slots=True)
class Chosen:
    """The fence, or why there is none; ``broken`` says why one that is there doesn't work."""

    fence: Fence | None = None
    lacking: str = ""
    broken: str = ""


def choose(path: str, project: Path, system: str = sys.platform) -> Chosen:
    """Look for this system's fence and try it; blocks.

    Args:
        path: the folders programs are looked for in, parted by colons.
        project: where no program is trusted.
        system: as in ``sys.platform``.
    """
    if system.startswith("linux"):
        found = find_bubblewrap(path, project)
        return Chosen(lacking=LINUX_LACKS) if found is None else Chosen(found, "", found.probe())
    if system == "darwin":
        there = shutil.which(SANDBOX_EXEC) is not None
        return Chosen(Seatbelt()) if there else Chosen(lacking=MAC_LACKS)
    return Chosen(lacking=NO_FENCE.format(system=system))
