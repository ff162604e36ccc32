"""NotebookEdit: one cell of a notebook replaced, inserted or deleted."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from anyio import to_thread
from pydantic import Field, field_validator, model_validator

from agent_tui.protocol.access import Access, WritePath
from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.display import DiffDisplay, Display
from agent_tui.protocol.ports import FileBytes, PortError, Seen
from agent_tui.tools.arguments import Arguments
from agent_tui.tools.base import InvalidInputError, ToolCall, ToolOutput
from agent_tui.tools.definition import BuiltinTool, failed
from agent_tui.tools.diffs import diff_display
from agent_tui.tools.file_change import MAX_ORIGINAL, FileChange, RefusedError, decoded
from agent_tui.tools.notebook import Cell, CellType, Notebook, NotebookError
from agent_tui.tools.paths import absolute, checked, relative, shown
from agent_tui.tools.text import NotTextError, TextFile, sendable, split_lines


class NotebookEditArguments(Arguments):
    """Input of NotebookEdit."""

    notebook_path: str = Field(description="Absolute path of the notebook")
    new_source: str = Field("", description="The cell's new source")
    cell_id: str | None = None
    cell_type: CellType | None = None
    edit_mode: Literal["replace", "insert", "delete"] = "replace"

    @field_validator("notebook_path")
    @classmethod
    def _path(cls, value: str) -> str:
        if not checked(value, "notebook_path").endswith(".ipynb"):
            raise InvalidInputError("it must name an .ipynb file; others are for Edit")
        return value

    @model_validator(mode="after")
    def _whole(self) -> NotebookEditArguments:
        if self.edit_mode == "insert" and self.cell_type is None:
            raise InvalidInputError("insert needs `cell_type`: code or markdown")
        if self.edit_mode != "insert" and self.cell_id is None:
            raise InvalidInputError(f"{self.edit_mode} needs `cell_id`")
        return self


@dataclass(frozen=True, slots=True)
class _Plan:
    """The change: of the file, and of the one cell (sources before and after)."""

    change: FileChange
    notebook: Notebook
    cell_id: str
    cell_type: str
    old: str | None
    new: str

    def display(self, cwd: Path) -> DiffDisplay:
        """Show the change of the cell's source."""
        shown_change = diff_display(relative(self.change.path, cwd), self.old or "", self.new)
        heading = f"cell {self.cell_id}"
        hunks = tuple(
            replace(hunk, heading=" · ".join(filter(None, (heading, hunk.heading))))
            for hunk in shown_change.hunks
        )
        return replace(shown_change, hunks=hunks)


class NotebookEdit(BuiltinTool[NotebookEditArguments]):
    """Changes one cell; what stands around it stays as it is, byte for byte."""

    name = "NotebookEdit"
    arguments = NotebookEditArguments

    def access(self, args: NotebookEditArguments, cwd: Path) -> Access:
        """Writes the notebook."""
        return WritePath(absolute(args.notebook_path, cwd))

    def preview(self, args: NotebookEditArguments, cwd: Path) -> Display:
        """Name the notebook and count the new lines."""
        path = relative(absolute(args.notebook_path, cwd), cwd)
        return DiffDisplay(path, added=len(split_lines(args.new_source)))

    async def proposal(self, args: NotebookEditArguments, call: ToolCall) -> Display:
        """Show the difference it would make."""
        try:
            return (await _plan(args, call)).display(call.cwd)
        except (PortError, RefusedError):
            return self.preview(args, call.cwd)

    async def run(self, args: NotebookEditArguments, call: ToolCall) -> ToolOutput:
        """Make the change."""
        files = call.ports.files
        try:
            plan = await _plan(args, call)
            after = await plan.change.make(files)
        except PortError as error:
            path = absolute(args.notebook_path, call.cwd)
            return failed(f"{shown(path)}: {error}", self.preview(args, call.cwd))
        except RefusedError as error:
            return failed(str(error), self.preview(args, call.cwd))
        total = len(plan.change.new.lines)
        files.remember(plan.change.path, Seen(after.digest, total, ((1, total),), after.data))
        done = {"replace": "Changed", "insert": "Inserted", "delete": "Deleted"}[args.edit_mode]
        text = f"{done} cell {plan.cell_id} of {shown(plan.change.path)}."
        return ToolOutput(text, plan.display(call.cwd), _structured(plan, args))


async def _plan(args: NotebookEditArguments, call: ToolCall) -> _Plan:
    """Work out the change.

    Raises:
        PortError: the file can't be read.
        RefusedError: it must not be made.
    """
    path = absolute(args.notebook_path, call.cwd)
    before = await call.ports.files.read(path)
    return await to_thread.run_sync(_work_out, args, path, before, call.ports.files.recall(path))


def _work_out(
    args: NotebookEditArguments, path: str, before: FileBytes, seen: Seen | None
) -> _Plan:
    """In a thread: a big notebook takes its time."""
    file = decoded(shown(path), before)
    try:
        notebook = Notebook.read(file.text)
        cell = None if args.cell_id is None else notebook.find(args.cell_id)
    except NotebookError as error:
        raise RefusedError(f"{shown(path)} was not changed: {error}.") from None
    _require_known(shown(path), seen, before, cell)
    source = sendable(args.new_source)
    cell_type = args.cell_type or (cell.type if cell else "code")
    if args.edit_mode == "insert" or cell is None:
        text, new_id = notebook.inserted(cell, source, args.cell_type or "code")
        change = FileChange(path, before, file, file.with_text(text))
        return _Plan(change, notebook, new_id, cell_type, None, source)
    if args.edit_mode == "delete":
        text, source = notebook.deleted(cell), ""
    else:
        text = notebook.replaced(cell, source, args.cell_type)
    change = FileChange(path, before, file, file.with_text(text))
    return _Plan(change, notebook, cell.id, cell_type, cell.source, source)


def _require_known(path: str, seen: Seen | None, before: FileBytes, cell: Cell | None) -> None:
    """Refuse to change what the model does not know.

    Raises:
        RefusedError: it was not read, or the cell is another by now.
    """
    if seen is None:
        raise RefusedError(
            f"{path} was not read in this session: read it first, so that nothing in it is lost unseen."
        )
    if seen.digest == before.digest or cell is None or _same_cell(seen, cell):
        return
    raise RefusedError(
        f"{path} changed since you read it, cell {cell.id} too; nothing was written. Read it again."
    )


def _same_cell(seen: Seen, cell: Cell) -> bool:
    """Whether the cell was the same when the notebook was read."""
    if seen.data is None:
        return False
    try:
        return Notebook.read(TextFile.decode(seen.data).text).find(cell.id).source == cell.source
    except (NotTextError, NotebookError):
        return False


def _structured(plan: _Plan, args: NotebookEditArguments) -> JsonObject:
    """Give the documented shape; files that are too long are left out of it."""
    old, new = plan.notebook.text, plan.change.new.text
    data: JsonObject = {
        "new_source": plan.new,
        "cell_id": plan.cell_id,
        "cell_type": plan.cell_type,
        "language": plan.notebook.language,
        "edit_mode": args.edit_mode,
        "notebook_path": shown(plan.change.path),
        "original_file": sendable(old) if len(old) <= MAX_ORIGINAL else None,
        "updated_file": sendable(new) if len(new) <= MAX_ORIGINAL else None,
    }
    if plan.old is not None:
        data["old_source"] = sendable(plan.old)
    return data


TOOL = NotebookEdit()
