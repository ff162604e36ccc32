"""Permission updates in their documented JSON shape: as hooks and programs read and write them.

``limit`` is ours and left out where there is none: ``{"task": true}``, ``{"calls": 5}`` or ``{"minutes": 10}``.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast, get_args

from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.requests import (
    Destination,
    GrantLimit,
    PermissionRuleValue,
    PermissionUpdate,
    RuleBehavior,
)

_RULES = ("addRules", "replaceRules", "removeRules")
_FOLDERS = ("addDirectories", "removeDirectories")
MOST = 1_000_000
"""At most so many calls or minutes; who wants more wants no limit."""


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
    if update.limit is not None:
        out["limit"] = _limit_to_json(update.limit)
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
        update = PermissionUpdate(kind, rules, behavior, destination=destination)
        limit = given.get("limit")
        return update if limit is None else _limited(update, limit)
    if given.get("limit") is not None:
        raise ValueError(f"{kind!r} takes no limit: only rules that allow do")
    if kind in _FOLDERS:
        folders = tuple(str(folder) for folder in _list(given, "directories"))
        return PermissionUpdate(kind, directories=folders, destination=destination)
    if kind == "setMode" and isinstance(given.get("mode"), str):
        return PermissionUpdate("setMode", mode=given["mode"], destination=destination)
    raise ValueError(f"{kind!r} is no type of permission update, or it lacks a field")


def _limited(update: PermissionUpdate, data: Any) -> PermissionUpdate:
    """Put the limit on an update; one that would have no effect is an error, so that nothing holds longer than meant."""
    if (update.type, update.behavior, update.destination) != ("addRules", "allow", "session"):
        raise ValueError("only an allow rule that is added to the session's takes a limit")
    return replace(update, limit=_limit_from_json(data))


def _limit_to_json(limit: GrantLimit) -> JsonObject:
    if limit.task:
        return {"task": True}
    if limit.calls is not None:
        return {"calls": limit.calls}
    return {"minutes": limit.minutes}


def _limit_from_json(data: Any) -> GrantLimit:
    given = cast("JsonObject", data) if isinstance(data, dict) else {}
    match list(given.items()):
        case [("task", True)]:
            return GrantLimit(task=True)
        case [("calls", int(calls))] if 1 <= calls <= MOST and calls is not True:
            return GrantLimit(calls=calls)
        case [("minutes", int() | float() as minutes)] if (
            0 < minutes <= MOST and minutes is not True
        ):
            return GrantLimit(minutes=float(minutes))
        case _:
            pass
    raise ValueError(
        f"{data!r} is no limit: it is {{'task': true}}, {{'calls': a number from 1}} or {{'minutes': a number above 0}}"
    )


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
