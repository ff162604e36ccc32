"""Answers what a program asks of the open session over the control channel."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, get_args

from agent_tui.headless.words import Asked
from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.errors import UsageError
from agent_tui.protocol.messages import Message, PermissionMode, StatusChanged
from agent_tui.protocol.ops import Interrupt, Op, Rename, SetMode, SetModel, SetThinking, StopTask
from agent_tui.protocol.queries import (
    Commands,
    ContextUsage,
    Data,
    Failed,
    Query,
    Reply,
    RewindFiles,
    ServerControl,
    ServerStatus,
)

MODES = frozenset(get_args(PermissionMode))


@dataclass(slots=True)
class Control:
    """The requests that can be met.

    Attributes:
        send: hands an op to the session.
        query: asks the engine.
        costs: gives what was spent so far, in US dollars, None when unknown.
    """

    send: Callable[[Op], None]
    query: Callable[[Query], Awaitable[Reply]]
    costs: Callable[[], float | None]
    _modes: tuple[str, ...] = field(default=())

    def see(self, message: Message) -> None:
        """Keep in mind which modes the session offers."""
        if isinstance(message, StatusChanged):
            self._modes = message.modes

    def at_once(self, asked: Asked) -> JsonObject | None:
        """Do what only has to be handed on, and give the documented answer; None for what ``looked_up`` answers.

        Raises:
            AgentTuiError: it can't be done; the text says why.
        """
        fields = asked.fields
        match asked.subtype:
            case "interrupt":
                self.send(Interrupt())
            case "set_permission_mode":
                return self._set_mode(_text(fields, "mode"))
            case "set_model":
                self.send(SetModel(None if fields.get("model") is None else _text(fields, "model")))
            case "set_max_thinking_tokens":
                self.send(SetThinking(_count(fields, "max_thinking_tokens")))
            case "stop_task":
                self.send(StopTask(_text(fields, "task_id")))
            case "rename_session":
                self.send(Rename(_text(fields, "title")))
            case "get_session_cost":
                return self._cost()
            case _:
                return None
        return {}

    async def commands(self) -> JsonObject:
        """Give what ``initialize`` is answered with."""
        return {
            **await self._data(Commands()),
            "hook_on_failure_supported": True,
            "hooks_applied": True,
        }

    def _set_mode(self, mode: str) -> JsonObject:
        name = "default" if mode == "manual" else mode
        if name not in MODES or (self._modes and name not in self._modes):
            offered = ", ".join(self._modes or sorted(MODES))
            raise UsageError(f"the mode {mode!r} is not available here; there are {offered}")
        self.send(SetMode(name))  # pyright: ignore[reportArgumentType]
        return {"mode": name}

    def _cost(self) -> JsonObject:
        spent = self.costs()
        text = "The cost is not known." if spent is None else f"Total cost: ${spent:.4f}"
        return {"text": text, "total_cost_usd": spent}

    async def looked_up(self, asked: Asked) -> JsonObject:
        """Find out what is asked; give the documented answer.

        Raises:
            AgentTuiError: it can't be found out, or no such thing is known here.
        """
        fields = asked.fields
        match asked.subtype:
            case "mcp_status":
                return await self._data(ServerStatus())
            case "mcp_reconnect":
                return await self._data(ServerControl(_text(fields, "serverName"), "reconnect"))
            case "mcp_toggle":
                action = "enable" if fields.get("enabled") is True else "disable"
                return await self._data(ServerControl(_text(fields, "serverName"), action))
            case "get_context_usage":
                return await self._data(ContextUsage())
            case "rewind_files":
                dry_run = fields.get("dry_run") is True
                return await self._data(RewindFiles(_text(fields, "user_message_id"), dry_run))
            case "list_models":
                return {"models": (await self._data(Commands())).get("models", [])}
            case "initialize":
                raise UsageError(
                    "the session is open already; initialize comes first or not at all"
                )
            case other:
                raise UsageError(f"a request {other!r} is not known here")

    async def _data(self, query: Query) -> JsonObject:
        reply = await self.query(query)
        if isinstance(reply, Failed):
            raise UsageError(reply.error)
        assert isinstance(reply, Data)
        return reply.data


def _count(fields: JsonObject, key: str) -> int | None:
    value: Any = fields.get(key)
    if value is not None and (isinstance(value, bool) or not isinstance(value, int) or value < 0):
        raise UsageError(f"the request needs {key}, a whole number or null")
    return value


def _text(fields: JsonObject, key: str) -> str:
    value: Any = fields.get(key)
    if not isinstance(value, str) or not value.strip():
        raise UsageError(f"the request needs a {key}")
    return value
