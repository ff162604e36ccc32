"""What in a memory file is an import, and what a comment."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_tui.context.imports import imports, looks_like_path, without_comments


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("@a.md", ["a.md"]),
        ("See @docs/a.md, and @~/b.md.", ["docs/a.md", "~/b.md"]),
        ("- @a.md\n- @b.md\n- @a.md", ["a.md", "b.md"]),
        ("    - @nested/item.md", ["nested/item.md"]),
        ("(@a.md)", []),
        (r"@my\ notes.md", ["my notes.md"]),
        ("@/abs/path", ["/abs/path"]),
        ("Is it @a.md? Yes!", ["a.md"]),
        ("@", []),
        ("@@twice", ["@twice"]),
    ],
)
def test_a_word_that_begins_with_an_at_sign_is_an_import(text: str, found: list[str]) -> None:
    assert imports(text) == found


@pytest.mark.parametrize(
    "text",
    [
        "write to me@example.com",
        "the `@decorator` and ``a `@b` c``",
        "a span\nover `two\nlines @a.md` of it",
        "```\n@types/node\n```",
        "~~~ts\nimport '@types/node'\n@a.md\n~~~",
        "````\n```\n@inner.md\n```\n@still.md\n````",
        "  ```sh\n  @a.md\n  ```",
        "> ```\n> @quoted.md\n> ```",
        "text\n\n    @indented/code.md\n\n    @more.md",
        "\t@tabbed.md",
        "```\nnever closed\n@a.md",
    ],
)
def test_c7_nothing_in_code_or_addresses_is_an_import(text: str) -> None:
    assert imports(text) == []


def test_c7_text_after_code_is_text_again() -> None:
    text = "```\n@no.md\n```\n@yes.md\n\n    @no.md\n\n@too.md and `x` @three.md"
    assert imports(text) == ["yes.md", "too.md", "three.md"]
    assert imports("a stray ` and @a.md") == ["a.md"]
    assert imports("paragraph ` one\n\n@a.md ` two") == ["a.md"]


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("a\n<!-- gone -->\nb", "a\nb"),
        ("<!-- over\n\nlines -->\nb", "b"),
        ("a <!-- inline --> b", "a <!-- inline --> b"),
        ("```\n<!-- code -->\n```", "```\n<!-- code -->\n```"),
        ("<!-- never closed\nb", "<!-- never closed\nb"),
        ("<!-- a --> after", "after"),
        ("<!-- @secret.md -->\n@real.md", "@real.md"),
    ],
)
def test_comments_that_begin_a_line_are_taken_out(text: str, left: str) -> None:
    assert without_comments(text) == left


@given(st.text(alphabet="@a.`~ \n-<!>\t4", max_size=80))
def test_any_text_can_be_read(text: str) -> None:
    assert all(name in text for name in imports(text))
    if "<!--" not in text:
        assert without_comments(text) == text


def test_names_are_told_from_paths() -> None:
    assert all(map(looks_like_path, ("a.md", "docs/a", "~/x", "/x")))
    assert not any(map(looks_like_path, ("someone", "decorator")))
