"""A server to be tested against: the same tools in the process (``make``), over standard streams, or over HTTP.

Run as ``stub_server.py [stdio | http PORT]``. Its environment changes it: ``STUB_TOOLS`` is a JSON list of further
tools that say their own names, ``STUB_NOISE`` lines are written to standard error at start and in each call,
``STUB_DELAY`` seconds pass before it greets, ``STUB_CHILD`` names a file to write the id of a stubborn child to.
"""

from __future__ import annotations

import base64
import io
import json
import os
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from typing import Any

import anyio
import mcp_types as types
from mcp.server import Server
from PIL import Image

STUBBORN = (
    "import signal, time\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\nwhile True: time.sleep(1)"
)


def text(value: str) -> types.CallToolResult:
    """A result of one text."""
    return types.CallToolResult(content=[types.TextContent(type="text", text=value)])


async def ping(args: dict[str, Any]) -> types.CallToolResult:
    return text("pong")


async def echo(args: dict[str, Any]) -> types.CallToolResult:
    return text(json.dumps(args))


async def sleep(args: dict[str, Any]) -> types.CallToolResult:
    """For ever; leaves a mark when it is cancelled."""
    try:
        await anyio.sleep_forever()
    finally:
        STATE["cancelled"] = True
    return text("never")


async def cancelled(args: dict[str, Any]) -> types.CallToolResult:
    return text(str(STATE.get("cancelled", False)))


async def die(args: dict[str, Any]) -> types.CallToolResult:
    os._exit(3)


async def fail(args: dict[str, Any]) -> types.CallToolResult:
    result = text("it went wrong")
    result.is_error = True
    return result


async def boom(args: dict[str, Any]) -> types.CallToolResult:
    raise ValueError("boom")


async def big(args: dict[str, Any]) -> types.CallToolResult:
    """Text of ``size`` characters, the same once more as data."""
    value = "x" * int(args["size"])
    result = text(value)
    result.structured_content = {"value": value}
    return result


async def data(args: dict[str, Any]) -> types.CallToolResult:
    return types.CallToolResult(content=[], structured_content={"answer": 42})


async def parts(args: dict[str, Any]) -> types.CallToolResult:
    out = io.BytesIO()
    Image.new("RGB", (20, 10), "red").save(out, "PNG")
    picture = base64.b64encode(out.getvalue()).decode()
    resource = types.TextResourceContents(uri="stub://note", text="a note")
    return types.CallToolResult(
        content=[
            types.TextContent(type="text", text="look:"),
            types.ImageContent(type="image", data=picture, mime_type="image/png"),
            types.EmbeddedResource(type="resource", resource=resource),
        ]
    )


async def environment(args: dict[str, Any]) -> types.CallToolResult:
    return text(json.dumps(dict(os.environ)))


Does = Callable[[dict[str, Any]], Awaitable[types.CallToolResult]]

STATE: dict[str, Any] = {}
TOOLS: dict[str, Does] = {
    does.__name__: does
    for does in (ping, echo, sleep, cancelled, die, fail, boom, big, data, parts, environment)
}
READ_ONLY = {"ping", "sleep"}


def tool(name: str) -> types.Tool:
    """Describe a tool."""
    hints = types.ToolAnnotations(read_only_hint=True) if name in READ_ONLY else None
    meta = {"anthropic/requiresUserInteraction": True} if name == "ask" else None
    return types.Tool(
        name=name,
        description=f"Does {name}.",
        input_schema={"type": "object", "properties": {}},
        annotations=hints,
        _meta=meta,
    )


def make(more: tuple[str, ...] = (), *, only: tuple[str, ...] | None = None) -> Server[Any]:
    """Make the server; ``more`` tools say their names, ``grow`` adds one tool and tells so."""
    names = list(TOOLS if only is None else only) + list(more)

    async def list_tools(ctx: Any, params: Any) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[tool(name) for name in names])

    async def call_tool(ctx: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
        _make_noise()
        if params.name == "grow":
            names.append("grown")
            await ctx.session.send_tool_list_changed()
            return text("grew")
        if params.name == "steps":
            await ctx.session.report_progress(1, 2, "half way")
            return text("all the way")
        does = TOOLS.get(params.name)
        return await does(params.arguments or {}) if does else text(f"I am {params.name}")

    return Server(
        "stub",
        version="1.2",
        instructions="Be gentle.",
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )


def _make_noise() -> None:
    for number in range(int(os.environ.get("STUB_NOISE", "0"))):
        sys.stderr.write(f"noise {number}\n")
    sys.stderr.flush()


def main() -> None:
    """Serve as the command line says."""
    _make_noise()
    time.sleep(float(os.environ.get("STUB_DELAY", "0")))
    if name := os.environ.get("STUB_CHILD"):
        child = subprocess.Popen([sys.executable, "-c", STUBBORN])
        with open(name, "w") as file:
            file.write(f"{os.getpid()} {child.pid}")
    server = make(tuple(json.loads(os.environ.get("STUB_TOOLS", "[]"))))
    if sys.argv[1:2] == ["http"]:
        import uvicorn

        app = server.streamable_http_app()
        uvicorn.run(app, host="127.0.0.1", port=int(sys.argv[2]), log_level="error")
    else:
        from mcp.server.stdio import stdio_server

        async def serve() -> None:
            async with stdio_server() as (read, write):
                await server.run(read, write, server.create_initialization_options())

        anyio.run(serve)


if __name__ == "__main__":
    main()
