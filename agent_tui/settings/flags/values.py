"""Values of options that are more than a word: JSON written out or in a file, texts in files, lists, rules."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, cast

from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.errors import SettingsError, UsageError
from agent_tui.settings.layers import FLAG, parse_settings
from agent_tui.settings.plain import read_plain

MAX_SETTINGS = 2 * 1024 * 1024
"""Bytes of ``--settings`` (reference/cli.md section 2)."""


def words(value: str) -> tuple[str, ...]:
    """Split at commas and blanks."""
    return tuple(word for word in value.replace(",", " ").split() if word)


def rule_list(values: list[str]) -> tuple[str, ...]:
    """Split rule lists at commas and blanks outside parentheses: ``Bash(git log *),Read`` are two.

    A parenthesis that is never closed takes the rest with it, so that what is malformed is seen as that.
    """
    rules: list[str] = []
    for value in values:
        depth, start = 0, 0
        for at, char in enumerate(value + ","):
            depth += (char == "(") - (char == ")" and depth > 0)
            if depth == 0 and char in ", ":
                if value[start:at].strip():
                    rules.append(value[start:at].strip())
                start = at + 1
        if depth:
            rules.append(value[start:].strip())
    return tuple(rules)


def read_settings_value(value: str, cwd: Path) -> tuple[JsonObject, str]:
    """Read ``--settings``: JSON written out, or a file's; give it and the file's absolute path ("" for none).

    Raises:
        UsageError: there is no such file.
        SettingsError: it can't be read, is too large, or holds no settings; the text says where.
    """
    text = value.strip()
    if text.startswith("{"):
        if len(text.encode()) > MAX_SETTINGS:
            raise SettingsError(f"{FLAG} holds more than {MAX_SETTINGS:,} bytes")
        return parse_settings(text, FLAG), ""
    path = _place(value, cwd)
    if not path.exists():
        raise UsageError(f"{FLAG} {value}: there is no such file, and it is no JSON object")
    try:
        raw = read_plain(path, MAX_SETTINGS).decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"{FLAG} {path} can't be read ({error}). Nothing is started without it.") from error  # fmt: skip
    return parse_settings(raw, str(path)), str(path)


def read_object(option: str, value: str, cwd: Path) -> JsonObject:
    """Read an option's JSON object, written out or in a file.

    Raises:
        UsageError: there is no such file, or it is no JSON object.
    """
    text, name = value.strip(), option
    if not text.startswith(("{", "[")):
        text, name = read_text(option, value, cwd), f"{option} {value}"
    try:
        data: Any = json.loads(text)
    except json.JSONDecodeError as error:
        raise UsageError(f"{name}: not valid JSON (line {error.lineno}: {error.msg})") from None
    except RecursionError:
        raise UsageError(f"{name}: nested too deep to be read") from None
    except ValueError as error:  # a number of more digits than are read
        raise UsageError(f"{name}: not valid JSON ({error})") from None
    if not isinstance(data, dict):
        raise UsageError(f"{name} must be a JSON object")
    return cast("JsonObject", data)


def read_text(option: str, name: str, cwd: Path) -> str:
    """Read the file an option names.

    Raises:
        UsageError: it can't be read.
    """
    try:
        return read_plain(_place(name, cwd)).decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else error
        raise UsageError(f"{option} {name} can't be read: {reason}") from None


def read_servers(values: list[str], cwd: Path) -> JsonObject:
    """Read ``--mcp-config``: objects ``{"mcpServers": {name: config}}``, joined; a later one wins.

    Raises:
        UsageError: one can't be read, or is no such object.
    """
    servers: JsonObject = {}
    for value in values:
        data = read_object("--mcp-config", value, cwd)
        named = data.get("mcpServers")
        if not isinstance(named, dict):
            raise UsageError('--mcp-config: an object with the key "mcpServers" is needed')
        for name, config in cast("JsonObject", named).items():
            if not isinstance(config, dict):
                raise UsageError(f"--mcp-config: server {name!r} must be an object")
            servers[name] = config
    return servers


def _place(name: str, cwd: Path) -> Path:
    return cwd / Path(name.strip()).expanduser()
