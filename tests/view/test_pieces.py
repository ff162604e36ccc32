from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from agent_tui.view.pieces import MAX_PROSE_LINES, Splitter, split


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("one\ntwo\n\nthree", [("prose", "one\ntwo", 0), ("prose", "three", 1)]),
        ("# Head\ntext", [("prose", "# Head", 0), ("prose", "text", 0)]),
        ("Head\n===\ntext", [("prose", "Head\n===", 0), ("prose", "text", 0)]),
        ("a\n***\nb", [("prose", "a", 0), ("prose", "***", 0), ("prose", "b", 0)]),
        ("a:\n- b\n- c", [("prose", "a:", 0), ("item", "- b", 0), ("item", "- c", 0)]),
        ("- b\n\n- c\n\n  d", [("item", "- b", 0), ("item", "- c\n\n  d", 1)]),
        ("- b\nlazy\n\nout", [("item", "- b\nlazy", 0), ("prose", "out", 1)]),
        ("- b\n  - c\n    d\n- e", [("item", "- b\n  - c\n    d", 0), ("item", "- e", 0)]),
        (
            "1. a\n\n   ```\n\n   x\n   ```\n2. b",
            [("item", "1. a\n\n   ```\n\n   x\n   ```", 0), ("item", "2. b", 0)],
        ),
        ("- ```sh\n  x\n\n  y\nout", [("item", "- ```sh\n  x\n\n  y", 0), ("prose", "out", 0)]),
        ("year\n1999. was", [("prose", "year\n1999. was", 0)]),
        (
            "a\n```py\nb\n\n# c\n```\nd",
            [("prose", "a", 0), ("fence", "```py\nb\n\n# c\n```", 1), ("prose", "d", 1)],
        ),
        ("~~~\n```\n~~~~\n", [("fence", "~~~\n```\n~~~~", 0)]),
        ("````\n```\n````", [("fence", "````\n```\n````", 0)]),
        ("`a``` b", [("prose", "`a``` b", 0)]),
        (
            "    code\n\n    more\ntext",
            [("indented", "    code\n\n    more", 0), ("prose", "text", 0)],
        ),
        ("|a|\n|-|\n|b|\ntext?\n\nx", [("prose", "|a|\n|-|\n|b|\ntext?", 0), ("prose", "x", 1)]),
        ("* * *\n- - x", [("prose", "* * *", 0), ("item", "- - x", 0)]),
        ("\n\na", [("prose", "a", 0)]),
        ("", []),
    ],
)
def test_text_is_cut_where_a_block_ends(text: str, pieces: list[tuple[str, str, int]]) -> None:
    assert [(p.kind, p.source, p.gap) for p in split(text)] == pieces


def test_the_code_of_a_fence_is_exact() -> None:
    (fence,) = split("  ```python title\n  a\n\tb\n      c\n\n  ```")
    assert fence.language == "python" and fence.whole
    assert fence.code() == ["a", "\tb", "    c", ""]
    assert fence.code(2) == ["    c", ""]


def test_u5_a_fence_that_never_ends_is_closed_with_the_text() -> None:
    (fence,) = split("```sh\none\n\n~~~\ntwo")
    assert fence.closed and not fence.whole
    assert fence.code() == ["one", "", "~~~", "two"]


def test_a_long_paragraph_is_cut_and_a_long_table_is_not() -> None:
    text = "\n".join(["word"] * (MAX_PROSE_LINES * 2 + 1))
    assert [len(p.lines) for p in split(text)] == [MAX_PROSE_LINES, MAX_PROSE_LINES, 1]
    table = "|a|\n|-|\n" + "\n".join(["|b|"] * (MAX_PROSE_LINES * 2))
    assert len(split(table)) == 1


TEXT = st.lists(
    st.sampled_from(
        [
            "a",
            "```",
            "~~~",
            "- b",
            "  c",
            "1. d",
            "",
            "",
            "    e",
            "# f",
            "---",
            "|g|h|",
            "|-|-|",
            "> i",
            "  ```",
        ]
    ),
    max_size=12,
).map("\n".join)


@given(TEXT, st.lists(st.integers(0, 60), max_size=8))
@example("- b\n\n  ```\na", [11])
@settings(max_examples=300)
def test_u5_however_it_comes_the_pieces_are_the_same_and_closed_ones_never_change(
    text: str, cuts: list[int]
) -> None:
    splitter = Splitter()
    closed: list[tuple[str, str, int]] = []
    at = 0
    for cut in [*sorted(cuts), len(text)]:
        splitter.feed(text[at:cut])
        at = max(at, cut)
        now = [(p.kind, p.source, p.gap) for p in splitter.pieces if p.closed]
        assert now[: len(closed)] == closed
        closed = now
        if splitter.open_fence is None:
            shown = [p for p in splitter.pieces if p.closed] + list(splitter.tail())
            whole = split(text[:cut])
            assert [(p.kind, p.source, p.gap) for p in shown] == [
                (p.kind, p.source, p.gap) for p in whole
            ]
    splitter.end()
    assert [(p.kind, p.source, p.gap) for p in splitter.pieces] == [
        (p.kind, p.source, p.gap) for p in split(text)
    ]


@given(TEXT)
def test_nothing_is_lost(text: str) -> None:
    joined = "\n".join(p.source for p in split(text))
    assert [x for x in joined.split("\n") if x.strip()] == [
        x for x in text.split("\n") if x.strip()
    ]
