"""How notebooks are shown."""

from __future__ import annotations

from agent_tui.tools.notebook import Notebook
from agent_tui.tools.notebook_view import MAX_OUTPUT, cells_data, cells_text
from tests.tools.notebooks import code, jupyter, markdown, notebook

OUTPUTS = [
    {"output_type": "stream", "name": "stdout", "text": ["one\n", "two\n"]},
    {"output_type": "execute_result", "data": {"text/plain": ["42"], "image/png": "iVBOR"}},
    {
        "output_type": "error",
        "ename": "ValueError",
        "evalue": "no",
        "traceback": ["\x1b[0;31mno\x1b[0m"],
    },
    {"output_type": "error", "ename": "ValueError", "evalue": "no"},
    {"output_type": "display_data"},
    "junk",
]


def read(*cells: object) -> Notebook:
    return Notebook.read(jupyter(notebook(*cells)))  # pyright: ignore[reportArgumentType]


def test_cells_are_shown_with_what_they_gave() -> None:
    shown = read(markdown("# Hi", "m"), code("1 + 1", "c", outputs=OUTPUTS))
    assert cells_text(shown) == (
        "[cell m, markdown]\n# Hi\n\n"
        "[cell c, code]\n1 + 1\n"
        "[output]\none\ntwo\n"
        "[output]\n42\n[a picture, image/png]\n"
        "[output]\nno\n"
        "[output]\nValueError: no"
    )
    assert cells_data(shown) == [
        {"cellType": "markdown", "source": "# Hi", "cell_id": "m"},
        {
            "cellType": "code",
            "source": "1 + 1",
            "cell_id": "c",
            "language": "python",
            "outputs": ["one\ntwo", "42\n[a picture, image/png]", "no", "ValueError: no"],
        },
    ]


def test_a_huge_output_is_cut() -> None:
    long = [{"output_type": "stream", "text": "x" * (MAX_OUTPUT + 5)}]
    assert "[5 more characters]" in cells_text(read(code("x", outputs=long)))


def test_a_notebook_without_cells_says_so() -> None:
    assert cells_text(read()) == "[The notebook has no cells.]"
