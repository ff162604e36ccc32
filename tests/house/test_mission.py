"""docs/mission.md: each promise is shown by tests that are there and run, or says why it is not ours, or not yet."""

from __future__ import annotations

import ast
import re
from functools import cache

import pytest

from tests.house.tree import ROOT, Source, name_of, sources

ROWS = 153
NOT_OURS = "not ours: "
NOT_YET = "not yet: "
WAITING = frozenset({43, 45, 49, 88, 100})
"""The promises that are not kept yet, or only in part."""

ROW = re.compile(r"^\| (\d+) \| (.+?) \| (.+) \|$", re.MULTILINE)
TEST = re.compile(r"`(tests/[\w/]+\.py)::(test_\w+)`")

CHECKS = frozenset({"raises", "warns"})
"""What checks something without an ``assert``."""

Test = ast.FunctionDef | ast.AsyncFunctionDef


def rows() -> list[tuple[int, str, str]]:
    """Give number, promise and proof of each row."""
    text = (ROOT / "docs" / "mission.md").read_text("utf-8")
    return [(int(number), promise, proof) for number, promise, proof in ROW.findall(text)]


def shown_by(proof: str) -> list[tuple[str, str]]:
    """Give file and name of each test that a proof names."""
    return TEST.findall(proof)


def reason(proof: str) -> str:
    """Give what a proof says beside its tests."""
    return TEST.sub("", proof).strip(" ,;")


@cache
def files() -> dict[str, Source]:
    """Give the files of tests by their place."""
    return {source.where: source for source in sources("tests")}


@cache
def named_in(path: str) -> dict[str, Test]:
    """Give the tests of a file by their name; none where there is no such file."""
    source = files().get(path)
    body = [] if source is None else source.tree.body
    return {n.name: n for n in body if isinstance(n, Test) and n.name.startswith("test_")}


def marks(node: ast.AST) -> set[str]:
    """Name what in a piece of code keeps tests from running, always or sometimes."""
    words = {"skip", "skipif", "xfail", "importorskip"}
    names = {name_of(n) for n in ast.walk(node) if isinstance(n, ast.Attribute | ast.Name)}
    return names & words


def held_back(path: str, name: str) -> set[str]:
    """Name what keeps a test from running: its own marks, those of its file, a skip as its first step."""
    test, source = named_in(path)[name], files()[path]
    found = [
        *test.decorator_list,
        *test.body[:1],
        *(n for n in source.tree.body if isinstance(n, ast.Assign | ast.AnnAssign | ast.Expr)),
    ]
    return set[str]().union(*map(marks, found))


def asserts(test: Test) -> bool:
    """Whether a test checks something by itself."""
    return any(
        isinstance(n, ast.Assert) or (isinstance(n, ast.Call) and name_of(n.func) in CHECKS)
        for n in ast.walk(test)
    )


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("def test_a(): assert 1", set[str]()),
        ("@pytest.mark.skip\ndef test_a(): assert 1", {"skip"}),
        ("@pytest.mark.xfail(reason='x')\ndef test_a(): assert 1", {"xfail"}),
        ("def test_a():\n pytest.skip('later')\n assert 1", {"skip"}),
        ("pytestmark = pytest.mark.skipif(X)\ndef test_a(): assert 1", {"skipif"}),
        ("m = pytest.importorskip('m')\ndef test_a(): assert 1", {"importorskip"}),
    ],
)
def test_the_check_itself(code: str, found: set[str], monkeypatch: pytest.MonkeyPatch) -> None:
    source = Source("tests/test_x.py", code, ast.parse(code))
    monkeypatch.setitem(files(), source.where, source)
    named_in.cache_clear()
    assert held_back(source.where, "test_a") == found
    named_in.cache_clear()


def test_every_row_is_there_once_and_in_order() -> None:
    assert [number for number, _, _ in rows()] == list(range(1, ROWS + 1))


def test_every_promise_is_shown_by_a_test_or_says_why_not() -> None:
    open_ones = [
        number
        for number, _, proof in rows()
        if not shown_by(proof)
        and not (reason(proof).startswith((NOT_OURS, NOT_YET)) and len(reason(proof).split()) > 5)
    ]
    assert open_ones == []


def test_what_is_not_kept_yet_is_known() -> None:
    assert {number for number, _, proof in rows() if NOT_YET in proof} == WAITING


def test_every_test_that_is_named_is_there_and_checks_something() -> None:
    wrong = [
        f"row {number}: {path}::{name}"
        for number, _, proof in rows()
        for path, name in shown_by(proof)
        if name not in named_in(path) or not asserts(named_in(path)[name])
    ]
    assert wrong == []


def test_nothing_is_named_in_a_form_that_is_not_read() -> None:
    loose = [number for number, _, proof in rows() if "`" in reason(proof) or "::" in reason(proof)]
    assert loose == []


def test_every_promise_is_shown_by_a_test_that_always_runs() -> None:
    never = [
        number
        for number, _, proof in rows()
        if shown_by(proof) and all(held_back(path, name) for path, name in shown_by(proof))
    ]
    assert never == []
