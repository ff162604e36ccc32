"""Reading a tool's input: lenient where plain, clear where not."""

from __future__ import annotations

import json
from typing import Any

import pytest
from pydantic import Field

from agent_tui.tools.arguments import Arguments, input_schema, parse_arguments
from agent_tui.tools.base import InvalidInputError


class Some(Arguments):
    """Not sent."""

    name: str = Field(description="Whose")
    count: int | None = Field(None, ge=1)
    fast: bool = False
    short: int = Field(0, alias="-s")


def test_what_is_plain_is_taken() -> None:
    args = parse_arguments("T", Some, {"name": 5, "count": "2", "fast": "true", "-s": 3.0})
    assert args == Some.model_validate({"name": "5", "count": 2, "fast": True, "-s": 3})
    assert parse_arguments("T", Some, {"name": "x", "count": None, "fast": None}).fast is False


@pytest.mark.parametrize(
    ("raw", "told"),
    [
        ({}, "`name` is missing"),
        ({"name": None}, "`name` is missing"),
        ({"name": "x", "nmae": 1}, "there is no field `nmae`"),
        ({"name": "x", "count": "many"}, "`count` is wrong"),
        ({"name": "x", "count": 0}, "greater than or equal to 1"),
        ({"name": ["x"]}, "`name` is wrong"),
        ({"name": "half \ud83d"}, "surrogate"),
        ({"name": "x", "\ud83d": 1}, "surrogate"),
    ],
)
def test_what_is_wrong_is_told_with_what_is_wanted(raw: dict[str, Any], told: str) -> None:
    with pytest.raises(InvalidInputError) as caught:
        parse_arguments("T", Some, raw)
    text = str(caught.value)
    text.encode()
    assert text.startswith("T was not run: ")
    assert told in text
    assert "`name` (string)" in text or "surrogate" in text


def test_a_schema_says_no_more_than_needed() -> None:
    schema = input_schema(Some)
    assert schema == {
        "additionalProperties": False,
        "properties": {
            "name": {"description": "Whose", "type": "string"},
            "count": {"minimum": 1, "type": "integer"},
            "fast": {"default": False, "type": "boolean"},
            "-s": {"default": 0, "type": "integer"},
        },
        "required": ["name"],
        "type": "object",
    }
    assert json.dumps(input_schema(Some)) == json.dumps(schema)
