"""Edit: one text in a file replaced by another, literally."""

from __future__ import annotations

from pathlib import Path

from anyio import to_thread
from pydantic import Field, field_validator
from rapidfuzz.distance import Postfix, Prefix

from agent_tui.protocol.access import Access, WritePath
from agent_tui.protocol.display import DiffDisplay, Display
from agent_tui.protocol.ports import FileBytes, Files, PortError, Seen
from agent_tui.tools.arguments import Arguments
from agent_tui.tools.base import ToolCall, ToolOutput
from agent_tui.tools.definition import BuiltinTool, failed
from agent_tui.tools.file_change import FileChange, RefusedError, changed_meanwhile, decoded
from agent_tui.tools.near_misses import why_not_found
from agent_tui.tools.paths import absolute, checked, relative, shown
from agent_tui.tools.text import TextFile, split_lines


class EditArguments(Arguments):
    """Input of Edit."""

    file_path: str = Field(description="Absolute path of the file")
    old_string: str = Field(description="The text to replace")
    new_string: str = Field(description="The text to put there")
    replace_all: bool = Field(False, description="Replace every occurrence")

    @field_validator("file_path")
    @classmethod
    def _path(cls, value: str) -> str:
        return checked(value, "file_path")


class Edit(BuiltinTool[EditArguments]):
    """Replaces text; what it does not touch stays as it is, byte for byte."""

    name = "Edit"
    arguments = EditArguments

    def access(self, args: EditArguments, cwd: Path) -> Access:
        """Writes the file."""
        return WritePath(absolute(args.file_path, cwd))

    def preview(self, args: EditArguments, cwd: Path) -> Display:
        """Name the file and count the lines of the two texts; where they stand is not known yet."""
        return DiffDisplay(
            relative(absolute(args.file_path, cwd), cwd),
            added=len(split_lines(args.new_string)),
            removed=len(split_lines(args.old_string)),
            created=not args.old_string,
        )

    async def proposal(self, args: EditArguments, call: ToolCall) -> Display:
        """Show the difference it would make."""
        try:
            change, _ = await _plan(args, call)
        except (PortError, RefusedError):
            return self.preview(args, call.cwd)
        return (await change.told(call.cwd)).display

    async def run(self, args: EditArguments, call: ToolCall) -> ToolOutput:
        """Make the change."""
        files = call.ports.files
        path = absolute(args.file_path, call.cwd)
        seen = files.recall(path)
        try:
            change, count = await _plan(args, call)
            after = await change.make(files)
        except PortError as error:
            return failed(f"{shown(path)}: {error}", self.preview(args, call.cwd))
        except RefusedError as error:
            return failed(str(error), self.preview(args, call.cwd))
        _remember(files, seen, change, after)
        told = await change.told(call.cwd)
        done = "Created" if change.before is None else "Edited"
        times = f" in {count} places" if count > 1 else ""
        text = f"{done} {shown(path)}{times} (+{told.display.added} -{told.display.removed})."
        also = "" if change.before is None else changed_meanwhile(seen, change.before)
        return ToolOutput(
            f"{text} {also}".strip(),
            told.display,
            {
                "filePath": shown(path),
                "oldString": args.old_string,
                "newString": args.new_string,
                "originalFile": told.original,
                "structuredPatch": told.patch,
                "userModified": False,
                "replaceAll": args.replace_all,
            },
        )


async def _plan(args: EditArguments, call: ToolCall) -> tuple[FileChange, int]:
    """Work out the change and in how many places it is made.

    Raises:
        PortError: the file can't be read.
        RefusedError: the change can't be made.
    """
    path = absolute(args.file_path, call.cwd)
    if args.old_string == args.new_string:
        raise RefusedError("old_string and new_string are the same: nothing would change.")
    before = await call.ports.files.find(path)
    if before is None:
        if args.old_string:
            before = await call.ports.files.read(path)  # says why it isn't there
        else:
            return FileChange(path, None, None, TextFile(args.new_string)), 1
    return await to_thread.run_sync(_work_out, args, path, before)


def _work_out(args: EditArguments, path: str, before: FileBytes) -> tuple[FileChange, int]:
    """Work out the change of a file that exists. In a thread: a big file takes its time."""
    old = decoded(shown(path), before)
    if not args.old_string:
        if old.raw:
            raise RefusedError(
                f"{shown(path)} exists and is not empty: give the text to replace as old_string."
            )
        return FileChange(path, before, old, old.with_text(args.new_string)), 1
    new, count = _replace(args, old, shown(path))
    return FileChange(path, before, old, new), count


def _replace(args: EditArguments, file: TextFile, path: str) -> tuple[TextFile, int]:
    old, new = args.old_string, args.new_string
    places = file.places(old)
    if not places and "\r\n" in old:  # the text shown has LF only
        old, new = old.replace("\r\n", "\n"), new.replace("\r\n", "\n")
        places = file.places(old)
    if not places:
        hint = why_not_found(file, old, new)
        hint = hint or "Read the file again and copy the text to replace from what it says now."
        raise RefusedError(f"old_string was not found in {path}. {hint}")
    if len(places) > 1 and not args.replace_all:
        lines = [str(file.text.count("\n", 0, place) + 1) for place in places[:10]]
        raise RefusedError(
            f"old_string occurs {len(places)} times in {path} (lines {', '.join(lines)}"
            f"{', ...' if len(places) > 10 else ''}). Add lines around it until it is unique, or set replace_all."
        )
    # What both texts begin and end with is left alone, line ends of its own included.
    start = Prefix.similarity(old, new)
    end = Postfix.similarity(old[start:], new[start:])
    inner = [place + start for place in places]
    changed = file.replaced(inner, len(old) - start - end, new[start : len(new) - end])
    return changed, len(places)


def _remember(files: Files, seen: Seen | None, change: FileChange, after: FileBytes) -> None:
    """Carry over what the model knows: a file it knew whole it still knows, unless others changed it too."""
    total = len(change.new.lines)
    if change.before is None:
        files.remember(change.path, Seen(after.digest, total, ((1, total),), after.data))
    elif seen is not None:
        known = seen.digest == change.before.digest and seen.whole
        ranges = ((1, total),) if known else ()
        files.remember(change.path, Seen(after.digest, total, ranges, after.data))


TOOL = Edit()
