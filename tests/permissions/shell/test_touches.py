"""What commands do to files."""

from __future__ import annotations

import pytest

from agent_tui.permissions.shell.touches import changes, names_files
from tests.permissions.shell.reading import texts, words


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("cat a b", ["a", "b"]),
        ("grep -e x a", ["a"]),
        ("grep x a", ["a"]),
        ("echo a", []),
        ("test -f a", []),
        ("python3 x.py --file=a", ["x.py", "--file=a", "a"]),
        ("dd if=a of=b", ["if=a", "a", "of=b", "b"]),
        ("git show HEAD:a", ["show", "HEAD:a", "a"]),
        ("curl -d @a", ["-d", "@a", "a"]),
        ("awk -fa", ["-fa", "a"]),
        ("/bin/cat a", ["a"]),
    ],
)
def test_words_that_may_name_files_are_given(line: str, named: list[str]) -> None:
    assert sorted(set(texts(names_files(words(line)).paths))) == sorted(set(named))


def test_commands_that_read_folders_whole_are_known() -> None:
    for line in ("grep -r x .", "rg x", "cp -r a b", "tar c a", "diff -r a b"):
        assert names_files(words(line)).deep, line
    for line in ("grep x a", "cp a b", "cat a"):
        assert not names_files(words(line)).deep, line


@pytest.mark.parametrize(
    ("line", "touched", "known"),
    [
        ("mkdir -p a/b c", ["writes a/b", "writes c"], True),
        ("mkdir -m 700 a", ["writes a"], True),
        ("touch -d x a", ["writes a"], True),
        ("rm -rf a b", ["removes a", "removes b"], True),
        ("rmdir a", ["removes a"], True),
        ("cp a b", ["writes b", "writes b/a"], True),
        ("cp -r x/a x/c b", ["writes b", "writes b/a", "writes b/c"], True),
        ("cp -t b a", ["writes b", "writes b/a"], True),
        ("cp --target-directory=b a", ["writes b", "writes b/a"], True),
        ("mv a b", ["writes b", "writes b/a", "removes a"], True),
        ("ln -s a b", ["writes b", "writes b/a"], False),
        ("tee -a x", ["writes x"], True),
        ("sed -i s/a/b/ f", ["writes f"], True),
        ("sed -i -e s/a/b/ -e 5d f g", ["writes f", "writes g"], True),
        ("sed -i 's/a/b/w x' f", ["writes f"], False),
        ("sed -i.bak s/a/b/ f", ["writes s/a/b/", "writes f"], False),
        ("sed -i '1e x' f", ["writes f"], False),
        ("chmod -R 777 a", ["writes a"], False),
        ("dd if=a of=b", ["writes b"], False),
        ("sort -o a b", ["writes a"], False),
        ("curl -oa b", ["writes a"], False),
        ("wget --output-document=a b", ["writes a"], False),
        ("find a -delete", ["removes a"], False),
        ("find a -name x -delete", ["removes a/(what it finds)"], False),
        ("find -exec rm {} +", ["removes ."], False),
        ("find a -fprint b", ["writes b"], False),
        ("rm --odd a", ["removes a"], False),
        ("rm *.py", ["removes *.py"], False),
        ("install -d a", ["writes a"], False),
        ("uniq a b", ["writes b"], False),
        ("/bin/rm a", ["removes a"], True),
    ],
)
def test_changes_are_known(line: str, touched: list[str], known: bool) -> None:
    found = changes(words(line))
    assert found is not None
    assert [f"{t.does} {texts((t.word,))[0]}" for t in found.touches] == touched
    assert found.known == known


@pytest.mark.parametrize(
    "line", ["ls", "cat a", "sed -n p f", "sort a", "make x", "git commit", "uniq a", "$x a"]
)
def test_others_are_not_known_to_change_files(line: str) -> None:
    assert changes(words(line)) is None


def test_what_is_copied_is_given_too() -> None:
    found = changes(words("cp -r a b c"))
    assert found is not None
    assert texts(found.sources) == ["a", "b"]
