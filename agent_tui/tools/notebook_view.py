"""A notebook as it is shown: its cells with their sources and what they gave."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, cast

from agent_tui.protocol.content import JsonObject
from agent_tui.tools.notebook import Cell, Notebook, joined
from agent_tui.tools.text import sendable

MAX_OUTPUT = 10_000
"""Characters shown of one output."""

_COLOURS = re.compile(r"\x1b\[[0-9;]*m")


def cells_text(notebook: Notebook) -> str:
    """Give the cells for the model, each under a line with its id and type."""
    parts = [_cell(cell) for cell in notebook.cells]
    return sendable("\n\n".join(parts)) or "[The notebook has no cells.]"


def cells_data(notebook: Notebook) -> list[JsonObject]:
    """Give the cells for programs."""
    rows: list[JsonObject] = []
    for cell in notebook.cells:
        row: JsonObject = {
            "cellType": cell.type,
            "source": sendable(cell.source),
            "cell_id": cell.id,
        }
        if cell.type == "code":
            row["language"] = notebook.language
            if outputs := [sendable(text) for text in _outputs(cell)]:
                row["outputs"] = outputs
        rows.append(row)
    return rows


def _cell(cell: Cell) -> str:
    lines = [f"[cell {cell.id}, {cell.type}]", cell.source]
    lines += (f"[output]\n{text}" for text in _outputs(cell))
    return "\n".join(lines)


def _outputs(cell: Cell) -> Iterator[str]:
    outputs: Any = cell.data.get("outputs")
    for output in cast("list[Any]", outputs) if isinstance(outputs, list) else []:
        if isinstance(output, dict) and (text := _output(cast("JsonObject", output))):
            kept = text[:MAX_OUTPUT]
            more = len(text) - len(kept)
            yield f"{kept}\n[{more:,} more characters]" if more else kept


def _output(output: JsonObject) -> str:
    kind = output.get("output_type")
    if kind == "stream":
        return joined(output.get("text")).rstrip("\n")
    if kind == "error":
        traceback: Any = output.get("traceback")
        lines = cast("list[Any]", traceback) if isinstance(traceback, list) else []
        text = _COLOURS.sub("", "\n".join(str(line) for line in lines))
        return text or f"{output.get('ename')}: {output.get('evalue')}"
    found = output.get("data")
    data: JsonObject = cast("JsonObject", found) if isinstance(found, dict) else {}
    text = joined(data.get("text/plain")).rstrip("\n")
    others = [name for name in data if name != "text/plain"]
    pictures = [name for name in others if name.startswith("image/")]
    return "\n".join(filter(None, (text, *(f"[a picture, {name}]" for name in pictures))))
