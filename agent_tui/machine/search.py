"""Real searches behind the ``Search`` port: by ripgrep where there is one, else by our own stand-in."""

from __future__ import annotations

import importlib.metadata
import os
import re
import shutil
import sys
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

from anyio import to_thread

from agent_tui.machine.plain_search import Request
from agent_tui.machine.search_output import FileTaker, LineTaker
from agent_tui.machine.search_program import OnRecord, Outcome, run_search
from agent_tui.protocol.errors import PortError
from agent_tui.protocol.ports import (
    FoundFile,
    GlobFound,
    GrepFound,
    GrepQuery,
    MayRead,
    ToolLimits,
)

MAX_LINES = 20_000
"""No more lines are gathered, however many are asked for."""

_ROOT = Path(__file__).parents[2]

_VERSION_CONTROL = ("!.git", "!.hg", "!.svn", "!.jj")


@cache
def find_ripgrep() -> Path | None:
    """Find the ripgrep program: beside our Python, where the ripgrep package put it, on PATH."""
    places = [Path(sys.executable).parent / "rg"]
    try:
        files = importlib.metadata.files("ripgrep") or []
    except importlib.metadata.PackageNotFoundError:
        files = []
    places += [Path(str(file.locate())).resolve() for file in files if file.name == "rg"]
    if on_path := shutil.which("rg"):
        places.append(Path(on_path))
    return next((place for place in places if os.access(place, os.X_OK)), None)


class RealSearch:
    """The ``Search`` port on this machine. ``ripgrep`` None: without it."""

    def __init__(self, ripgrep: Path | None, limits: ToolLimits | None = None) -> None:
        self._ripgrep = ripgrep
        self._limits = limits or ToolLimits()

    async def grep(self, query: GrepQuery, may_read: MayRead) -> GrepFound:
        """Search contents; see the port."""
        folder, target = await to_thread.run_sync(_where, query.path)
        if query.mode == "content":
            return await self._lines(query, folder, target, may_read)
        taker = FileTaker(folder, counted=query.mode == "count")
        outcome = await self._run(_request(query, target), folder, b"\0", taker)
        files, hidden = await to_thread.run_sync(_allowed, taker.files(), may_read)
        if query.mode == "files_with_matches":
            files = await to_thread.run_sync(_newest_first, files)
        else:
            files = sorted(files, key=lambda file: os.fsencode(file.path))
        most = query.limit or len(files)
        return GrepFound(
            files=tuple(files[:most]),
            hidden=hidden,
            more=len(files) > most,
            timed_out=outcome.timed_out,
        )

    async def glob(self, pattern: str, path: str, limit: int, may_read: MayRead) -> GlobFound:
        """Find files by pattern; see the port."""
        fixed, rest = fixed_part(pattern) if "/" in pattern else ("", pattern)
        base = os.path.join(path, fixed)  # noqa: PTH118 - an absolute pattern replaces the path
        if not rest:
            return await to_thread.run_sync(_one_file, base, may_read)
        folder, _ = await to_thread.run_sync(_where, base)
        # A pattern with a folder in it counts from there, one without matches in every folder.
        anchored = f"/{rest}" if "/" in pattern else rest
        request = Request(
            "files",
            globs=(anchored, *_left_out(pattern)),
            hidden=self._limits.glob_hidden,
            no_ignore=self._limits.glob_no_ignore,
        )
        taker = FileTaker(folder, counted=False)
        outcome = await self._run(request, folder, b"\0", taker)
        files, hidden = await to_thread.run_sync(_allowed, taker.files(), may_read)
        files = await to_thread.run_sync(_newest_first, files)
        paths = tuple(file.path for file in files[:limit])
        return GlobFound(paths, len(files), hidden, outcome.timed_out)

    async def _lines(
        self, query: GrepQuery, folder: str, target: str, may_read: MayRead
    ) -> GrepFound:
        most = min(query.limit or MAX_LINES, MAX_LINES)
        taker = LineTaker(folder, query, most, may_read)
        outcome = await self._run(_request(query, target), folder, b"\n", taker)
        lines = tuple(taker.lines[:most])
        return GrepFound(
            lines=lines,
            hidden=taker.hidden,
            more=len(taker.lines) > most,
            timed_out=outcome.timed_out,
            passed_over=outcome.passed_over,
        )

    async def _run(
        self, request: Request, folder: str, separator: bytes, on_record: OnRecord
    ) -> Outcome:
        command = (
            [sys.executable, "-m", "agent_tui.machine.plain_search", request.to_json()]
            if self._ripgrep is None
            else [str(self._ripgrep), *ripgrep_arguments(request)]
        )
        env = {"PATH": os.defpath, "PYTHONPATH": str(_ROOT), "LC_ALL": "C.UTF-8"}
        seconds = self._limits.search_timeout_ms / 1000
        try:
            outcome = await run_search(
                command, folder, separator, on_record, seconds=seconds, env=env
            )
        except (OSError, ValueError) as error:
            raise PortError(f"The search could not be started: {error}.") from error
        if outcome.code not in (0, 1, None) and outcome.errors:
            raise PortError(outcome.errors)
        return outcome


