from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from agent_tui.sdk import warned
from tests.engine.sessions import refused
from tests.fakes.api_server import ApiServer
from tests.sdk.place import Place


@pytest.fixture(params=["asyncio", "trio"])
def anyio_backend(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def place(clean_room: Path) -> Iterator[Place]:
    """A program's folder, and a server that refuses what the real one refuses and was not asked for."""
    with ApiServer() as api:
        yield Place(api, clean_room / "work")
        assert not refused(api)
        assert not api.errors


@pytest.fixture(autouse=True)
def untold(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing has been warned of yet."""
    monkeypatch.setattr(warned, "_told", set[str]())
