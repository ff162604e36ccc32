from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fakes.api_server import ApiServer
from tests.journeys.program import Program


@pytest.fixture
def program(tmp_path: Path) -> Iterator[Program]:
    """A machine with an empty home and an empty project; the server refuses what the real one refuses."""
    home, project = tmp_path / "home", tmp_path / "project"
    home.mkdir()
    project.mkdir()
    with ApiServer() as api, tempfile.TemporaryDirectory(prefix="run-", dir="/tmp") as runtime:
        yield Program(api, home, project, {"XDG_RUNTIME_DIR": runtime})
