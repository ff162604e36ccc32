"""The command ``agent-tui``, also as ``python -m agent_tui``; the version is told before anything is loaded."""

from __future__ import annotations

import gc
import os
import signal
import sys
from types import TracebackType
from typing import NoReturn

from agent_tui import __version__


def entry() -> NoReturn:
    """Run the command with this process's arguments and leave with its exit code."""
    if sys.argv[1:] in (["--version"], ["-v"]):
        sys.stdout.write(f"{__version__} (agent-tui)\n")
        sys.exit(0)
    _open_what_is_closed()
    sys.excepthook = say_harmlessly
    gc.disable()  # whichever front end is started lets it work again when it is loaded
    try:
        from agent_tui.cli import main  # door: the command line
        from agent_tui.settings.paths import Environment

        code = main(sys.argv[1:], Environment.of_process())
    except KeyboardInterrupt:  # also while it is being loaded
        code = 130
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # all is done: nothing is left to interrupt
    sys.exit(code)


def say_harmlessly(
    kind: type[BaseException], error: BaseException, trace: TracebackType | None
) -> None:
    """Say an error of our own on standard error; what it quotes must not drive the terminal."""
    import traceback  # door: only when something is broken

    text = "".join(traceback.format_exception(kind, error, trace))
    sys.stderr.write("".join(c if c.isprintable() or c in "\n\t" else "?" for c in text))


def _open_what_is_closed() -> None:
    """Make closed standard files empty ones: else the next file opened would take their place and be written into."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: PTH123, SIM115 - for good


if __name__ == "__main__":
    entry()
