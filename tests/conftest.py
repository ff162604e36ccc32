"""Every test starts in a clean room: its own empty home and working folder, a bare environment, no network.

Loopback is open. A test that wants a variable sets it with ``monkeypatch`` or hands it to the child it starts.
"""

from __future__ import annotations

import ipaddress
import os
import socket
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest

KEPT = (
    "PATH",
    "TMPDIR",
    "USER",
    "LOGNAME",
    "LD_LIBRARY_PATH",
    "DYLD_LIBRARY_PATH",
    "TEXTUAL_SNAPSHOT_TEMPDIR",
)
"""What a test inherits. All else would make a run depend on the machine: keys, pagers, colours, proxies."""

GIVEN = {
    "TERM": "xterm-256color",
    "LANG": "C.UTF-8",
    "GIT_AUTHOR_NAME": "Test",
    "GIT_AUTHOR_EMAIL": "test@localhost",
    "GIT_COMMITTER_NAME": "Test",
    "GIT_COMMITTER_EMAIL": "test@localhost",
    "GIT_CONFIG_NOSYSTEM": "1",
}


@pytest.fixture(scope="session")
def rooms(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that holds every test's room."""
    return tmp_path_factory.mktemp("rooms")


@pytest.fixture(autouse=True)
def clean_room(rooms: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give the test a new room and move in: ``home`` is ``HOME``, ``work`` the working folder."""
    room = Path(tempfile.mkdtemp(dir=rooms))
    for name in ("home", "work"):
        (room / name).mkdir()
    for name in list(os.environ):
        if name not in KEPT and not name.startswith("PYTEST_"):
            monkeypatch.delenv(name)
    for name, value in GIVEN.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("HOME", str(room / "home"))
    monkeypatch.chdir(room / "work")
    return room


@pytest.fixture
def home(clean_room: Path) -> Path:
    """The test's own home folder; ``AGENT_TUI_HOME`` is unset, so our files go to ``.agent-tui`` in it."""
    return clean_room / "home"


@pytest.fixture(scope="session", autouse=True)
def loopback_only() -> Iterator[None]:
    """Let this process connect to loopback and local sockets only; a try to go further fails loudly."""
    patch = pytest.MonkeyPatch()
    for name in ("connect", "connect_ex"):
        patch.setattr(socket.socket, name, _guarded(getattr(socket.socket, name)))
    patch.setattr(socket, "getaddrinfo", _guarded_lookup(socket.getaddrinfo))
    yield
    patch.undo()


def _guarded(connect: Any) -> Any:
    def guarded(self: socket.socket, address: Any) -> Any:
        if self.family in (socket.AF_INET, socket.AF_INET6):
            _refuse_unless_loopback(cast("tuple[Any, ...]", address)[0])
        return connect(self, address)

    return guarded


def _guarded_lookup(lookup: Any) -> Any:
    def guarded(host: Any, *args: Any, **kwargs: Any) -> Any:
        _refuse_unless_loopback(host)
        return lookup(host, *args, **kwargs)

    return guarded


def _refuse_unless_loopback(host: Any) -> None:
    name = host.decode() if isinstance(host, bytes) else host
    if name in (None, "", "localhost"):
        return
    try:
        address = ipaddress.ip_address(str(name).split("%")[0])
    except ValueError:
        address = None
    if address is None or not (address.is_loopback or address.is_unspecified):
        # no OSError: code that handles a broken network must not make this pass unseen
        raise RuntimeError(f"a test may not reach {name!r}")
