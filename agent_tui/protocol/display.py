"""How a tool call looks, as bounded plain data; front ends draw it.

``Tool.preview`` gives the display of a call, ``ToolOutput.display`` that of its result; both may be the same class
with more filled in. Texts are raw: front ends clean them before drawing. Big payloads stay in files and are named.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from agent_tui.protocol.content import JsonObject

MAX_DISPLAY_LINES = 2_000
"""No display holds more lines than this; what is beyond is counted, not carried."""


@dataclass(frozen=True, slots=True)
class TextDisplay:
    """Fallback: a line that says what the call does, and text."""

    title: str = ""
    text: str = ""
    kind: Literal["text"] = "text"


@dataclass(frozen=True, slots=True)
class Hunk:
    """One stretch of a diff. ``lines`` start with ``' '``, ``'-'`` or ``'+'``; starts are 1-based.

    ``heading`` is the enclosing class or function where known, e.g. ``class Session · refresh``.
    """

    old_start: int
    old_lines: int
    new_start: int
    new_lines: int
    lines: tuple[str, ...]
    heading: str = ""


@dataclass(frozen=True, slots=True)
class DiffDisplay:
    """A change of a file. ``created`` when there was none before; ``truncated`` lines were left out."""

    path: str
    hunks: tuple[Hunk, ...] = ()
    added: int = 0
    removed: int = 0
    created: bool = False
    truncated: int = 0
    kind: Literal["diff"] = "diff"


@dataclass(frozen=True, slots=True)
class CommandDisplay:
    """A shell command and, when it has run, the bounded head and tail of its output.

    Times in milliseconds. ``exit_code`` is None while it runs; a signal is negative as in ``subprocess``.
    ``hidden_lines`` counts the lines between ``head`` and ``tail`` that are not carried; ``output_path`` names
    the file with all of it, where one was kept.
    """

    command: str
    description: str = ""
    cwd: str = ""
    timeout_ms: int | None = None
    exit_code: int | None = None
    timed_out: bool = False
    interrupted: bool = False
    duration_ms: int | None = None
    head: tuple[str, ...] = ()
    tail: tuple[str, ...] = ()
    hidden_lines: int = 0
    output_bytes: int = 0
    output_path: str | None = None
    kind: Literal["command"] = "command"


@dataclass(frozen=True, slots=True)
class FileDisplay:
    """A file that was, or is to be, looked at; lines are 1-based and inclusive."""

    path: str
    first_line: int | None = None
    last_line: int | None = None
    total_lines: int | None = None
    note: str = ""
    kind: Literal["file"] = "file"


@dataclass(frozen=True, slots=True)
class SearchDisplay:
    """A search by name (Glob) or content (Grep) and what it found."""

    pattern: str
    path: str = ""
    matches: int | None = None
    files: int | None = None
    lines: tuple[str, ...] = ()
    truncated: bool = False
    kind: Literal["search"] = "search"


@dataclass(frozen=True, slots=True)
class UnknownDisplay:
    """A display of a kind this version does not know; drawn as text."""

    kind: str
    data: JsonObject


Display: TypeAlias = (
    TextDisplay | DiffDisplay | CommandDisplay | FileDisplay | SearchDisplay | UnknownDisplay
)
