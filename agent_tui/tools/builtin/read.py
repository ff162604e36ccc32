"""Read: a file's lines with their numbers, or a picture."""

from __future__ import annotations

from pathlib import Path

from anyio import to_thread
from pydantic import Field, field_validator

from agent_tui.protocol.access import Access, ReadPath
from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.display import Display, FileDisplay
from agent_tui.protocol.ports import FileBytes, PortError, Seen, ToolLimits
from agent_tui.tools.arguments import Arguments
from agent_tui.tools.base import ToolCall, ToolOutput
from agent_tui.tools.definition import BuiltinTool, failed
from agent_tui.tools.notebook import Notebook, NotebookError
from agent_tui.tools.notebook_view import cells_data, cells_text
from agent_tui.tools.page import BYTES_PER_TOKEN, Page, cut_page
from agent_tui.tools.paths import absolute, checked, relative, shown
from agent_tui.tools.pictures import PictureError, media_type, prepare
from agent_tui.tools.text import NotTextError, TextFile, split_lines


class ReadArguments(Arguments):
    """Input of Read."""

    file_path: str = Field(description="Absolute path of the file")
    offset: int | None = Field(None, ge=0, description="First line, from 1")
    limit: int | None = Field(None, ge=1, description="How many lines")

    @field_validator("file_path")
    @classmethod
    def _path(cls, value: str) -> str:
        return checked(value, "file_path")


class Read(BuiltinTool[ReadArguments]):
    """Shows a file to the model and remembers that it did."""

    name = "Read"
    arguments = ReadArguments
    read_only = True

    def access(self, args: ReadArguments, cwd: Path) -> Access:
        """Reads the file."""
        return ReadPath(absolute(args.file_path, cwd))

    def preview(self, args: ReadArguments, cwd: Path) -> Display:
        """Name the file and the lines asked for."""
        first = args.offset or (1 if args.limit else None)
        last = first + args.limit - 1 if first and args.limit else None
        return FileDisplay(relative(absolute(args.file_path, cwd), cwd), first, last)

    async def run(self, args: ReadArguments, call: ToolCall) -> ToolOutput:
        """Read the file, a page of it if it is long."""
        path = absolute(args.file_path, call.cwd)
        try:
            file = await call.ports.files.read(path)
        except PortError as error:
            return failed(f"{shown(path)}: {error}", self.preview(args, call.cwd))
        if kind := media_type(file.data):
            return await _picture(file, kind, call)
        if path.endswith(".ipynb") and not (args.offset or args.limit):
            shown_cells = await to_thread.run_sync(_notebook, file, call.ports.limits)
            if shown_cells is not None:
                return _cells(path, shown_cells, file, call)
        try:
            page = await to_thread.run_sync(_page, file, args, call.ports.limits)
        except NotTextError as error:
            return failed(_not_text(path, file.data, error), self.preview(args, call.cwd))
        ranges = () if page.last < page.first or page.clipped else ((page.first, page.last),)
        call.ports.files.remember(path, Seen(file.digest, page.total, ranges, file.data))
        return ToolOutput(
            page.content,
            FileDisplay(relative(path, call.cwd), page.first, page.last, page.total, page.note),
            _structured(path, page),
        )


def _page(file: FileBytes, args: ReadArguments, limits: ToolLimits) -> Page:
    """Cut the page asked for. In a thread: a big file takes its time."""
    text = TextFile.decode(file.data)
    first = max(args.offset or 1, 1)
    return cut_page(text, first, args.limit, limits.read_lines, limits.read_tokens)


def _structured(path: str, page: Page) -> JsonObject:
    file: JsonObject = {
        "filePath": shown(path),
        "content": page.text,
        "numLines": max(page.last - page.first + 1, 0),
        "startLine": page.first,
        "totalLines": page.total,
    }
    if page.by_tokens:
        file["truncatedByTokenCap"] = True
    return {"type": "text", "file": file}


def _notebook(file: FileBytes, limits: ToolLimits) -> tuple[Notebook, str] | None:
    """Give a notebook and its cells as text; None if it is none, or too long to be shown whole."""
    try:
        notebook = Notebook.read(TextFile.decode(file.data).text)
    except (NotTextError, NotebookError):
        return None
    text = cells_text(notebook)
    return (notebook, text) if len(text) <= limits.read_tokens * BYTES_PER_TOKEN else None


def _cells(path: str, found: tuple[Notebook, str], file: FileBytes, call: ToolCall) -> ToolOutput:
    notebook, text = found
    lines = len(split_lines(notebook.text))
    call.ports.files.remember(path, Seen(file.digest, lines, ((1, lines),), file.data))
    count = len(notebook.cells)
    note = "1 cell" if count == 1 else f"{count} cells"
    return ToolOutput(
        text,
        FileDisplay(relative(path, call.cwd), note=note),
        {"type": "notebook", "file": {"filePath": shown(path), "cells": cells_data(notebook)}},
    )


async def _picture(file: FileBytes, kind: str, call: ToolCall) -> ToolOutput:
    display = FileDisplay(relative(file.path, call.cwd), note="picture")
    try:
        picture = await to_thread.run_sync(prepare, file.data, kind)
    except PictureError as error:
        return failed(f"The picture {shown(file.path)} can't be shown: {error}.", display)
    call.ports.files.remember(file.path, Seen(file.digest, 0))
    content: list[JsonObject] = [picture.block()]
    if picture.note:
        content.append({"type": "text", "text": f"[The picture was {picture.note}.]"})
    structured: JsonObject = {
        "type": "image",
        "file": {
            "base64": picture.base64(),
            "type": picture.media_type,
            "originalSize": len(file.data),
            "dimensions": {"width": picture.width, "height": picture.height},
        },
    }
    note = f"picture, {picture.width} x {picture.height}"
    return ToolOutput(content, FileDisplay(display.path, note=note), structured)


def _not_text(path: str, data: bytes, error: NotTextError) -> str:
    if data.startswith(b"%PDF"):
        return (
            f"{shown(path)} is a PDF, which can't be shown. Get its text with Bash (`pdftotext`)."
        )
    return (
        f"{shown(path)} can't be shown: {error} ({len(data):,} bytes). "
        "Look at it with Bash (`file`, `xxd`, `strings`)."
    )


TOOL = Read()
