"""What the tour found out, read from the real results of its calls. Nothing here is made up."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import PurePosixPath

from agent_tui.demo.history import Done, History

SCRATCH = "agent-tui-demo"
"""The name of the scratch file, without ``.md``."""

COUNTER = re.compile(r"Tours given: (\d+)")

LANDMARKS = ("README*", "pyproject.toml", "package.json", "Cargo.toml", "go.mod", "Makefile")
"""Files that tell what a project is, the one that tells most first."""

_READABLE = (".md", ".txt", ".py", ".js", ".ts", ".go", ".rs", ".c", ".java", ".rb", ".sh")
_TOTAL = re.compile(r"Found ([\d,]+) files?$")
_NOTE = re.compile(rf"[\[(]|No files|No more|No match|{_TOTAL.pattern}")
"""How lines begin that are no path."""

_NUMBERED = re.compile(r"^\s*\d+(?:\t|→|: ?)")


@dataclass(frozen=True, slots=True)
class Findings:
    """The facts by now; None or empty where a tool was not on offer, failed or was refused.

    Attributes:
        files: paths of the newest files with text in the folder and below, ignored ones left out.
        count: how many of these there are.
        landmarks: paths of files of the top folder that are looked for by name, ignored or not.
        branch, changes, repository: what git says.
        read, title: the file that was read and what it begins with.
        marks: how many lines hold a TODO or FIXME.
        tours: how many tours our scratch file counts.
    """

    files: tuple[str, ...] | None = None
    count: int = 0
    landmarks: tuple[str, ...] = ()
    branch: str | None = None
    changes: int = 0
    repository: bool | None = None
    read: str = ""
    title: str = ""
    marks: int | None = None
    tours: int = 0

    @property
    def promising(self) -> str:
        """The path of the file that tells most about the project, empty when there is none."""
        below = (path for path in self.files or () if _kind(path) < len(LANDMARKS))
        known = [path for path in (*self.landmarks, *below) if not _is_scratch(path)]
        if known:
            return min(known, key=_rank)
        other = (path for path in sorted(self.files or ()) if path.endswith(_READABLE))
        return next((path for path in other if not _is_scratch(path)), "")

    @property
    def scratch_file(self) -> str:
        """The name to write to: ours when it is free or our own, else the next free one."""
        number = 1
        name = f"{SCRATCH}.md"
        while name in self.landmarks and not self.tours:
            number += 1
            name = f"{SCRATCH}-{number}.md"
        return name

    @property
    def old_scratch(self) -> str:
        """The path of a file that has the scratch file's name already, empty when there is none."""
        return f"{SCRATCH}.md" if f"{SCRATCH}.md" in self.landmarks else ""


def findings_of(history: History) -> Findings:
    """Read the results of the tour's calls."""
    listing = history.call("look", "Grep")
    repository, branch, changes = _git(history.call("look", "Bash"))
    reads = [c for c in history.calls if (c.step, c.name) == ("read", "Read") and not c.failed]
    main = next((c for c in reads if not _is_scratch(_path(c))), None)
    scratch = next((c for c in reads if _is_scratch(_path(c))), None)
    counter = COUNTER.search(scratch.result) if scratch else None
    text = [_NUMBERED.sub("", line) for line in main.result.split("\n")] if main else []
    return Findings(
        files=_files(listing, history.folder),
        count=_total(listing),
        landmarks=_files(history.call("look", "Glob"), history.folder) or (),
        branch=branch,
        changes=changes,
        repository=repository,
        read=PurePosixPath(_path(main)).name if main else "",
        title=next((t.lstrip("# ").strip() for t in text if t.strip(" #=-*<>`")), "")[:80],
        marks=_marks(history.call("read", "Grep")),
        tours=int(counter.group(1)) if counter else 0,
    )


def _rank(path: str) -> tuple[int, int, str]:
    """Order landmarks: the shallow ones first, then by what they tell."""
    return path.count("/"), _kind(path), path


def _kind(path: str) -> int:
    """Give the place of a file's name among the landmarks, their number when it is none."""
    kinds = (n for n, pattern in enumerate(LANDMARKS) if PurePosixPath(path).match(pattern))
    return next(kinds, len(LANDMARKS))


def _is_scratch(path: str) -> bool:
    return PurePosixPath(path).name.startswith(SCRATCH)


def _path(call: Done) -> str:
    return str(call.input.get("file_path", ""))


def _files(found: Done | None, folder: str) -> tuple[str, ...] | None:
    """Give the paths that a call found, relative to the folder where they are in it."""
    if found is None or found.failed:
        return None
    named = (line.strip() for line in found.lines if not _NOTE.match(line))
    inside = f"{folder}/" if folder else ""
    return tuple(name.removeprefix(inside) for name in named if name)


def _total(listing: Done | None) -> int:
    """How many files there are, those beyond the end of the listing included."""
    told = _TOTAL.match(listing.lines[0]) if listing and listing.lines else None
    return int(told.group(1).replace(",", "")) if told else len(_files(listing, "") or ())


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
