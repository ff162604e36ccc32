"""The HTTP connections under the API client: proxy, certificates, dead connections, reading a body to its end.

Imports httpx2, so it is itself imported late, with the API package.
"""

from __future__ import annotations

import contextlib
import socket
import ssl
import sys
from collections.abc import AsyncGenerator, Iterator

import anyio
import httpx2

from agent_tui.model.connections import IDLE_CONNECTION_S
from agent_tui.model.endpoint import Endpoint
from agent_tui.model.failures import Failure
from agent_tui.model.retry import Patience
from agent_tui.settings.paths import Environment

CONNECT_S = 5.0
UNACKNOWLEDGED_S = 12
"""How long what we sent may stay unacknowledged before the connection counts as dead."""

PROBE_AFTER_S, PROBE_EVERY_S, PROBES = 10, 5, 4
"""When the other machine is silent: the kernel asks whether it still lives."""

DRAIN_S = 0.25
"""How long the rest of a body may take after the message has ended; then the connection is given up."""

_MACOS_RETRANSMIT_LIMIT = 0x80
"""TCP_RXT_CONNDROPTIME, seconds; Python has no name for it."""


HttpError = httpx2.HTTPError
Response = httpx2.Response
UNUSABLE = (httpx2.InvalidURL, ImportError, ValueError)
"""What ``open_http`` and its like raise for an address that can't be used."""


def certificates(env: Environment) -> ssl.SSLContext:
    """Load the trusted authorities: ``SSL_CERT_FILE``, else ``SSL_CERT_DIR``, else the system's. Blocks.

    Raises:
        OSError: the file named can't be read, or holds no certificate (``ssl.SSLError``).
    """
    file, folder = env.get("SSL_CERT_FILE"), env.get("SSL_CERT_DIR")
    if file:
        return ssl.create_default_context(cafile=file)
    if folder:
        return ssl.create_default_context(capath=folder)
    return httpx2.create_ssl_context(trust_env=False)


def open_http(
    endpoint: Endpoint, context: ssl.SSLContext, patience: Patience
) -> httpx2.AsyncClient:
    """Make the client for one endpoint. It opens nothing yet, and asks no environment.

    Raises:
        UNUSABLE: the proxy's address is none, or of a kind that isn't supported (SOCKS).
    """
    limits = httpx2.Limits(max_connections=None, keepalive_expiry=IDLE_CONNECTION_S)
    transport = httpx2.AsyncHTTPTransport(
        verify=context,
        limits=limits,
        proxy=endpoint.proxy,
        socket_options=_socket_options(),
    )
    # a large body is written in one go: its time limit can't be short. Dead peers are the kernel's to find.
    timeout = httpx2.Timeout(patience.head_s, connect=CONNECT_S, pool=None)
    return httpx2.AsyncClient(
        transport=transport, timeout=timeout, trust_env=False, follow_redirects=False
    )


def _socket_options() -> list[tuple[int, int, int]]:
    tcp = socket.IPPROTO_TCP
    options = [(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)]
    if sys.platform == "linux":
        options += [
            (tcp, socket.TCP_KEEPIDLE, PROBE_AFTER_S),
            (tcp, socket.TCP_KEEPINTVL, PROBE_EVERY_S),
            (tcp, socket.TCP_KEEPCNT, PROBES),
            (tcp, socket.TCP_USER_TIMEOUT, UNACKNOWLEDGED_S * 1000),
        ]
    if sys.platform == "darwin":
        options += [
            (tcp, socket.TCP_KEEPALIVE, PROBE_AFTER_S),
            (tcp, socket.TCP_KEEPINTVL, PROBE_EVERY_S),
            (tcp, socket.TCP_KEEPCNT, PROBES),
            (tcp, _MACOS_RETRANSMIT_LIMIT, UNACKNOWLEDGED_S),
        ]
    return options


async def next_bytes(chunks: AsyncGenerator[bytes], idle_s: float) -> bytes | Exception | None:
    """Read on: bytes, None at the end, or the exception that broke the body (``TimeoutError`` for silence).

    Errors come as values so that nobody raises through the nested generators of httpx2 (see ``finish``).
    """
    try:
        with anyio.move_on_after(idle_s):
            return await anext(chunks, None)
    except httpx2.HTTPError as error:
        return error
    return TimeoutError()


