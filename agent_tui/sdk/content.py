"""Content blocks as programs see them: plain mutable data, one class per kind that is handed out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

ServerToolName: TypeAlias = Literal[
    "advisor",
    "web_search",
    "web_fetch",
    "code_execution",
    "bash_code_execution",
    "text_editor_code_execution",
    "tool_search_tool_regex",
    "tool_search_tool_bm25",
]


@dataclass
class TextBlock:
    """Text."""

    text: str


@dataclass
class ThinkingBlock:
    """The model's reasoning, as far as it is shown, and the API's signature of it."""

    thinking: str
    signature: str


@dataclass
class ToolUseBlock:
    """A call that the model asks for."""

    id: str
    name: str
    input: dict[str, Any]


@dataclass
class ToolResultBlock:
    """What the call ``tool_use_id`` gave: a text or API content blocks. ``is_error`` None means that it succeeded."""

    tool_use_id: str
    content: str | list[dict[str, Any]] | None = None
    is_error: bool | None = None


@dataclass
class ServerToolUseBlock:
    """A call of a tool that the API runs by itself."""

    id: str
    name: ServerToolName
    input: dict[str, Any]


@dataclass
class ServerToolResultBlock:
    """What such a tool gave; what is in ``content`` follows from its ``type``."""

    tool_use_id: str
    content: dict[str, Any]


ContentBlock: TypeAlias = (
    TextBlock
    | ThinkingBlock
    | ToolUseBlock
    | ToolResultBlock
    | ServerToolUseBlock
    | ServerToolResultBlock
)