def ripgrep_arguments(request: Request) -> list[str]:
    """Say a request in ripgrep's words."""
    out = [
        "--no-config",
        "--no-messages",
        "--color=never",
        "--no-ignore-global",
        "--no-require-git",
    ]
    out += ["--hidden"] if request.hidden else []
    out += ["--no-ignore"] if request.no_ignore else []
    out += [f"--glob={glob}" for glob in request.globs]
    out += [f"--type={request.type}"] if request.type else []
    if request.output == "files":
        return [*out, "--files", "--null", "--", request.target]
    out += ["--crlf"]
    out += ["--ignore-case"] if request.ignore_case else []
    out += ["--multiline", "--multiline-dotall"] if request.multiline else []
    match request.output:
        case "list":
            out += ["--files-with-matches", "--null"]
        case "count":
            out += ["--count", "--null", "--with-filename"]
        case _:
            out += ["--json", "--sort=path", f"-B{request.before}", f"-A{request.after}"]
    return [*out, f"--regexp={request.pattern}", "--", request.target]


def fixed_part(pattern: str) -> tuple[str, str]:
    """Divide a pattern with folders into the folder before the first wildcard, and the rest."""
    parts = pattern.split("/")
    for at, part in enumerate(parts):
        if re.search(r"[*?\[{\\]", part):
            fixed = "/".join(parts[:at])
            return fixed or ("/" if pattern.startswith("/") else ""), "/".join(parts[at:])
    return pattern, ""


def _request(query: GrepQuery, target: str) -> Request:
    outputs = {"content": "json", "files_with_matches": "list", "count": "count"}
    return Request(
        outputs[query.mode],
        query.pattern,
        target,
        (*query.globs, *_left_out(*query.globs)),
        query.type,
        query.ignore_case,
        query.multiline,
        query.before,
        query.after,
    )


def _left_out(*patterns: str) -> tuple[str, ...]:
    """Leave version control's own folders out, unless a pattern names them."""
    named = {part for pattern in patterns for part in pattern.split("/")}
    return tuple(glob for glob in _VERSION_CONTROL if glob[1:] not in named)


def _where(path: str) -> tuple[str, str]:
    """Give the folder to search in and what in it.

    Raises:
        PortError: there is nothing at ``path``.
    """
    place = Path(path)
    if place.is_dir():
        return path, "./"
    if place.exists():
        return str(place.parent), f"./{place.name}"
    shown = os.fsencode(path).decode("utf-8", "backslashreplace")
    raise PortError(f"There is no file or folder {shown}.")


def _one_file(path: str, may_read: Callable[[str], bool]) -> GlobFound:
    if not Path(path).is_file():
        return GlobFound()
    return GlobFound((path,), 1) if may_read(path) else GlobFound(hidden=1)


def _allowed(
    files: Sequence[FoundFile], may_read: Callable[[str], bool]
) -> tuple[list[FoundFile], int]:
    allowed = [file for file in files if may_read(file.path)]
    return allowed, len(files) - len(allowed)


def _newest_first(files: list[FoundFile]) -> list[FoundFile]:
    def key(file: FoundFile) -> tuple[int, bytes]:
        try:
            changed = os.stat(file.path).st_mtime_ns  # noqa: PTH116 - undecodable names
        except OSError:
            changed = 0
        return -changed, os.fsencode(file.path)

    return sorted(files, key=key)
