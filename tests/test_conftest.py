"""The clean room is clean."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest


def test_the_home_and_the_working_folder_are_new_and_empty(home: Path) -> None:
    assert os.environ["HOME"] == str(home)
    assert list(home.iterdir()) == []
    assert list(Path.cwd().iterdir()) == []


def test_no_key_proxy_or_colour_setting_gets_in() -> None:
    left = {n for n in os.environ if n.startswith(("ANTHROPIC", "CLAUDE", "AGENT_TUI", "TEXTUAL"))}
    assert left <= {"TEXTUAL_SNAPSHOT_TEMPDIR"}  # where the snapshot plugin keeps its own
    assert {"NO_COLOR", "COLUMNS", "LINES", "PAGER", "HTTPS_PROXY", "https_proxy"}.isdisjoint(
        os.environ
    )


@pytest.mark.parametrize("host", ["192.0.2.1", "api.anthropic.com", "2001:db8::1"])
def test_the_network_is_closed(host: str) -> None:
    with pytest.raises(RuntimeError, match="may not reach"):
        socket.create_connection((host, 443), timeout=1)


def test_loopback_is_open() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        host, port = server.getsockname()
        with socket.create_connection((host, port), timeout=5) as client:
            assert client.getpeername() == (host, port)
    with socket.create_server(("localhost", 0)) as named:
        assert named.getsockname()[0] == "127.0.0.1"
