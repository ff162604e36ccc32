"""The proxy: who gets through, and what is said to those who don't."""

from __future__ import annotations

import socket
from collections.abc import Awaitable, Callable

import anyio
import anyio.abc
import pytest

from agent_tui.machine.sandbox.bounds import Network
from agent_tui.machine.sandbox.proxy import Proxy, Wanted, read_request

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize(
    ("head", "wanted"),
    [
        (b"CONNECT example.com:443 HTTP/1.1\r\nHost: other", Wanted("example.com", 443)),
        (b"CONNECT [::1]:8 HTTP/1.1", Wanted("::1", 8)),
        (
            b"GET http://Example.com/a?b HTTP/1.1\r\nHost: example.com\r\nProxy-Connection: keep-alive\r\nX: 1",
            Wanted(
                "example.com",
                80,
                b"GET /a?b HTTP/1.1\r\nHost: example.com\r\nX: 1\r\nConnection: close\r\n\r\n",
            ),
        ),
        (
            b"GET http://h:81 HTTP/1.0",
            Wanted("h", 81, b"GET / HTTP/1.0\r\nConnection: close\r\n\r\n"),
        ),
        (b"GET /local HTTP/1.1", None),
        (b"GET ftp://h/ HTTP/1.1", None),
        (b"CONNECT example.com HTTP/1.1", None),
        (b"CONNECT example.com:99999 HTTP/1.1", None),
        (b"hello", None),
        (b"\xff\xfe x HTTP/1.1", None),
    ],
)
def test_requests_are_read(head: bytes, wanted: Wanted | None) -> None:
    assert read_request(head) == wanted


class Station:
    """A proxy that runs, and what it refused."""

    def __init__(self) -> None:
        self.refused: list[str] = []
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self.listener.getsockname()[1]

    async def ask(self, request: bytes, more: bytes = b"") -> bytes:
        """Send a request, and more once there is an answer; give all that comes."""
        said = b""
        async with await anyio.connect_tcp("127.0.0.1", self.port) as stream:
            await stream.send(request)
            with anyio.fail_after(10):
                try:
                    said += await stream.receive()
                    if more:
                        await stream.send(more)
                    while True:
                        said += await stream.receive()
                except anyio.EndOfStream:
                    return said


Use = Callable[[Station], Awaitable[None]]


async def at_work(network: Network, use: Use) -> Station:
    """Run a proxy while it is used."""
    station = Station()
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(Proxy(network, station.refused.append).serve, station.listener)
        await use(station)
        tasks.cancel_scope.cancel()
    return station


async def served(answer: bytes, use: Callable[[int, list[bytes]], Awaitable[None]]) -> None:
    """Run a server that answers everything with this, while it is used; it notes what it got."""
    heard: list[bytes] = []

    async def reply(stream: anyio.abc.SocketStream) -> None:
        async with stream:
            heard.append(await stream.receive())
            await stream.send(answer)

    listener = await anyio.create_tcp_listener(local_host="127.0.0.1")
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(listener.serve, reply)
        await use(listener.extra(anyio.abc.SocketAttribute.local_port), heard)
        tasks.cancel_scope.cancel()
    await listener.aclose()


async def test_a_plain_request_gets_through() -> None:
    async def use(port: int, heard: list[bytes]) -> None:
        async def ask(station: Station) -> None:
            request = (
                f"GET http://127.0.0.1:{port}/a HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\nbody".encode()
            )
            assert await station.ask(request) == b"answer"

        await at_work(Network(("127.0.0.1",)), ask)
        assert heard == [b"GET /a HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\nbody"]

    await served(b"answer", use)


async def test_a_tunnel_passes_on_what_comes() -> None:
    async def use(port: int, heard: list[bytes]) -> None:
        async def ask(station: Station) -> None:
            said = await station.ask(
                f"CONNECT 127.0.0.1:{port} HTTP/1.1\r\n\r\n".encode(), b"secret"
            )
            assert said == b"HTTP/1.1 200 Connection established\r\n\r\nanswer"

        await at_work(Network(("127.0.0.1",)), ask)
        assert heard == [b"secret"]

    await served(b"answer", use)


async def test_other_hosts_are_refused_and_noted() -> None:
    async def ask(station: Station) -> None:
        said = await station.ask(b"CONNECT evil.example:443 HTTP/1.1\r\n\r\n")
        assert said.startswith(b"HTTP/1.1 403 ") and b"evil.example" in said
        assert (await station.ask(b"nonsense\r\n\r\n")).startswith(b"HTTP/1.1 400 ")

    station = await at_work(Network(("*",), ("evil.example",)), ask)
    assert station.refused == ["evil.example"]


async def test_a_host_that_is_this_machine_unnamed_is_refused() -> None:
    async def use(port: int, heard: list[bytes]) -> None:
        async def ask(station: Station) -> None:
            said = await station.ask(f"CONNECT localhost:{port} HTTP/1.1\r\n\r\n".encode())
            assert said.startswith(b"HTTP/1.1 502 ") and b"leads to this machine" in said

        assert (await at_work(Network(("*",)), ask)).refused == ["localhost"]
        assert heard == []

    await served(b"answer", use)


async def test_it_hands_on_to_a_proxy_behind_it() -> None:
    async def use(port: int, heard: list[bytes]) -> None:
        async def ask(station: Station) -> None:
            said = await station.ask(b"CONNECT far.example:443 HTTP/1.1\r\n\r\n")
            assert said == b"HTTP/1.1 200 Connection established\r\n\r\n"

        await at_work(Network(("far.example",), upstream=("127.0.0.1", port)), ask)
        assert heard == [b"CONNECT far.example:443 HTTP/1.1\r\nHost: far.example:443\r\n\r\n"]

    await served(b"HTTP/1.1 200 OK\r\n\r\n", use)


async def test_what_can_not_be_reached_is_told() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]

    async def ask(station: Station) -> None:
        said = await station.ask(f"CONNECT 127.0.0.1:{port} HTTP/1.1\r\n\r\n".encode())
        assert said.startswith(b"HTTP/1.1 502 ")

    station = await at_work(Network(("127.0.0.1",)), ask)
    assert station.refused == []
