"""Tools that a program brings: functions made into tools, tools made into a server that runs in the program."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import jsonschema
import mcp_types
from mcp.server import Server, ServerRequestContext
from pydantic import ValidationError

from agent_tui.sdk.servers import McpSdkServerConfig
from agent_tui.sdk.tool_schema import input_schema as schema_of

T = TypeVar("T")
_log = logging.getLogger(__name__)

SIZE_KEY = "anthropic/maxResultSizeChars"
"""Where a tool's definition says how long a result of it is passed on whole."""


class ToolAnnotations(mcp_types.ToolAnnotations):
    """What a tool says of itself: hints, in either spelling, and how long its results may be.

    ``readOnlyHint`` lets calls of it run beside others; ``maxResultSizeChars`` lets longer results through whole.
    """

    max_result_size_chars: int | None = None

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            title: str | None = None,
            readOnlyHint: bool | None = None,  # noqa: N803 - the documented spelling
            read_only_hint: bool | None = None,
            destructiveHint: bool | None = None,  # noqa: N803
            destructive_hint: bool | None = None,
            idempotentHint: bool | None = None,  # noqa: N803
            idempotent_hint: bool | None = None,
            openWorldHint: bool | None = None,  # noqa: N803
            open_world_hint: bool | None = None,
            maxResultSizeChars: int | None = None,  # noqa: N803
            max_result_size_chars: int | None = None,
        ) -> None:
            """Take the hints in either spelling."""


@dataclass
class SdkMcpTool(Generic[T]):
    """A tool: its definition, and the function that runs it.

    ``handler`` takes the input and gives ``{"content": [blocks], "is_error"?: bool}``.
    """

    name: str
    description: str
    input_schema: type[T] | dict[str, Any]
    handler: Callable[[T], Awaitable[dict[str, Any]]]
    annotations: mcp_types.ToolAnnotations | None = None


def tool(
    name: str,
    description: str,
    input_schema: type | dict[str, Any],
    annotations: mcp_types.ToolAnnotations | None = None,
) -> Callable[[Callable[[Any], Awaitable[dict[str, Any]]]], SdkMcpTool[Any]]:
    """Make a tool of the decorated function.

    Args:
        name: what the model calls it, after ``mcp__<server>__``.
        description: what it does, for the model.
        input_schema: names and types of its input, a ``TypedDict``, or a JSON schema.
        annotations: hints; ``readOnlyHint`` lets calls of it run beside others.
    """

    def of(handler: Callable[[Any], Awaitable[dict[str, Any]]]) -> SdkMcpTool[Any]:
        return SdkMcpTool(name, description, input_schema, handler, annotations)

    return of


def create_sdk_mcp_server(
    name: str, version: str = "1.0.0", tools: list[SdkMcpTool[Any]] | None = None
) -> McpSdkServerConfig:
    """Make a server of tools; it runs in the program, for ``mcp_servers``."""
    return McpSdkServerConfig(type="sdk", name=name, instance=_server(name, version, tools or []))


def _server(name: str, version: str, tools: list[SdkMcpTool[Any]]) -> Server[Any]:
    by_name = {one.name: one for one in tools}
    listed = {one.name: _definition(one) for one in tools}

    async def list_tools(
        context: ServerRequestContext[Any], params: mcp_types.PaginatedRequestParams | None
    ) -> mcp_types.ListToolsResult:
        return mcp_types.ListToolsResult(tools=list(listed.values()))

    async def call_tool(
        context: ServerRequestContext[Any], params: mcp_types.CallToolRequestParams
    ) -> mcp_types.CallToolResult:
        found = by_name.get(params.name)
        if found is None:
            return _failed(f"There is no tool {params.name!r} here.")
        return await _call(found, listed[found.name].input_schema, params.arguments or {})

    return Server(name, version=version, on_list_tools=list_tools, on_call_tool=call_tool)


def _definition(one: SdkMcpTool[Any]) -> mcp_types.Tool:
    hints = one.annotations
    size = hints.max_result_size_chars if isinstance(hints, ToolAnnotations) else None
    return mcp_types.Tool.model_validate(
        {
            "name": one.name,
            "description": one.description,
            "inputSchema": schema_of(one.input_schema),
            "annotations": None if hints is None else hints.model_dump(exclude_none=True),
            "_meta": None if size is None else {SIZE_KEY: size},
        }
    )


async def _call(
    one: SdkMcpTool[Any], schema: dict[str, Any], arguments: dict[str, Any]
) -> mcp_types.CallToolResult:
    """Run a call to its result; what goes wrong is a result too, and the model can read it."""
    try:
        jsonschema.validate(arguments, schema)
    except jsonschema.ValidationError as error:
        where = ".".join(map(str, error.absolute_path))
        return _failed(f"The input does not fit{f' at {where}' if where else ''}: {error.message}")
    try:
        given = await one.handler(arguments)
    except Exception as error:  # boundary: a fault of a program's tool is that call's result
        _log.exception("the tool %s failed", one.name)
        return _failed(f"{type(error).__name__}: {error}".rstrip(": "))
    try:
        return mcp_types.CallToolResult.model_validate(_result(given))
    except (ValidationError, TypeError, AttributeError) as error:
        return _failed(f"The tool {one.name} gave something that is no result: {error}")


def _result(given: dict[str, Any]) -> dict[str, Any]:
    result: dict[str, Any] = {
        "content": given.get("content") or [],
        "isError": bool(given.get("is_error") or given.get("isError")),
    }
    structured = given.get("structuredContent", given.get("structured_content"))
    return result if structured is None else {**result, "structuredContent": structured}


def _failed(text: str) -> mcp_types.CallToolResult:
    return mcp_types.CallToolResult(
        content=[mcp_types.TextContent(type="text", text=text)], is_error=True
    )
