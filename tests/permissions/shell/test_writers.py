from __future__ import annotations

import pytest

from agent_tui.permissions.shell.writers import written, written_aside
from tests.permissions.shell.reading import texts, words


@pytest.mark.parametrize(
    ("line", "files"),
    [
        ("tar xf a.tar", ["."]),
        ("tar -xzf a.tar -C d", ["d"]),
        ("tar --extract --directory=d -f a.tar", ["d"]),
        ("tar cf a.tar x", ["a.tar"]),
        ("tar -czf a.tar x", ["a.tar"]),
        ("tar -c --file=a.tar x", ["a.tar"]),
        ("tar tf a.tar", []),
        ("unzip a.zip", ["."]),
        ("unzip -d d a.zip", ["d"]),
        ("unzip -l a.zip", []),
        ("zip -r a.zip x y", ["a.zip"]),
        ("gzip x y", ["x", "y"]),
        ("gzip -dc x", []),
        ("split -l 5 x out", ["x"]),
        ("wget http://x", ["."]),
        ("wget -P d http://x", ["d"]),
        ("curl -O http://x", ["."]),
        ("curl http://x", []),
        ("sed -n 'w out' x", ["out"]),
        ("git log --output=x", ["x"]),
        ("git log --outp x", ["x"]),
        ("git archive -ox HEAD", ["x"]),
        ("git config a.b c", [".git/config"]),
        ("git config --global a.b c", ["*/.gitconfig"]),
        ("git config --get a.b", []),
        ("git config a.b", []),
        ("git checkout -- a b", ["a", "b"]),
        ("git checkout main", []),
        ("git rm -f a", ["a"]),
        ("git restore a", ["a"]),
        ("git log", []),
        ("ls x", []),
    ],
)
def test_what_is_written_is_named_or_a_folder(line: str, files: list[str]) -> None:
    given = words(line)
    assert texts(written(str(given[0].value), given)) == files


def test_only_what_a_looking_program_writes_is_aside() -> None:
    for line, files in (
        ("sed 'w x' y", ["x"]),
        ("git log --output x", ["x"]),
        ("git config a.b c", []),
        ("tar xf x", []),
    ):
        given = words(line)
        assert texts(written_aside(str(given[0].value), given)) == files, line
