from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.engine.sessions import Place, refused
from tests.fakes.api_server import ApiServer


@pytest.fixture(params=["asyncio", "trio"])
def anyio_backend(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    """An empty project and home, and a server that refuses what the real one refuses and was not asked for."""
    with ApiServer() as api:
        yield Place.at(tmp_path, api)
        assert not refused(api)
        assert not api.errors
