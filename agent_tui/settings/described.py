"""The settings one by one: what each is for, what holds and who says so, and writing one into the person's own file."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.errors import SettingsError
from agent_tui.protocol.preferences import SettingRow
from agent_tui.settings.layers import PROJECT_KEYS, Layers, SettingsFile
from agent_tui.settings.paths import Environment, user_settings
from agent_tui.settings.rewriting import rewrite
from agent_tui.settings.schema import (
    DISABLING,
    KEYS,
    PERMISSION_KEYS,
    Check,
    OneOf,
    Settings,
    kind_of,
    read_settings,
)

ABOUT: Mapping[str, str] = {
    "model": "the model of new sessions",
    "fallbackModel": "models that stand in while it is overloaded",
    "effortLevel": "how hard the model thinks",
    "baseUrl": "the server that is asked",
    "apiKeyHeader": "how the key is sent",
    "anthropicVersion": "the API version that is named",
    "autoCompactEnabled": "summarise by itself before the window is full",
    "autoCompactWindow": "take the window for no larger than this",
    "prices": "prices of models we don't know",
    "theme": "the colours",
    "editorMode": "edit prompts plainly, or as in Vim",
    "reducedMotion": "let times that run change in larger steps",
    "preferredNotifChannel": "how you are called when you look elsewhere",
    "notifyAfterSeconds": "call when a run took so long",
    "terminalTitle": "say in the window's title what goes on",
    "mouse": "use the mouse",
    "hyperlinks": "make addresses and paths links of the terminal",
    "clipboard": "how the screen copies",
    "disableAllHooks": "run no hooks",
    "hookFailures": "what a failed hook does to what it guards",
    "permissions.defaultMode": "the permission mode of new sessions",
    "permissions.disableBypassPermissionsMode": "forbid bypassPermissions",
    "permissions.disableAutoMode": "forbid auto",
    "permissions.offerAutoMode": "let auto be changed to",
    "permissions.autoModeModel": "the model that looks at calls in auto",
}
"""What each is for. A setting without a line here is shown by its key."""

AT_ONCE = frozenset({"theme", "editorMode", "reducedMotion"})
"""Settings of the screen, which count as soon as they are changed."""


def described(layers: Layers, files: Sequence[SettingsFile]) -> tuple[SettingRow, ...]:
    """Describe every setting.

    Args:
        layers: what holds, all files joined.
        files: those that were read, lowest first; of a project's only what counts of it.
    """
    return tuple(_row(key, layers.settings, files) for key in keys())


def keys() -> Iterator[str]:
    """Name every setting as ``SettingRow.key`` does."""
    yield from KEYS
    yield from (f"permissions.{key}" for key in PERMISSION_KEYS)


def own_file(env: Environment) -> Path:
    """The file that changes are written to."""
    return user_settings(env)[1]


def put(env: Environment, key: str, value: Any) -> None:
    """Write a setting into the person's own file, or take it out (None). Blocks on files.

    Raises:
        SettingsError: there is no such setting, it can't have this value, or the file can't be written.
    """
    if key not in set(keys()):
        raise SettingsError(f"there is no setting {key!r}")
    _field, check, wanted = _entry(key)
    if value is not None and not check(value):
        raise SettingsError(f"{key} must be {wanted}")
    path = Path(os.path.realpath(own_file(env)))
    *outer, last = key.split(".")

    def change(data: JsonObject) -> None:
        for step in outer:
            inner = data.get(step, {})
            if not isinstance(inner, dict):
                raise SettingsError(f"{path}: {step} must be an object; the file is left alone")
            if value is not None:
                data[step] = inner
            data = cast("JsonObject", inner)
        if value is None:
            data.pop(last, None)
        else:
            data[last] = value

    try:
        rewrite(path, change)
    except OSError as error:
        raise SettingsError(f"{path} can't be written: {error.strerror or error}") from error


def read_value(row: SettingRow, text: str) -> Any:
    """Give the value that a text a person typed means; None when it is empty.

    Raises:
        ValueError: it means none.
    """
    text = text.strip()
    if not text:
        return None
    match row.takes:
        case "flag":
            words = {
                "true": True,
                "yes": True,
                "on": True,
                "false": False,
                "no": False,
                "off": False,
            }
            if text.lower() not in words:
                raise ValueError(f"{row.key} must be true or false")
            return words[text.lower()]
        case "count":
            if not (text.isascii() and text.isdigit()):
                raise ValueError(f"{row.key} must be {row.wanted}")
            return int(text)
        case "choice":
            if text not in row.choices:
                raise ValueError(f"{row.key} must be one of {', '.join(row.choices)}")
            return text
        case "object":
            raise ValueError(f"{row.key} is {row.wanted}; write it in the file")
        case "text":
            return text


def _entry(key: str) -> tuple[str, Check, str]:
    outer, _, last = key.rpartition(".")
    return PERMISSION_KEYS[last] if outer else KEYS[last]


def _row(key: str, settings: Settings, files: Sequence[SettingsFile]) -> SettingRow:
    field, check, wanted = _entry(key)
    value, source, place = None, "", ""
    in_force = getattr(settings, field)
    for file in files:
        said = _said(file, key)
        if said is None or not (field in DISABLING or check(_given(said, key))):
            continue
        if getattr(read_settings(said, file.written).settings, field) != in_force:
            continue  # it says something, and another file has overruled it
        value, source = _given(said, key), file.source
        place = file.written.at(*key.split("."))
        if field in DISABLING:
            break  # who forbids first has forbidden
    return SettingRow(
        key,
        ABOUT.get(key, ""),
        value if source else None,
        source,
        place,
        kind_of(check),
        wanted,
        check.words if isinstance(check, OneOf) else (),
        locked=source not in ("", "user"),
        at_once=key in AT_ONCE,
    )


def _said(file: SettingsFile, key: str) -> JsonObject | None:
    """Give a settings object with nothing but what a file says of one setting; None when it says nothing that counts."""
    outer, _, last = key.rpartition(".")
    inner = file.permissions if outer else file.data
    if last not in inner:
        return None
    if file.source in ("project", "local") and not _counts_in_project(file, key):
        return None
    return {outer: {last: inner[last]}} if outer else {last: inner[last]}


def _counts_in_project(file: SettingsFile, key: str) -> bool:
    if key == "permissions.defaultMode":
        return bool(file.project_mode)
    return key in PROJECT_KEYS or key in (
        "permissions.disableBypassPermissionsMode",
        "permissions.disableAutoMode",
    )


def _given(said: JsonObject, key: str) -> Any:
    value: Any = said
    for step in key.split("."):
        value = value[step]
    return value
