"""Write: a whole file, made or replaced."""

from __future__ import annotations

from pathlib import Path

from pydantic import Field, field_validator

from agent_tui.protocol.access import Access, WritePath
from agent_tui.protocol.display import DiffDisplay, Display
from agent_tui.protocol.ports import FileBytes, PortError, Seen
from agent_tui.tools.arguments import Arguments
from agent_tui.tools.base import ToolCall, ToolOutput
from agent_tui.tools.definition import BuiltinTool, failed
from agent_tui.tools.file_change import FileChange, RefusedError, changed_meanwhile
from agent_tui.tools.paths import absolute, checked, relative, shown
from agent_tui.tools.text import NotTextError, TextFile, split_lines


class WriteArguments(Arguments):
    """Input of Write."""

    file_path: str = Field(description="Absolute path of the file")
    content: str = Field(description="All of its text")

    @field_validator("file_path")
    @classmethod
    def _path(cls, value: str) -> str:
        return checked(value, "file_path")


class Write(BuiltinTool[WriteArguments]):
    """Writes a file whole; never over text the model has not seen."""

    name = "Write"
    arguments = WriteArguments

    def access(self, args: WriteArguments, cwd: Path) -> Access:
        """Writes the file."""
        return WritePath(absolute(args.file_path, cwd))

    def preview(self, args: WriteArguments, cwd: Path) -> Display:
        """Name the file and count its lines; whether it is new is not known yet."""
        path = relative(absolute(args.file_path, cwd), cwd)
        return DiffDisplay(path, added=len(split_lines(args.content)))

    async def proposal(self, args: WriteArguments, call: ToolCall) -> Display:
        """Show the difference it would make."""
        path = absolute(args.file_path, call.cwd)
        try:
            change = _plan(path, await call.ports.files.find(path), args.content)
        except PortError:
            return self.preview(args, call.cwd)
        return (await change.told(call.cwd)).display

    async def run(self, args: WriteArguments, call: ToolCall) -> ToolOutput:
        """Write the file."""
        files = call.ports.files
        path = absolute(args.file_path, call.cwd)
        try:
            before = await files.find(path)
            if before is not None:
                _require_known(shown(path), files.recall(path), before)
            change = _plan(path, before, args.content)
            after = await change.make(files)
        except PortError as error:
            return failed(f"{shown(path)}: {error}", self.preview(args, call.cwd))
        except RefusedError as error:
            return failed(str(error), self.preview(args, call.cwd))
        total = len(change.new.lines)
        files.remember(path, Seen(after.digest, total, ((1, total),), after.data))
        told = await change.told(call.cwd)
        if before is None:
            text = f"Created {shown(path)} ({total} lines)."
        else:
            text = f"Wrote {shown(path)} (+{told.display.added} -{told.display.removed})."
        return ToolOutput(
            text,
            told.display,
            {
                "type": "create" if before is None else "update",
                "filePath": shown(path),
                "content": args.content,
                "structuredPatch": told.patch,
                "originalFile": told.original,
                "userModified": False,
            },
        )


def _plan(path: str, before: FileBytes | None, content: str) -> FileChange:
    """Work out the change. A file keeps its kind of line ends, its encoding and its mark."""
    if before is None:
        return FileChange(path, None, None, TextFile(content))
    try:
        old = TextFile.decode(before.data)
    except NotTextError:
        return FileChange(path, before, TextFile(""), TextFile(content))
    return FileChange(path, before, old, old.with_text(content))


def _require_known(path: str, seen: Seen | None, before: FileBytes) -> None:
    """Refuse to overwrite what the model does not know.

    Raises:
        RefusedError: it does not know it, or not as it is now.
    """
    if not before.data:
        return  # nothing there to lose
    if seen is None:
        raise RefusedError(
            f"{path} exists and was not read in this session: read it first, so that nothing in it is lost unseen."
        )
    if seen.digest != before.digest:
        raise RefusedError(
            f"{path} changed since you read it; nothing was written. {changed_meanwhile(seen, before)} "
            "Read it again, then write it with those changes kept, or use Edit."
        )
    if not seen.whole:
        known = ", ".join(f"{first}-{last}" for first, last in seen.ranges) or "none"
        raise RefusedError(
            f"Only a part of {path} was read (lines {known} of {seen.total_lines}): read the rest first, or use Edit."
        )


TOOL = Write()
