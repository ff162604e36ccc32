"""The conversation with a server, over the package ``mcp``: handshake, tools, calls; behind the door in ``connection``.

Whatever goes wrong in it, in the package or in a server that runs inside the program, is a ``ServerError``.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any, cast

import anyio
from anyio import to_thread
from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError
from mcp import ClientSession, MCPError
from mcp.client import Client
from mcp.client.session import ClientRequestContext, IncomingMessage, ListRootsFnT
from mcp.server import MCPServer, Server
from mcp.shared.jsonrpc_dispatcher import JSONRPCDispatcher
from mcp_types import (
    CONNECTION_CLOSED,
    UNSUPPORTED_PROTOCOL_VERSION,
    CallToolRequest,
    CallToolRequestParams,
    CallToolResult,
    Implementation,
    ListRootsResult,
    PaginatedRequestParams,
    ToolListChangedNotification,
)

from agent_tui import __version__
from agent_tui.mcp.inside import over_program
from agent_tui.mcp.link import Listing, Offer, Progress, ServerError, Stay, Target
from agent_tui.mcp.remote import over_http, over_sse
from agent_tui.mcp.schema import UnusableSchemaError, api_schema
from agent_tui.mcp.stdio import over_stdio
from agent_tui.mcp.streams import Streams
from agent_tui.protocol.content import JsonObject

for _name in ("mcp", "client"):  # the package's loggers: never on a terminal by themselves
    logging.getLogger(_name).addHandler(logging.NullHandler())

MAX_PAGES = 100
MAX_TEXT = 2_048
"""Characters of a description, and of a server's instructions."""

MAX_RESULT_CHARS = 500_000
"""No tool may ask for longer results."""

ENDED = "the server ended during the call"
_ME = Implementation(name="agent-tui", version=__version__)


async def open_link(target: Target, stay: Stay) -> None:
    """Connect a server, run ``stay`` with the link, leave; see ``link.Open``.

    Raises:
        ServerError: it could not be connected, or broke.
    """
    faults: list[Exception] = []
    try:
        instance: Any = target.instance
        if isinstance(instance, Server | MCPServer):
            await _in_process(cast("Server[Any] | MCPServer", instance), target, stay)
        else:
            await _over_streams(target, stay)
    except* Exception as group:  # boundary: a server's fault is the server's, the session goes on
        faults.append(group)  # a cancellation that came with it goes on by itself
    if faults:
        raise _fault(faults[0]) from faults[0]


async def _in_process(server: Server[Any] | MCPServer, target: Target, stay: Stay) -> None:
    told = _Told()
    client = Client(
        server,
        mode="legacy",
        client_info=_ME,
        message_handler=told.hear,
        list_roots_callback=_roots(target),
    )
    async with client:
        await stay(SessionLink(client.session, told))


async def _over_streams(target: Target, stay: Stay) -> None:
    async def body(streams: Streams) -> None:
        told = _Told(streams.closed)
        dispatcher = JSONRPCDispatcher(streams.read, streams.write)
        session = ClientSession(
            dispatcher=dispatcher,
            client_info=_ME,
            message_handler=told.hear,
            list_roots_callback=_roots(target),
        )
        async with session:
            await _shake_hands(session)
            await stay(SessionLink(session, told, dispatcher))

    match target.config.kind:
        case "stdio":
            await over_stdio(target, body)
        case "http":
            await over_http(target, body)
        case "sse":
            await over_sse(target, body)
        case "sdk":
            await over_program(target.instance, body)


async def _shake_hands(session: ClientSession) -> None:
    """Greet as all servers know it; only one that knows nothing but the newer way is asked again."""
    try:
        await session.initialize()
    except MCPError as error:
        if error.code != UNSUPPORTED_PROTOCOL_VERSION:
            raise
        await session.discover()


class _Told:
    """What a server tells by itself."""

    def __init__(self, closed: anyio.Event | None = None) -> None:
        self.closed = closed or anyio.Event()
        self._changed = False
        self._news = anyio.Event()

    async def hear(self, message: IncomingMessage) -> None:
        """Take a notification."""
        if isinstance(message, ToolListChangedNotification):
            self._changed = True
            self._news.set()
        await anyio.lowlevel.checkpoint()

    async def wait(self) -> bool:
        """Wait for a changed list (True) or the end (False)."""
        async with anyio.create_task_group() as group:
            group.start_soon(self._until_closed, group.cancel_scope)
            await self._news.wait()
            group.cancel_scope.cancel()
        changed, self._changed = self._changed, False
        self._news = anyio.Event()
        return changed and not self.closed.is_set()

    async def _until_closed(self, scope: anyio.CancelScope) -> None:
        await self.closed.wait()
        scope.cancel()


