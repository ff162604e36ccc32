from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from agent_tui.loop.hooks import NoHooks
from agent_tui.loop.structured import STRUCTURED_OUTPUT, StructuredOutput, structured_output
from agent_tui.protocol.access import NoAccess
from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.errors import UsageError
from agent_tui.protocol.hooks import HookEvent, HookOutcome
from agent_tui.protocol.messages import UserMessage
from agent_tui.settings.paths import Environment
from agent_tui.tools.base import InvalidInputError
from tests.fakes.model import Said, ScriptedModel, call, said
from tests.loop.stage import FakeTool, Stage

pytestmark = pytest.mark.anyio

NUMBER: JsonObject = {
    "type": "object",
    "properties": {"n": {"type": "integer"}},
    "required": ["n"],
    "additionalProperties": False,
}
LIST: JsonObject = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "array",
    "items": {"$ref": "#/$defs/name"},
    "$defs": {"name": {"type": "string", "minLength": 1}, "self": {"$ref": "#"}},
}


def stage_of(folder: Path, schema: JsonObject, model: ScriptedModel, **more: Any) -> Stage:
    return Stage(folder, model, structured=StructuredOutput(schema), **more)


# The tool -----------------------------------------------------------------------------------------------------------


def test_an_object_schema_is_the_tools_input_as_it_is() -> None:
    tool = StructuredOutput(NUMBER)
    assert tool.schema()["input_schema"] == NUMBER
    assert tool.parse({"n": 5}) == {"n": 5}
    assert isinstance(tool.access({"n": 5}, Path("/")), NoAccess)
    assert tool.read_only


def test_another_schema_is_wrapped_and_its_references_follow() -> None:
    tool = StructuredOutput(LIST)
    schema = tool.schema()["input_schema"]
    assert (schema["type"], schema["required"]) == ("object", ["value"])
    inner = schema["properties"]["value"]
    assert inner["items"] == {"$ref": "#/properties/value/$defs/name"}
    assert inner["$defs"]["self"] == {"$ref": "#/properties/value"}
    assert "$schema" not in inner
    assert tool.parse({"value": ["a"]}) == ["a"]
    with pytest.raises(InvalidInputError, match="'value'"):
        tool.parse({"list": []})
    with pytest.raises(InvalidInputError, match=r"\$\[1\]"):
        tool.parse({"value": ["a", ""]})


@pytest.mark.parametrize("key", ["anyOf", "oneOf", "allOf"])
def test_an_object_of_several_kinds_is_wrapped_too(key: str) -> None:
    tool = StructuredOutput({"type": "object", key: [NUMBER]})
    assert key not in tool.schema()["input_schema"]
    assert tool.parse({"value": {"n": 1}}) == {"n": 1}


def test_names_the_api_takes_no_tool_with_are_wrapped() -> None:
    tool = StructuredOutput({"type": "object", "properties": {"größe in cm": NUMBER}})
    assert list(tool.schema()["input_schema"]["properties"]) == ["value"]
    assert tool.parse({"value": {"größe in cm": {"n": 1}}}) == {"größe in cm": {"n": 1}}


def test_values_that_look_like_references_are_values() -> None:
    value = {"$ref": "#/nowhere"}
    tool = StructuredOutput({"enum": [value], "default": value})
    inner = tool.schema()["input_schema"]["properties"]["value"]
    assert (inner["enum"], inner["default"]) == ([value], value)
    assert tool.parse({"value": value}) == value
    properties = {"enum": {"$ref": "#/$defs/n"}, "$ref": {"type": "string"}}
    named = StructuredOutput({"properties": properties, "$defs": {"n": NUMBER}})
    inner = named.schema()["input_schema"]["properties"]["value"]["properties"]
    assert inner["enum"] == {"$ref": "#/properties/value/$defs/n"}
    assert inner["$ref"] == {"type": "string"}


@pytest.mark.parametrize("value", [10**400, float("inf"), float("nan")])
def test_a_number_that_cannot_be_checked_fits_nothing(value: float) -> None:
    tool = StructuredOutput({"type": "object", "properties": {"a": {"multipleOf": 0.1}}})
    with pytest.raises(InvalidInputError, match="a number that can't be checked"):
        tool.parse({"a": value})


