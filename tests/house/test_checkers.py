"""ruff and pyright find nothing."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.house.tree import ROOT


def run(program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a checker of this environment over the repository; skip where it isn't installed."""
    found = Path(sys.executable).with_name(program)
    if not found.is_file():
        pytest.skip("needs the extra 'house'")
    return subprocess.run(
        [str(found), *arguments], cwd=ROOT, capture_output=True, text=True, check=False
    )


def test_ruff_finds_nothing() -> None:
    done = run("ruff", "check", "--no-cache", "--output-format=concise", ".")
    assert done.returncode == 0, done.stdout + done.stderr


def test_ruff_would_format_nothing() -> None:
    done = run("ruff", "format", "--no-cache", "--check", ".")
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.timeout(900)
def test_pyright_strict_finds_nothing() -> None:
    done = run("pyright", "--pythonpath", sys.executable)
    assert done.returncode == 0, done.stdout + done.stderr
