from __future__ import annotations

import pytest

from agent_tui.permissions.shell.parse import parse_line
from agent_tui.permissions.shell.syntax import Redirect


def redirects(line: str) -> list[Redirect]:
    parsed = parse_line(line)
    assert not parsed.problem, parsed.problem
    return [redirect for command in parsed.commands for redirect in command.redirects]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("a > f", [(">", "f", True)]),
        ("a >> f 2> g", [(">>", "f", True), (">", "g", True)]),
        ("a >| f", [(">|", "f", True)]),
        ("a &> f", [("&>", "f", True)]),
        ("a &>> f", [("&>>", "f", True)]),
        ("a >& f", [(">&", "f", True)]),
        ("a < f", [("<", "f", False)]),
        ("a 2>&1", [(">&", None, True)]),
        ("a >&- <&3", [(">&-", None, True), ("<&", None, False)]),
        ("> f", [(">", "f", True)]),
        ("> f a", [(">", "f", True)]),
        ("a > $x", [(">", "$x", True)]),
        ('a > "b c"', [(">", '"b c"', True)]),
        ("for i in 1; do a; done > f", [(">", "f", True)]),
        ("{ a; } > f", [(">", "f", True)]),
        ("a | b > f", [(">", "f", True)]),
        ("a $(<f)", [("<", "f", False)]),
        ("cat <<E > f\nx\nE", [(">", "f", True)]),
        ("a <<< x", []),
    ],
)
def test_targets_are_found(line: str, expected: list[tuple[str, str | None, bool]]) -> None:
    found = [(r.op, r.target.raw if r.target else None, r.writes) for r in redirects(line)]
    assert found == expected


def test_a_redirection_after_a_list_belongs_to_its_last_command() -> None:
    commands = parse_line("cd .git && echo x > config").commands
    assert [(c.source, [r.raw for r in c.redirects]) for c in commands] == [
        ("cd .git", []),
        ("echo x", ["> config"]),
    ]


def test_redirections_of_a_group_come_after_what_is_in_it() -> None:
    commands = parse_line("{ cd .git; ls; } > config").commands
    assert [c.source for c in commands] == ["cd .git", "ls", ""]
    assert commands[-1].kind == "group"


@pytest.mark.parametrize(
    "line", ["a >&1x", "a >& -x", "a >&'x'", "a 3>&-b", "a > f>", "a >", "a > 'f'b", 'a >$"f"']
)
def test_odd_ones_are_not_understood_or_hold_one_target(line: str) -> None:
    parsed = parse_line(line)
    targets = [r.target.value for c in parsed.commands for r in c.redirects if r.target]
    assert parsed.problem or targets == ["fb"]


@pytest.mark.parametrize(
    "line",
    [
        "cat <<E\nno end",
        "cat <<E\nE \n",
        "cat <<'E F'\nx\nE F",
        "cat <<$x\nx\n$x",
        "cat <<E'F'\nx\nEF",
        "cat <<E \\\nx\nE",
        "cat <<E; cat <<F\na\nE\nb\nF",
        "cat <<E #x\na\nE",
    ],
)
def test_documents_whose_end_isn_t_sure_are_not_understood(line: str) -> None:
    assert parse_line(line).problem


def test_tabs_before_the_end_count_only_with_a_dash() -> None:
    assert not parse_line("cat <<-E\n\tx\n\tE\nls").problem
    assert parse_line("cat <<E\n\tx\n\tE").problem