def test_a_reference_that_leads_nowhere_where_it_stands_fits_nothing() -> None:
    inner = {"$id": "http://x/y", "$ref": "#/$defs/n"}
    schema = {"type": "object", "properties": {"a": inner}, "$defs": {"n": NUMBER}}
    with pytest.raises(InvalidInputError, match="leads nowhere"):
        StructuredOutput(schema).parse({"a": {"n": 1}})


def test_what_is_wrong_is_named_with_its_place_and_not_at_any_length() -> None:
    properties = {f"p{n}": {"type": "integer"} for n in range(9)}
    tool = StructuredOutput({"type": "object", "properties": properties})
    with pytest.raises(InvalidInputError) as error:
        tool.parse({f"p{n}": "x" for n in range(9)})
    text = str(error.value)
    assert "$.p0: 'x' is not of type 'integer'" in text
    assert "and 4 more" in text


def test_formats_are_not_checked() -> None:
    schema: JsonObject = {
        "type": "object",
        "properties": {"d": {"type": "string", "format": "date"}},
    }
    assert StructuredOutput(schema).parse({"d": "no date"}) == {"d": "no date"}


@pytest.mark.parametrize(
    ("schema", "why"),
    [
        ({"type": "nonsense"}, "nonsense"),
        ({"type": "object", "required": "n"}, "required"),
        ({"$ref": "https://example.com/schema.json"}, "example.com"),
        ({"$ref": "#/$defs/missing"}, "missing"),
        ({"type": "object", "properties": {"a": {"$ref": "other.json"}}}, "other.json"),
        ({"type": "object", "properties": {"a": {"$dynamicRef": "http://x/y"}}}, "http://x/y"),
        ({"type": "object", "properties": {"a": {"$dynamicRef": "#none"}}}, "#none"),
        ({"type": "object", "properties": {"a": {"enum": [float("nan")]}}}, "number"),
        ({"type": "object", "properties": {"a": {"maximum": float("inf")}}}, "number"),
        ({"type": "object", "properties": 5}, "properties"),
    ],
)
def test_a_schema_that_cannot_be_used_is_refused_at_once(schema: JsonObject, why: str) -> None:
    with pytest.raises(UsageError, match="JSON schema can't be used") as error:
        StructuredOutput(schema)
    assert why in str(error.value)


def test_a_schema_nested_without_end_is_refused() -> None:
    deep: JsonObject = {"type": "object"}
    for _ in range(3000):
        deep = {"type": "object", "properties": {"a": deep}}
    with pytest.raises(UsageError, match="nested"):
        StructuredOutput(deep)


@pytest.mark.parametrize(("value", "tries"), [("", 5), ("2", 2), ("0", 5), ("x", 5)])
def test_the_environment_says_how_often_it_may_fail(value: str, tries: int) -> None:
    env = Environment({"MAX_STRUCTURED_OUTPUT_RETRIES": value}, Path("/"))
    tool = structured_output(NUMBER, env)
    assert tool is not None
    endings = [tool.missed() for _ in range(tries)]
    assert all(ending is None for ending in endings[:-1])
    assert endings[-1] is not None
    assert structured_output(None, env) is None


# In a run -----------------------------------------------------------------------------------------------------------


async def test_an_answer_that_fits_ends_the_run_without_another_request(tmp_path: Path) -> None:
    stage = stage_of(tmp_path, NUMBER, ScriptedModel(said(call(STRUCTURED_OUTPUT, n=5))))
    result = await stage.run()
    assert (result.subtype, result.is_error) == ("success", False)
    assert result.structured_output == {"n": 5}
    assert result.result is not None and json.loads(result.result) == {"n": 5}
    assert (result.stop_reason, result.terminal_reason) == ("tool_use", "completed")
    assert len(stage.model.requests) == 1
    assert [bool(r.is_error) for r in stage.tool_results] == [False]
    stage.require_valid()


async def test_no_permission_is_asked_for_it(tmp_path: Path) -> None:
    model = ScriptedModel(said(call(STRUCTURED_OUTPUT, n=5)))
    stage = stage_of(tmp_path, NUMBER, model, mode="dontAsk")
    assert (await stage.run()).structured_output == {"n": 5}


