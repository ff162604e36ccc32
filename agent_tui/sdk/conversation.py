"""``query``: one conversation, as an async iterator."""

from __future__ import annotations

from collections.abc import AsyncIterable, AsyncIterator
from typing import Any

from agent_tui.sdk.connection import Connection, result_error
from agent_tui.sdk.messages import Message
from agent_tui.sdk.options import ClaudeAgentOptions
from agent_tui.sdk.prompts import Input
from agent_tui.sdk.transport import Transport, refuse


def query(
    *,
    prompt: str | AsyncIterable[dict[str, Any]],
    options: ClaudeAgentOptions | None = None,
    transport: Transport | None = None,
) -> AsyncIterator[Message]:
    """Hold one conversation; give its messages as they are said.

    A text is a single shot. Records of user messages (``{"type": "user", "message": {"role": "user", "content": …},
    "uuid"?}``) are sent as they come, also while a run goes; the iterator ends when they have ended and all runs are
    over. Leaving the loop early ends the session; ``aclose`` waits for that.

    Raises:
        TypeError: an option or the prompt is of a wrong type.
        ValueError: options exclude each other.
        ProcessError: the session can't be opened.
        ResultError: a single shot ended with an error; its result came first.
        CLIConnectionError: a transport was given.
    """
    return Conversation(prompt, options or ClaudeAgentOptions(), transport)


class Conversation:
    """The iterator. It holds no scope, so it may be dropped anywhere: the session then ends by itself."""

    def __init__(
        self, given: Input, options: ClaudeAgentOptions, transport: Transport | None
    ) -> None:
        self._given = given
        self._options = options
        self._transport = transport
        self._connection: Connection | None = None
        self._over = False

    def __aiter__(self) -> AsyncIterator[Message]:
        return self

    async def __anext__(self) -> Message:
        if self._over:
            raise StopAsyncIteration
        message = await (await self._connected()).next()
        if message is not None:
            return message
        await self.aclose()
        self._raise_error()
        raise StopAsyncIteration

    async def aclose(self) -> None:
        """End the session, and wait until it has ended."""
        self._over = True
        if self._connection is not None:
            await self._connection.close()

    def __del__(self) -> None:
        if self._connection is not None:
            self._connection.abandon()

    async def _connected(self) -> Connection:
        if self._connection is None:
            refuse(self._transport)
            connection = Connection(self._options, self._given, stays=False)
            self._over = True  # unless it opens
            await connection.open()
            self._connection, self._over = connection, False
        return self._connection

    def _raise_error(self) -> None:
        result = None if self._connection is None else self._connection.last_result
        if isinstance(self._given, str) and result is not None and result.is_error:
            raise result_error(result) from None
