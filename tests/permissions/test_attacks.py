"""Lines that try to get past rules: none of them runs unasked."""

from __future__ import annotations

from collections import Counter

import pytest

from agent_tui.permissions.policy import Allowed
from agent_tui.permissions.rules import RuleBook
from agent_tui.protocol.messages import PermissionMode
from tests.permissions.attacks import FORBIDDEN, PREFIXES, Kind, attacks, laid_out
from tests.permissions.ground import Project, book

RULES = book(PREFIXES)
BARE = book(["Bash"], FORBIDDEN)
ASKING: list[PermissionMode] = ["default", "plan", "dontAsk"]


@pytest.fixture
def ground(project: Project) -> Project:
    return laid_out(project)


def families(*kinds: Kind) -> list[str]:
    return list(dict.fromkeys(attack.family for attack in attacks(*kinds)))


def unasked(
    ground: Project, family: str, rules: RuleBook | None, modes: list[PermissionMode]
) -> list[tuple[str, str]]:
    """Give the lines of a family that run unasked, and in which mode."""
    return [
        (attack.line, mode)
        for attack in attacks()
        if attack.family == family
        for mode in modes
        if isinstance(ground.bash(attack.line, rules=rules, mode=mode), Allowed)
    ]


@pytest.mark.parametrize("family", families("allowed", "writes"))
def test_prefix_rules_let_nothing_else_run(ground: Project, family: str) -> None:
    assert unasked(ground, family, RULES, ASKING) == []


@pytest.mark.parametrize("family", families("allowed"))
def test_the_mode_that_accepts_edits_accepts_no_more(ground: Project, family: str) -> None:
    assert unasked(ground, family, RULES, ["acceptEdits"]) == []


@pytest.mark.parametrize("family", families("denied"))
def test_what_a_rule_forbids_runs_unasked_in_no_mode(ground: Project, family: str) -> None:
    assert unasked(ground, family, BARE, [*ASKING, "acceptEdits", "bypassPermissions"]) == []


@pytest.mark.parametrize("family", families("looks", "allowed", "writes"))
def test_what_may_do_more_is_not_taken_for_a_look(ground: Project, family: str) -> None:
    assert unasked(ground, family, None, ASKING) == []


def test_there_are_many_of_many_kinds() -> None:
    found = attacks()
    assert len({attack.line for attack in found}) > 900
    families = Counter(attack.family for attack in found)
    assert len(families) > 20
    traps = [name for name in families if name.startswith("traps of the grammar")]
    assert len(traps) == 4


def test_the_rules_themselves_do_let_their_commands_run(ground: Project) -> None:
    for line in (
        "git log --oneline -5",
        "git fetch --all",
        "git -C src status",
        "find src -name '*.py'",
        "sed -n 5p /etc/hosts",
        "sed -i s/a/b/ x",
        "awk '{print $1}' /etc/hosts",
        "sort -u /etc/hosts",
        "tar xzf a.tar.gz",
        "rg foo ~",
        "npm run test -- --watch",
        "make test V=1",
        "go test ./...",
        "curl -s http://x",
        "timeout 5 make test",
        "for f in a b; do tar xf $f.tar; done",
        "x=src; find $x -name y",
        'f=a; sed -n 5p "$f"',
    ):
        assert isinstance(ground.bash(line, rules=RULES), Allowed), line
