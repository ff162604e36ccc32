from __future__ import annotations

import socket
import ssl
import sys
from collections.abc import AsyncGenerator
from pathlib import Path

import anyio
import httpx2
import pytest

from agent_tui.model.endpoint import Endpoint
from agent_tui.model.retry import Patience
from agent_tui.model.transport import (
    CONNECT_S,
    UNACKNOWLEDGED_S,
    certificates,
    finish,
    lost,
    next_bytes,
    open_http,
)
from tests.fakes.api_server import ApiServer
from tests.model.asking import KEY, environment
from tests.model.proxy_stub import AUTHORITY

PLAIN = Endpoint.of("http://gateway.test", KEY, environment())
PATIENCE = Patience(7, 3)


def caused(error: Exception, *causes: BaseException) -> Exception:
    """An exception with its chain of causes, outermost first."""
    last: BaseException = error
    for cause in causes:
        last.__cause__ = cause
        last = cause
    return error


@pytest.mark.parametrize(
    ("error", "again", "words"),
    [
        (httpx2.ConnectTimeout(""), "later", "No connection to http://gateway.test within 5 s"),
        (
            caused(httpx2.ConnectError("x"), ConnectionRefusedError(111, "Connection refused")),
            "later",
            "Connection refused",
        ),
        (
            caused(httpx2.ConnectError("x"), socket.gaierror(-2, "Name or service not known")),
            "later",
            "can't be found: Name or service not known",
        ),
        (
            caused(
                httpx2.ConnectError("all failed"),
                ExceptionGroup("many", [OSError(101, "Network is unreachable")]),
            ),
            "later",
            "Network is unreachable",
        ),
        (httpx2.ReadTimeout(""), "stalled", "no answer for 7 s"),
        (TimeoutError(), "stalled", "sent nothing for 3 s"),
        (
            caused(httpx2.ReadError(""), ConnectionResetError(104, "Connection reset by peer")),
            "later",
            "broke off: Connection reset by peer",
        ),
        (httpx2.ReadError(""), "later", "broke off: ReadError"),
        (httpx2.WriteError(""), "later", "broke off"),
        (
            httpx2.RemoteProtocolError("peer closed early."),
            "later",
            "broke off: peer closed early.",
        ),
        (httpx2.WriteTimeout(""), "later", "failed: WriteTimeout"),
        (httpx2.DecodingError("bad gzip"), "later", "failed: bad gzip"),
        (httpx2.ProxyError("407 Proxy Authentication Required"), "never", "HTTPS_PROXY"),
        (httpx2.ProxyError("403 Forbidden"), "never", "403 Forbidden"),
        (httpx2.ProxyError("503 Busy"), "later", "503 Busy"),
        (httpx2.LocalProtocolError("Illegal header value"), "never", "Illegal header value"),
    ],
)
def test_what_an_exception_means(error: Exception, again: str, words: str) -> None:
    found = lost(error, PLAIN, PATIENCE)
    assert found.again == again and words in found.text
    assert found.status is None and found.text.endswith(".")


@pytest.mark.parametrize("depth", [0, 3])
def test_a_certificate_that_is_not_trusted_names_the_setting(depth: int) -> None:
    cause = ssl.SSLCertVerificationError(1, "certificate verify failed")
    cause.verify_message = "self-signed certificate in certificate chain"
    error = caused(httpx2.ConnectError("x"), *(OSError() for _ in range(depth)), cause)
    found = lost(error, PLAIN, PATIENCE)
    assert found.again == "never" and "SSL_CERT_FILE" in found.text
    assert "self-signed certificate" in found.text


def test_no_secret_of_a_proxy_gets_into_a_text() -> None:
    env = environment(HTTP_PROXY="http://me:pa55word@proxy.test:3128")
    endpoint = Endpoint.of("http://gateway.test", KEY, env)
    found = lost(httpx2.ProxyError("407 pa55word is wrong"), endpoint, PATIENCE)
    assert "pa55word" not in found.text and "http://proxy.test:3128" in found.text


def test_certificates_come_from_the_environment() -> None:
    theirs = certificates(environment(SSL_CERT_FILE=str(AUTHORITY)))
    assert "Test authority" in str(theirs.get_ca_certs())
    assert len(theirs.get_ca_certs()) == 1
    for context in (theirs, certificates(environment(SSL_CERT_DIR=str(AUTHORITY.parent)))):
        assert context.verify_mode is ssl.CERT_REQUIRED and context.check_hostname
    assert certificates(environment()).verify_mode is ssl.CERT_REQUIRED


@pytest.mark.parametrize("content", [None, "no certificate"])
def test_a_file_without_certificates_is_an_error(content: str | None, tmp_path: Path) -> None:
    file = tmp_path / "ca.pem"
    if content is not None:
        file.write_text(content)
    with pytest.raises(OSError):
        certificates(environment(SSL_CERT_FILE=str(file)))


async def chunks_of(
    *chunks: bytes, stall: bool = False, log: list[str] | None = None
) -> AsyncGenerator[bytes]:
    try:
        for chunk in chunks:
            yield chunk
        if stall:
            await anyio.sleep_forever()
    finally:
        if log is not None:
            log.append("unwound")


@pytest.mark.anyio
async def test_reading_gives_bytes_then_the_end() -> None:
    chunks = chunks_of(b"a", b"b")
    assert [await next_bytes(chunks, 1) for _ in range(3)] == [b"a", b"b", None]


@pytest.mark.anyio
async def test_silence_is_a_value_and_the_body_is_closed() -> None:
    log: list[str] = []
    chunks = chunks_of(b"a", stall=True, log=log)
    assert await next_bytes(chunks, 0.01) == b"a"
    assert isinstance(await next_bytes(chunks, 0.01), TimeoutError)
    assert log == ["unwound"]


@pytest.mark.anyio
async def test_an_error_of_the_body_is_a_value() -> None:
    async def breaks() -> AsyncGenerator[bytes]:
        yield b"a"
        raise httpx2.ReadError("reset")

    chunks = breaks()
    assert await next_bytes(chunks, 1) == b"a"
    assert isinstance(await next_bytes(chunks, 1), httpx2.ReadError)
    await finish(chunks, drain=True)


@pytest.mark.anyio
@pytest.mark.parametrize("drain", [True, False])
async def test_finishing_unwinds_a_body_that_goes_on(drain: bool) -> None:
    log: list[str] = []
    chunks = chunks_of(b"a", b"b", b"c", stall=True, log=log)
    assert await next_bytes(chunks, 1) == b"a"
    with anyio.fail_after(5):
        await finish(chunks, drain=drain)
    assert log == ["unwound"]


@pytest.mark.anyio
@pytest.mark.skipif(sys.platform != "linux", reason="the options have other names elsewhere")
async def test_n3_the_kernel_is_told_to_give_up_on_dead_connections() -> None:
    with ApiServer() as api:
        endpoint = Endpoint.of(api.url, KEY, environment())
        http = open_http(endpoint, certificates(environment()), PATIENCE)
        async with http, http.stream("GET", f"{api.url}/v1/models") as response:
            sock: socket.socket = response.extensions["network_stream"].get_extra_info("socket")
            tcp = socket.IPPROTO_TCP
            assert sock.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)
            assert sock.getsockopt(tcp, socket.TCP_USER_TIMEOUT) == UNACKNOWLEDGED_S * 1000
            probed = sock.getsockopt(tcp, socket.TCP_KEEPIDLE)
            assert 0 < probed <= 15 and UNACKNOWLEDGED_S <= 15 and CONNECT_S <= 15
            await response.aread()
