from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fakes.api_server import ApiServer
from tests.headless.host import Place


@pytest.fixture(params=["asyncio", "trio"])
def anyio_backend(request: pytest.FixtureRequest) -> str:
    """Everything runs on both event loops."""
    return request.param


@pytest.fixture
def station(tmp_path: Path) -> Iterator[Place]:
    """A machine whose program is driven line by line; the server must not have refused anything."""
    with ApiServer() as api:
        yield Place.at(api, tmp_path)
        assert not api.errors
        assert not [one for one in api.refused if not one.disconnected]
