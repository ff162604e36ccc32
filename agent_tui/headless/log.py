"""The log of a run without a screen: a file of ours, made when there is something to write. Standard error is for people."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Generator
from contextlib import contextmanager
from io import TextIOWrapper
from pathlib import Path

from agent_tui.settings.credentials import masker_of
from agent_tui.settings.paths import Environment, logs
from agent_tui.settings.private import make_private_folder, private_opener
from agent_tui.view.logs import SafeFormatter

NAME = "print.log"


@contextmanager
def logged(env: Environment, *, keep: bool = True) -> Generator[None]:
    """Send warnings and errors of everything that runs meanwhile to the file; without ``keep`` to nowhere."""
    handler = _PrivateLog(logs(env) / NAME) if keep else logging.NullHandler()
    handler.setLevel(logging.WARNING)
    handler.setFormatter(SafeFormatter(masker_of(env)))
    root = logging.getLogger()
    root.addHandler(handler)
    try:
        yield
    finally:
        root.removeHandler(handler)
        handler.close()


class _PrivateLog(logging.FileHandler):
    """A log that only its owner can read; where it can't be written, its lines are lost."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, encoding="utf-8", errors="backslashreplace", delay=True)

    def emit(self, record: logging.LogRecord) -> None:
        with contextlib.suppress(OSError):
            super().emit(record)

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - logging's name
        """Say nothing: there is nowhere left to say it."""

    def _open(self) -> TextIOWrapper:
        make_private_folder(Path(self.baseFilename).parent)
        return open(
            self.baseFilename,
            "a",
            encoding=self.encoding,
            errors=self.errors,
            opener=private_opener,
        )
