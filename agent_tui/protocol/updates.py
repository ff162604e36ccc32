"""Permission updates in their documented JSON shape: as hooks and programs read and write them."""

from __future__ import annotations

from typing import Any, cast, get_args

from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.requests import (
    Destination,
    PermissionRuleValue,
    PermissionUpdate,
    RuleBehavior,
)

_RULES = ("addRules", "replaceRules", "removeRules")
_FOLDERS = ("addDirectories", "removeDirectories")


def update_to_json(update: PermissionUpdate) -> JsonObject:
    """Give the documented object: only the fields its ``type`` has."""
    out: JsonObject = {"type": update.type}
    if update.type in _RULES:
        out["rules"] = [_rule_to_json(rule) for rule in update.rules]
        out["behavior"] = update.behavior
    elif update.type in _FOLDERS:
        out["directories"] = list(update.directories)
    else:
        out["mode"] = update.mode
    out["destination"] = update.destination
    return out


def update_from_json(data: Any) -> PermissionUpdate:
    """Read the documented object.

    Raises:
        ValueError: it is no update; the text says what is wrong with it.
    """
    if not isinstance(data, dict):
        raise ValueError("a permission update must be an object")
    given = cast("JsonObject", data)
    kind: Any = given.get("type")
    destination = given.get("destination") or "session"
    if destination not in get_args(Destination):
        raise ValueError(f"a permission update has no destination {destination!r}")
    if kind in _RULES:
        behavior = given.get("behavior") or "allow"
        if behavior not in get_args(RuleBehavior):
            raise ValueError(f"a rule has no behavior {behavior!r}")
        rules = tuple(_rule_from_json(rule) for rule in _list(given, "rules"))
        return PermissionUpdate(kind, rules, behavior, destination=destination)
    if kind in _FOLDERS:
        folders = tuple(str(folder) for folder in _list(given, "directories"))
        return PermissionUpdate(kind, directories=folders, destination=destination)
    if kind == "setMode" and isinstance(given.get("mode"), str):
        return PermissionUpdate("setMode", mode=given["mode"], destination=destination)
    raise ValueError(f"{kind!r} is no type of permission update, or it lacks a field")


def _rule_to_json(rule: PermissionRuleValue) -> JsonObject:
    content = {} if rule.rule_content is None else {"ruleContent": rule.rule_content}
    return {"toolName": rule.tool_name, **content}


def _rule_from_json(data: Any) -> PermissionRuleValue:
    given = cast("JsonObject", data) if isinstance(data, dict) else {}
    name, content = given.get("toolName"), given.get("ruleContent")
    if not isinstance(name, str) or not (content is None or isinstance(content, str)):
        raise ValueError(f"{data!r} is no rule: it needs a toolName, and ruleContent is text")
    return PermissionRuleValue(name, content)


def _list(given: JsonObject, key: str) -> list[Any]:
    found: Any = given.get(key) or []
    if not isinstance(found, list):
        raise ValueError(f"{key} must be a list")
    return cast("list[Any]", found)
