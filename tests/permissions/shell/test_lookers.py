"""Programs that only look."""

from __future__ import annotations

import pytest

from agent_tui.permissions.shell.lookers import look
from tests.permissions.shell.reading import texts, words


@pytest.mark.parametrize(
    ("line", "paths"),
    [
        ("cat a -n b", ["a", "b"]),
        ("ls", ["."]),
        ("ls -la src", ["src"]),
        ("grep -n x a b", ["a", "b"]),
        ("grep -e x a", ["a"]),
        ("grep x", []),
        ("grep -r x", ["."]),
        ("rg x", ["."]),
        ("rg -g '!a' x src", ["src"]),
        ("rg --files", ["."]),
        ("sed -n 1,5p a", ["a"]),
        ("sed -e 's/a/b/' -e 's#c#d#g' f", ["f"]),
        ("jq -r .a f", ["f"]),
        ("find", ["."]),
        ("find a b -name '*.py' -type f", ["a", "b"]),
        ("find . -newer x", [".", "x"]),
        ("head -20 a", ["a"]),
        ("sort -k2 -t, a", ["a"]),
        ("date +%F", []),
        ("echo -e $x", []),
        ("printf '%s' $x", []),
        ("cd", ["*"]),
        ("cd a", ["a"]),
        ("test -f $x", None),
        ("test -f a", []),
        ("command -v x", []),
        ("diff -u a b", ["a", "b"]),
        ("wc -l *.py", ["*.py"]),
        ("set -euo pipefail", []),
        ("uniq -c a", ["a"]),
        ("basename -a x y", []),
        ("sleep 1", []),
    ],
)
def test_what_is_looked_at_is_known(line: str, paths: list[str] | None) -> None:
    found = look(words(line))
    assert (texts(found.paths) if found else None) == paths


@pytest.mark.parametrize(
    "line",
    [
        "rm a",
        "/bin/cat a",
        "sort -o a b",
        "sort --out=a b",
        "sort *",
        "sort --compress-program=x",
        "find . -delete",
        "find . -exec x",
        "find . -fprint x",
        "find $x",
        "find *",
        "find . -name *.py",
        "sed -i s/a/b/ f",
        "sed s/a/b/w f",
        "sed 's/a/b/e' f",
        "sed '1e x'",
        "sed 'w x'",
        "sed 'r x'",
        "sed $x f",
        "sed s/a/b/ *",
        "rg --pre x y",
        "rg -L x",
        "rg -z x",
        "grep -f x y",
        "uniq a b",
        "date -s x",
        "date 0101",
        "tree -o x",
        "file -m x y",
        "file -C",
        "jq env",
        "jq '$ENV'",
        "jq -f x",
        "jq $x y",
        "printf -v x y",
        "test -v x",
        "[ -v x ]",
        "hostname x",
        "cd -",
        "cd a b",
        "wc --files0-from=x",
        "command x",
        "set -o vi",
        "set a",
        "env",
        "exit $x$y",
        "grep -R x .",
        "grep --dereference-recursive x .",
        "diff -r a b",
        "md5sum -c x",
    ],
)
def test_what_may_write_or_run_is_not_among_them(line: str) -> None:
    assert look(words(line)) is None


def test_searches_of_folders_are_deep_and_say_if_dot_files_count() -> None:
    for line, deep, hidden in (
        ("rg x", True, False),
        ("rg --hidden x", True, True),
        ("rg -u x", True, True),
        ("grep -r x", True, True),
        ("grep x a", False, True),
    ):
        found = look(words(line))
        assert found is not None
        assert (found.deep, found.hidden) == (deep, hidden), line
