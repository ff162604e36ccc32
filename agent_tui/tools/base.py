"""The shape of a tool. A built-in tool is a class with this shape in a file of its own in ``tools/builtin/``."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, ClassVar, Final, Generic, Protocol, TypeVar, runtime_checkable

from agent_tui.protocol.access import Access
from agent_tui.protocol.content import JsonObject, ToolData
from agent_tui.protocol.display import Display
from agent_tui.protocol.ports import Ports
from agent_tui.tools.wire_names import wire_names

Args = TypeVar("Args")

NAMED = 50
"""Tools that are named to a model that calls one which is not here."""


@dataclass(frozen=True, slots=True)
class ToolOutput:
    """What a call gave: text or API content blocks for the model, a display for people, data for programs.

    ``content`` is never blank when it is text. ``structured`` is the documented structured output
    (``tool_use_result``). ``is_error`` is None where the documented result leaves it out. ``aside`` is told to the
    model beside the result, for results that may hold nothing but blocks of one kind.
    """

    content: str | list[JsonObject]
    display: Display | None = None
    structured: ToolData | None = None
    is_error: bool | None = None
    aside: str = ""


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
        """Show what would change, for the question; may read files. Falls back to the preview.

        Raises:
            InvalidInputError: there is nothing to ask, the call makes no sense now; with a text for the model.
        """
        ...

    async def run(self, args: Args, call: ToolCall) -> ToolOutput:
        """Do it. Failures the model should know of are outputs with ``is_error``, not exceptions."""
        ...


AnyTool = Tool[Any]


@runtime_checkable
class Answerable(Protocol):
    """A tool whose call a person answers: their answer comes as input with fields that the model can't fill in."""

    def answered(self, raw: JsonObject) -> Any:
        """Read the input as the person (or a hook, or a program in their stead) gave it back.

        Raises:
            InvalidInputError: it does not fit.
        """
        ...


def read_answer(tool: AnyTool, raw: JsonObject) -> Any:
    """Read input that did not come from the model.

    Raises:
        InvalidInputError: it does not fit.
    """
    return tool.answered(raw) if isinstance(tool, Answerable) else tool.parse(raw)


@runtime_checkable
class Waiting(Protocol):
    """A tool that says whether it may be deferred; of others those of servers may."""

    always_load: bool
    """Its definition is in every request."""


@runtime_checkable
class Renamed(Protocol):
    """A tool that had other names before."""

    aliases: ClassVar[tuple[str, ...]]
    """Calls by these reach it too."""


SEARCH: Final = "ToolSearch"
"""The tool that loads deferred ones; without it nothing is deferred."""


class ToolSet:
    """The tools of a session, in the order they are sent; ``by_name`` has the names that calls use.

    Servers bring tools later and take them away again: ``renew`` changes the set for everybody who holds it.

    Attributes:
        deferred: which of these names may be all the model is told until it asks for more.
        absent: why a tool that there is isn't offered here, by its name.
    """

    tools: tuple[AnyTool, ...]
    by_name: dict[str, AnyTool]
    deferred: frozenset[str]
    absent: Mapping[str, str]

    def __init__(
        self, tools: tuple[AnyTool, ...] = (), absent: Mapping[str, str] | None = None
    ) -> None:
        self.absent = absent or {}
        self.renew(tools)

    @classmethod
    def of(cls, tools: tuple[AnyTool, ...], absent: Mapping[str, str] | None = None) -> ToolSet:
        """Collect tools; names must be unique, and need not be ones the API takes."""
        return cls(tools, absent)

    def renew(self, tools: tuple[AnyTool, ...]) -> None:
        """Have exactly these tools from now on. What was cached is lost, unless only deferred ones changed."""
        wire = wire_names(tool.name for tool in tools)
        self.tools = tools
        self.by_name = {wire[tool.name]: tool for tool in tools}
        self._definitions: dict[str, JsonObject] = {}
        waiting = (name for name, tool in self.by_name.items() if _may_wait(tool))
        self.deferred = frozenset(waiting) if SEARCH in self.by_name else frozenset()

    def schemas(self) -> tuple[JsonObject, ...]:
        """Give the definitions, in order."""
        return tuple(self.schema(name) for name in self.by_name)

    def schema(self, name: str) -> JsonObject:
        """Give the definition of the tool that calls name so: made once, and the same until the set is renewed."""
        found = self._definitions.get(name)
        if found is None:
            found = self._definitions[name] = {**self.by_name[name].schema(), "name": name}
        return found

    def named(self, name: str) -> AnyTool | None:
        """Give the tool that a call means: by its name, or by one it had before."""
        found = self.by_name.get(name)
        if found is not None:
            return found
        older = (t for t in self.tools if isinstance(t, Renamed) and name in t.aliases)
        return next(older, None)

    def missing(self, name: str) -> str:
        """Say to the model that a tool it called is not here."""
        if name in self.absent:
            return f"{name} is not offered in this session: {self.absent[name]}."
        more = len(self.by_name) - NAMED
        known = ", ".join(islice(self.by_name, NAMED)) + (f" and {more:,} more" if more > 0 else "")
        return f"There is no tool named {name[:200]!r}. There are: {known}."


def _may_wait(tool: AnyTool) -> bool:
    if isinstance(tool, Waiting):
        return not tool.always_load
    return tool.name.startswith("mcp__")
