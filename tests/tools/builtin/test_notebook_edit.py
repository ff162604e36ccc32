"""NotebookEdit on real files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from agent_tui.protocol.access import WritePath
from agent_tui.protocol.display import DiffDisplay
from agent_tui.tools.base import InvalidInputError
from agent_tui.tools.builtin.notebook_edit import TOOL
from agent_tui.tools.builtin.read import TOOL as READ
from agent_tui.tools.notebook import Notebook
from tests.tools.notebooks import code, jupyter, markdown, notebook
from tests.tools.place import Place

pytestmark = pytest.mark.anyio

CELLS = (markdown("# Title", "m1"), code("x = 1\nprint(x)", "c1"))


async def opened(place: Place, name: str = "n.ipynb") -> Path:
    """Write a notebook and have it read."""
    file = place.folder / name
    file.write_text(jupyter(notebook(*CELLS)))
    await place.run(READ, file_path=name)
    return file


def sources(file: Path) -> list[str]:
    return [cell.source for cell in Notebook.read(file.read_text()).cells]


async def test_a_cell_is_replaced_and_the_change_shown(place: Place) -> None:
    file = await opened(place)
    before = file.read_text()
    output = await place.run(
        TOOL, notebook_path="n.ipynb", cell_id="c1", new_source="x = 2\nprint(x)"
    )
    assert output.content == f"Changed cell c1 of {file}."
    assert sources(file) == ["# Title", "x = 2\nprint(x)"]
    assert output.structured == {
        "new_source": "x = 2\nprint(x)",
        "old_source": "x = 1\nprint(x)",
        "cell_id": "c1",
        "cell_type": "code",
        "language": "python",
        "edit_mode": "replace",
        "notebook_path": str(file),
        "original_file": before,
        "updated_file": file.read_text(),
    }
    assert isinstance(output.display, DiffDisplay)
    assert (output.display.path, output.display.added, output.display.removed) == ("n.ipynb", 1, 1)
    assert output.display.hunks[0].heading == "cell c1"
    assert output.display.hunks[0].lines == ("-x = 1", "+x = 2", " print(x)")


async def test_cells_are_inserted_and_deleted_one_after_another(place: Place) -> None:
    file = await opened(place)
    insert = {"notebook_path": "n.ipynb", "edit_mode": "insert"}
    await place.run(TOOL, **insert, cell_id="m1", cell_type="markdown", new_source="between")
    first = await place.run(TOOL, **insert, cell_type="code", new_source="import os")
    assert sources(file) == ["import os", "# Title", "between", "x = 1\nprint(x)"]
    assert isinstance(first.structured, dict)
    assert "old_source" not in first.structured
    await place.run(TOOL, notebook_path="n.ipynb", cell_id="m1", edit_mode="delete")
    assert sources(file) == ["import os", "between", "x = 1\nprint(x)"]


async def test_crlf_stays(place: Place) -> None:
    file = await opened(place)
    file.write_bytes(file.read_bytes().replace(b"\n", b"\r\n"))
    await place.run(READ, file_path="n.ipynb")
    await place.run(TOOL, notebook_path="n.ipynb", cell_id="c1", new_source="y")
    data = file.read_bytes()
    assert data.count(b"\r\n") == data.count(b"\n")


async def test_a_notebook_that_was_not_read_is_left_alone(place: Place) -> None:
    file = place.folder / "n.ipynb"
    file.write_text(jupyter(notebook(*CELLS)))
    output = await place.run(TOOL, notebook_path="n.ipynb", cell_id="c1", new_source="y")
    assert output.is_error
    assert "read it first" in str(output.content)
    assert file.read_text() == jupyter(notebook(*CELLS))


async def test_changed_meanwhile_only_another_cell_may_be_changed(place: Place) -> None:
    file = await opened(place)
    file.write_text(jupyter(notebook(CELLS[0], code("x = 99", "c1"))))
    await place.run(TOOL, notebook_path="n.ipynb", cell_id="m1", new_source="# New")
    assert sources(file) == ["# New", "x = 99"]
    file.write_text(jupyter(notebook(CELLS[0], code("x = 100", "c1"))))
    output = await place.run(TOOL, notebook_path="n.ipynb", cell_id="c1", new_source="y")
    assert output.is_error
    assert "cell c1 too; nothing was written" in str(output.content)


@pytest.mark.parametrize(
    ("text", "says"),
    [("no json", "no valid JSON"), (jupyter(notebook(*CELLS)), "no cell 'nope'")],
)
async def test_what_can_not_be_changed_says_why(place: Place, text: str, says: str) -> None:
    file = await opened(place)
    file.write_text(text)
    output = await place.run(TOOL, notebook_path="n.ipynb", cell_id="nope", new_source="y")
    assert output.is_error and says in str(output.content)
    missing = await place.run(TOOL, notebook_path="no.ipynb", cell_id="c1", new_source="y")
    assert missing.is_error


async def test_the_question_shows_the_difference(place: Place) -> None:
    await opened(place)
    args = TOOL.parse({"notebook_path": "n.ipynb", "cell_id": "c1", "new_source": "y"})
    display = await TOOL.proposal(args, place.call())
    assert isinstance(display, DiffDisplay)
    assert (display.added, display.removed) == (1, 2)
    gone = TOOL.parse({"notebook_path": "n.ipynb", "cell_id": "zzz", "new_source": "y"})
    assert await TOOL.proposal(gone, place.call()) == TOOL.preview(gone, place.folder)
    assert TOOL.access(args, place.folder) == WritePath(str(place.folder / "n.ipynb"))


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"notebook_path": "n.py", "cell_id": "a"}, "ipynb"),
        ({"notebook_path": "n.ipynb"}, "not run: replace needs `cell_id`"),
        ({"notebook_path": "n.ipynb", "edit_mode": "delete"}, "delete needs `cell_id`"),
        ({"notebook_path": "n.ipynb", "edit_mode": "insert"}, "insert needs `cell_type`"),
    ],
)
async def test_a_call_that_makes_no_sense_is_refused(given: dict[str, Any], says: str) -> None:
    with pytest.raises(InvalidInputError, match=says):
        TOOL.parse(given)
