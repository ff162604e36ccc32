"""Heads of Markdown files: read leniently, with the line each field stands in."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_tui.agents.front_matter import HeadError, read_document


def head(*rows: str, body: str = "Do it.") -> str:
    return "\n".join(["---", *rows, "---", body])


@pytest.mark.parametrize(
    ("rows", "fields"),
    [
        (["name: a", "tools: Read, Bash"], {"name": "a", "tools": "Read, Bash"}),
        (["tools: [Read, Bash]"], {"tools": ["Read", "Bash"]}),
        (["tools:", "  - Read", "  - Bash"], {"tools": ["Read", "Bash"]}),
        (["tools:", "- Read"], {"tools": ["Read"]}),
        (["description: >", "  one", "  two"], {"description": "one two"}),
        (["maxTurns: 3", "background: true"], {"maxTurns": 3, "background": True}),
        (["# a note", "name: a"], {"name": "a"}),
        ([], {}),
    ],
)
def test_yaml_is_read_as_yaml(rows: list[str], fields: dict[str, Any]) -> None:
    document = read_document(head(*rows))
    assert document.fields == fields
    assert document.body == "Do it."


def test_m11_a_colon_in_a_description_loses_nothing() -> None:
    document = read_document(
        head("name: a", "description: Use when: asked", "tools: Read", "x: 'y'")
    )
    assert document.fields == {
        "name": "a",
        "description": "Use when: asked",
        "tools": "Read",
        "x": "y",
    }
    assert document.line("tools") == 4
    assert document.line("not there") == 1


def test_quotes_of_an_odd_line_are_taken_off() -> None:
    document = read_document(head('description: "Use when: asked"', "other: a: b", "none:"))
    assert document.fields == {"description": "Use when: asked", "other": "a: b", "none": None}


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("---\nname: a\nno end", 1),
        (head("name: a", "description: b: c", "tools:", "  - [Read"), 4),
        (head("{{odd}}", "name: a: b"), 2),
    ],
)
def test_a_head_that_cannot_be_read_names_its_line(text: str, line: int) -> None:
    with pytest.raises(HeadError) as told:
        read_document(text)
    assert told.value.line == line


@pytest.mark.parametrize("text", ["Just text.\n---\nname: a\n---", "", "--\nname: a"])
def test_a_file_without_a_head_is_all_body(text: str) -> None:
    document = read_document(text)
    assert document.fields == {}
    assert document.body == text.strip()


def test_a_mark_and_other_line_ends_do_not_hide_the_head() -> None:
    assert read_document("\ufeff---\r\nname: a\r\n---\r\nx\r\n").fields == {"name": "a"}


@given(st.text(alphabet="ab:-# '\"[]{}\n\t&*!|>%@", max_size=80))
def test_any_head_is_read_or_refused_with_a_line_of_the_file(text: str) -> None:
    source = head(text)
    try:
        document = read_document(source)
    except HeadError as error:
        assert 1 <= error.line <= len(source.splitlines())
    else:
        assert all(isinstance(key, str) for key in document.fields)
