"""The book of rules: reading, updates, what a search may show."""

from __future__ import annotations

from pathlib import Path

from agent_tui.permissions.rules import RuleBook
from agent_tui.protocol.requests import PermissionRuleValue, PermissionUpdate, RuleBehavior
from agent_tui.settings.rule_entries import SourcedRule
from tests.permissions.ground import Project, book

LS = PermissionRuleValue("Bash", "ls")
RM = PermissionRuleValue("Bash", "rm *")


def texts(rules: RuleBook, behavior: RuleBehavior) -> list[str]:
    return [str(rule) for rule in rules.rules(behavior)]


def test_rules_keep_their_source() -> None:
    rules = RuleBook.of([SourcedRule("deny", "Read(x)", "project", "/p/s.json", 4, "/p")])
    source = rules.deny[0].source
    assert (source.name, source.path, source.line, source.anchor) == (
        "project",
        "/p/s.json",
        4,
        "/p",
    )


def test_what_is_left_out_is_told_with_its_place() -> None:
    rules = book(allow=["Bash(ls)", "mcp__*", "No(", "Write(x)"])
    assert texts(rules, "allow") == ["Bash(ls)"]
    assert [problem.split(": ")[0] for problem in rules.problems] == [
        "/home/me/settings.json:7"
    ] * 3
    assert "'mcp__*'" in rules.problems[0]


def test_updates_add_take_away_and_replace() -> None:
    rules = book(allow=["Bash(make)"])
    rules = rules.with_update(PermissionUpdate("addRules", (LS, RM)))
    assert texts(rules, "allow") == ["Bash(ls)", "Bash(rm *)", "Bash(make)"]
    assert [rule.source.name for rule in rules.allow] == ["session", "session", "user"]
    assert rules.with_update(PermissionUpdate("addRules", (LS,))) == rules
    rules = rules.with_update(PermissionUpdate("removeRules", (RM,)))
    assert texts(rules, "allow") == ["Bash(ls)", "Bash(make)"]
    rules = rules.with_update(PermissionUpdate("replaceRules", (RM,)))
    assert texts(rules, "allow") == ["Bash(rm *)", "Bash(make)"]
    rules = rules.with_update(
        PermissionUpdate("addRules", (LS,), "deny", destination="localSettings")
    )
    assert texts(rules, "deny") == ["Bash(ls)"]
    assert rules.deny[0].source.name == "local"


def test_of_a_rule_in_two_places_the_highest_source_is_told() -> None:
    sources = ["user", "project", "local", "session", "flag", "managed"]
    for known in range(1, len(sources) + 1):
        given = [SourcedRule("deny", "Bash(rm *)", name, f"/{name}", 1) for name in sources[:known]]
        rules = RuleBook.of(given)
        assert rules.deny[0].source.name == sources[known - 1]
        assert RuleBook.of(reversed(given)) == rules


def test_a_rule_that_stands_twice_in_a_file_is_one() -> None:
    given = [SourcedRule("allow", "Bash(ls)", "user", "/u", line) for line in (3, 4)]
    assert [rule.source.line for rule in RuleBook.of(given).allow] == [3]


def test_problems_found_before_are_kept() -> None:
    assert RuleBook.of([], ["something is left out"]).problems == ("something is left out",)


def test_a_rule_of_an_answer_that_cant_be_used_is_told() -> None:
    bad = PermissionUpdate("addRules", (PermissionRuleValue("Write", "x"), LS))
    rules = RuleBook().with_update(bad)
    assert texts(rules, "allow") == ["Bash(ls)"]
    [problem] = rules.problems
    assert "'Write(x)'" in problem


def test_updates_of_mode_and_folders_are_no_rules() -> None:
    rules = book(allow=["Bash(make)"])
    assert rules.with_update(PermissionUpdate("setMode", mode="plan")) is rules
    assert rules.with_update(PermissionUpdate("addDirectories", directories=("/x",))) is rules


def test_a_tool_denied_as_a_whole_is_hidden() -> None:
    rules = book(deny=["Write", "Bash(rm *)", "mcp__a"])
    assert rules.hides("Write")
    assert rules.hides("mcp__a__t")
    assert not rules.hides("Bash")
    assert not rules.hides("Edit")


def test_a_search_shows_no_forbidden_file(project: Project) -> None:
    folder = project.folder
    (folder / "private").mkdir()
    (folder / "private" / "a").touch()
    (folder / "link").symlink_to("private/a")
    (folder / "out").symlink_to("/etc/passwd")
    rules = book(deny=["Read(.env)", "Read(./private/**)", "Read(//etc/passwd)", "Edit(open)"])

    def shown(path: str) -> bool:
        return rules.may_read(str(folder / path), (folder,), project.resolver)

    for path in (".env", "src/.env", "private/a", "private/b/c", "link", "out"):
        assert not shown(path), path
    for path in ("src/x", "env", "open", "private.txt"):
        assert shown(path), path


def test_without_rules_all_is_shown_and_nothing_is_looked_up(
    tmp_path: Path, project: Project
) -> None:
    assert RuleBook().may_read(str(tmp_path / "x"), (tmp_path,), project.resolver)
