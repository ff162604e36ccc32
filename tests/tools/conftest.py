"""What tests of tools share."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.tools.place import Place


@pytest.fixture
async def place(clean_room: Path) -> AsyncIterator[Place]:
    """A place in the test's working folder; what it started is ended afterwards."""
    here = Place.at(clean_room / "work")
    yield here
    await here.close()
