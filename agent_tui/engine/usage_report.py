"""What fills the window, in the documented shape of ``get_context_usage`` (reference/options.md section 5).

The whole is the API's own count after the last response, its parts are estimated from bytes; no request is made for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import anyio.to_thread

from agent_tui.context.memory import MemoryFile, MemoryText
from agent_tui.context.window import CompactPolicy, Fullness, Parts, fullness
from agent_tui.engine.window_messages import breakdown
from agent_tui.journal.fold import Conversation
from agent_tui.journal.lines import block_size
from agent_tui.loop.requests import SessionRequests
from agent_tui.loop.toolbox import Toolbox
from agent_tui.mcp.tools import RemoteTool
from agent_tui.protocol.agents import AgentDefinition
from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.usage import Usage

SIDE = 10
"""The grid has as many rows as columns; a square is a hundredth of the window."""

FREE, BUFFER = "Free space", "Autocompact buffer"
COLORS = {
    "System prompt": "muted",
    "System tools": "accent",
    "MCP tools": "special",
    "Memory files": "warning",
    "Messages": "ok",
    FREE: "line",
    BUFFER: "line",
}
"""A theme's role for each category."""

_BYTES = 4


@dataclass(frozen=True, slots=True)
class _Tool:
    """A tool, its server's name if it has one, and whether its definition is sent."""

    name: str
    tokens: int
    server: str | None
    loaded: bool


@dataclass(frozen=True, slots=True)
class UsageReport:
    """Reports on one open session.

    Attributes:
        conversation: gives what was said.
        requests: knows model, window, and what a request has beside it.
        policy: when the window is cut.
        toolbox: the tools, and which are known by name only.
        memory: reads the memory files; blocks on files.
        agents: gives the kinds of sub-agents.
    """

    conversation: Callable[[], Conversation]
    requests: SessionRequests
    policy: CompactPolicy
    toolbox: Toolbox
    memory: Callable[[], MemoryText]
    agents: Callable[[], tuple[AgentDefinition, ...]]

    def tokens(self) -> int:
        """Give how many tokens the window holds, as far as that is known."""
        return self._fullness().tokens

    def _fullness(self) -> Fullness:
        requests = self.requests
        return fullness(
            self.conversation(), requests.window, self.policy, fixed_tokens=requests.fixed_tokens
        )

    async def report(self) -> JsonObject:
        """Give the documented object."""
        memory = await anyio.to_thread.run_sync(self.memory)
        conversation, requests = self.conversation(), self.requests
        parts, full = requests.parts(conversation), self._fullness()
        tools = list(self._tools(conversation))
        servers = [tool for tool in tools if tool.server is not None]
        own = [tool for tool in tools if tool.server is None]
        from_servers = sum(tool.tokens for tool in servers if tool.loaded)
        sums = {
            "System prompt": parts.system,
            "System tools": max(0, parts.tools - from_servers),
            "MCP tools": from_servers,
            "Memory files": _memory_tokens(parts, memory.files),
        }
        categories = _categories(sums, full, self.policy.auto)
        return {
            "categories": categories,
            "totalTokens": full.tokens,
            "maxTokens": full.limit if self.policy.auto else full.window,
            "rawMaxTokens": full.window,
            "percentage": round(min(100.0, full.share * 100), 1),
            "model": requests.model,
            "isAutoCompactEnabled": self.policy.auto,
            **({"autoCompactThreshold": full.limit} if self.policy.auto else {}),
            "memoryFiles": [_file(one) for one in memory.files],
            "mcpTools": [_server_tool(tool) for tool in servers],
            "systemTools": [_own_tool(tool) for tool in own if tool.loaded],
            "deferredBuiltinTools": [
                {**_own_tool(tool), "isLoaded": False} for tool in own if not tool.loaded
            ],
            "agents": [_agent(one) for one in self.agents()],
            "gridRows": _grid(categories, full.window),
            "messageBreakdown": breakdown(conversation),
            "apiUsage": _used(conversation).to_api(),
        }

    def _tools(self, conversation: Conversation) -> Iterator[_Tool]:
        box = self.toolbox
        waiting = box.deferred(self.requests.model) - set(conversation.tools_taken)
        for name, tool in box.tools.by_name.items():
            server = tool.server if isinstance(tool, RemoteTool) else None
            shown = tool.offer.name if isinstance(tool, RemoteTool) else name
            tokens = block_size(box.tools.schema(name)) // _BYTES
            yield _Tool(shown, tokens, server, name not in waiting)


def _memory_tokens(parts: Parts, files: tuple[MemoryFile, ...]) -> int:
    """Tokens of the memory files, as far as the window's context can hold them."""
    return min(parts.context, sum(_tokens(one.text) for one in files))


def _categories(sums: dict[str, int], full: Fullness, auto: bool) -> list[JsonObject]:
    """Give the parts in their order; what is no part of the rest is the messages."""
    used = {name: tokens for name, tokens in sums.items() if tokens}
    used["Messages"] = max(0, full.tokens - sum(used.values()))
    buffer = full.window - full.limit if auto else 0
    rest = {FREE: max(0, full.window - full.tokens - buffer)}
    if buffer:
        rest[BUFFER] = min(buffer, max(0, full.window - full.tokens))
    return [
        {"name": name, "tokens": tokens, "color": COLORS[name]}
        for name, tokens in (*used.items(), *rest.items())
    ]


def _grid(categories: list[JsonObject], window: int) -> list[list[JsonObject]]:
    """Draw the window as squares: each category has as many as it has hundredths, one at least if it has anything."""
    squares: list[JsonObject] = []
    for category in categories:
        if category["name"] == FREE or not category["tokens"]:
            continue
        share = category["tokens"] / window * SIDE * SIDE
        count = max(1, round(share))
        squares += [_square(category, window, min(1.0, share / count))] * count
    free = next(category for category in categories if category["name"] == FREE)
    buffers = [square for square in squares if square["categoryName"] == BUFFER]
    used = [square for square in squares if square["categoryName"] != BUFFER]
    room = max(0, SIDE * SIDE - len(used) - len(buffers))
    row = (used + [_square(free, window, 0.0)] * room + buffers)[: SIDE * SIDE]
    return [row[start : start + SIDE] for start in range(0, SIDE * SIDE, SIDE)]


def _square(category: JsonObject, window: int, fullness_of_it: float) -> JsonObject:
    return {
        "color": category["color"],
        "isFilled": category["name"] not in (FREE, BUFFER),
        "categoryName": category["name"],
        "tokens": category["tokens"],
        "percentage": round(category["tokens"] / window * 100),
        "squareFullness": round(fullness_of_it, 2),
    }


def _used(conversation: Conversation) -> Usage:
    return sum((used.usage for used in conversation.model_usage.values()), Usage())


def _file(file: MemoryFile) -> JsonObject:
    return {"path": file.path, "type": file.scope, "tokens": _tokens(file.text)}


def _agent(agent: AgentDefinition) -> JsonObject:
    tokens = _tokens(f"{agent.name}: {agent.description}")
    return {"agentType": agent.name, "source": agent.source, "tokens": tokens}


def _own_tool(tool: _Tool) -> JsonObject:
    return {"name": tool.name, "tokens": tool.tokens}


def _server_tool(tool: _Tool) -> JsonObject:
    return {**_own_tool(tool), "serverName": tool.server, "isLoaded": tool.loaded}


def _tokens(text: str) -> int:
    return len(text.encode("utf-8", "replace")) // _BYTES
