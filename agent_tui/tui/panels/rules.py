"""Rules in words: what an answer would store, and reading back what the person made of it."""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence
from dataclasses import replace

from agent_tui.protocol.requests import Destination, PermissionRuleValue, PermissionUpdate

PLACES: tuple[Destination, ...] = ("localSettings", "projectSettings", "userSettings")
PLACE_EFFECTS: dict[Destination, str] = {
    "localSettings": "for you, in this project",
    "projectSettings": "for everyone who works here, once they trust the folder",
    "userSettings": "for you, in every project",
}
"""For whom a rule holds by the file it is kept in."""
PLACE_WORDS: dict[Destination, str] = {
    "session": "until you leave",
    "localSettings": "settings.local.json",
    "projectSettings": "the project's settings.json",
    "userSettings": "your own settings.json",
}
_RUN_ANYTHING = frozenset(
    [
        "bash",
        "sh",
        "zsh",
        "fish",
        "dash",
        "ksh",
        "python",
        "python3",
        "node",
        "deno",
        "bun",
        "ruby",
        "perl",
        "php",
        "lua",
        "eval",
        "exec",
        "xargs",
        "env",
        "sudo",
        "doas",
        "su",
        "ssh",
        "nohup",
        "timeout",
        "time",
        "nice",
        "watch",
        "find",
        "awk",
    ]
)
"""Programs that run whatever their words say."""
_RULED_BY = {"Write": "Edit", "NotebookEdit": "Edit", "Glob": "Read", "Grep": "Read"}
"""Tools whose paths are ruled by another one's rules."""
_SPECIFIED = frozenset({"Bash", "Monitor", "Read", "Edit", "WebFetch", "Agent", "Skill"})
"""Tools whose rules may say what of the tool they are about."""
_RULE = re.compile(r"([A-Za-z_][\w*.-]*)(?:\((.*)\))?", re.DOTALL)


def subject(update: PermissionUpdate) -> str:
    """Say what an update is about: its rules, its mode, its folders."""
    match update.type:
        case "setMode":
            return f"mode {update.mode}"
        case "addDirectories" | "removeDirectories":
            return " and ".join(update.directories)
        case _:
            return " and ".join(str(rule) for rule in update.rules)


def stores(update: PermissionUpdate, place: Destination) -> tuple[str, str, str]:
    """Say what "always" would do, in three pieces: verb, subject, where."""
    if update.type == "setMode":
        return "switches to ", subject(update), ""
    if update.type == "addDirectories":
        return "lets it work in ", subject(update), f", kept in {PLACE_WORDS[place]}"
    return "stores ", subject(update), f" in {PLACE_WORDS[place]}"


def rules_text(update: PermissionUpdate) -> str:
    """Write the rules of an update on one line, to be edited."""
    return ", ".join(str(rule) for rule in update.rules)


def parse_rules(text: str, tools: Sequence[str] = ()) -> tuple[PermissionRuleValue, ...]:
    """Read rules separated by commas outside parentheses. ``tools`` are those there are; empty: unknown.

    Raises:
        ValueError: one is no rule, or one that would never be looked at; the text says which and why.
    """
    rules: list[PermissionRuleValue] = []
    for part in _split(text):
        found = _RULE.fullmatch(part)
        if found is None:
            raise ValueError(f"{part!r} is no rule; one looks like Bash(git log *)")
        rule = PermissionRuleValue(found[1], found[2])
        why = problem(rule, tools)
        if why:
            raise ValueError(why)
        rules.append(rule)
    if not rules:
        raise ValueError("no rule is left")
    return tuple(rules)


def problem(rule: PermissionRuleValue, tools: Sequence[str] = ()) -> str:
    """Say why an allow rule could never do what it says, as far as that can be told here; empty: it can."""
    name = rule.tool_name
    server = name.startswith("mcp__")  # one that is not connected now may be later
    if "*" in name and not server:
        return f"{name!r}: an allow rule names its tool; only a server's may have a *"
    if tools and name not in tools and not server:
        near = difflib.get_close_matches(name, tools, 1)
        return f"there is no tool {name!r} here" + (f"; did you mean {near[0]}?" if near else "")
    if rule.rule_content in (None, "", "*", ":*"):
        return ""
    if name in _RULED_BY:
        return f"{name}(...) is never looked at: write {_RULED_BY[name]}({rule.rule_content})"
    return "" if name in _SPECIFIED else f"{name} takes nothing in parentheses"


def warnings(rules: Sequence[PermissionRuleValue]) -> tuple[str, ...]:
    """Say which rules are much wider than a person may expect of their text; a sentence for each."""
    return tuple(dict.fromkeys(filter(None, map(_width, rules))))


def _width(rule: PermissionRuleValue) -> str:
    name, content = rule.tool_name, rule.rule_content
    if content in (None, "", "*", ":*"):
        return _whole(rule)
    words = str(content).removesuffix(":*").split()
    if name in ("Bash", "Monitor"):
        first = words[0] if words else "*"
        if "*" in first:
            return f"{rule} allows every command that begins like that, whatever it is"
        wild = str(content).endswith("*")
        if wild and first.rpartition("/")[2] in _RUN_ANYTHING and len(words) <= 2:
            return f"{rule} allows everything that {first} can run: any program"
    if name in ("Edit", "Read") and str(content).strip("/~") in ("", "*", "**", "**/*"):
        return f"{rule} allows every {'edit' if name == 'Edit' else 'read'} in that whole place"
    if name == "WebFetch" and str(content).removeprefix("domain:").startswith("*"):
        return f"{rule} allows more than one host"
    return ""


def _whole(rule: PermissionRuleValue) -> str:
    name = rule.tool_name
    if name in ("Bash", "Monitor"):
        return f"{rule} allows every command, whatever it does"
    if name.startswith("mcp__") and ("*" in name or name.count("__") < 2):
        return f"{name} allows more than one tool of that server"
    return f"{rule} allows every call of it" if name in _SPECIFIED else ""


def at_place(
    updates: Sequence[PermissionUpdate], place: Destination
) -> tuple[PermissionUpdate, ...]:
    """Give the updates, to be kept at ``place``."""
    return tuple(replace(update, destination=place) for update in updates)


def _split(text: str) -> list[str]:
    parts: list[str] = []
    depth, start = 0, 0
    for at, char in enumerate(text):
        depth += (char == "(") - (char == ")" and depth > 0)
        if char == "," and depth == 0:
            parts.append(text[start:at])
            start = at + 1
    parts.append(text[start:])
    return [part.strip() for part in parts if part.strip()]
