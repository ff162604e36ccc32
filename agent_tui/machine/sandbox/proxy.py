"""The one way from the sandbox to the network: an HTTP proxy that lets named hosts through.

It speaks ``CONNECT`` for what is encrypted and takes plain requests too. The names are resolved here, outside, so a
command needs no resolver. What is inside an encrypted connection isn't looked at.
"""

from __future__ import annotations

import contextlib
import socket
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final, TypeAlias
from urllib.parse import urlsplit

import anyio
import anyio.abc

from agent_tui.machine.sandbox.bounds import Network
from agent_tui.machine.sandbox.domains import allows, is_local, may_be_local

HEAD_BYTES: Final = 64 * 1024
HEAD_SECONDS: Final = 30
CONNECT_SECONDS: Final = 30
CHUNK: Final = 65_536

_LATER: Final = b"connection:", b"proxy-connection:", b"proxy-authorization:", b"keep-alive:"
"""Headers that are between the command and us."""


class Line:
    """A connection of a command, as raw as it comes: its socket is of another network than ours."""

    def __init__(self, own: socket.socket) -> None:
        own.setblocking(False)
        self._own = own

    async def receive(self) -> bytes:
        """Give what has come; empty at the end."""
        while True:
            try:
                return self._own.recv(CHUNK)
            except (BlockingIOError, InterruptedError):
                await anyio.wait_readable(self._own)
            except OSError:
                return b""

    async def send(self, data: bytes) -> None:
        """Send everything.

        Raises:
            OSError: the other side is gone.
        """
        view = memoryview(data)
        while view:
            try:
                view = view[self._own.send(view) :]
            except (BlockingIOError, InterruptedError):
                await anyio.wait_writable(self._own)

    def end(self) -> None:
        """Say that nothing more comes."""
        with contextlib.suppress(OSError):
            self._own.shutdown(socket.SHUT_WR)

    def close(self) -> None:
        """Let go of it."""
        self._own.close()


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a command asks the proxy for: a host, a port, and what is to be sent on first (empty: a tunnel)."""

    host: str
    port: int
    first: bytes = b""

    @property
    def tunnel(self) -> bool:
        """Whether it wants bytes passed on as they are."""
        return not self.first


OnRefused: TypeAlias = Callable[[str], None]


class Proxy:
    """Answers on one socket until it is cancelled.

    Args:
        network: which hosts may be reached.
        on_refused: told each host that was refused.
    """

    def __init__(self, network: Network, on_refused: OnRefused) -> None:
        self._network = network
        self._on_refused = on_refused

    async def serve(self, listener: socket.socket) -> None:
        """Answer every connection; closes ``listener`` at the end."""
        listener.setblocking(False)
        with listener:
            async with anyio.create_task_group() as tasks:
                while True:
                    await anyio.wait_readable(listener)
                    with contextlib.suppress(BlockingIOError, InterruptedError, ConnectionError):
                        own, _ = listener.accept()
                        tasks.start_soon(self._answer, Line(own))

    async def _answer(self, line: Line) -> None:
        try:
            with contextlib.suppress(OSError, anyio.BrokenResourceError, anyio.ClosedResourceError):
                await self._converse(line)
        finally:
            line.close()

    async def _converse(self, line: Line) -> None:
        head, rest = b"", b""
        with anyio.move_on_after(HEAD_SECONDS):
            head, rest = await _head(line)
        if not head:
            return
        wanted = read_request(head)
        if wanted is None:
            await line.send(_reply(400, "This is no request a proxy can answer."))
        elif not allows(self._network, wanted.host):
            self._on_refused(wanted.host)
            await line.send(_reply(403, refusal(wanted.host)))
        else:
            await self._pass_on(line, wanted, rest)

    async def _pass_on(self, line: Line, wanted: Wanted, rest: bytes) -> None:
        try:
            with anyio.fail_after(CONNECT_SECONDS):
                outside = await self._connect(wanted)
        except (OSError, TimeoutError) as error:
            await line.send(_reply(502, f"{wanted.host}: {error or 'no answer'}"))
            return
        async with outside:
            if wanted.tunnel:
                await line.send(b"HTTP/1.1 200 Connection established\r\n\r\n")
            if first := wanted.first + rest:
                await outside.send(first)
            await _both_ways(line, outside)

    async def _connect(self, wanted: Wanted) -> anyio.abc.SocketStream:
        """Connect to the host, or to the proxy that leads there.

        Raises:
            OSError: it can't be reached, or its name leads to this machine though it wasn't named as that.
        """
        upstream = self._network.upstream
        if upstream is not None:
            stream = await anyio.connect_tcp(*upstream)
            await _through(stream, wanted)
            return stream
        found = await anyio.getaddrinfo(wanted.host, wanted.port, type=socket.SOCK_STREAM)
        addresses = [str(entry[4][0]) for entry in found]
        if not may_be_local(self._network, wanted.host):
            addresses = [address for address in addresses if not is_local(address)]
            if not addresses:
                self._on_refused(wanted.host)
                raise OSError("the name leads to this machine")
        for address in addresses[:-1]:
            with contextlib.suppress(OSError):
                return await anyio.connect_tcp(address, wanted.port)
        return await anyio.connect_tcp(addresses[-1], wanted.port)


def refusal(host: str) -> str:
    """Say that a host was refused, for who reads the proxy's answer."""
    return f"The sandbox doesn't let commands reach {host}: it is not among sandbox.network.allowedDomains."


