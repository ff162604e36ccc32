"""Ports: the Protocols through which tools reach the world, and the plain values that pass through them.

``machine`` implements them for the real world, tests with fakes. A port says no by raising ``PortError`` with a
sentence for the model; a tool turns that into an error output. Paths are absolute strings as the operating system
gives them: a byte of a name that is not UTF-8 is a lone surrogate, as in ``os.fsdecode``.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal, Protocol, TypeAlias

from agent_tui.protocol.agents import Agents
from agent_tui.protocol.background import Background
from agent_tui.protocol.errors import PortError
from agent_tui.protocol.tasks import TaskList

__all__ = [
    "Captured",
    "Confined",
    "FileBytes",
    "Files",
    "FoundFile",
    "FoundLine",
    "GlobFound",
    "GrepFound",
    "GrepMode",
    "GrepQuery",
    "LeftRunning",
    "MayRead",
    "Modes",
    "OnOutput",
    "PortError",
    "Ports",
    "Sandbox",
    "Search",
    "Seen",
    "Shell",
    "ShellCommand",
    "ShellResult",
    "ShelvedTool",
    "Start",
    "ToolLimits",
    "ToolShelf",
]


@dataclass(frozen=True, slots=True)
class ToolLimits:
    """How much a tool may take and give. Times in milliseconds, sizes in bytes or characters as named."""

    shell_timeout_ms: int = 120_000
    shell_max_timeout_ms: int = 600_000
    background_timeout_ms: int = 1_800_000
    background_max_timeout_ms: int = 7_200_000
    shell_output_chars: int = 30_000
    task_output_chars: int = 32_000
    read_tokens: int = 25_000
    result_tokens: int = 25_000
    read_lines: int = 2_000
    file_bytes: int = 64 * 1024 * 1024
    search_timeout_ms: int = 20_000
    glob_hidden: bool = True
    glob_no_ignore: bool = True


# Files ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class FileBytes:
    """A regular file as it was at one moment. ``digest`` is the sha256 of ``data`` in hex."""

    path: str
    real_path: str
    data: bytes
    digest: str


@dataclass(frozen=True, slots=True)
class Seen:
    """What the model has been shown of a file: of which bytes, and which of its lines.

    ``ranges`` are 1-based inclusive lines, merged and in order. ``data`` are the bytes, where still remembered.
    """

    digest: str
    total_lines: int
    ranges: tuple[tuple[int, int], ...] = ()
    data: bytes | None = field(default=None, compare=False, repr=False)

    @property
    def whole(self) -> bool:
        """Whether every line of it was shown."""
        return self.total_lines == 0 or self.ranges == ((1, self.total_lines),)


class Files(Protocol):
    """Files, and the session's memory of what was read of them. The memory is kept by real path."""

    async def read(self, path: str, *, max_bytes: int | None = None) -> FileBytes:
        """Read a regular file whole.

        Raises:
            PortError: missing, no regular file, too big, not permitted.
        """
        ...

    async def find(self, path: str, *, max_bytes: int | None = None) -> FileBytes | None:
        """Read as ``read`` does; None where there is nothing at ``path``."""
        ...

    async def write(self, path: str, data: bytes, *, replaces: str | None) -> FileBytes:
        """Write a file whole, atomically where the folder allows, through symbolic links, keeping mode and owner.

        Args:
            path: where; missing folders are made.
            data: the new bytes.
            replaces: digest of the bytes that are there now, None where nothing may be there.

        Raises:
            PortError: something else is there by now, or it can't be written.
        """
        ...

    def remember(self, path: str, seen: Seen) -> None:
        """Note that the model was shown this. Ranges of the same bytes add up; other bytes start anew."""
        ...

    def recall(self, path: str) -> Seen | None:
        """Say what the model was shown of a file."""
        ...

    def seen(self) -> dict[str, Seen]:
        """Give the whole memory by real path."""
        ...


# Shell ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Captured:
    r"""Output so far: all of it in ``head`` while it is short, else its beginning and its end.

    ``tail`` is empty while nothing is left out between. Undecodable bytes are shown as ``\xHH``. ``path`` names
    the file with all of it (up to 64 MiB), once it is too long to return. ``exit_code`` is None while it runs.
    """

    head: str = ""
    tail: str = ""
    total_bytes: int = 0
    total_lines: int = 0
    path: str | None = None
    exit_code: int | None = None

    @property
    def complete(self) -> bool:
        """Whether ``head`` is everything."""
        return not self.tail


