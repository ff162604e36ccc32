from __future__ import annotations

from typing import Annotated, Any, Literal, NotRequired, Optional, TypedDict

import pytest
from pydantic import BaseModel

from agent_tui.sdk.tool_schema import input_schema


class Point(TypedDict):
    x: float
    name: NotRequired[Annotated[str, "what it is called"]]


class Options(TypedDict, total=False):
    deep: bool


class Model(BaseModel):
    size: int


def test_names_and_types_are_all_required() -> None:
    assert input_schema({"a": float, "b": str}) == {
        "type": "object",
        "properties": {"a": {"type": "number"}, "b": {"type": "string"}},
        "required": ["a", "b"],
    }


def test_a_schema_is_taken_as_it_is() -> None:
    schema = {"type": "object", "properties": {"type": {"type": "string"}}}
    assert input_schema(schema) is schema


def test_a_field_called_type_makes_no_schema() -> None:
    assert input_schema({"type": str})["properties"] == {"type": {"type": "string"}}


def test_a_typed_dictionary_knows_what_is_required() -> None:
    assert input_schema(Point) == {
        "type": "object",
        "properties": {
            "x": {"type": "number"},
            "name": {"type": "string", "description": "what it is called"},
        },
        "required": ["x"],
    }
    assert input_schema(Options)["required"] == []


@pytest.mark.parametrize(
    ("hint", "schema"),
    [
        (int, {"type": "integer"}),
        (bool, {"type": "boolean"}),
        (list[int], {"type": "array", "items": {"type": "integer"}}),
        (list, {"type": "array"}),
        (tuple[int, ...], {"type": "array", "items": {"type": "integer"}}),
        (tuple[int, str], {"type": "array"}),
        (dict[str, int], {"type": "object", "additionalProperties": {"type": "integer"}}),
        (dict, {"type": "object"}),
        (Literal["a", "b"], {"enum": ["a", "b"]}),
        (str | None, {"anyOf": [{"type": "string"}, {"type": "null"}]}),
        (Optional[int], {"anyOf": [{"type": "integer"}, {"type": "null"}]}),  # noqa: UP045
        (int | str, {"anyOf": [{"type": "integer"}, {"type": "string"}]}),
        (Annotated[int, 3, "how many"], {"type": "integer", "description": "how many"}),
        (Annotated[int, 3], {"type": "integer"}),
        (Any, {}),
        (bytes, {"type": "string"}),
        ({"type": "string", "minLength": 1}, {"type": "string", "minLength": 1}),
    ],
)
def test_a_type_has_its_schema(hint: Any, schema: dict[str, Any]) -> None:
    assert input_schema({"field": hint})["properties"]["field"] == schema


def test_a_class_that_knows_its_schema_is_asked() -> None:
    assert input_schema(Model)["properties"]["size"]["type"] == "integer"


def test_what_is_no_object_takes_nothing() -> None:
    assert input_schema(int) == {"type": "object", "properties": {}}
