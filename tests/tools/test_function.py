"""Plain functions as tools."""

from __future__ import annotations

import pytest

from agent_tui.protocol.access import CallMcp, NoAccess
from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.display import TextDisplay
from agent_tui.protocol.errors import UsageError
from agent_tui.tools.base import InvalidInputError, ToolCall, ToolOutput, ToolSet
from agent_tui.tools.function import EMPTY, FunctionTool
from tests.tools.place import Place

pytestmark = pytest.mark.anyio

SCHEMA: JsonObject = {
    "type": "object",
    "properties": {"number": {"type": "integer"}, "note": {"type": "string"}},
    "required": ["number"],
}


async def double(args: JsonObject, call: ToolCall) -> str:
    return f"{args['number'] * 2} in {call.cwd.name}"


def tool(*, read_only: bool = False, always_load: bool = True) -> FunctionTool:
    return FunctionTool(
        "double",
        "Doubles a number.",
        SCHEMA,
        double,
        read_only=read_only,
        always_load=always_load,
    )


async def test_it_runs_with_input_that_fits_its_schema(place: Place) -> None:
    assert await place.text(tool(), number=4) == "8 in work"
    assert tool().schema() == {
        "name": "double",
        "description": "Doubles a number.",
        "input_schema": SCHEMA,
    }


@pytest.mark.parametrize("wrong", [{}, {"number": "four"}, {"number": 1, "note": 2}])
def test_input_that_does_not_fit_is_refused_with_its_place(wrong: JsonObject) -> None:
    with pytest.raises(InvalidInputError, match=r"double was not run: .*(number|note)"):
        tool().parse(wrong)


async def test_what_changes_something_must_be_allowed_and_what_looks_need_not(place: Place) -> None:
    assert tool().access({}, place.folder) == CallMcp("program", "double")
    assert not tool().read_only
    assert tool(read_only=True).access({}, place.folder) == NoAccess()
    assert tool(read_only=True).read_only


async def test_a_long_result_is_kept_in_a_file(place: Place) -> None:
    async def long(args: JsonObject, call: ToolCall) -> ToolOutput:
        return ToolOutput("x" * 500, structured={"n": 1})

    output = await place.run(FunctionTool("long", "", {"type": "object"}, long, max_chars=100))
    assert (place.spill / "t1.txt").read_text() == "x" * 500
    assert output.structured == {"n": 1}


async def test_an_empty_result_says_so(place: Place) -> None:
    async def nothing(args: JsonObject, call: ToolCall) -> str:
        return " \n"

    assert await place.text(FunctionTool("nothing", "", {}, nothing)) == EMPTY


async def test_the_question_shows_the_input_in_short(place: Place) -> None:
    args = tool().parse({"number": 1, "note": "n" * 100})
    display = await tool().proposal(args, place.call())
    assert isinstance(display, TextDisplay)
    assert display.title.startswith("number: 1, note: nnn")
    assert len(display.title) < 90


def test_a_schema_that_is_none_is_an_error_of_the_program() -> None:
    with pytest.raises(UsageError, match="double"):
        FunctionTool("double", "", {"type": "nonsense"}, double)


def test_it_is_deferred_only_if_it_wants_to_be() -> None:
    search = FunctionTool("ToolSearch", "", {}, double)
    assert ToolSet.of((search, tool())).deferred == frozenset()
    assert ToolSet.of((search, tool(always_load=False))).deferred == {"double"}
