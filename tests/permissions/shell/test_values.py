from __future__ import annotations

import pytest

from agent_tui.permissions.shell.parse import parse_line
from agent_tui.permissions.shell.syntax import ShellLine
from agent_tui.permissions.shell.values import holds_only_numbers
from agent_tui.permissions.shell.words import word_of


def read(line: str) -> ShellLine:
    parsed = parse_line(line)
    assert not parsed.problem, parsed.problem
    return parsed


def raws(line: str, name: str) -> list[str] | None:
    values = read(line).variables[name]
    return None if values is None else [word.raw for word in values]


def test_values_are_collected() -> None:
    assert raws("x=1; x='a b'", "x") == ["1", "'a b'"]
    assert raws("for x in a *.py; do b; done", "x") == ["a", "*.py"]
    assert raws("export x=1", "x") == ["1"]
    assert raws("x= a", "x") == [""]


@pytest.mark.parametrize(
    "line",
    ["x=(a b)", "x[1]=a", "x+=a", "select x in a; do b; done", "for x; do b; done", "echo ${x:=a}"],
)
def test_values_that_can_t_be_told_are_unknown(line: str) -> None:
    assert raws(line, "x") is None


def test_what_is_computed_with_is_noted() -> None:
    for line in (
        "echo $((x + 1))",
        "((x++))",
        "echo ${y:x:1}",
        "echo ${y[x]}",
        "y[x]=1",
        "for ((x=0;;)); do a; done",
    ):
        assert "x" in read(line).arithmetic, line
    assert "x" not in read("echo ${x:-1}").arithmetic


def test_numbers_are_safe_to_compute_with() -> None:
    assert holds_only_numbers((word_of("1"), word_of("-5")))
    assert holds_only_numbers(read("for x in {1..5}; do a; done").variables["x"])
    assert holds_only_numbers(read("x=$((1+2))").variables["x"])
    assert not holds_only_numbers((word_of("a"),))
    assert not holds_only_numbers(read("x=$(a)").variables["x"])
    assert not holds_only_numbers(None)


@pytest.mark.parametrize("line", ["echo ${x@P}", "echo ${!x}"])
def test_expansions_that_run_values_are_opaque(line: str) -> None:
    assert read(line).opaque


@pytest.mark.parametrize(
    "line", ["echo ${x:-'}'}", "echo ${x/\\}/y}", 'echo $((1 + "2"))', "x=a'b"]
)
def test_what_may_end_elsewhere_is_not_understood(line: str) -> None:
    assert parse_line(line).problem
