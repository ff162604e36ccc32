"""The Messages API, asked for real: one request, its stream read to the end, retries in sight.

The only importer of ``anthropic``. That import costs more than everything else at start-up, so it waits behind a door
until ``warm_up`` or the first request, and happens in a thread. The package does addresses, headers and errors; its
retries are off and its stream decoder isn't used, because it hides what must be seen: streams that end early, tool
input that is no JSON, events without an ``event:`` line.
"""

from __future__ import annotations

import gc
import json
import ssl
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeAlias, cast

import anyio
import anyio.to_thread

from agent_tui.model.client import ModelRequest, ModelResponse, Sink
from agent_tui.model.connections import Connections, Line
from agent_tui.model.endpoint import OLD_VERSION, Endpoint
from agent_tui.model.failures import Failure, refused
from agent_tui.model.retry import Pace, Patience, retries_of, wait_asked, with_retries
from agent_tui.model.stream import StreamReader
from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.surrogates import mended
from agent_tui.settings.paths import Environment
from agent_tui.settings.schema import KeyHeader

if TYPE_CHECKING:
    import httpx2
    from anthropic import AsyncAnthropic

    ApiLine: TypeAlias = Line[AsyncAnthropic]

LIST_MODELS_S = 20.0
"""A connection test should not take longer."""


class AnthropicClient:
    """A ``ModelClient`` over HTTP.

    Made without network and without the API package. Requests may run at the same time.

    Args:
        base_url: the server; empty for the official one.
        api_key: the key, or a token when ``api_key_header`` is ``bearer``.
        env: proxies, certificates, timeouts, retries and further headers are taken from it.
        api_key_header: how the key is sent; None: as the package does to the official host, in both headers
            to any other.
        anthropic_version: the API version; None: the package's, and 2023-06-01 to another server that refuses it.
        betas: flags to name in every request, besides those of the environment.
        client_app: named in the user agent.
        pace: clock, sleep and chance.
    """

    def __init__(
        self,
        base_url: str,
        api_key: str,
        env: Environment,
        *,
        api_key_header: KeyHeader | None = None,
        anthropic_version: str | None = None,
        betas: tuple[str, ...] = (),
        client_app: str | None = None,
        pace: Pace | None = None,
    ) -> None:
        self._endpoint = Endpoint.of(
            base_url,
            api_key,
            env,
            api_key_header,
            anthropic_version,
            betas=betas,
            client_app=client_app,
        )
        self._env = env
        self._pace = pace or Pace()
        self._patience = Patience.of(env)
        self._max_retries = retries_of(env)
        self._version = anthropic_version
        self._certificates: ssl.SSLContext | None = None
        self._connections: Connections[AsyncAnthropic] = Connections(self._pace.wall)

    async def respond(self, request: ModelRequest, sink: Sink) -> ModelResponse:
        """Ask, tell every event to ``sink`` in order, give the response.

        Cancelling closes the connection.

        Raises:
            ModelError: refused, or failed for good after the retries.
        """
        body = encode(request)

        async def attempt() -> ModelResponse | Failure:
            outcome = await self._exchange(body, sink)
            if isinstance(outcome, Failure) and self._may_step_back(outcome):
                self._version = OLD_VERSION
                outcome = await self._exchange(body, sink)
            return outcome

        return await with_retries(attempt, sink, self._pace, self._max_retries, request.overloads)

    async def list_models(self) -> tuple[str, ...]:
        """Give the ids of the models the server lists: the connection test. Never retried.

        Raises:
            ModelError: not reachable, refused, or no list came.
        """
        outcome: tuple[str, ...] | Failure
        name = self._endpoint.name
        outcome = Failure(f"{name} gave no answer for {LIST_MODELS_S:g} s.")
        with anyio.move_on_after(LIST_MODELS_S):
            outcome = await self._list_models()
            if isinstance(outcome, Failure) and self._may_step_back(outcome):
                self._version = OLD_VERSION
                outcome = await self._list_models()
        if isinstance(outcome, Failure):
            raise outcome.error()
        return outcome

    async def warm_up(self) -> None:
        """Load the API package and the certificates, in a thread; no network.

        What is wrong with the certificates is told by the first request.
        """
        await self._load()

    async def aclose(self) -> None:
        """Let go of connections."""
        await self._connections.aclose()

    def _may_step_back(self, failure: Failure) -> bool:
        return failure.about_version and self._endpoint.version_open and self._version is None

    async def _exchange(self, body: bytes, sink: Sink) -> ModelResponse | Failure:
        """Make one request and read its response."""
        line = await self._take_line()
        if isinstance(line, Failure):
            return line
        try:
            started = anyio.current_time()
            response = await self._send(line, body)
            if isinstance(response, Failure):
                return response
            return await self._read(line, response, sink, started)
        finally:
            await self._connections.give_back(line)

    async def _list_models(self) -> tuple[str, ...] | Failure:
        line = await self._take_line()
        if isinstance(line, Failure):
            return line
        try:
            response = await self._send(line, None)
        finally:
            await self._connections.give_back(line)
        if isinstance(response, Failure):
            return response
        ids = _model_ids(response.text)
        if ids is None:
            text = f"{self._endpoint.name} answers, but not with a list of models."
            return Failure(text, status=response.status_code)
        return ids

    async def _send(self, line: ApiLine, body: bytes | None) -> httpx2.Response | Failure:
        """Post a message, or ask for the list of models when there is no body.

        The response to a message is given as soon as its head is here.
        """
        anthropic, transport = _anthropic(), _transport()
        headers = self._headers()
        try:
            if body is None:
                return await line.api.get(
                    "/v1/models?limit=1000",
                    cast_to=transport.Response,
                    options={"headers": headers},
                )
            stream = await line.api.post(
                "/v1/messages",
                content=body,
                cast_to=transport.Response,
                options={"headers": headers},
                stream=True,
                stream_cls=anthropic.AsyncStream[Any],
            )
            return cast("httpx2.Response", stream)
        except anthropic.APIStatusError as error:
            wait = wait_asked(error.response.headers, self._pace.wall())
            return refused(
                error.status_code, error.response.headers, error.body, self._endpoint, wait
            )
        except (anthropic.APIConnectionError, transport.HttpError) as error:
            line.worn = True
            return transport.lost(error, self._endpoint, self._patience)

    async def _read(
        self, line: ApiLine, response: httpx2.Response, sink: Sink, started: float
    ) -> ModelResponse | Failure:
        transport = _transport()
        reader = StreamReader(
            self._endpoint,
            sink,
            response.headers.get("content-type", ""),
            response.headers.get("request-id"),
        )
        broken: Failure | None = None
        chunks = response.aiter_bytes()
        try:
            while not reader.done:
                chunk = await transport.next_bytes(chunks, self._patience.idle_s)
                if isinstance(chunk, Exception):
                    line.worn = True
                    broken = transport.lost(chunk, self._endpoint, self._patience)
                    break
                if chunk is None:
                    await reader.close()
                    break
                await reader.feed(chunk)
        finally:
            await transport.finish(chunks, drain=reader.done)
        return reader.outcome(broken, round((anyio.current_time() - started) * 1000))

    def _headers(self) -> Mapping[str, Any]:
        headers: dict[str, Any] = {"content-type": "application/json"}
        if self._version:
            headers["anthropic-version"] = self._version
        if self._endpoint.plain_key:
            headers["x-api-key"] = self._endpoint.api_key
        if not self._endpoint.bearer:
            headers["authorization"] = _anthropic().Omit()
        for name, value in self._endpoint.custom_headers:
            headers[name.lower()] = value
        return headers

    async def _take_line(self) -> ApiLine | Failure:
        fault = self._endpoint.fault
        if fault is not None:
            return Failure(*fault)
        loaded = await self._load()
        if isinstance(loaded, Failure):
            return loaded
        try:
            return await self._connections.take(
                lambda: _open_api(self._endpoint, loaded, self._patience)
            )
        except _transport().UNUSABLE as error:
            text = self._endpoint.clean(str(error)).rstrip(".")
            return Failure(f"No request can be made to {self._endpoint.name}: {text}.")

    async def _load(self) -> ssl.SSLContext | Failure:
        """Pass the doors, in a thread: the loop goes on meanwhile."""
        if self._certificates is None:
            try:
                self._certificates = await anyio.to_thread.run_sync(
                    _pass_doors, self._env, abandon_on_cancel=True
                )
            except OSError as error:
                name = "SSL_CERT_FILE" if self._env.get("SSL_CERT_FILE") else "SSL_CERT_DIR"
                reason = error.strerror or "no certificate found"
                text = f"{name} names {self._env.get(name)}, which can't be used: {reason}."
                return Failure(text)
        return self._certificates


