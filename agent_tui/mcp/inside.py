"""Servers that a program brings itself: an instance, a transport of its own, or somebody who carries messages."""

from __future__ import annotations

import math
from contextlib import AbstractAsyncContextManager
from typing import Any, cast

import anyio
from anyio.abc import ObjectReceiveStream, ObjectSendStream
from mcp.shared.message import SessionMessage
from mcp_types import (
    INTERNAL_ERROR,
    ErrorData,
    JSONRPCError,
    JSONRPCRequest,
    JSONRPCResponse,
    jsonrpc_message_adapter,
)

from agent_tui.mcp.link import ServerError
from agent_tui.mcp.streams import Body, Incoming, Item, Outgoing, Streams, watched
from agent_tui.mcp.tunnel import Send, Tunnel
from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.errors import AgentTuiError


async def over_program(instance: object, body: Body) -> None:
    """Run ``body`` with the streams of what a program gave: a ``Tunnel``, or a callable that gives a transport.

    Raises:
        ServerError: it is neither.
    """
    if isinstance(instance, Tunnel):
        await _over_tunnel(instance, body)
    elif callable(instance):
        given = cast("AbstractAsyncContextManager[tuple[Incoming, Outgoing]]", instance())
        async with given as (read, write):
            await body(watched(read, write))
    else:
        raise ServerError(f"the program gave a {type(instance).__name__}, which is no server")


async def _over_tunnel(way: Tunnel, body: Body) -> None:
    heard, read = anyio.create_memory_object_stream[Item](math.inf)
    write, to_say = anyio.create_memory_object_stream[SessionMessage](0)
    async with anyio.create_task_group() as group:
        group.start_soon(_carry, way.send, to_say, heard, group)
        with read, write, heard:
            await body(Streams(read, write))
        group.cancel_scope.cancel()


async def _carry(
    send: Send,
    to_say: ObjectReceiveStream[SessionMessage],
    heard: ObjectSendStream[Item],
    group: anyio.abc.TaskGroup,
) -> None:
    """Deliver messages in their order; replies to requests are waited for elsewhere."""
    async with to_say:
        async for item in to_say:
            message = item.message
            raw = message.model_dump(by_alias=True, mode="json", exclude_unset=True)
            if isinstance(message, JSONRPCRequest):
                group.start_soon(_ask, send, raw, message, heard)
            else:
                await _tell(send, raw)


async def _tell(send: Send, raw: JsonObject) -> None:
    try:
        await send(raw)
    except AgentTuiError:
        return  # nobody waits for what has no reply


async def _ask(
    send: Send, raw: JsonObject, request: JSONRPCRequest, heard: ObjectSendStream[Item]
) -> None:
    try:
        reply: Any = await send(raw)
        message = jsonrpc_message_adapter.validate_python(reply, by_name=False)
        if not isinstance(message, JSONRPCResponse | JSONRPCError) or message.id != request.id:
            raise ValueError("it answers something else")  # nobody would ever hear it
    except (AgentTuiError, ValueError) as error:
        text = str(error) if isinstance(error, AgentTuiError) else "the reply is no message"
        fault = ErrorData(code=INTERNAL_ERROR, message=text)
        message = JSONRPCError(jsonrpc="2.0", id=request.id, error=fault)
    await heard.send(SessionMessage(message))
