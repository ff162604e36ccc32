from __future__ import annotations

import os
import socket
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from agent_tui.machine.sandbox.sandbox import Fence
from tests.machine.sandbox.yard import AsSomebody, Yard, bubblewrap, open_folder, yard_in


@pytest.fixture
def open_room() -> Iterator[Path]:
    """A folder that every user may enter."""
    yield from open_folder("sandbox")


@pytest.fixture(scope="session")
def stranger() -> Iterator[str]:
    """A socket that some program listens on, where everybody sees it. It stays: others look for sockets meanwhile."""
    with socket.socket(socket.AF_UNIX) as listener:
        for folder in open_folder("stranger"):
            path = folder / "agent.sock"
            listener.bind(str(path))
            path.chmod(0o777)
            listener.listen()
            yield str(path)


@pytest.fixture(params=["caller", "somebody"])
def fence(request: pytest.FixtureRequest) -> Fence:
    """The real fence: as whoever runs the tests, and as an ordinary user where that is root."""
    found = bubblewrap()
    return AsSomebody(found) if request.param == "somebody" and os.geteuid() == 0 else found


@pytest.fixture
async def yard(open_room: Path, fence: Fence) -> AsyncIterator[Yard]:
    """A place to try the sandbox in."""
    found = yard_in(open_room, fence)
    yield found
    for shell in found.shells:
        await shell.aclose()
