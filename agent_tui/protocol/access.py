"""What a tool call would touch: the words permissions judge. Tools declare it, policy decides on it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class NoAccess:
    """Touches nothing outside the session."""


@dataclass(frozen=True, slots=True)
class ReadPath:
    """Reads a file, or a folder and what is below it. ``path`` is absolute, not resolved."""

    path: str


@dataclass(frozen=True, slots=True)
class WritePath:
    """Creates or changes a file. ``path`` is absolute, not resolved."""

    path: str


@dataclass(frozen=True, slots=True)
class RunCommand:
    """Runs a shell line in ``cwd``.

    ``leaves``: it asks to run outside the sandbox that other lines run in. ``sandboxed``: it runs inside. ``unasked``: what
    runs inside needs no approval.
    """

    command: str
    cwd: str
    leaves: bool = False
    sandboxed: bool = False
    unasked: bool = False


@dataclass(frozen=True, slots=True)
class FetchUrl:
    """Fetches from the network."""

    url: str


@dataclass(frozen=True, slots=True)
class CallMcp:
    """Calls a tool of an MCP server."""

    server: str
    tool: str
    read_only: bool = False


@dataclass(frozen=True, slots=True)
class AskUser:
    """Needs the person: never approved by a rule or a mode."""


Access: TypeAlias = NoAccess | ReadPath | WritePath | RunCommand | FetchUrl | CallMcp | AskUser