class SessionLink:
    """A ``Link`` over a session of the package."""

    def __init__(
        self, session: ClientSession, told: _Told, dispatcher: JSONRPCDispatcher[Any] | None = None
    ) -> None:
        self._session = session
        self._told = told
        self._dispatcher = dispatcher

    @property
    def alive(self) -> bool:
        """Whether its end has not been seen yet."""
        return not self._told.closed.is_set()

    async def news(self) -> bool:
        """Wait for a changed list of tools, or the end."""
        return await self._told.wait()

    async def listing(self) -> Listing:
        """Ask what the server offers; a tool that the API would refuse is left out."""
        session = self._session
        capabilities = session.server_capabilities
        tools = await self._tools() if capabilities and capabilities.tools is not None else []
        offers, skipped = await to_thread.run_sync(_usable, tools)
        info = session.server_info
        return Listing(
            offers,
            skipped,
            info.name if info else "",
            info.version if info else "",
            cut(session.instructions or ""),
        )

    async def _tools(self) -> list[JsonObject]:
        found: list[JsonObject] = []
        cursor: str | None = None
        for _ in range(MAX_PAGES):
            page = await self._page(cursor)
            found += cast("list[JsonObject]", page.get("tools") or [])
            cursor = page.get("nextCursor")
            if not cursor:
                break
        return found

    async def _page(self, cursor: str | None) -> JsonObject:
        """Get a page of the list as it was sent: for the package one odd tool spoils all of it."""
        if self._dispatcher is None or self._session.discover_result is not None:
            page = await self._session.list_tools(params=PaginatedRequestParams(cursor=cursor))
            return page.model_dump(by_alias=True, mode="json", exclude_none=True)
        params = {"cursor": cursor} if cursor else None
        return await self._dispatcher.send_raw_request("tools/list", params)

    async def call(self, tool: str, args: JsonObject, tell: Progress) -> JsonObject:
        """Call a tool; see ``Link.call``."""

        async def on_progress(progress: float, total: float | None, message: str | None) -> None:
            of = f" of {total:g}" if total else ""
            await tell(message or f"{progress:g}{of}")

        request = CallToolRequest(params=CallToolRequestParams(name=tool, arguments=args))
        try:
            result = await self._session.send_request(
                request, CallToolResult, progress_callback=on_progress
            )
            return result.model_dump(by_alias=True, mode="json", exclude_none=True)
        except MCPError as error:
            raise ServerError(
                ENDED if error.code == CONNECTION_CLOSED else error.message
            ) from error
        except ValueError as error:  # pydantic's, of a result that is none or nested too deep
            raise ServerError("the server gave a result that is none") from error


def _roots(target: Target) -> ListRootsFnT:
    async def roots(context: ClientRequestContext) -> ListRootsResult:
        return ListRootsResult.model_validate({"roots": [{"uri": target.cwd.as_uri()}]})

    return roots


def _usable(tools: list[JsonObject]) -> tuple[tuple[Offer, ...], tuple[str, ...]]:
    """Read what a server says of its tools, ordered by name: some give another order each time."""
    offers: dict[str, Offer] = {}
    skipped: list[str] = []
    for tool in tools:
        name = _mapping(tool).get("name")
        if not isinstance(name, str) or not name:
            skipped.append("a tool without a name is left out")
            continue
        try:
            offers[name] = _offer(name, tool)
        except (UnusableSchemaError, SchemaError, RecursionError) as error:
            skipped.append(f"the tool {name} is left out: {_unusable(error)}")
    return tuple(offers[name] for name in sorted(offers)), tuple(skipped)


def _unusable(error: UnusableSchemaError | SchemaError | RecursionError) -> str:
    if isinstance(error, RecursionError):
        return "its input schema is nested too deep"
    return error.message if isinstance(error, SchemaError) else str(error)


def _offer(name: str, tool: JsonObject) -> Offer:
    given = tool.get("inputSchema")
    schema = api_schema(cast("JsonObject", given) if isinstance(given, dict) else {})
    Draft202012Validator.check_schema(schema)
    hints = _mapping(tool.get("annotations"))
    meta = _mapping(tool.get("_meta"))
    return Offer(
        name=name,
        description=cut(str(tool.get("description") or "")),
        schema=schema,
        read_only=_flag(hints.get("readOnlyHint")),
        destructive=_flag(hints.get("destructiveHint")),
        open_world=_flag(hints.get("openWorldHint")),
        for_person=meta.get("anthropic/requiresUserInteraction") is True,
        always_load=meta.get("anthropic/alwaysLoad") is True,
        max_chars=_chars(meta.get("anthropic/maxResultSizeChars", hints.get("maxResultSizeChars"))),
    )


def cut(text: str) -> str:
    """Cut a text that is sent with every request."""
    return text if len(text) <= MAX_TEXT else f"{text[: MAX_TEXT - 6]} [...]"


def _mapping(value: Any) -> Mapping[str, Any]:
    return cast("JsonObject", value) if isinstance(value, dict) else {}


def _flag(value: Any) -> bool | None:
    return value if isinstance(value, bool) else None


def _chars(value: Any) -> int | None:
    if isinstance(value, bool) or not isinstance(value, int) or value <= 0:
        return None
    return min(value, MAX_RESULT_CHARS)


def _fault(error: Exception) -> ServerError:
    """Say what went wrong: of several things that did, the first that says it."""
    for leaf in _leaves(error):
        if isinstance(leaf, ServerError):
            return leaf
    leaf = next(_leaves(error))
    if isinstance(leaf, MCPError) and leaf.code == CONNECTION_CLOSED:
        return ServerError("the server ended before it could be connected")
    return ServerError(str(leaf) or type(leaf).__name__)


def _leaves(error: BaseException) -> Any:
    if isinstance(error, BaseExceptionGroup):
        for inner in cast("BaseExceptionGroup[BaseException]", error).exceptions:
            yield from _leaves(inner)
    else:
        yield error
