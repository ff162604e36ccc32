from __future__ import annotations

import pytest

from agent_tui.permissions.shell.runners import (
    carries,
    hidden_run,
    interprets,
    runs_its_input,
    sed_does,
    starts_shell,
)
from agent_tui.permissions.shell.turning import may_turn
from agent_tui.permissions.shell.words import Word
from tests.permissions.shell.reading import words


def name(given: tuple[Word, ...]) -> str:
    return str(given[0].value)


@pytest.mark.parametrize(
    ("line", "by"),
    [
        ("tar xf a --to-command=x", "--to-command=x"),
        ("tar xf a --to-c x", "--to-c"),
        ("tar xIf x a", "xIf"),
        ("tar -xIx a", "-xIx"),
        ("tar xf a", ""),
        ("tar -xzf a -C d", ""),
        ("rg --pre x y", "--pre"),
        ("rg --pretty x", ""),
        ("rg --pre-glob x y", ""),
        ("sort --compress-program=x", "--compress-program=x"),
        ("sort -o x", ""),
        ("man -P x ls", "-P"),
        ("man 3 printf", ""),
        ("less +!x y", "+!x"),
        ("make SHELL=x", "SHELL=x"),
        ("make CC='x;' y", "CC='x;'"),
        ("make V=1 all", ""),
        ("npm run x --script-shell=y", "--script-shell=y"),
        ("npm run x -- --shell y", ""),
        ("go test -exec x", "-exec"),
        ("gcc @x", "@x"),
        ("sqlite3 a '.shell x'", "'.shell x'"),
        ("sed 1p x", ""),
        ("sed '1e x' y", "its script"),
        ("sed -f x y", "its script"),
        ("awk 1 x", ""),
        ("awk 'BEGIN{system(1)}'", "its program"),
        ("git -c a=b log", "-c"),
        ("git log --output=x", ""),
        ("git grep -O x", "-O"),
        ("git rebase --exe x", "--exe"),
        ("git bisect run x", "run"),
        ("git bisect good", ""),
        ("git clone ext::x", "ext::x"),
        ("git difftool", "difftool"),
        ("git --odd log", "--odd"),
        ("ls --to-command=x", ""),
    ],
)
def test_the_word_by_which_another_program_would_run(line: str, by: str) -> None:
    given = words(line)
    assert hidden_run(name(given), given) == by


@pytest.mark.parametrize(
    ("line", "hidden"),
    [
        ("tar xf $x", True),
        ("tar xf a$x", True),
        ("tar cf a *", True),
        ("tar cf a b*", False),
        ("git log $x", True),
        ("git log main", False),
        ("git add $x", False),
        ("sed -n 1p $x", True),
        ('sed -n 1p "$HOME"', False),
        ('find "$x"', True),
        ('find . -name "$x"', False),
        ("find . -n$x", True),
        ("[ $x = y ]", True),
        ('[ -n "$x" ]', False),
        ('test "$x" y', True),
        ("ls $x", False),
    ],
)
def test_words_that_may_turn_into_an_option_count_for_rules_that_allow(
    line: str, hidden: bool
) -> None:
    given = words(line)
    assert bool(hidden_run(name(given), given, lambda word: may_turn(word, {}))) == hidden


def test_programs_that_carry_others() -> None:
    for line in ("npx x", "docker run x", "nsenter x", "ssh h x", "uv run x", "ld.so x"):
        given = words(line)
        assert carries(name(given), given), line
    for line in ("docker ps", "uv pip", "npm test", "ls run"):
        given = words(line)
        assert not carries(name(given), given), line


def test_interpreters_run_what_is_given_in_words_or_by_input() -> None:
    for line in ("python3 -c x", "python3", "python3 -", "perl -ne x", "node --eval=x", "ed x"):
        given = words(line)
        assert interprets(name(given), given), line
    for line in ("python3 x.py", "node x.js -v", "ls -c x"):
        given = words(line)
        assert not interprets(name(given), given), line


def test_lines_from_the_input_are_run_by_some() -> None:
    assert runs_its_input("at", words("at now"))
    assert runs_its_input("crontab", words("crontab x"))
    assert not runs_its_input("crontab", words("crontab -l"))
    assert starts_shell("unshare", words("unshare -r"))
    assert starts_shell("chroot", words("chroot x"))
    assert not starts_shell("chroot", words("chroot x ls"))
    assert not starts_shell("ls", words("ls"))


def test_a_sed_script_is_found_behind_in_place() -> None:
    for line in ("sed -i 'w x' f", "sed -i.bak 'w x' f", "sed -i '' 'w x' f", "sed -ni 'w x' f"):
        found = sed_does(words(line))
        assert found is not None, line
        assert found.writes == ["x"], line
    assert sed_does(words("sed -f x y")) is None
