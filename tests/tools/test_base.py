"""Sets of tools."""

from __future__ import annotations

from agent_tui.tools.base import ToolSet
from agent_tui.tools.registry import builtin_tools


def test_a_set_finds_its_tools_and_gives_their_schemas_in_order() -> None:
    tools = builtin_tools()
    found = ToolSet.of(tools)
    assert found.by_name["Bash"] is tools[0]
    assert [schema["name"] for schema in found.schemas()] == [tool.name for tool in tools]