def read_request(head: bytes) -> Wanted | None:
    """Read the head of a request to a proxy; None when it is none."""
    first, _, headers = head.partition(b"\r\n")
    fields = first.decode("latin-1").split(" ")
    if len(fields) != 3 or not fields[2].startswith("HTTP/1."):
        return None
    method, target, version = fields
    try:
        if method == "CONNECT":
            parts = urlsplit(f"//{target}")
            return Wanted(parts.hostname, parts.port) if parts.hostname and parts.port else None
        parts = urlsplit(target)
        host, port = parts.hostname, parts.port or 80
    except ValueError:
        return None
    if parts.scheme != "http" or not host:
        return None
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    kept = [line for line in headers.split(b"\r\n") if line and not line.lower().startswith(_LATER)]
    lines = [f"{method} {path} {version}".encode("latin-1"), *kept, b"Connection: close", b"", b""]
    return Wanted(host, port, b"\r\n".join(lines))


async def _head(line: Line) -> tuple[bytes, bytes]:
    """Read to the end of the headers; give them, and what came behind. Empty when they don't end."""
    data = b""
    while b"\r\n\r\n" not in data:
        more = await line.receive()
        if not more or len(data) > HEAD_BYTES:
            return b"", b""
        data += more
    head, _, rest = data.partition(b"\r\n\r\n")
    return head, rest


async def _through(stream: anyio.abc.SocketStream, wanted: Wanted) -> None:
    """Ask another proxy for a tunnel.

    Raises:
        OSError: it refuses.
    """
    host = f"[{wanted.host}]" if ":" in wanted.host else wanted.host
    where = f"{host}:{wanted.port}"
    await stream.send(f"CONNECT {where} HTTP/1.1\r\nHost: {where}\r\n\r\n".encode("latin-1"))
    data = b""
    while b"\r\n\r\n" not in data:
        if len(data) > HEAD_BYTES:
            raise OSError("the proxy behind ours doesn't answer as one")
        try:
            data += await stream.receive(1)  # not a byte of what comes behind the head
        except anyio.EndOfStream:
            raise OSError("the proxy behind ours closed the connection") from None
    if data.split(b" ")[1:2] != [b"200"]:
        raise OSError("the proxy behind ours refuses")


async def _both_ways(line: Line, outside: anyio.abc.SocketStream) -> None:
    async def outward() -> None:
        while data := await line.receive():
            await outside.send(data)
        await outside.send_eof()

    async def inward() -> None:
        with contextlib.suppress(anyio.EndOfStream):
            while True:
                await line.send(await outside.receive(CHUNK))
        line.end()

    async def quietly(pump: Callable[[], Awaitable[None]]) -> None:
        with contextlib.suppress(OSError, anyio.BrokenResourceError, anyio.ClosedResourceError):
            await pump()

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(quietly, outward)
        tasks.start_soon(quietly, inward)


def _reply(status: int, text: str) -> bytes:
    words = {400: "Bad Request", 403: "Forbidden", 502: "Bad Gateway"}[status]
    body = f"{text}\n".encode()
    head = (
        f"HTTP/1.1 {status} {words}\r\nContent-Type: text/plain; charset=utf-8\r\n"
        f"Content-Length: {len(body)}\r\nConnection: close\r\n\r\n"
    )
    return head.encode() + body
