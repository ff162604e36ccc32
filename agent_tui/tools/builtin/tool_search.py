"""ToolSearch: the definitions of tools that are known by name only."""

from __future__ import annotations

from pathlib import Path

from pydantic import Field

from agent_tui.protocol.access import Access, NoAccess
from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.display import Display, TextDisplay
from agent_tui.tools.arguments import Arguments
from agent_tui.tools.base import ToolCall, ToolOutput
from agent_tui.tools.definition import BuiltinTool
from agent_tui.tools.tool_queries import Query, find_tools, read_query

NAMES_TOLD = 50
NOTHING_DEFERRED = "Every tool of this session is loaded: call it right away."


class ToolSearchArguments(Arguments):
    """Input of ToolSearch."""

    query: str = Field(min_length=1)
    max_results: int = Field(5, ge=1, le=50)


class ToolSearch(BuiltinTool[ToolSearchArguments]):
    """Takes tools from the shelf."""

    name = "ToolSearch"
    arguments = ToolSearchArguments
    read_only = True

    def access(self, args: ToolSearchArguments, cwd: Path) -> Access:
        """Touches nothing."""
        return NoAccess()

    def preview(self, args: ToolSearchArguments, cwd: Path) -> Display:
        """Say what is looked for."""
        return TextDisplay(args.query)

    async def run(self, args: ToolSearchArguments, call: ToolCall) -> ToolOutput:
        """Take down what fits. The API puts definitions in the place of the references."""
        shelf = call.ports.shelf
        shelved = () if shelf is None else shelf.shelved()
        if shelf is None or not shelved:
            return ToolOutput(NOTHING_DEFERRED, self.preview(args, call.cwd))
        query = read_query(args.query)
        found = find_tools(query, shelved, args.max_results)
        shelf.take(found)
        data: JsonObject = {
            "query": args.query,
            "matches": list(found),
            "total_deferred_tools": len(shelved),
        }
        display = TextDisplay(args.query, "\n".join(found) or "nothing found")
        missing = _missing(query, found)
        if not found:
            names = ", ".join(tool.name for tool in shelved[:NAMES_TOLD])
            more = f" and {len(shelved) - NAMES_TOLD} more" if len(shelved) > NAMES_TOLD else ""
            text = missing or f"No tool fits {args.query!r}."
            return ToolOutput(f"{text} There are: {names}{more}.", display, data)
        references: list[JsonObject] = [
            {"type": "tool_reference", "tool_name": name} for name in found
        ]
        aside = f"Loaded, and can be called now: {', '.join(found)}."
        return ToolOutput(references, display, data, aside=f"{aside} {missing}".strip())


def _missing(query: Query, found: tuple[str, ...]) -> str:
    known = {name.lower() for name in found}
    missing = [name for name in query.names if name.lower() not in known]
    return f"Not among the tools to be loaded: {', '.join(missing)}." if missing else ""


TOOL = ToolSearch()
