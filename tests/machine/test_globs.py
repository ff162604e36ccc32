"""Globs and ignore rules."""

from __future__ import annotations

import pytest

from agent_tui.machine.globs import GlobError, compile_glob, parse_rule, parse_rules, verdict


@pytest.mark.parametrize(
    ("glob", "matches", "does_not"),
    [
        ("*.py", ["a.py", ".py"], ["a/b.py", "a.pyc"]),
        ("**/*.py", ["a.py", "a/b.py", "a/b/c.py"], ["a.pyc"]),
        ("a/**/b", ["a/b", "a/x/b", "a/x/y/b"], ["ab", "x/a/b"]),
        ("a/**", ["a/b", "a/b/c", "a/"], ["a", "b"]),
        ("a?c", ["abc"], ["a/c", "ac"]),
        ("[a-c]x", ["ax", "cx"], ["dx", "/x"]),
        ("[!a]x", ["bx"], ["ax", "/x"]),
        ("[]x]", ["]", "x"], ["y"]),
        ("*.{js,ts{x,}}", ["a.js", "a.tsx", "a.ts"], ["a.jsx"]),
        ("\\*a", ["*a"], ["ba"]),
        ("a,b", ["a,b"], ["a"]),
        ("x**y", ["xaay"], ["x/y"]),
    ],
)
def test_globs(glob: str, matches: list[str], does_not: list[str]) -> None:
    regex = compile_glob(glob)
    assert [path for path in matches if not regex.fullmatch(path)] == []
    assert [path for path in does_not if regex.fullmatch(path)] == []


@pytest.mark.parametrize("glob", ["[a", "{a", "a}", "[b-a]", "[!"])
def test_broken_globs(glob: str) -> None:
    with pytest.raises(GlobError):
        compile_glob(glob)


def test_lines_that_say_nothing() -> None:
    assert parse_rule("# comment") is None
    assert parse_rule("   ") is None
    assert parse_rules("\n[broken\n*.o\r\n") == (parse_rule("*.o"),)


def test_the_last_rule_that_speaks_of_a_path_decides() -> None:
    rules = parse_rules("*.log\n!keep.log\n/build/\ndocs/*.txt\n\\!odd\nspace\\ \n")
    said = [
        ("a/b.log", False, True),
        ("a/keep.log", False, False),
        ("build", True, True),
        ("build", False, None),
        ("a/build", True, None),
        ("docs/a.txt", False, True),
        ("x/docs/a.txt", False, None),
        ("!odd", False, True),
        ("space ", False, True),
        ("other", False, None),
    ]
    for path, is_folder, expected in said:
        assert verdict(rules, path, is_folder=is_folder) is expected, path