async def finish(chunks: AsyncGenerator[bytes], *, drain: bool) -> None:
    """Bring a body to its end: read the rest of it so that the connection can be used again, or drop it at once.

    The generators of httpx2 are nested, and not all of them close the next one when they are closed; left half-read
    they fall to the garbage collector, which trio warns of. Cancelled inside, they unwind properly.
    """
    with (
        contextlib.suppress(httpx2.HTTPError),
        anyio.move_on_after(DRAIN_S, shield=True) as scope,
    ):
        if not drain:
            scope.cancel()
        while await anext(chunks, None) is not None:
            pass


def lost(error: BaseException, endpoint: Endpoint, patience: Patience) -> Failure:
    """Say what an exception of the HTTP packages means."""
    causes = list(_causes(error))
    for cause in causes:
        if isinstance(cause, ssl.SSLCertVerificationError):
            return Failure(
                f"The certificate of {endpoint.name} is not trusted: {cause.verify_message}. "
                "If your network inspects traffic, set SSL_CERT_FILE to a file with its authority."
            )
        if isinstance(cause, httpx2.ProxyError):
            return _proxy_refused(endpoint.clean(str(cause)), endpoint)
        if isinstance(cause, socket.gaierror):
            reason = cause.strerror or "name not known"
            return Failure(f"{endpoint.name} can't be found: {reason}.", again="later")
    for cause in causes:
        failure = _of_kind(cause, endpoint, patience, _reason(causes))
        if failure is not None:
            return failure
    return Failure(f"The connection to {endpoint.name} failed: {_reason(causes)}.", again="later")


def _of_kind(
    cause: BaseException, endpoint: Endpoint, patience: Patience, reason: str
) -> Failure | None:
    name = endpoint.name
    match cause:
        case httpx2.ConnectTimeout():
            return Failure(f"No connection to {name} within {CONNECT_S:.0f} s.", again="later")
        case httpx2.ConnectError():
            return Failure(f"No connection to {name}: {reason}.", again="later")
        case httpx2.ReadTimeout():
            text = f"{name} gave no answer for {patience.head_s:g} s."
            return Failure(text, again="stalled")
        case TimeoutError() if not cause.args:
            text = f"{name} sent nothing for {patience.idle_s:g} s."
            return Failure(text, again="stalled")
        case httpx2.LocalProtocolError() | httpx2.UnsupportedProtocol() | UnicodeError():
            text = endpoint.clean(str(cause))
            return Failure(f"The request to {name} can't be sent: {text}.", kind="invalid_request")
        case httpx2.RemoteProtocolError() | httpx2.ReadError() | httpx2.WriteError():
            return Failure(f"The connection to {name} broke off: {reason}.", again="later")
        case _:
            return None


def _proxy_refused(text: str, endpoint: Endpoint) -> Failure:
    status = text.split(" ", 1)[0]
    hint = " Check the user and password in HTTPS_PROXY." if status == "407" else ""
    passing = status.isdigit() and int(status) >= 500
    return Failure(
        f"The proxy refused the way to {endpoint.name}: {text}.{hint}",
        again="later" if passing else "never",
    )


def _reason(causes: list[BaseException]) -> str:
    """Give the operating system's words if there are any, else the first text, else the kind of error."""
    for cause in reversed(causes):
        if isinstance(cause, OSError) and cause.strerror:
            return cause.strerror
    texts = [str(cause) for cause in causes if isinstance(cause, httpx2.HTTPError) and str(cause)]
    return (texts[-1] if texts else type(causes[-1]).__name__).rstrip(".")


def _causes(error: BaseException) -> Iterator[BaseException]:
    """Walk from an exception to what caused it, the members of groups included."""
    seen: set[int] = set()
    waiting: list[BaseException | None] = [error]
    while waiting:
        one = waiting.pop(0)
        if one is None or id(one) in seen:
            continue
        seen.add(id(one))
        yield one
        if isinstance(one, BaseExceptionGroup):
            waiting.extend(one.exceptions)  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType]
        waiting += [one.__cause__, one.__context__]
