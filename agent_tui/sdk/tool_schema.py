"""The input of a program's tool as a JSON schema, from what the program wrote: types by name, a class, or a schema."""

from __future__ import annotations

import types
from typing import (
    Annotated,
    Any,
    Literal,
    NotRequired,
    Required,
    Union,
    cast,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

_PLAIN: dict[Any, dict[str, Any]] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    float: {"type": "number"},
    bool: {"type": "boolean"},
    list: {"type": "array"},
    tuple: {"type": "array"},
    set: {"type": "array"},
    dict: {"type": "object"},
    type(None): {"type": "null"},
    None: {"type": "null"},
    Any: {},
    object: {},
}


def input_schema(wanted: Any) -> dict[str, Any]:
    """Give the schema of a tool's input.

    Args:
        wanted: a JSON schema; a dictionary of names and types, all of them required; a ``TypedDict``; or a class that
            knows its own schema (a pydantic model). ``Annotated[type, "text"]`` describes a field.
    """
    if isinstance(wanted, dict):
        given = cast("dict[str, Any]", wanted)
        if isinstance(given.get("type"), str):
            return given
        fields = {name: _of(hint) for name, hint in given.items()}
        return {"type": "object", "properties": fields, "required": list(fields)}
    schema = _of(wanted)
    return schema if schema.get("type") == "object" else {"type": "object", "properties": {}}


def _of(hint: Any) -> dict[str, Any]:
    origin, args = get_origin(hint), get_args(hint)
    if origin is Annotated:
        words = next((extra for extra in args[1:] if isinstance(extra, str)), None)
        return _of(args[0]) if words is None else {**_of(args[0]), "description": words}
    if origin in (NotRequired, Required):
        return _of(args[0])
    if origin in (Union, types.UnionType):
        return _either(args)
    if origin is Literal:
        return {"enum": list(args)}
    if origin in (list, set, frozenset, tuple):
        items = [arg for arg in args if arg is not Ellipsis]
        return {"type": "array", "items": _of(items[0])} if len(items) == 1 else {"type": "array"}
    if origin is dict:
        return {"type": "object", "additionalProperties": _of(args[1])}
    if is_typeddict(hint):
        return _typed_dict(hint)
    if isinstance(hint, dict):
        return cast("dict[str, Any]", hint)
    return _own(hint) or dict(_PLAIN.get(hint, {"type": "string"}))


def _either(args: tuple[Any, ...]) -> dict[str, Any]:
    real = [arg for arg in args if arg is not type(None)]
    if len(real) == 1 and len(args) > 1:
        return {"anyOf": [_of(real[0]), {"type": "null"}]}
    return {"anyOf": [_of(arg) for arg in args]}


def _typed_dict(kind: Any) -> dict[str, Any]:
    hints = get_type_hints(kind, include_extras=True)
    said: frozenset[str] = kind.__required_keys__  # knows no NotRequired that is written as a text

    def required(name: str) -> bool:
        origin = get_origin(hints[name])
        return origin is Required or (name in said and origin is not NotRequired)

    return {
        "type": "object",
        "properties": {name: _of(hint) for name, hint in hints.items()},
        "required": [name for name in hints if required(name)],
    }


def _own(kind: Any) -> dict[str, Any] | None:
    """Ask a class that makes its own schema, as pydantic's do."""
    make = vars(kind).get("__pydantic_core_schema__") if isinstance(kind, type) else None
    return cast("Any", kind).model_json_schema() if make is not None else None