@dataclass(frozen=True, slots=True)
class LeftRunning:
    """A process that a finished command left in the background."""

    pid: int
    command: str


OnOutput: TypeAlias = Callable[[Captured], Awaitable[None]]
"""Told of the output at most ten times a second, and once at the end, also when cancelled."""


@dataclass(frozen=True, slots=True)
class ShellCommand:
    """A line for the shell. ``dirs`` are the folders the shell may stay in, the project's first.

    ``output_file`` makes it one in the background: all of its output goes there as it comes and stays there, it does
    not carry its folder to the next command, and what it leaves running is ended with it. ``cwd`` is where it runs
    instead of the shell's folder. ``leaves``: it is to run outside the sandbox, if there is one.
    """

    line: str
    timeout_ms: int
    call_id: str
    spill: str
    dirs: tuple[str, ...]
    output_file: str = ""
    cwd: str = ""
    leaves: bool = False


@dataclass(frozen=True, slots=True)
class ShellResult:
    """How a command ended. ``exit_code`` is negative for a signal. ``notes`` are sentences for the model.

    ``stopped`` says who ended it: nobody, the time limit, or the limit on output. ``left_sandbox``: it ran outside the
    sandbox because the call wanted it.
    """

    exit_code: int
    output: Captured
    duration_ms: int
    stopped: Literal["", "timeout", "output"] = ""
    notes: tuple[str, ...] = ()
    left_running: tuple[LeftRunning, ...] = ()
    left_sandbox: bool = False


class Shell(Protocol):
    """Runs command lines, one process group each. ``cwd`` is carried from one to the next."""

    @property
    def cwd(self) -> str:
        """Where the next command will run; permissions judge a line against this folder."""
        ...

    async def run(self, command: ShellCommand, on_output: OnOutput) -> ShellResult:
        """Run a line to its end or its limit. When cancelled, everything it started is ended first.

        Raises:
            PortError: it could not be started.
        """
        ...

    async def aclose(self) -> None:
        """End what finished commands left running."""
        ...


# Sandbox --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Start:
    """How a command is to be started.

    Attributes:
        argv: the program and its arguments.
        env: all of its variables.
        cwd: the folder it starts in.
        dirs: the folders it may write to.
        own: a folder of the shell's own, for what lasts from one command to the next.
        reads, writes: files of ours that it needs; see ``Sandbox.inside`` for where it finds them.
        shows: files and folders that it sees where they are, whatever else is hidden; only to be read.
        kept: a folder for files that a command made where it must not.
        lasting: it runs in the background: others work in the same folders meanwhile.
        fds: descriptors it inherits.
    """

    argv: tuple[str, ...]
    env: Mapping[str, str]
    cwd: str
    dirs: tuple[str, ...]
    own: str
    reads: tuple[str, ...] = ()
    writes: tuple[str, ...] = ()
    shows: tuple[str, ...] = ()
    kept: str = ""
    lasting: bool = False
    fds: tuple[int, ...] = ()


class Confined(Protocol):
    """One command that is started in the sandbox."""

    @property
    def start(self) -> Start:
        """What to start instead."""
        ...

    def begun(self) -> None:
        """Note that it was started: what only the child needs is let go of."""
        ...

    async def serve(self) -> None:
        """Do beside it what it needs (its way to the network); cancelled at its end."""
        ...

    def failure(self, exit_code: int, output: str) -> str:
        """Say why the sandbox could not be set up, so that the command itself never began; empty: it began."""
        ...

    def inner(self) -> int:
        """Give the id of the sandbox's own first process, which is no work of the command's; 0 where there is none."""
        ...

    def notes(self, line: str, exit_code: int, output: str) -> tuple[str, ...]:
        """Give sentences for the model: what the sandbox kept from happening, and what can be done. Once, at its end."""
        ...

    def close(self) -> tuple[str, ...]:
        """Look what it made when its own process has ended; blocks on files.

        Gives sentences about what was found where it must not be.
        """
        ...

    def release(self) -> None:
        """Clean up once nothing it started runs any more; blocks on files."""
        ...


