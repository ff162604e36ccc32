"""What "always" would store."""

from __future__ import annotations

import pytest

from agent_tui.permissions import suggest
from agent_tui.permissions.policy import MustAsk
from agent_tui.protocol.access import CallMcp, FetchUrl
from tests.permissions.ground import Project, book, suggested


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("npm run test -- --watch", [["Bash(npm run test -- --watch)"], ["Bash(npm run test *)"]]),
        ("npm test", [["Bash(npm test)"], ["Bash(npm test *)"]]),
        ("git commit -m 'a b'", [["Bash(git commit *)"]]),
        ("timeout 5 npm test", [["Bash(npm test)"], ["Bash(npm test *)"]]),
        ("pytest -x", [["Bash(pytest -x)"], ["Bash(pytest *)"]]),
        ("python -m pytest -x", [["Bash(python -m pytest -x)"], ["Bash(python -m pytest *)"]]),
        ("python x.py", [["Bash(python x.py)"]]),
        (
            "make build && make test",
            [["Bash(make build)", "Bash(make test)"], ["Bash(make build *)", "Bash(make test *)"]],
        ),
        ("ls && touch a", [["Bash(touch a)"]]),
        ("touch 1.txt", [["Bash(touch 1.txt)"]]),
        ("rm a", [["Bash(rm a)"]]),
        ("git push origin main", [["Bash(git push origin main)"]]),
        ("git diff --output=x", [["Bash(git diff --output=x)"]]),
        ("odd-program --x", [["Bash(odd-program --x)"]]),
        ("FOO=1 npm test", [["Bash(FOO=1 npm test)"]]),
        ("for i in 1 2; do npm test; done", [["Bash(npm test *)"]]),
    ],
)
def test_a_command_gives_narrow_rules(
    project: Project, line: str, expected: list[list[str]]
) -> None:
    assert suggested(project.bash(line)) == expected


@pytest.mark.parametrize(
    "line",
    [
        "rm -rf a",
        "rm *.txt",
        "sudo ls",
        "python -c 'x'",
        "node -e 'x'",
        "bash -c 'x'",
        "cat a | sh",
        "eval x",
        "$x a",
        "touch $x",
        "git -c a=b push",
        "for f in a b; do touch $f; done",
        "touch a\ntouch b",
        "a1; a2; a3; a4; a5; a6",
        "ls <> x",
        "echo x > .git/config",
        "rm -rf /",
        "kill 1",
        "find . -name '*.x' -exec y {} \\;",
        "npx thing; npm exec python",
        "cd /",
    ],
)
def test_nothing_is_offered_where_a_rule_would_be_junk_or_too_much(
    project: Project, line: str
) -> None:
    assert [rules for rules in suggested(project.bash(line)) if any("*" in r for r in rules)] == []
    if "npx" not in line:
        assert suggested(project.bash(line)) == []


def test_an_ask_rule_can_t_be_overruled_so_nothing_is_offered(project: Project) -> None:
    assert suggested(project.bash("npm test", ask=["Bash(npm *)"])) == []


def test_files_written_and_read_by_a_line_get_rules_of_their_own(project: Project) -> None:
    found = suggested(project.bash("npm test > out.log"))
    assert found[0] == ["Bash(npm test)", f"Edit(/{project.folder}/out.log)"]
    assert suggested(project.bash("cat /etc/apt/sources.list")) == [["Read(//etc/apt/**)"]]
    assert suggested(project.bash("cat /etc/hostname")) == [["Read(//etc/hostname)"]]


def test_an_edit_offers_the_file_its_folder_and_the_mode(project: Project) -> None:
    asked = project.write("src/deep/a[1].py")
    assert isinstance(asked, MustAsk)
    assert suggested(asked) == [["Edit(/src/deep/a\\[1\\].py)"], ["Edit(src/deep/**)"], []]
    assert [update.destination for update in asked.suggestions] == ["session"] * 3
    assert asked.suggestions[-1].mode == "acceptEdits"
    assert suggested(project.write("top.py")) == [["Edit(/top.py)"], []]


def test_an_edit_outside_offers_its_folder_as_working_folder(project: Project) -> None:
    asked = project.write("/var/lib/x/a")
    assert isinstance(asked, MustAsk)
    assert [update.directories for update in asked.suggestions] == [("/var/lib/x",)]
    at_root = project.write("/var/a")
    assert suggested(at_root) == [["Edit(//var/a)"]]


def test_hosts_tools_and_reads(project: Project) -> None:
    fetched = project.judge(FetchUrl("https://a.b/c"), "WebFetch", {"url": "https://a.b/c"})
    assert suggested(fetched) == [["WebFetch(domain:a.b)"]]
    assert suggested(project.judge(FetchUrl("x"), "WebSearch")) == [["WebSearch"]]
    assert suggested(project.judge(FetchUrl("nothing"), "WebFetch")) == []
    assert suggested(project.judge(CallMcp("s", "t"), "mcp__s__t")) == [["mcp__s__t"]]
    assert suggested(project.read("/etc/apt/sources.list")) == [["Read(//etc/apt/**)"]]
    assert suggested(project.read(f"{project.home}/notes.txt")) == [
        [f"Read(/{project.home}/notes.txt)"]
    ]


def test_suggested_rules_are_rules(project: Project) -> None:
    for path in ("a b/c.py", "a(1)/b.py", "~x/y", "#a/b", "!a/b", "a*/b"):
        asked = project.write(path)
        assert isinstance(asked, MustAsk)
        texts = [str(rule) for update in asked.suggestions for rule in update.rules]
        assert texts
        rules = book(texts)
        assert not rules.problems, path
        assert project.write(path, allow=texts).__class__.__name__ == "Allowed", path


def test_wildcards_in_names_are_escaped() -> None:
    assert suggest.escaped("a*[b]?\\c") == "a\\*\\[b\\]\\?\\\\c"
