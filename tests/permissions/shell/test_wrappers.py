"""Programs that run programs."""

from __future__ import annotations

import pytest

from agent_tui.permissions.shell.wrappers import Unwrapped, program, unwrap
from tests.permissions.shell.reading import texts, words


def peel(line: str) -> Unwrapped:
    return unwrap(words(line))


@pytest.mark.parametrize(
    ("line", "inner"),
    [
        ("timeout 5 rm x", "rm x"),
        ("timeout -k 3 --signal=KILL 5 rm x", "rm x"),
        ("nice -n 5 rm x", "rm x"),
        ("nice -5 rm x", "rm x"),
        ("nohup nice stdbuf -oL rm x", "rm x"),
        ("time -p rm x", "rm x"),
        ("command -p rm x", "rm x"),
        ("builtin rm x", "rm x"),
        ("xargs rm", "rm"),
    ],
)
def test_transparent_wrappers_change_nothing(line: str, inner: str) -> None:
    found = peel(line)
    last = found.views[-1]
    assert " ".join(texts(last.words)) == inner
    assert last.transparent
    assert last.sure
    assert not found.wrapped


@pytest.mark.parametrize(
    ("line", "inner"),
    [
        ("env -u B A=1 rm x", "rm x"),
        ("sudo -u root A=1 rm x", "rm x"),
        ("doas rm x", "rm x"),
        ("exec -a n rm x", "rm x"),
        ("xargs -n 1 -I {} rm {}", "rm {}"),
        ("xargs -0 -P4 rm", "rm"),
        ("setsid -f rm x", "rm x"),
        ("ionice -c 3 rm x", "rm x"),
        ("flock /l rm x", "rm x"),
        ("flock -n /l -c 'x'", None),
        ("busybox rm x", "rm x"),
        ("strace -f -o o rm x", "rm x"),
        ("time A=1 rm x", "rm x"),
        ("find . -name x -exec rm {} ;", None),
    ],
)
def test_others_are_seen_through_but_not_by_allow_rules(line: str, inner: str | None) -> None:
    found = peel(line.replace(" ;", " \\;"))
    views = [" ".join(texts(view.words)) for view in found.views if not view.transparent]
    if inner is not None:
        assert inner in views
    assert found.wrapped or found.exact_only


def test_find_runs_each_of_its_commands() -> None:
    found = peel("find . -exec rm {} \\; -o -execdir mv {} x +")
    assert [" ".join(texts(view.words)) for view in found.views[1:]] == ["rm {}", "mv {} x"]
    assert found.exact_only
    assert peel("find . -delete").exact_only
    assert not peel("find . -name x").exact_only


@pytest.mark.parametrize(
    ("line", "script"),
    [
        ("bash -c 'rm x'", "rm x"),
        ("sh -ec 'rm x' a b", "rm x"),
        ("bash --norc -o pipefail -c 'rm x'", "rm x"),
        ("/bin/bash -c 'rm x'", "rm x"),
        ("eval rm x", "rm x"),
        ("eval 'rm' \"x\"", "rm x"),
        ("trap 'rm x' EXIT", "rm x"),
        ("watch -n 1 rm x", "rm x"),
        ("su -c 'rm x' me", "rm x"),
        ("script -c 'rm x' out", "rm x"),
        ("flock /l -c 'rm x'", "rm x"),
        ("env -S 'rm x'", "rm x"),
        ("env --split-string='rm x'", "rm x"),
    ],
)
def test_texts_that_are_run_are_found(line: str, script: str) -> None:
    assert script in peel(line).scripts


@pytest.mark.parametrize(
    "line",
    [
        "$x a",
        "$(x) a",
        "`x` a",
        "bash -c $x",
        "bash",
        "bash -s a",
        "eval $x",
        "su",
        "printf -v 'x[y]' z",
        "declare -i x=1",
        "let x=1",
        "alias a=b",
        "shopt -s x",
        "sudo -i",
        "test -v x",
    ],
)
def test_what_can_t_be_seen_is_opaque(line: str) -> None:
    assert peel(line).opaque


@pytest.mark.parametrize(
    "line",
    ["ls", "bash x.sh", "bash --version", "make x", "command -v rm", "trap - EXIT", "python3 x.py"],
)
def test_programs_that_just_run_are_not(line: str) -> None:
    found = peel(line)
    assert not found.opaque
    assert len(found.views) == 1
    assert not found.scripts


def test_an_unknown_option_makes_every_later_word_a_candidate() -> None:
    found = peel("sudo --odd rm x")
    assert ("rm x", False) in [(" ".join(texts(v.words)), v.sure) for v in found.views]


def test_xargs_adds_words_of_its_own() -> None:
    assert peel("xargs cat").fed
    assert not peel("timeout 5 cat").fed


def test_layers_are_limited() -> None:
    assert peel("nohup " * 30 + "rm x").opaque


def test_a_program_has_its_last_name() -> None:
    assert program(words("/usr/bin/git x")[0]) == "git"
    assert program(words("$x y")[0]) is None
