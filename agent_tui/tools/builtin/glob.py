"""Glob: files by name."""

from __future__ import annotations

import time
from pathlib import Path

from pydantic import Field, field_validator

from agent_tui.protocol.access import Access, ReadPath
from agent_tui.protocol.display import Display, SearchDisplay
from agent_tui.protocol.ports import PortError
from agent_tui.tools.arguments import Arguments
from agent_tui.tools.base import ToolCall, ToolOutput
from agent_tui.tools.definition import BuiltinTool, failed
from agent_tui.tools.paths import absolute, checked, relative, shown
from agent_tui.tools.search_notes import hidden_note, timeout_note

MAX_FILES = 100


class GlobArguments(Arguments):
    """Input of Glob."""

    pattern: str = Field(description="Which names")
    path: str | None = Field(None, description="Folder to look in; by default the working folder")

    @field_validator("pattern", "path")
    @classmethod
    def _path(cls, value: str | None) -> str | None:
        return None if value is None else checked(value, "path or pattern")


class Glob(BuiltinTool[GlobArguments]):
    """Finds files by pattern, the newest first."""

    name = "Glob"
    arguments = GlobArguments
    read_only = True

    def access(self, args: GlobArguments, cwd: Path) -> Access:
        """Reads the folder; a pattern that leads elsewhere reads what it leads to."""
        folder = absolute(args.path or ".", cwd) if args.path else str(cwd)
        return ReadPath(_folder_of(args.pattern, folder))

    def preview(self, args: GlobArguments, cwd: Path) -> Display:
        """Show the pattern and the folder."""
        return SearchDisplay(args.pattern, shown(args.path or ""))

    async def run(self, args: GlobArguments, call: ToolCall) -> ToolOutput:
        """Find the files."""
        begun = time.monotonic()
        folder = absolute(args.path, call.cwd) if args.path else str(call.cwd)
        pattern = absolute(args.pattern, Path()) if args.pattern.startswith("/") else args.pattern
        try:
            found = await call.ports.search.glob(pattern, folder, MAX_FILES, call.may_read)
        except PortError as error:
            return failed(str(error), self.preview(args, call.cwd))
        names = [relative(path, call.cwd) for path in found.paths]
        truncated = found.total > len(names)
        text = names or ["No files found."]
        if truncated:
            text.append(
                f"[The newest {len(names)} of {found.total:,} files: narrow the pattern to see others.]"
            )
        text += hidden_note(found.hidden)
        text += timeout_note(found.timed_out, call.ports.limits)
        display = SearchDisplay(
            args.pattern,
            shown(args.path or ""),
            files=found.total,
            lines=tuple(names),
            truncated=truncated,
        )
        return ToolOutput(
            "\n".join(text),
            display,
            {
                "durationMs": round((time.monotonic() - begun) * 1000),
                "numFiles": len(names),
                "filenames": [shown(path) for path in found.paths],
                "truncated": truncated,
                "totalMatches": found.total,
            },
        )


def _folder_of(pattern: str, folder: str) -> str:
    """Where a pattern looks: its folders before the first wildcard, below ``folder`` unless absolute."""
    fixed: list[str] = []
    for part in pattern.split("/")[:-1]:
        if any(char in part for char in "*?[{\\"):
            break
        fixed.append(part)
    start = "/".join(fixed)
    if pattern.startswith("/"):
        start = start or "/"
    return absolute(start, Path(folder)) if start else folder


TOOL = Glob()
