from __future__ import annotations

import pytest

from agent_tui.hooks.matcher import read_matcher


@pytest.mark.parametrize(
    ("matcher", "fits", "leaves"),
    [
        (None, ["Bash", "mcp__a__b", ""], []),
        ("", ["Bash"], []),
        ("*", ["Bash", "x y"], []),
        ("Bash", ["Bash"], ["BashOutput", "bash", ""]),
        ("Edit|Write", ["Edit", "Write"], ["NotebookEdit", "Edit|Write"]),
        ("Edit, Write", ["Edit", "Write"], ["MultiEdit"]),
        ("^Notebook", ["NotebookEdit"], ["MyNotebook"]),
        ("Edit.*", ["Edit", "MultiEdit"], ["Write"]),
        ("mcp__memory__.*", ["mcp__memory__store"], ["mcp__other__store"]),
        ("mcp__memory", ["mcp__memory"], ["mcp__memory__store"]),
        ("mcp__brave-search__web", ["mcp__brave-search__web"], ["mcp__brave"]),
        ("^Bash$", ["Bash"], ["BashOutput"]),
    ],
)
def test_a_matcher_is_names_or_a_regular_expression(
    matcher: str | None, fits: list[str], leaves: list[str]
) -> None:
    read = read_matcher(matcher)
    assert [name for name in fits if not read.fits(name)] == []
    assert [name for name in leaves if read.fits(name)] == []


def test_where_only_bars_part_names_a_comma_belongs_to_a_name() -> None:
    read = read_matcher("rate_limit|a, b", bars_only=True)
    assert read.fits("rate_limit") and read.fits("a, b")
    assert not read.fits("a")


def test_it_fits_by_any_of_a_things_names() -> None:
    assert read_matcher("Task").fits("Agent", "Task")
    assert read_matcher("^Ta").fits("Agent", "Task")


@pytest.mark.parametrize("matcher", ["Edit(", "*.py", "(?P<x>a)(?P<x>b)"])
def test_what_is_no_regular_expression_is_said(matcher: str) -> None:
    with pytest.raises(ValueError, match="no regular expression"):
        read_matcher(matcher)
