"""Input schemas made such that the API takes them."""

from __future__ import annotations

from typing import Any

import pytest

from agent_tui.mcp.schema import UnusableSchemaError, api_schema

A = {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}
B = {"type": "object", "properties": {"b": {"type": "number"}, "c": {}}, "required": ["b"]}


def test_a_plain_schema_stays_as_it_is() -> None:
    schema = {**A, "additionalProperties": False, "$defs": {"x": {"type": "string"}}}
    assert api_schema(schema) == schema


def test_an_empty_one_becomes_an_object() -> None:
    assert api_schema({}) == {"type": "object", "properties": {}}


def test_all_of_is_joined() -> None:
    found = api_schema({"allOf": [A, B]})
    assert found == {
        "type": "object",
        "properties": {**A["properties"], **B["properties"]},  # type: ignore[dict-item]
        "required": ["a", "b"],
    }


@pytest.mark.parametrize("key", ["anyOf", "oneOf"])
def test_of_branches_only_what_all_require_is_required(key: str) -> None:
    both: dict[str, Any] = {
        "type": "object",
        "properties": {"a": {}, "b": {}},
        "required": ["a", "b"],
    }
    found = api_schema({"properties": {"d": {}}, "required": ["d"], key: [A, both]})
    assert list(found["properties"]) == ["d", "a", "b"]
    assert found["required"] == ["d", "a"] or set(found["required"]) == {"d", "a"}
    assert key not in found


def test_a_property_that_branches_see_differently_may_be_either() -> None:
    other = {"type": "object", "properties": {"a": {"type": "number"}}}
    found = api_schema({"anyOf": [A, other]})
    assert found["properties"]["a"] == {"anyOf": [{"type": "string"}, {"type": "number"}]}


def test_references_to_its_own_definitions_are_followed() -> None:
    found = api_schema({"oneOf": [{"$ref": "#/$defs/one"}], "$defs": {"one": A}})
    assert found["properties"] == A["properties"]
    assert found["$defs"] == {"one": A}


@pytest.mark.parametrize(
    ("schema", "why"),
    [
        ({"type": "string"}, "no object"),
        ({"anyOf": [A, {"type": "string"}]}, "branches that are no objects"),
        ({"anyOf": [A, True]}, "branches that are no objects"),
        ({"anyOf": {}}, "no list"),
        ({"$ref": "#/$defs/none"}, "leads nowhere"),
        ({"$ref": "http://elsewhere"}, "leads nowhere"),
        ({"properties": []}, "no object"),
        ({"properties": {"two words": {}}}, "no property named 'two words'"),
        ({"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/a"}}}, "nested too deep"),
    ],
)
def test_what_cannot_be_mended_is_said(schema: dict[str, Any], why: str) -> None:
    with pytest.raises(UnusableSchemaError, match=why):
        api_schema(schema)
