"""``ClaudeSDKClient``: a session that stays open, prompted, steered and asked while it runs."""

from __future__ import annotations

from collections.abc import AsyncIterable, AsyncIterator
from contextlib import aclosing
from types import TracebackType
from typing import Any, Self, cast

import anyio.lowlevel

from agent_tui.protocol.ops import Interrupt, SetMode, SetModel, StopTask
from agent_tui.protocol.queries import (
    Commands,
    ContextUsage,
    RewindFiles,
    ServerControl,
    ServerStatus,
)
from agent_tui.sdk.connection import Connection
from agent_tui.sdk.errors import ClaudeSDKError, CLIConnectionError
from agent_tui.sdk.messages import Message, ResultMessage
from agent_tui.sdk.options import ClaudeAgentOptions
from agent_tui.sdk.permissions import PermissionMode
from agent_tui.sdk.prompts import prompts
from agent_tui.sdk.replies import ContextUsageResponse, McpStatusResponse
from agent_tui.sdk.transport import Transport, refuse


class Messages:
    """Messages of a session as they are said; left early, the rest is there for the next who asks."""

    def __init__(self, connection: Connection, *, to_result: bool) -> None:
        self._connection = connection
        self._to_result = to_result
        self._over = False

    def __aiter__(self) -> AsyncIterator[Message]:
        return self

    async def __anext__(self) -> Message:
        message = None if self._over else await self._connection.next()
        if message is None:
            raise StopAsyncIteration
        self._over = self._to_result and isinstance(message, ResultMessage)
        return message

    async def aclose(self) -> None:
        """Give nothing more; the session goes on."""
        self._over = True


class ClaudeSDKClient:
    """A session, from ``connect`` to ``disconnect``; ``async with`` does both.

    Every method raises ``CLIConnectionError`` when it is not connected. A client belongs to one event loop.
    """

    def __init__(
        self, options: ClaudeAgentOptions | None = None, transport: Transport | None = None
    ) -> None:
        self.options = options or ClaudeAgentOptions()
        self._transport = transport
        self._connection: Connection | None = None

    async def connect(self, prompt: str | AsyncIterable[dict[str, Any]] | None = None) -> None:
        """Open the session; ``prompt`` is sent at once, or as its records come.

        Raises:
            ValueError: options exclude each other.
            ProcessError: the session can't be opened.
            CLIConnectionError: a transport was given.
        """
        refuse(self._transport)
        await self.disconnect()
        connection = Connection(self.options, prompt, stays=True)
        await connection.open()
        self._connection = connection

    async def disconnect(self) -> None:
        """End the session: what runs is interrupted, children are gone when this returns."""
        connection, self._connection = self._connection, None
        if connection is not None:
            await connection.close()

    async def __aenter__(self) -> Self:
        await self.connect()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.disconnect()

    def __del__(self) -> None:
        if self._connection is not None:
            self._connection.abandon()

    # Prompts and messages ---------------------------------------------------------------------------------------

    async def query(
        self, prompt: str | AsyncIterable[dict[str, Any]], session_id: str = "default"
    ) -> None:
        """Send a prompt, or each record of a stream; while a run goes it joins the run after its tools.

        Args:
            prompt: a text, or records of user messages.
            session_id: kept for programs that name one; a client has one session.
        """
        connection = self._connected()
        async with aclosing(prompts(prompt, verbatim=self.options.verbatim_prompts)) as all_of_it:
            async for one in all_of_it:
                connection.send(one)

    def receive_messages(self) -> AsyncIterator[Message]:
        """Give all messages as they are said, until the session ends."""
        return Messages(self._connected(), to_result=False)

    def receive_response(self) -> AsyncIterator[Message]:
        """Give the messages up to the next result, and that."""
        return Messages(self._connected(), to_result=True)

    # While it runs ----------------------------------------------------------------------------------------------

    async def interrupt(self) -> None:
        """Stop the run; its result follows. What was said before stays to be read."""
        await self._sent(Interrupt())

    async def set_permission_mode(self, mode: PermissionMode) -> None:
        """Change the permission mode, from the next call on.

        Raises:
            ClaudeSDKError: this session can't change to it.
        """
        connection = self._connected()
        if mode not in connection.modes:
            modes = ", ".join(connection.modes)
            raise ClaudeSDKError(
                f"The session can't change to {mode}; it can to {modes}. "
                "bypassPermissions must be the mode it is opened with."
            )
        await self._sent(SetMode(mode))

    async def set_model(self, model: str | None = None) -> None:
        """Change the model, from the next request on; None is the default.

        Raises:
            TypeError: it is no text.
        """
        if model is not None:
            _check_text("model", model)
        await self._sent(SetModel(model))

    async def stop_task(self, task_id: str) -> None:
        """End a background task; a message says so.

        Raises:
            TypeError: the id is no text.
        """
        _check_text("task_id", task_id)
        await self._sent(StopTask(task_id))

    async def rewind_files(self, user_message_id: str) -> None:
        """Put the files that the agent changed back to what they were at a prompt; the conversation goes on.

        What others changed since is left alone. It takes ``enable_file_checkpointing``.

        Raises:
            TypeError: the id is no text.
            ClaudeSDKError: there is no such prompt, nothing is kept, or a run goes.
        """
        _check_text("user_message_id", user_message_id)
        done = await self._connected().ask(RewindFiles(user_message_id))
        if not done["canRewind"]:
            raise ClaudeSDKError(f"Files can't be put back to {user_message_id}: {done['error']}")

    # Questions --------------------------------------------------------------------------------------------------

    async def get_context_usage(self) -> ContextUsageResponse:
        """Tell what fills the window."""
        return cast("ContextUsageResponse", await self._connected().ask(ContextUsage()))

    async def get_server_info(self) -> dict[str, Any] | None:
        """Tell which commands, models and agents there are."""
        return await self._connected().ask(Commands())

    async def get_mcp_status(self) -> McpStatusResponse:
        """Tell which MCP servers there are, and how they are."""
        return cast("McpStatusResponse", await self._connected().ask(ServerStatus()))

    async def reconnect_mcp_server(self, server_name: str) -> None:
        """Connect an MCP server anew.

        Raises:
            ClaudeSDKError: there is no such server, or it can't be reached.
        """
        await self._connected().ask(ServerControl(server_name, "reconnect"))

    async def toggle_mcp_server(self, server_name: str, enabled: bool) -> None:
        """Switch an MCP server on or off.

        Raises:
            ClaudeSDKError: there is no such server, or it can't be reached.
        """
        action = "enable" if enabled else "disable"
        await self._connected().ask(ServerControl(server_name, action))

    def _connected(self) -> Connection:
        if self._connection is None:
            raise CLIConnectionError("Not connected; call connect() first, or use 'async with'.")
        return self._connection

    async def _sent(self, op: Interrupt | SetMode | SetModel | StopTask) -> None:
        self._connected().send(op)
        await anyio.lowlevel.checkpoint()  # the session takes it before the program goes on


def _check_text(name: str, value: object) -> None:
    if not isinstance(value, str):
        raise TypeError(f"{name} must be a text, not {value!r:.80}")
