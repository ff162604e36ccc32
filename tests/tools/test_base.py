"""Sets of tools."""

from __future__ import annotations

import pytest

from agent_tui.protocol.content import JsonObject
from agent_tui.tools.base import InvalidInputError, ToolSet, read_answer
from agent_tui.tools.registry import builtin_tool, builtin_tools
from tests.loop.stage import FakeTool


def test_a_set_finds_its_tools_and_gives_their_schemas_in_order() -> None:
    tools = builtin_tools()
    found = ToolSet.of(tools)
    assert found.by_name["Bash"] is builtin_tool("bash")
    assert [schema["name"] for schema in found.schemas()] == [tool.name for tool in tools]


class Counted(FakeTool):
    """Counts how often its definition is made."""

    made = 0

    def schema(self) -> JsonObject:
        self.made += 1
        return super().schema()


def test_definitions_are_made_once_until_the_set_is_renewed() -> None:
    tool = Counted("count")
    found = ToolSet.of((tool,))
    first = found.schemas()
    assert found.schemas() == first
    assert found.schema("count") is first[0]
    assert tool.made == 1
    found.renew((tool,))
    assert found.schemas() == first
    assert tool.made == 2


def test_a_missing_tool_is_explained() -> None:
    found = ToolSet.of(builtin_tools(), absent={"Wash": "a rule forbids it"})
    assert "not offered in this session: a rule forbids it" in found.missing("Wash")
    assert "There is no tool named 'Grab'" in found.missing("Grab")
    many = ToolSet.of(tuple(FakeTool(f"tool{n}") for n in range(10_000)))
    told = many.missing("x" * 10_000)
    assert "tool0, tool1, " in told and told.endswith(" and 9,950 more.")
    assert len(told) < 1_000


def test_an_answer_is_read_by_the_tool_that_knows_answers() -> None:
    read, ask = builtin_tool("read"), builtin_tool("ask_user_question")
    assert read_answer(read, {"file_path": "/a"}) == read.parse({"file_path": "/a"})
    option = [{"label": "A", "description": "a"}, {"label": "B", "description": "b"}]
    asked = {"questions": [{"question": "Which?", "header": "Pick", "options": option}]}
    with pytest.raises(InvalidInputError):
        ask.parse({**asked, "answers": {"Which?": "B"}})
    assert read_answer(ask, {**asked, "answers": {"Which?": "B"}}).answers == {"Which?": "B"}
