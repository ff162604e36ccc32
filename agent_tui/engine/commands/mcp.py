"""``/mcp``."""

from __future__ import annotations

from typing import Any, Literal, cast

from agent_tui.engine.command import CommandContext
from agent_tui.protocol.errors import UsageError
from agent_tui.protocol.queries import Data, Failed, ServerControl, ServerStatus

USAGE = "Usage: /mcp [reconnect|enable|disable NAME]"
ACTIONS: dict[str, Literal["reconnect", "enable", "disable"]] = {
    "reconnect": "reconnect",
    "enable": "enable",
    "disable": "disable",
}


class Command:
    """Show the MCP servers and how they are; connect one anew, or switch it on or off."""

    hint = "[reconnect|enable|disable NAME]"

    async def run(self, args: str, context: CommandContext) -> None:
        """Do what is asked for, and list them."""
        serving, words = context.premises.serving, args.split(maxsplit=1)
        if words:
            if len(words) < 2 or words[0] not in ACTIONS:
                raise UsageError(USAGE)
            done = await serving.answer(ServerControl(words[1].strip(), ACTIONS[words[0]]))
            if isinstance(done, Failed):
                raise UsageError(done.error)
        status = await serving.answer(ServerStatus())
        assert isinstance(status, Data)
        servers = cast("list[dict[str, Any]]", status.data["mcpServers"])
        rows = [_server(one) for one in servers]
        await context.output(
            "\n".join(rows) or "There are no MCP servers. The README tells how to add one."
        )


def _server(one: dict[str, Any]) -> str:
    tools = len(cast("list[Any]", one.get("tools", [])))
    facts = [f"{one['status']}", f"from {one['scope']}"]
    facts += [f"{tools} tool{'s' if tools != 1 else ''}"] if one["status"] == "connected" else []
    error = f"\n  {one['error']}" if one.get("error") else ""
    return f"{one['name']}: {', '.join(facts)}{error}"
