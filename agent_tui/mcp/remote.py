"""Servers reached over HTTP: the present transport, and the older one with server-sent events."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import anyio
import httpx2
from mcp.client.sse import sse_client
from mcp.client.streamable_http import streamable_http_client

from agent_tui.mcp.link import ServerError, Target
from agent_tui.mcp.streams import Body, Streams, Watched

MAX_EVENT = 128 * 1024 * 1024
"""Bytes of one message."""

CONNECT_S = 30.0
"""Seconds for making a connection and sending a request. An answer may take as long as the call's own limit."""

_UNKNOWN = (401, 403)


class _Web:
    """One server's HTTP; looks at what answers tell besides messages.

    ``closed`` is set when the server has forgotten the session.
    """

    def __init__(self, target: Target) -> None:
        self._config = target.config
        self._refused = 0
        self._begun = False
        self.closed = anyio.Event()

    def client(
        self,
        headers: dict[str, str] | None = None,
        timeout: httpx2.Timeout | None = None,
        auth: httpx2.Auth | None = None,
    ) -> httpx2.AsyncClient:
        """Make the client. The older transport asks for a ``timeout`` that would end a quiet connection."""
        return httpx2.AsyncClient(
            headers={**self._config.headers, **(headers or {})},
            timeout=httpx2.Timeout(CONNECT_S, read=None),
            auth=auth,
            event_hooks={"response": [self._look]},
        )

    async def run(self, talk: Callable[[], Awaitable[None]]) -> None:
        """Run ``talk``; what failed because the server does not know who asks is said so."""
        try:
            await talk()
        except Exception as error:
            if self._refused:
                raise ServerError(
                    f"{self._config.url} wants a sign-in (HTTP {self._refused}); "
                    "give it a header with a token",
                    needs_auth=True,
                ) from error
            raise

    async def _look(self, response: httpx2.Response) -> None:
        if response.status_code in _UNKNOWN:
            self._refused = response.status_code
        elif response.status_code == 404 and self._begun and response.request.method == "POST":
            self.closed.set()
        elif response.is_success:
            self._begun = True


async def over_http(target: Target, body: Body) -> None:
    """Run ``body`` with the streams of a server at an address.

    Raises:
        ServerError: it wants to know who asks.
    """
    web = _Web(target)

    async def talk() -> None:
        async with (
            web.client() as client,
            streamable_http_client(
                target.config.url, http_client=client, max_sse_event_size=MAX_EVENT
            ) as (read, write),
        ):
            await body(Streams(Watched(read, web.closed), write, web.closed))

    await web.run(talk)


async def over_sse(target: Target, body: Body) -> None:
    """Do the same over the older transport; see ``over_http``."""
    web = _Web(target)

    async def talk() -> None:
        async with sse_client(target.config.url, httpx_client_factory=web.client) as (read, write):
            await body(Streams(Watched(read, web.closed), write, web.closed))

    await web.run(talk)