def encode(request: ModelRequest) -> bytes:
    """Give the body of a request: compact JSON, the same bytes for the same request."""
    body: JsonObject = {"model": request.model, "max_tokens": request.max_tokens, "stream": True}
    if request.tools:
        body["tools"] = request.tools
    if request.system:
        body["system"] = request.system
    body["messages"] = request.messages
    body.update(request.extra)
    return mended(json.dumps(body, ensure_ascii=False, separators=(",", ":"))).encode()


def _model_ids(text: str) -> tuple[str, ...] | None:
    try:
        rows: Any = json.loads(text)["data"]
        return tuple(str(row["id"]) for row in rows)
    except (ValueError, KeyError, TypeError):
        return None


def _open_api(
    endpoint: Endpoint, certificates: ssl.SSLContext, patience: Patience
) -> AsyncAnthropic:
    # key and address are always given: without them the package would look for others in the environment
    return _anthropic().AsyncAnthropic(
        api_key=endpoint.api_key,
        base_url=endpoint.base_url,
        max_retries=0,
        open_telemetry=False,
        http_client=_transport().open_http(endpoint, certificates, patience),
    )


def _pass_doors(env: Environment) -> ssl.SSLContext:
    _anthropic()
    return _transport().certificates(env)


def _anthropic():
    """Door: 3,500 modules and 1.5 s of CPU, needed by the first request only.

    The collector of cycles rests meanwhile: it would spend a fifth of that time and find nothing.
    """
    rests = "anthropic" not in sys.modules and gc.isenabled()
    if rests:
        gc.disable()
    try:
        import anthropic
    finally:
        if rests:
            gc.enable()
    return anthropic


def _transport():
    """Door: httpx2, needed by the first request only."""
    from agent_tui.model import transport

    return transport
