"""Connects servers in a test: the stub in the process, as a program, over HTTP."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import anyio

from agent_tui.mcp.config import ServerConfig, ServerList, read_server
from agent_tui.mcp.connection import Connection, Patience
from agent_tui.mcp.link import Target
from agent_tui.mcp.servers import Servers
from agent_tui.settings.paths import Environment

STUB = str(Path(__file__).with_name("stub_server.py"))


def environment(home: Path, **variables: str) -> Environment:
    """The environment of the person in a test."""
    return Environment({"PATH": os.environ["PATH"], "HOME": str(home), **variables}, home)


def program(name: str = "stub", **more: Any) -> ServerConfig:
    """The stub as a program; ``more`` are fields of its entry."""
    entry = {"command": sys.executable, "args": [STUB], **more}
    return read_server(name, entry, "dynamic", Environment({}, Path("/")))[0]


def inside(name: str = "stub", **more: Any) -> ServerConfig:
    """A server in the program."""
    return read_server(name, {"type": "sdk", **more}, "dynamic", Environment({}, Path("/")))[0]


def target(config: ServerConfig, folder: Path, instance: object = None) -> Target:
    """What is to be connected, with everything it needs in ``folder``."""
    log = folder / "logs" / f"mcp-{config.name}.log"
    return Target(config, environment(folder), folder, log, instance)


@asynccontextmanager
async def connected(
    target: Target, patience: Patience | None = None, *, wait: bool = True
) -> AsyncGenerator[Connection]:
    """A connection that is served while the test goes on."""
    connection = Connection(target, patience or Patience(), lambda: None)
    async with anyio.create_task_group() as group:
        group.start_soon(connection.serve)
        if wait:
            with anyio.fail_after(20):
                await connection.settle()
        yield connection
        group.cancel_scope.cancel()


@asynccontextmanager
async def served(
    folder: Path, *configs: ServerConfig, instances: dict[str, object] | None = None
) -> AsyncGenerator[Servers]:
    """All servers of a session, served while the test goes on."""
    env = environment(folder)
    servers = Servers(ServerList(configs), instances or {}, env, folder)
    async with anyio.create_task_group() as group:
        group.start_soon(servers.serve)
        with anyio.fail_after(20):
            await servers.ready(person=False)
        yield servers
        group.cancel_scope.cancel()


@contextmanager
def over_http() -> Generator[str]:
    """The stub as a server of its own on the loopback; gives its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    process = subprocess.Popen([sys.executable, STUB, "http", str(port)])
    try:
        for _ in range(200):
            with socket.socket() as attempt:
                if attempt.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.05)
        yield f"http://127.0.0.1:{port}/mcp"
    finally:
        process.kill()
        process.wait()


async def unheard(text: str) -> None:
    """Hear of progress and forget it."""


def remote(url: str, **more: Any) -> ServerConfig:
    """A server at an address."""
    entry = {"type": "http", "url": url, **more}
    return read_server("web", entry, "dynamic", Environment({}, Path("/")))[0]