async def test_text_alone_is_sent_back_and_never_taken_for_the_answer(tmp_path: Path) -> None:
    stage = stage_of(tmp_path, NUMBER, ScriptedModel(last=said('{"n": 5}')))
    result = await stage.run()
    assert result.subtype == "error_max_structured_output_retries"
    assert result.terminal_reason == "structured_output_retry_exhausted"
    assert (result.result, result.structured_output, result.is_error) == (None, None, True)
    assert result.errors
    assert len(stage.model.requests) == 5
    nudges = [m for m in stage.all(UserMessage) if m.synthetic]
    assert len(nudges) == 4
    stage.require_valid()


async def test_an_answer_that_does_not_fit_is_told_why_and_may_be_mended(tmp_path: Path) -> None:
    model = ScriptedModel(
        said(call(STRUCTURED_OUTPUT, "a", n="five")),
        said("Here: 5."),
        said(call(STRUCTURED_OUTPUT, "b", n=5)),
    )
    stage = stage_of(tmp_path, NUMBER, model)
    assert (await stage.run()).structured_output == {"n": 5}
    assert "$.n: 'five' is not of type 'integer'" in str(stage.tool_results[0].content)


@pytest.mark.parametrize("same", [True, False])
async def test_five_answers_that_do_not_fit_end_the_run(tmp_path: Path, same: bool) -> None:
    given = ["x"] * 5 if same else list("abcde")
    script = [said(call(STRUCTURED_OUTPUT, f"c{n}", n=word)) for n, word in enumerate(given)]
    stage = stage_of(tmp_path, NUMBER, ScriptedModel(*script))
    result = await stage.run()
    assert result.subtype == "error_max_structured_output_retries"
    assert len(stage.model.requests) == 5
    stage.require_valid()


async def test_other_calls_are_work_and_no_failed_answers(tmp_path: Path) -> None:
    looks = [said(call("Look", f"l{n}", n=n)) for n in range(7)]
    model = ScriptedModel(*looks, said(call("Look", "x"), call(STRUCTURED_OUTPUT, n=1)))
    look = FakeTool("Look", read_only=True)
    stage = stage_of(tmp_path, NUMBER, model, tools=[look])
    assert (await stage.run()).structured_output == {"n": 1}
    assert len(look.ran) == 8


async def test_each_prompt_wants_an_answer_of_its_own(tmp_path: Path) -> None:
    model = ScriptedModel(
        said(call(STRUCTURED_OUTPUT, "a", n=1)),
        said("Text."),
        said(call(STRUCTURED_OUTPUT, "b", n=2)),
    )
    stage = stage_of(tmp_path, NUMBER, model)
    first = await stage.run()
    second = await stage.run("again", "22222222-0000-4000-8000-000000000000")
    assert [first.structured_output, second.structured_output] == [{"n": 1}, {"n": 2}]


class Once:
    """A Stop hook that blocks the first time."""

    async def fire(
        self, event: HookEvent, fields: JsonObject | None = None, *, match: str = ""
    ) -> HookOutcome:
        active = (fields or {}).get("stop_hook_active")
        return HookOutcome(blocked=None if event != "Stop" or active else "Count again.")


async def test_a_stop_hook_may_want_another_answer(tmp_path: Path) -> None:
    model = ScriptedModel(
        said(call(STRUCTURED_OUTPUT, "a", n=1)), said(call(STRUCTURED_OUTPUT, "b", n=2))
    )
    stage = stage_of(tmp_path, NUMBER, model, hooks=Once())
    assert (await stage.run()).structured_output == {"n": 2}


async def test_a_stop_hook_that_never_gives_way_does_not_make_it_answer_for_ever(
    tmp_path: Path,
) -> None:
    class Never(NoHooks):
        async def fire(
            self, event: HookEvent, fields: JsonObject | None = None, *, match: str = ""
        ) -> HookOutcome:
            return HookOutcome(blocked="no" if event == "Stop" else None)

    script = [said(call(STRUCTURED_OUTPUT, f"c{n}", n=n)) for n in range(12)]
    stage = stage_of(tmp_path, NUMBER, ScriptedModel(*script), hooks=Never())
    assert (await stage.run()).structured_output == {"n": 8}


async def test_nothing_said_is_no_answer_either(tmp_path: Path) -> None:
    stage = stage_of(tmp_path, NUMBER, ScriptedModel(last=Said(())))
    assert (await stage.run()).subtype == "error_max_structured_output_retries"


def test_its_look_is_the_answer() -> None:
    tool = StructuredOutput(NUMBER)
    assert '"n": 5' in str(tool.preview({"n": 5}, Path("/")))
