"""What the tour found out, read from the real results of its calls. Nothing here is made up."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import PurePosixPath

from agent_tui.demo.history import Done, History

SCRATCH = "agent-tui-demo"
"""The name of the scratch file, without ``.md``."""

COUNTER = re.compile(r"Tours given: (\d+)")

_WELL_KNOWN = (
    "README.md",
    "README.rst",
    "README.txt",
    "README",
    "pyproject.toml",
    "package.json",
    "Cargo.toml",
    "go.mod",
    "Makefile",
)
_READABLE = (".md", ".txt", ".py", ".js", ".ts", ".go", ".rs", ".c", ".java", ".rb", ".sh")
_NOTE = re.compile(r"[\[(]|No files|No more|No match")
"""How lines begin that are no path."""

_NUMBERED = re.compile(r"^\s*\d+(?:\t|→|: ?)")


@dataclass(frozen=True, slots=True)
class Findings:
    """The facts by now; None or empty where a tool was not on offer, failed or was refused.

    ``files`` are the paths of the files at the top of the folder, as Glob gave them; ``count`` is how many there are.
    """

    files: tuple[str, ...] | None = None
    count: int = 0
    branch: str | None = None
    changes: int = 0
    repository: bool | None = None
    read: str = ""
    title: str = ""
    lines: int = 0
    marks: int | None = None
    tours: int = 0

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the files at the top."""
        return tuple(PurePosixPath(path).name for path in self.files or ())

    @property
    def promising(self) -> str:
        """The path of the file that tells most about the project, empty when there is none."""
        by_name = dict(zip(self.names, self.files or (), strict=True))
        known = [name for name in _WELL_KNOWN if name in by_name]
        other = [n for n in sorted(by_name) if n.endswith(_READABLE) and not n.startswith(SCRATCH)]
        return by_name[(known + other)[0]] if known or other else ""

    @property
    def scratch_file(self) -> str:
        """The name to write to: ours when it is free or our own, else the next free one."""
        number = 1
        name = f"{SCRATCH}.md"
        while name in self.names and not self.tours:
            number += 1
            name = f"{SCRATCH}-{number}.md"
        return name

    @property
    def old_scratch(self) -> str:
        """The path of a file that has the scratch file's name already, empty when there is none."""
        return next((p for p in self.files or () if PurePosixPath(p).name == f"{SCRATCH}.md"), "")


def findings_of(history: History) -> Findings:
    """Read the results of the tour's calls."""
    files = _files(history.call("look", "Glob"))
    repository, branch, changes = _git(history.call("look", "Bash"))
    reads = [c for c in history.calls if (c.step, c.name) == ("read", "Read") and not c.failed]
    main = next((c for c in reads if SCRATCH not in _path(c)), None)
    scratch = next((c for c in reads if SCRATCH in _path(c)), None)
    counter = COUNTER.search(scratch.result) if scratch else None
    text = [_NUMBERED.sub("", line) for line in main.result.split("\n")] if main else []
    return Findings(
        files=files,
        count=_total(history.call("look", "Glob")),
        branch=branch,
        changes=changes,
        repository=repository,
        read=PurePosixPath(_path(main)).name if main else "",
        title=next((t.lstrip("# ").strip() for t in text if t.strip(" #=-*<>`")), "")[:80],
        lines=sum(1 for line in main.lines if _NUMBERED.match(line)) if main else 0,
        marks=_marks(history.call("read", "Grep")),
        tours=int(counter.group(1)) if counter else 0,
    )


def _path(call: Done) -> str:
    return str(call.input.get("file_path", ""))


def _files(glob: Done | None) -> tuple[str, ...] | None:
    if glob is None or glob.failed:
        return None
    named = (line.strip() for line in glob.lines if not _NOTE.match(line))
    return tuple(name for name in named if name)


def _total(glob: Done | None) -> int:
    """How many files there are, those that the listing left out included."""
    cut = re.search(r"of ([\d,]+) files", glob.lines[-1]) if glob and glob.lines else None
    return int(cut.group(1).replace(",", "")) if cut else len(_files(glob) or ())


def _git(status: Done | None) -> tuple[bool | None, str | None, int]:
    if status is None:
        return None, None, 0
    if status.failed:
        return (False if "not a git repository" in status.result else None), None, 0
    head = next((line for line in status.lines if line.startswith("## ")), None)
    if head is None:
        return None, None, 0
    branch = head[3:].removeprefix("No commits yet on ").split("...")[0].split(" ")[0]
    changes = sum(1 for line in status.lines if re.match(r"[ MADRCUT?!]{2} \S", line))
    return True, branch, changes


def _marks(grep: Done | None) -> int | None:
    """Add up the counts of a Grep in count mode: ``path:count`` lines."""
    if grep is None or grep.failed:
        return None
    counts = (re.search(r"^(?:.+):(\d+)$", line) for line in grep.lines)
    return sum(int(found.group(1)) for found in counts if found)
