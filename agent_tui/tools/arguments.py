"""The input of a tool: one pydantic model gives the schema the model is sent and reads what it sends back.

Reading is lenient where the meaning is plain (``"2"`` for a number, null for a field left out) and says what is wrong
and what is wanted where it isn't.
"""

from __future__ import annotations

from typing import Any, TypeVar, cast

from pydantic import BaseModel, ConfigDict, ValidationError

from agent_tui.protocol.content import JsonObject
from agent_tui.tools.base import InvalidInputError


class Arguments(BaseModel):
    """Base of every tool's arguments."""

    model_config = ConfigDict(
        extra="forbid", frozen=True, coerce_numbers_to_str=True, hide_input_in_errors=True
    )


A = TypeVar("A", bound=Arguments)


def input_schema(kind: type[Arguments]) -> JsonObject:
    """Give the JSON schema of a tool's input, without what says nothing to a model."""
    schema = cast("JsonObject", _plain(kind.model_json_schema()))
    schema.pop("description", None)
    return schema


def parse_arguments(tool: str, kind: type[A], raw: JsonObject) -> A:
    """Read a tool's input.

    Raises:
        InvalidInputError: a field is missing, unknown, of the wrong type, or no valid Unicode.
    """
    given = {name: value for name, value in raw.items() if value is not None}
    for name, value in given.items():
        if not _is_unicode(name) or not _holds_unicode(value):
            raise InvalidInputError(
                f"{tool} was not run: `{_shown(name)}` holds half of a surrogate pair, which is no valid text. "
                "Send the whole character."
            )
    try:
        return kind.model_validate(given)
    except ValidationError as error:
        faults = "; ".join(_fault(cast("JsonObject", fault)) for fault in error.errors())
        raise InvalidInputError(
            f"{tool} was not run: {faults}. Its fields: {_fields(kind)}."
        ) from None


def _fault(fault: JsonObject) -> str:
    name = _shown(".".join(str(part) for part in fault["loc"]))
    why = str(fault["msg"]).removeprefix("Value error, ")
    match fault["type"]:
        case "missing":
            return f"`{name}` is missing"
        case "extra_forbidden":
            return f"there is no field `{name}`"
        case _ if not name:  # of the fields taken together
            return why
        case _:
            return f"`{name}` is wrong ({why})"


def _fields(kind: type[Arguments]) -> str:
    schema = input_schema(kind)
    required = schema.get("required", [])
    return ", ".join(
        f"`{name}` ({field.get('type', 'any')}{'' if name in required else ', optional'})"
        for name, field in schema["properties"].items()
    )


def _plain(node: Any) -> Any:
    """Leave out titles and the null alternative of optional fields: they cost tokens and tell nothing."""
    if isinstance(node, list):
        return [_plain(item) for item in cast("list[Any]", node)]
    if not isinstance(node, dict):
        return node
    entry = cast("JsonObject", node)
    choices = [choice for choice in entry.get("anyOf", ()) if choice != {"type": "null"}]
    if len(choices) == 1:
        entry = {**choices[0], **{k: v for k, v in entry.items() if k != "anyOf"}}
    return {
        key: {name: _plain(field) for name, field in value.items()}
        if key == "properties"
        else _plain(value)
        for key, value in entry.items()
        if key != "title" and not (key == "default" and value is None)
    }


def _is_unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _holds_unicode(value: Any) -> bool:
    match value:
        case str():
            return _is_unicode(value)
        case dict():
            entries = cast("JsonObject", value).items()
            return all(_is_unicode(name) and _holds_unicode(part) for name, part in entries)
        case list():
            return all(map(_holds_unicode, cast("list[Any]", value)))
        case _:
            return True


def _shown(text: str) -> str:
    return text.encode("utf-8", "backslashreplace").decode()