class Sandbox(Protocol):
    """Bounds what shell lines can reach. It also says which lines run inside, so that judging and running agree."""

    @property
    def unasked(self) -> bool:
        """Whether lines that run inside need no approval."""
        ...

    def holds(self, line: str, *, leaves: bool) -> bool:
        """Tell whether a line runs inside; ``leaves``: the call wants it outside."""
        ...

    def inside(self, path: str) -> str:
        """Say where a command finds one of the files that its ``Start`` names."""
        ...

    def confine(self, start: Start) -> Confined:
        """Make ready for one command; blocks on files.

        Raises:
            PortError: it can't be bounded as it must be; the command is then not run at all.
        """
        ...


# Search ---------------------------------------------------------------------------------------------------------

MayRead: TypeAlias = Callable[[str], bool]
"""Whether rules let the file at an absolute path be shown. May be called in a worker thread."""

GrepMode: TypeAlias = Literal["content", "files_with_matches", "count"]


@dataclass(frozen=True, slots=True)
class GrepQuery:
    """A search by content. ``pattern`` is a regular expression in ripgrep's language, ``path`` a file or folder.

    ``limit`` bounds the entries (lines, or files) gathered, 0: as many as the port allows.
    """

    pattern: str
    path: str
    mode: GrepMode
    globs: tuple[str, ...] = ()
    type: str | None = None
    ignore_case: bool = False
    multiline: bool = False
    only_matching: bool = False
    before: int = 0
    after: int = 0
    limit: int = 0


@dataclass(frozen=True, slots=True)
class FoundLine:
    """A line of a result. ``gap`` says that lines were left out before it (ripgrep's ``--``)."""

    path: str
    number: int
    text: str
    is_match: bool
    gap: bool = False


@dataclass(frozen=True, slots=True)
class FoundFile:
    """A file with matches. ``count`` is the number of its matching lines, where asked for."""

    path: str
    count: int = 0


@dataclass(frozen=True, slots=True)
class GrepFound:
    """What a search gave, in order: lines by path, files newest first, counts by path.

    ``hidden`` counts the files left out because a rule forbids to read them; ``more`` says there is more than was
    gathered; ``timed_out`` that the search was ended early; ``passed_over`` counts the lines that were too long.
    """

    lines: tuple[FoundLine, ...] = ()
    files: tuple[FoundFile, ...] = ()
    hidden: int = 0
    more: bool = False
    timed_out: bool = False
    passed_over: int = 0


@dataclass(frozen=True, slots=True)
class GlobFound:
    """Files by name, newest first. ``total`` counts all that matched."""

    paths: tuple[str, ...] = ()
    total: int = 0
    hidden: int = 0
    timed_out: bool = False


class Search(Protocol):
    """Finds files by content and by name."""

    async def grep(self, query: GrepQuery, may_read: MayRead) -> GrepFound:
        """Search contents.

        Raises:
            PortError: the pattern or a filter was rejected, the path is missing.
        """
        ...

    async def glob(self, pattern: str, path: str, limit: int, may_read: MayRead) -> GlobFound:
        """Find files below ``path`` by pattern.

        Raises:
            PortError: the pattern was rejected, the path is missing.
        """
        ...


# The session itself ---------------------------------------------------------------------------------------------


class Modes(Protocol):
    """The session's permission mode, as far as a tool may change it."""

    @property
    def mode(self) -> str:
        """The mode in force."""
        ...

    async def set_mode(self, mode: str) -> None:
        """Change it; written and said as when a person does it."""
        ...


@dataclass(frozen=True, slots=True)
class ShelvedTool:
    """A tool whose definition is sent only once it was asked for. ``taken``: it was."""

    name: str
    description: str
    taken: bool = False


class ToolShelf(Protocol):
    """The tools that are known by name only, until ToolSearch takes them down."""

    def shelved(self) -> tuple[ShelvedTool, ...]:
        """Give all deferred tools, those taken down already too, in a fixed order."""
        ...

    def take(self, names: tuple[str, ...]) -> None:
        """Have these tools' definitions in the next request and ever after; written in the journal."""
        ...


@dataclass(frozen=True, slots=True)
class Ports:
    """The world, as a session's tools reach it. What a session lacks is None: its tools are then not offered."""

    files: Files
    shell: Shell
    search: Search
    limits: ToolLimits = field(default_factory=ToolLimits)
    tasks: TaskList | None = None
    background: Background | None = None
    agents: Agents | None = None
    modes: Modes | None = None
    shelf: ToolShelf | None = None
    sandbox: Sandbox | None = None
