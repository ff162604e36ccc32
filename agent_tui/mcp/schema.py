"""Makes a tool's input schema one that the API takes: an object at its root, and no combinator there.

One tool with a schema that the API refuses would make every request fail, so a tool that can't be mended is left out.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, cast

from agent_tui.protocol.content import JsonObject

COMBINATORS = ("allOf", "anyOf", "oneOf")

_PROPERTY = re.compile(r"[a-zA-Z0-9_.-]{1,64}")
_MAX_DEPTH = 8


class UnusableSchemaError(ValueError):
    """The schema can't be made one that the API takes; the text says why."""


def api_schema(schema: Mapping[str, Any]) -> JsonObject:
    """Give the schema as the API takes it; one that is fine already comes back equal.

    ``allOf`` at the root is joined. Of ``anyOf`` and ``oneOf`` all properties are kept and only what every branch
    requires is required: the server says the rest when it is called.

    Raises:
        UnusableSchemaError: it describes no object, a property has a name that the API refuses, or it is no JSON.
    """
    flat = _flat(dict(schema), schema, 0)
    if flat.setdefault("type", "object") != "object":
        raise UnusableSchemaError(f"its input is of type {flat['type']!r}, no object")
    properties = flat.setdefault("properties", {})
    if not isinstance(properties, dict):
        raise UnusableSchemaError("its properties are no object")
    for name in cast("dict[str, Any]", properties):
        if not _PROPERTY.fullmatch(name):
            raise UnusableSchemaError(f"the API takes no property named {name!r}")
    try:
        json.dumps(flat, allow_nan=False)
    except ValueError:
        raise UnusableSchemaError("it holds a number that JSON does not know") from None
    return flat


def _flat(node: JsonObject, whole: Mapping[str, Any], depth: int) -> JsonObject:
    """Join the combinators of an object's schema into it."""
    if depth > _MAX_DEPTH:
        raise UnusableSchemaError("its input schema is nested too deep")
    node = _followed(node, whole, depth)
    out = {key: value for key, value in node.items() if key not in COMBINATORS}
    for key in COMBINATORS:
        if key not in node:
            continue
        branches = node[key]
        if not isinstance(branches, list) or not branches:
            raise UnusableSchemaError(f"its {key} is no list")
        flat = [_flat(_branch(one, key), whole, depth + 1) for one in cast("list[Any]", branches)]
        for branch in flat:
            if branch.get("type", "object") != "object":
                raise UnusableSchemaError(f"its {key} has branches that are no objects")
        _join(out, flat, all_hold=key == "allOf")
    return out


def _followed(node: JsonObject, whole: Mapping[str, Any], depth: int) -> JsonObject:
    """Put a definition of the same schema in the place of a reference to it."""
    reference = node.get("$ref")
    if reference is None:
        return node
    found: Any = None
    if isinstance(reference, str) and reference.startswith("#/"):
        found = whole
        for part in reference[2:].split("/"):
            step = part.replace("~1", "/").replace("~0", "~")
            found = cast("JsonObject", found).get(step) if isinstance(found, dict) else None
    if not isinstance(found, dict):
        raise UnusableSchemaError(f"its reference {reference!r} leads nowhere")
    rest = {key: value for key, value in node.items() if key != "$ref"}
    return _flat({**cast("JsonObject", found), **rest}, whole, depth + 1)


def _branch(value: Any, key: str) -> JsonObject:
    if not isinstance(value, dict):
        raise UnusableSchemaError(f"its {key} has branches that are no objects")
    return cast("JsonObject", value)


def _join(out: JsonObject, branches: list[JsonObject], *, all_hold: bool) -> None:
    properties: JsonObject = dict(_mapping(out.get("properties")))
    for branch in branches:
        for name, schema in _mapping(branch.get("properties")).items():
            known = properties.get(name)
            if known is None or known == schema:
                properties[name] = schema
            else:
                properties[name] = {"allOf" if all_hold else "anyOf": [known, schema]}
    required = [set(_names(branch.get("required"))) for branch in branches]
    wanted = set[str].union(*required) if all_hold else set[str].intersection(*required)
    wanted |= set(_names(out.get("required")))
    out["properties"] = properties
    if wanted:
        out["required"] = [name for name in properties if name in wanted]


def _mapping(value: Any) -> JsonObject:
    return cast("JsonObject", value) if isinstance(value, dict) else {}


def _names(value: Any) -> list[str]:
    items = cast("list[Any]", value) if isinstance(value, list) else []
    return [item for item in items if isinstance(item, str)]
