from __future__ import annotations

from dataclasses import replace

import pytest

from agent_tui.tui.facts import (
    counted,
    cut_path,
    duration,
    path_span,
    short_model,
    short_path,
)
from tests.fakes.conversation_host import page


@pytest.mark.parametrize(
    ("milliseconds", "said"),
    [
        (0, "0.1 s"),
        (130, "0.1 s"),
        (2300, "2.3 s"),
        (9949, "9.9 s"),
        (9960, "10 s"),
        (41000, "41 s"),
        (59900, "1:00"),
        (125000, "2:05"),
        (3723000, "1:02:03"),
    ],
)
def test_durations(milliseconds: float, said: str) -> None:
    assert duration(milliseconds) == said


@pytest.mark.parametrize(
    ("model", "short"),
    [
        ("claude-sonnet-5-5", "sonnet-5-5"),
        ("claude-opus-4-6-20260115", "opus-4-6"),
        ("qwen3-coder-30b", "qwen3-coder-30b"),
        ("claude-", "claude-"),
    ],
)
def test_a_model_is_named_by_what_tells_it_from_others(model: str, short: str) -> None:
    assert short_model(model) == short


def test_counts() -> None:
    assert counted(1, "line") == "1 line"
    assert counted(48, "more line") == "48 more lines"
    assert counted(2, "match") == "2 matches"


@pytest.mark.parametrize(
    ("path", "short"),
    [
        ("/w/src/a.py", "src/a.py"),
        ("/h/x", "~/x"),
        ("/w", "."),
        ("/h", "~"),
        ("/etc/x", "/etc/x"),
        ("/world", "/world"),
    ],
)
def test_paths_are_told_from_the_project_or_home(path: str, short: str) -> None:
    assert short_path(page(), path) == short


@pytest.mark.parametrize(
    ("path", "width", "cut"),
    [
        ("src/a.py", 20, "src/a.py"),
        ("src/very/long/folder/name.py", 16, "src/ver…/name.py"),
        ("src/very/long/folder/name.py", 8, "…/name.p"),
        ("onlyaverylongname.py", 8, "…onlyave"),
    ],
)
def test_a_path_is_cut_in_the_middle(path: str, width: int, cut: str) -> None:
    assert cut_path(path, width) == cut


@pytest.mark.parametrize(
    ("path", "target"),
    [("/w/src/a.py", "/w/src/a.py"), ("src/a b.py", "/w/src/a%20b.py"), ("/x/y", "/x/y")],
)
def test_a_path_leads_to_its_file_where_links_are_wanted(path: str, target: str) -> None:
    style = page().theme.style("text")
    assert path_span(page(), path, 40, style) == (short_path(page(), path), style)
    said, linked = path_span(replace(page(), links=True), path, 40, style)
    assert said == short_path(page(), path)
    assert linked.link is not None and linked.link.endswith(target) and "file://" in linked.link
