"""Permission requests answered by a tool of a server: ``--permission-prompt-tool``."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, cast

from agent_tui.loop.approvals import Approver
from agent_tui.mcp.link import ServerError
from agent_tui.mcp.tools import RemoteTool
from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.errors import UsageError
from agent_tui.protocol.requests import Allow, Deny, PermissionAnswer, PermissionRequest
from agent_tui.tools.base import ToolSet

HOST = "stdio"
"""In place of a tool's name: the program answers over its control channel."""


def decider(name: str | None, tools: ToolSet, approver: Approver | None) -> Approver | None:
    """Give who answers permission requests in a person's stead: the named tool or the program, None: neither.

    Raises:
        UsageError: both are asked for.
    """
    if name is None or name == HOST:
        return approver
    if approver is not None:
        raise UsageError("A callback and a tool can't both answer permission requests; choose one.")
    return PromptTool(name, tools)


class PromptTool:
    """Implements ``Approver``: whatever is not clearly a consent is a denial that says why.

    Args:
        name: the tool's full name, ``mcp__server__tool``.
        tools: the session's tools.
    """

    def __init__(self, name: str, tools: ToolSet) -> None:
        self._name = name
        self._tools = tools

    async def decide(self, request: PermissionRequest) -> PermissionAnswer:
        """Ask the tool."""
        tool = self._tools.by_name.get(self._name)
        if not isinstance(tool, RemoteTool):
            return self._no("there is no such tool of a connected MCP server")
        asked: JsonObject = {
            "tool_name": request.tool_name,
            "input": request.input,
            "tool_use_id": request.tool_use_id,
        }
        try:
            result = await tool.ask(asked)
        except ServerError as error:
            return self._no(str(error))
        text = _text(result)
        if result.get("isError"):
            return self._no(text or "it failed")
        return self._read(text)

    def _read(self, text: str) -> PermissionAnswer:
        try:
            answer: Any = json.loads(text)
        except (ValueError, RecursionError):
            return self._no("its answer is no JSON")
        if not isinstance(answer, dict):
            return self._no("its answer is no object")
        given = cast("JsonObject", answer)
        match given.get("behavior"):
            case "allow":
                changed = given.get("updatedInput")
                if changed is not None and not isinstance(changed, dict):
                    return self._no("its updatedInput is no object")
                return Allow(cast("JsonObject | None", changed))
            case "deny":
                return Deny(str(given.get("message") or ""), given.get("interrupt") is True)
            case behavior:
                return self._no(f"it said neither allow nor deny but {behavior!r}")

    def _no(self, why: str) -> Deny:
        return Deny(
            f"This call was not run: {self._name}, which was to decide on it, did not ({why})."
        )


def _text(result: Mapping[str, Any]) -> str:
    blocks = cast("list[JsonObject]", result.get("content") or [])
    return "\n".join(str(block.get("text", "")) for block in blocks if block.get("type") == "text")
