"""The shape of a tool. A built-in tool is a class with this shape in a file of its own in ``tools/builtin/``."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

from agent_tui.protocol.access import Access
from agent_tui.protocol.content import JsonObject, ToolData
from agent_tui.protocol.display import Display
from agent_tui.protocol.ports import Ports
from agent_tui.tools.wire_names import wire_names

Args = TypeVar("Args")


@dataclass(frozen=True, slots=True)
class ToolOutput:
    """What a call gave: text or API content blocks for the model, a display for people, data for programs.

    ``content`` is never blank when it is text. ``structured`` is the documented structured output
    (``tool_use_result``). ``is_error`` is None where the documented result leaves it out.
    """

    content: str | list[JsonObject]
    display: Display | None = None
    structured: ToolData | None = None
    is_error: bool | None = None


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One call's surroundings.

    Attributes:
        id: the tool_use id.
        cwd: the session's working folder, absolute.
        ports: the world.
        progress: tells what can be shown by now; cheap, may be called often.
        may_read: whether rules let a file (absolute path) be read; searches leave out what they don't.
        spill: the folder for output too long to return; created when needed.
        working_dirs: the folders that count as inside, ``cwd``'s project first.
    """

    id: str
    cwd: Path
    ports: Ports
    progress: Callable[[Display], Awaitable[None]]
    may_read: Callable[[str], bool]
    spill: Path
    working_dirs: tuple[Path, ...] = ()


class InvalidInputError(ValueError):
    """The call's input is wrong; the text tells the model what to send instead."""


class Tool(Protocol, Generic[Args]):
    """One tool. Methods without ``call`` are pure: no I/O."""

    name: str
    read_only: bool
    """Calls of it may run beside other read-only calls."""
    timeout_hint_ms: int | None

    def schema(self) -> JsonObject:
        """Give the definition sent to the model: ``name``, ``description``, ``input_schema``; byte-stable."""
        ...

    def parse(self, raw: JsonObject) -> Args:
        """Check and read the input.

        Raises:
            InvalidInputError: with a text for the model.
        """
        ...

    def access(self, args: Args, cwd: Path) -> Access:
        """Say what it would touch."""
        ...

    def preview(self, args: Args, cwd: Path) -> Display:
        """Say how the call looks before it has run: no file is opened for it."""
        ...

    async def proposal(self, args: Args, call: ToolCall) -> Display:
        """Show what would change, for the question; may read files. Falls back to the preview."""
        ...

    async def run(self, args: Args, call: ToolCall) -> ToolOutput:
        """Do it. Failures the model should know of are outputs with ``is_error``, not exceptions."""
        ...


AnyTool = Tool[Any]


class ToolSet:
    """The tools of a session, in the order they are sent; ``by_name`` has the names that calls use.

    Servers bring tools later and take them away again: ``renew`` changes the set for everybody who holds it.
    """

    tools: tuple[AnyTool, ...]
    by_name: dict[str, AnyTool]

    def __init__(self, tools: tuple[AnyTool, ...] = ()) -> None:
        self.renew(tools)

    @classmethod
    def of(cls, tools: tuple[AnyTool, ...]) -> ToolSet:
        """Collect tools; names must be unique, and need not be ones the API takes."""
        return cls(tools)

    def renew(self, tools: tuple[AnyTool, ...]) -> None:
        """Have exactly these tools from now on. What was cached of later requests is lost with it."""
        wire = wire_names(tool.name for tool in tools)
        self.tools = tools
        self.by_name = {wire[tool.name]: tool for tool in tools}

    def schemas(self) -> tuple[JsonObject, ...]:
        """Give the definitions, in order."""
        return tuple({**tool.schema(), "name": name} for name, tool in self.by_name.items())
