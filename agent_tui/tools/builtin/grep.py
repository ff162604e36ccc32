"""Grep: files by content."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import Field, field_validator

from agent_tui.protocol.access import Access, ReadPath
from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.display import Display, SearchDisplay
from agent_tui.protocol.ports import FoundLine, GrepFound, GrepMode, GrepQuery, PortError
from agent_tui.tools.arguments import Arguments
from agent_tui.tools.base import InvalidInputError, ToolCall, ToolOutput
from agent_tui.tools.definition import BuiltinTool, failed
from agent_tui.tools.paths import absolute, checked, relative, shown
from agent_tui.tools.search_notes import hidden_note, passed_over_note, timeout_note
from agent_tui.tools.text import sendable

DEFAULT_LIMIT = 250
MAX_CHARS = 30_000
MAX_LINE = 500
DISPLAY_LINES = 200


class GrepArguments(Arguments):
    """Input of Grep."""

    pattern: str = Field(description="Regular expression")
    path: str | None = Field(None, description="File or folder; by default the working folder")
    glob: str | None = Field(None, description="Only files that match, relative to path")
    type: str | None = Field(None, description="Only files of this type")
    output_mode: GrepMode = "files_with_matches"
    before: int | None = Field(None, ge=0, alias="-B", description="Lines before a match")
    after: int | None = Field(None, ge=0, alias="-A", description="Lines after a match")
    around: int | None = Field(None, ge=0, alias="-C", description="Lines before and after")
    context: int | None = Field(None, ge=0, description="The same as -C")
    numbers: bool = Field(True, alias="-n", description="Line numbers")
    ignore_case: bool = Field(False, alias="-i", description="Ignore case")
    only_matching: bool = Field(False, alias="-o", description="Only the matching parts")
    head_limit: int = Field(DEFAULT_LIMIT, ge=0, description="How many entries, 0: all")
    offset: int = Field(0, ge=0, description="How many entries to skip")
    multiline: bool = Field(False, description="A match may span lines")

    @field_validator("path", "glob")
    @classmethod
    def _path(cls, value: str | None) -> str | None:
        return None if value is None else checked(value, "path or glob")

    @field_validator("pattern")
    @classmethod
    def _pattern(cls, value: str) -> str:
        if not value or "\0" in value:
            raise InvalidInputError("it must not be empty nor hold a NUL character")
        return value


@dataclass(slots=True)
class _Answer:
    """What to tell: entries of this page, data for programs, and how much there is in all."""

    entries: list[str] = field(default_factory=list[str])
    data: JsonObject = field(default_factory=dict[str, object])
    summary: str = ""
    more: bool = False
    files: int = 0
    matches: int | None = None


class Grep(BuiltinTool[GrepArguments]):
    """Searches contents; what rules forbid to read is left out and counted."""

    name = "Grep"
    arguments = GrepArguments
    read_only = True

    def access(self, args: GrepArguments, cwd: Path) -> Access:
        """Reads the file or folder."""
        return ReadPath(absolute(args.path, cwd) if args.path else str(cwd))

    def preview(self, args: GrepArguments, cwd: Path) -> Display:
        """Show the pattern and where."""
        return SearchDisplay(args.pattern, shown(args.path or ""))

    async def run(self, args: GrepArguments, call: ToolCall) -> ToolOutput:
        """Search."""
        path = absolute(args.path, call.cwd) if args.path else str(call.cwd)
        try:
            found = await call.ports.search.grep(_query(args, path), call.may_read)
        except PortError as error:
            return failed(str(error), self.preview(args, call.cwd))
        match args.output_mode:
            case "content":
                answer = _content(args, found, path, call.cwd)
            case "count":
                answer = _counts(args, found, call.cwd)
            case "files_with_matches":
                answer = _files(args, found, call.cwd)
        nothing_shown = found.passed_over and not answer.entries
        text = [] if nothing_shown else _text(args, answer)
        text += passed_over_note(found.passed_over)
        text += hidden_note(found.hidden)
        text += timeout_note(found.timed_out, call.ports.limits)
        display = SearchDisplay(
            args.pattern,
            shown(args.path or ""),
            matches=answer.matches,
            files=answer.files,
            lines=tuple(answer.entries[:DISPLAY_LINES]),
            truncated=answer.more or len(answer.entries) > DISPLAY_LINES,
        )
        data: JsonObject = {"mode": args.output_mode, **answer.data}
        if answer.more and args.head_limit:
            data["appliedLimit"] = args.head_limit
        if args.offset:
            data["appliedOffset"] = args.offset
        return ToolOutput("\n".join(text), display, data)


def _query(args: GrepArguments, path: str) -> GrepQuery:
    around = args.around if args.around is not None else args.context or 0
    content = args.output_mode == "content"
    return GrepQuery(
        args.pattern,
        path,
        args.output_mode,
        split_globs(args.glob or ""),
        args.type,
        args.ignore_case,
        args.multiline,
        args.only_matching,
        (around if args.before is None else args.before) if content else 0,
        (around if args.after is None else args.after) if content else 0,
        args.offset + args.head_limit if content and args.head_limit else 0,
    )


def split_globs(text: str) -> tuple[str, ...]:
    """Divide several globs, written with spaces or commas between; commas in braces stay."""
    return tuple(re.findall(r"(?:\{[^}]*\}|[^\s,{])+|\{", text))


def _content(args: GrepArguments, found: GrepFound, path: str, cwd: Path) -> _Answer:
    lines = found.lines[args.offset :]
    one_file = bool(lines) and all(line.path == path for line in lines)
    entries: list[str] = []
    room = MAX_CHARS
    taken = 0
    for line in lines:
        entry = _line(line, "" if one_file else relative(line.path, cwd), numbered=args.numbers)
        room -= len(entry) + 1
        if room < 0:
            break
        if line.gap and entries:
            entries.append("--")
        entries.append(entry)
        taken += 1
    files = {line.path for line in lines[:taken]}
    return _Answer(
        entries,
        {
            "numFiles": len(files),
            "filenames": [shown(name) for name in sorted(files)],
            "content": "\n".join(entries),
            "numLines": taken,
        },
        more=found.more or taken < len(lines),
        files=len(files),
        matches=sum(line.is_match for line in lines[:taken]),
    )


def _line(line: FoundLine, name: str, *, numbered: bool) -> str:
    mark = ":" if line.is_match else "-"
    text = sendable(line.text)
    if len(text) > MAX_LINE:
        text = f"{text[:MAX_LINE]} [... cut]"
    start = f"{name}{mark}" if name else ""
    return f"{start}{line.number}{mark}{text}" if numbered else f"{start}{text}"


def _files(args: GrepArguments, found: GrepFound, cwd: Path) -> _Answer:
    page = _page(args, [file.path for file in found.files])
    total = len(found.files)
    return _Answer(
        [relative(path, cwd) for path in page],
        {"numFiles": len(page), "filenames": [shown(path) for path in page], "totalFiles": total},
        f"Found {total:,} {'file' if total == 1 else 'files'}",
        more=args.offset + len(page) < total,
        files=total,
    )


def _counts(args: GrepArguments, found: GrepFound, cwd: Path) -> _Answer:
    page = _page(args, [f"{relative(file.path, cwd)}:{file.count}" for file in found.files])
    total, files = sum(file.count for file in found.files), len(found.files)
    return _Answer(
        page,
        {
            "numFiles": files,
            "filenames": [],
            "content": "\n".join(page),
            "numMatches": total,
        },
        f"Found {total:,} matching lines in {files:,} {'file' if files == 1 else 'files'}",
        more=args.offset + len(page) < files,
        files=files,
        matches=total,
    )


def _page(args: GrepArguments, entries: list[str]) -> list[str]:
    return entries[args.offset :][: args.head_limit or None]


def _text(args: GrepArguments, answer: _Answer) -> list[str]:
    if not answer.entries:
        return ["No entries at this offset." if args.offset else "No matches found."]
    if not answer.summary and not any(entry.strip() for entry in answer.entries):
        return [f"[{len(answer.entries)} lines match, all of them blank.]"]
    lines = [answer.summary] if answer.summary else []
    lines += answer.entries
    if answer.more:
        shown_entries = sum(entry != "--" for entry in answer.entries)
        following = args.offset + shown_entries
        lines.append(f"[There is more: go on with offset: {following}, or narrow the search.]")
    return lines


TOOL = Grep()
