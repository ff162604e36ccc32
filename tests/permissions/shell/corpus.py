"""Real shell lines: a sample that is always there, and all of them where they lie beside the repository.

The lines are from the NL2Bash data set; its licence stands beside the sample in ``tests/data``.
"""

from __future__ import annotations

import os
from pathlib import Path

ROOT = Path(__file__).parents[3]
DATA = ROOT / "tests" / "data"
WHOLE = Path(os.environ.get("AGENT_TUI_SHELL_LINES", ROOT.parent / "shared/cases/shell-lines.txt"))


def sample() -> list[str]:
    """Give the lines kept here."""
    return read(DATA / "shell-lines.txt")


def whole() -> list[str]:
    """Give all lines, none where the file isn't there."""
    return read(WHOLE) if WHOLE.is_file() else []


def read(path: Path) -> list[str]:
    """Read a list of lines."""
    return path.read_text("utf-8").splitlines()
