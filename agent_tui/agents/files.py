"""Sub-agents defined in files: Markdown, the head says what it is, the text below is its system prompt.

Fields are those of reference/extensions.md section 2. A file whose head says something that can't be meant is left
out whole: half a definition could have more tools than its writer wanted.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar, cast

from agent_tui.agents.front_matter import Document, HeadError, read_document
from agent_tui.protocol.agents import AgentDefinition, DefinitionSource
from agent_tui.protocol.messages import PERMISSION_MODES
from agent_tui.settings.plain import read_plain

T = TypeVar("T")
MAX_BYTES = 1024 * 1024
NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_-]{0,63}")
EFFORTS = ("low", "medium", "high", "xhigh", "max")
MEMORIES = ("user", "project", "local")
USUAL_MODES = ("auto", "manual")
"""Modes of other programs that mean no more than the session's own."""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A file that was not taken, and why; a sentence with file and line."""

    text: str


class _FieldError(ValueError):
    def __init__(self, name: str, wanted: str) -> None:
        super().__init__(f"{name} must be {wanted}")
        self.name = name


def read_definition(path: Path, source: DefinitionSource) -> AgentDefinition | LeftOut | None:
    """Read a file; None where it defines no sub-agent (it has no ``name``). Blocks."""
    try:
        text = read_plain(path, MAX_BYTES).decode("utf-8")
    except OSError as error:
        return LeftOut(f"{path}: the sub-agent is left out: {error.strerror or error}.")
    except UnicodeDecodeError:
        return LeftOut(f"{path}: the sub-agent is left out: the file is no UTF-8 text.")
    try:
        document = read_document(text)
    except HeadError as error:
        return LeftOut(f"{path}:{error.line}: the sub-agent is left out: {error}.")
    if "name" not in document.fields:
        return None
    try:
        return _definition(document, source, str(path))
    except _FieldError as error:
        line = document.line(error.name)
        return LeftOut(f"{path}:{line}: the sub-agent is left out: {error}.")


def _definition(document: Document, source: DefinitionSource, path: str) -> AgentDefinition:
    fields = _Fields(document.fields)
    if not document.body:
        raise _FieldError("name", "followed by a text below the head, the system prompt")
    return AgentDefinition(
        name=fields.needed("name", _name, "letters, digits and hyphens"),
        description=fields.needed("description", _text, "a text that says what it is for"),
        prompt=document.body,
        tools=_not_all(fields.get("tools", _names, "names of tools")),
        disallowed_tools=fields.get("disallowedTools", _names, "names of tools") or (),
        model=_not_inherited(fields.get("model", _text, "the name of a model")),
        effort=fields.get("effort", _effort, f"one of {', '.join(EFFORTS)}"),
        max_turns=fields.get("maxTurns", _count, "a whole number above 0"),
        background=fields.get("background", _flag, "true or false"),
        permission_mode=_known(
            fields.get("permissionMode", _mode, f"one of {', '.join(PERMISSION_MODES)}")
        ),
        skills=fields.get("skills", _names, "names of skills") or (),
        memory=fields.get("memory", _memory, f"one of {', '.join(MEMORIES)}"),
        mcp_servers=fields.get("mcpServers", _servers, "a list of servers") or (),
        initial_prompt=fields.get("initialPrompt", _text, "a text"),
        source=source,
        path=path,
    )


@dataclass(frozen=True, slots=True)
class _Fields:
    """The fields of a head; a reader gives None for what it can't take."""

    raw: dict[str, Any]

    def get(self, name: str, reader: Callable[[Any], T | None], wanted: str) -> T | None:
        value = self.raw.get(name)
        if value is None:
            return None
        read = reader(value)
        if read is None:
            raise _FieldError(name, wanted)
        return read

    def needed(self, name: str, reader: Callable[[Any], T | None], wanted: str) -> T:
        read = self.get(name, reader, wanted)
        if read is None:
            raise _FieldError(name, wanted)
        return read


def names_in(text: str) -> tuple[str, ...]:
    """Part a list of tools at its commas; those inside brackets, as in ``Agent(a, b)``, part nothing."""
    found = re.findall(r"(?:[^,()]|\([^()]*\))+", text)
    return tuple(name.strip() for name in found if name.strip())


def _name(value: Any) -> str | None:
    text = str(value).strip()
    return text if NAME.fullmatch(text) else None


def _text(value: Any) -> str | None:
    if isinstance(value, dict | list | bool):
        return None
    return str(value).strip() or None


def _names(value: Any) -> tuple[str, ...] | None:
    if isinstance(value, str):
        return names_in(value)
    if not isinstance(value, list):
        return None
    items = cast("list[Any]", value)
    if not all(isinstance(item, str) for item in items):
        return None
    return tuple(name for item in items for name in names_in(item))


def _count(value: Any) -> int | None:
    if isinstance(value, bool) or not isinstance(value, int | str):
        return None
    text = str(value).strip()
    return int(text) if text.isascii() and text.isdecimal() and int(text) > 0 else None


def _flag(value: Any) -> bool | None:
    if isinstance(value, str):
        return {"true": True, "yes": True, "false": False, "no": False}.get(value.lower())
    return value if isinstance(value, bool) else None


def _effort(value: Any) -> str | None:
    return _one_of(value, EFFORTS)


def _memory(value: Any) -> str | None:
    return _one_of(value, MEMORIES)


def _mode(value: Any) -> str | None:
    return _one_of(value, (*PERMISSION_MODES, *USUAL_MODES))


def _one_of(value: Any, words: tuple[str, ...]) -> str | None:
    found = [word for word in words if str(value).strip().lower() == word.lower()]
    return found[0] if found else None


def _servers(value: Any) -> tuple[Any, ...] | None:
    if not isinstance(value, list):
        return None
    items = cast("list[Any]", value)
    return tuple(items) if all(isinstance(item, str | dict) for item in items) else None


def _not_all(names: tuple[str, ...] | None) -> tuple[str, ...] | None:
    return None if names is None or "*" in names else names


def _not_inherited(model: str | None) -> str | None:
    return None if model is not None and model.lower() == "inherit" else model


def _known(mode: str | None) -> str | None:
    return None if mode in USUAL_MODES else mode
