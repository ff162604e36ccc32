"""A proxy on loopback that opens the traffic it carries, as company proxies do.

It takes ``CONNECT`` for any host, shows a certificate of the test authority, and hands what it decrypts to a plain
HTTP server on loopback. Requests for ``http`` addresses it hands on as they are.
"""

from __future__ import annotations

import socket
import socketserver
import ssl
import threading
from pathlib import Path
from types import TracebackType
from typing import cast

CERTIFICATES = Path(__file__).parent / "certificates"
AUTHORITY = CERTIFICATES / "authority.pem"


class ProxyStub:
    """Records the head of each request it got; with ``status`` it refuses all with that status line."""

    def __init__(self, target_port: int, status: str = "200 Connection established") -> None:
        self.target_port = target_port
        self.status = status
        self.heads: list[str] = []
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.load_cert_chain(CERTIFICATES / "server.pem")
        self._server = _Server(("127.0.0.1", 0), _Handler)
        self._server.proxy = self
        self._thread = threading.Thread(
            target=self._server.serve_forever, args=(0.02,), daemon=True
        )

    @property
    def port(self) -> int:
        return int(self._server.server_address[1])

    def __enter__(self) -> ProxyStub:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(5)


class _Server(socketserver.ThreadingTCPServer):
    daemon_threads = True
    block_on_close = False
    proxy: ProxyStub

    def handle_error(self, request: object, client_address: object) -> None:
        pass  # clients that go away are the point of some tests


class _Handler(socketserver.BaseRequestHandler):
    def handle(self) -> None:
        proxy = cast("_Server", self.server).proxy
        client = cast("socket.socket", self.request)
        head = b""
        while b"\r\n\r\n" not in head:
            part = client.recv(65536)
            if not part:
                return
            head += part
        proxy.heads.append(head.partition(b"\r\n\r\n")[0].decode())
        if not proxy.status.startswith("200"):
            client.sendall(f"HTTP/1.1 {proxy.status}\r\ncontent-length: 0\r\n\r\n".encode())
            return
        with socket.create_connection(("127.0.0.1", proxy.target_port)) as target:
            if head.startswith(b"CONNECT"):
                client.sendall(f"HTTP/1.1 {proxy.status}\r\n\r\n".encode())
                with proxy.context.wrap_socket(client, server_side=True) as inside:
                    _carry(inside, target)
            else:
                target.sendall(head)
                _carry(client, target)


def _carry(client: socket.socket, target: socket.socket) -> None:
    back = threading.Thread(target=_pump, args=(target, client), daemon=True)
    back.start()
    _pump(client, target)
    back.join(5)


def _pump(source: socket.socket, sink: socket.socket) -> None:
    try:
        while part := source.recv(65536):
            sink.sendall(part)
        sink.shutdown(socket.SHUT_WR)
    except OSError:
        pass
