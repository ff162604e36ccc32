"""The command ``agent-tui``, also as ``python -m agent_tui``; the version is told before anything is loaded."""

from __future__ import annotations

import gc
import sys
from typing import NoReturn

from agent_tui import __version__


def entry() -> NoReturn:
    """Run the command with this process's arguments and leave with its exit code."""
    if sys.argv[1:] in (["--version"], ["-v"]):
        sys.stdout.write(f"{__version__} (agent-tui)\n")
        sys.exit(0)
    gc.disable()  # whichever front end is started lets it work again when it is loaded
    try:
        from agent_tui.cli import main  # door: the command line
        from agent_tui.settings.paths import Environment

        code = main(sys.argv[1:], Environment.of_process())
    except KeyboardInterrupt:  # also while it is being loaded
        code = 130
    sys.exit(code)


if __name__ == "__main__":
    entry()
