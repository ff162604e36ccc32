from __future__ import annotations

from pathlib import Path

import pytest

from tests.permissions.ground import Project


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """An empty project with a folder ``src``, and a home."""
    return Project.below(tmp_path)
