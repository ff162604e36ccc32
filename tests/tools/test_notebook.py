"""Notebooks: what is not touched stays as it is."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent_tui.protocol.content import JsonObject
from agent_tui.tools.notebook import Notebook, NotebookError, joined
from tests.tools.notebooks import code, jupyter, markdown, notebook

CELLS = (markdown("# Title\n", "m1"), code("x = 1\nprint(x)", "c1"), code("é = 2", "c2"))
STYLES: list[Callable[[JsonObject], str]] = [
    jupyter,
    lambda data: json.dumps(data, indent=4),
    lambda data: json.dumps(data, indent="\t", ensure_ascii=False),
    lambda data: json.dumps(data),
    lambda data: json.dumps(data, separators=(",", ":")),
]


@pytest.mark.parametrize("style", STYLES)
def test_a_changed_cell_is_all_that_changes(style: Callable[[JsonObject], str]) -> None:
    text = style(notebook(*CELLS))
    read = Notebook.read(text)
    after = read.replaced(read.find("c1"), "y = 2\n", None)
    changed = {
        **CELLS[1],
        "source": ["y = 2\n"],
        "execution_count": None,
        "outputs": [],
    }
    assert after == style(notebook(CELLS[0], changed, CELLS[2]))


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("place", [0, 1, 2, 3])
def test_an_inserted_cell_is_written_as_the_others_are(
    style: Callable[[JsonObject], str], place: int
) -> None:
    read = Notebook.read(style(notebook(*CELLS)))
    after = read.cells[place - 1] if place else None
    text, cell_id = read.inserted(after, "a\nb", "code", "new1")
    made: JsonObject = {
        "cell_type": "code",
        "execution_count": None,
        "id": "new1",
        "metadata": {},
        "outputs": [],
        "source": ["a\n", "b"],
    }
    assert cell_id == "new1"
    assert text == style(notebook(*CELLS[:place], made, *CELLS[place:]))


@pytest.mark.parametrize("style", STYLES)
def test_the_first_cell_of_all(style: Callable[[JsonObject], str]) -> None:
    read = Notebook.read(style(notebook()))
    text, cell_id = read.inserted(None, "# Hi", "markdown", "new1")
    made: JsonObject = {"cell_type": "markdown", "id": "new1", "metadata": {}, "source": ["# Hi"]}
    assert (text, cell_id) == (style(notebook(made)), "new1")


@pytest.mark.parametrize("style", STYLES)
def test_a_deleted_cell_leaves_no_trace(style: Callable[[JsonObject], str]) -> None:
    text = style(notebook(*CELLS))
    for number, cell in enumerate(CELLS):
        read = Notebook.read(text)
        rest = [other for other in CELLS if other is not cell]
        assert read.deleted(read.cells[number]) == style(notebook(*rest))
    one = Notebook.read(style(notebook(CELLS[0])))
    assert Notebook.read(one.deleted(one.cells[0])).cells == ()


def test_odd_spacing_and_numbers_elsewhere_survive() -> None:
    text = '{ "a":1.50,\n  "cells": [ {"cell_type":"code", "source":"x"} ,\n\n{"cell_type": "raw"}],"z":1e2 }'
    read = Notebook.read(text)
    after = read.replaced(read.find("cell-0"), "y", None)
    assert after.startswith('{ "a":1.50,\n  "cells": [ {')
    assert after.endswith(' ,\n\n{"cell_type": "raw"}],"z":1e2 }')
    assert json.loads(after)["cells"][0]["source"] == "y"


def test_a_code_cell_that_becomes_text_has_no_outputs_and_back() -> None:
    read = Notebook.read(jupyter(notebook(*CELLS)))
    after = Notebook.read(read.replaced(read.find("c1"), "words", "markdown"))
    assert after.find("c1").data == {
        "cell_type": "markdown",
        "id": "c1",
        "metadata": {},
        "source": ["words"],
    }
    again = Notebook.read(after.replaced(after.find("c1"), "1", "code"))
    assert again.find("c1").data["outputs"] == []


def test_cells_without_an_id_are_counted() -> None:
    read = Notebook.read(jupyter(notebook(markdown("a"), code("b"), minor=4)))
    assert [cell.id for cell in read.cells] == ["cell-0", "cell-1"]
    text, cell_id = read.inserted(read.cells[0], "c", "code")
    assert cell_id == "cell-1"
    assert "id" not in Notebook.read(text).cells[1].data


def test_new_notebooks_give_new_cells_an_id() -> None:
    read = Notebook.read(jupyter(notebook(markdown("a", "m"))))
    text, cell_id = read.inserted(None, "c", "code")
    assert Notebook.read(text).cells[0].data["id"] == cell_id
    assert len(cell_id) == 8


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("not json", "no valid JSON"),
        ("[" * 100_000, "nested too deep"),
        ("[]", "no list of cells"),
        ('{"cells": 1}', "no list of cells"),
        ('{"cells": [1]}', "no object"),
    ],
)
def test_what_is_no_notebook_says_so(text: str, says: str) -> None:
    with pytest.raises(NotebookError, match=says):
        Notebook.read(text)


def test_a_missing_cell_names_those_there_are() -> None:
    with pytest.raises(NotebookError, match="no cell 'x'; its cells are: m1, c1, c2"):
        Notebook.read(jupyter(notebook(*CELLS))).find("x")
    with pytest.raises(NotebookError, match="no cell 'cell-9"):
        Notebook.read(jupyter(notebook(*CELLS))).find("cell-" + "9" * 5000)


def test_language_and_sources() -> None:
    assert Notebook.read(jupyter(notebook())).language == "python"
    other = '{"cells": [], "metadata": {"kernelspec": {"language": "R"}}}'
    assert Notebook.read(other).language == "R"
    assert Notebook.read('{"cells": [], "metadata": 3}').language == "python"
    assert (joined(["a\n", "b"]), joined("c"), joined(None)) == ("a\nb", "c", "")


SOURCES = st.text(max_size=30).map(lambda text: text.encode("utf-8", "ignore").decode())


@settings(max_examples=100, deadline=None)
@given(
    st.lists(SOURCES, min_size=1, max_size=4),
    SOURCES,
    st.sampled_from(STYLES),
    st.integers(0, 3),
)
def test_any_source_comes_back_as_it_was_given(
    sources: list[str], new: str, style: Callable[[JsonObject], str], place: int
) -> None:
    cells = [{**code(one, f"c{n}"), "source": one} for n, one in enumerate(sources)]
    read = Notebook.read(style(notebook(*cells)))
    cell = read.cells[place % len(cells)]
    after = Notebook.read(read.replaced(cell, new, None))
    assert [one.source for one in after.cells] == [
        new if one.id == cell.id else one.source for one in read.cells
    ]
    assert after.data["metadata"] == read.data["metadata"]
