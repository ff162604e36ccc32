"""Examples on rules, tried by the judge that decides calls."""

from __future__ import annotations

import pytest

from agent_tui.permissions.examples import hold, try_example
from agent_tui.permissions.rule import Rule, RuleSource, parse_rule
from agent_tui.permissions.shell.forms import Fit
from agent_tui.protocol.errors import SettingsError, UsageError
from agent_tui.protocol.requests import RuleBehavior
from agent_tui.settings.rule_entries import RuleExample, SourcedRule
from tests.permissions.ground import Project

LETTER = {Fit.YES: "y", Fit.NO: "n", Fit.MAYBE: "?"}


def covers(project: Project, text: str, example: str) -> str:
    """Tell of an allow, an ask and a deny rule whether it covers an example: ``y``, ``n`` or ``?``."""
    value = parse_rule(text)
    assert value is not None
    behaviors: tuple[RuleBehavior, ...] = ("allow", "ask", "deny")
    source = RuleSource("user", "/s.json", 1)
    return "".join(
        LETTER[try_example(Rule(one, value, source), example, project.ground())[0]]
        for one in behaviors
    )


@pytest.mark.parametrize(
    ("rule", "example", "expected"),
    [
        ("Bash(git push *)", "git push -f", "yyy"),
        ("Bash(git push *)", "git push", "yyy"),
        ("Bash(git push *)", "git -C /r push", "nyy"),
        ("Bash(git push *)", "git pull", "nnn"),
        ("Bash(git push *)", "git pull && git push", "nyy"),
        ("Bash(git push *)", "git $x", "n??"),
        ("Bash(git push *)", "git push <> x", "n??"),
        ("Bash(git *)", "git status", "yyy"),
        ("Bash(npm test)", "npm test && ls", "yyy"),
        ("Bash(npm test)", "ls", "nnn"),
        ("Bash(npm test)", "npm test > out.txt", "nyy"),
        ("Bash(rm *)", "rm -rf /", "nyy"),
        ("Bash(rm *)", "rm x", "yyy"),
        ("Bash", "anything at all", "yyy"),
        ("Bash", "ls", "yyy"),
        ("Monitor(tail *)", "tail -f log", "yyy"),
        ("Monitor(tail *)", "make", "nnn"),
        ("Read(~/.ssh/**)", "~/.ssh/id", "yyy"),
        ("Read(~/.ssh/**)", "~/.sshd", "nnn"),
        ("Read(.env)", "src/.env", "yyy"),
        ("Read(.env)", ".envrc", "nnn"),
        ("Read(src/**)", "src/a", "yyy"),
        ("Read(src/**)", "lib/src/a", "nyy"),
        ("Read(//etc/**)", "/etc/hosts", "yyy"),
        ("Read(//etc/**)", "//etc/hosts", "yyy"),
        ("Read", "/etc/hosts", "yyy"),
        ("Edit(./src/**)", "src/a.py", "yyy"),
        ("Edit(./src/**)", "src/../b.py", "nnn"),
        ("Edit(**)", ".git/config", "nyy"),
        ("Edit", "a", "yyy"),
        ("Write", "a", "yyy"),
        ("Grep", "src", "yyy"),
        ("Cd(~/code/**)", "~/code/x", "yyy"),
        ("Cd(~/code/**)", "/tmp", "nnn"),
        ("WebFetch(domain:*.example.com)", "https://a.example.com/x", "yyy"),
        ("WebFetch(domain:*.example.com)", "a.example.com", "yyy"),
        ("WebFetch(domain:*.example.com)", "example.com", "nnn"),
        ("WebFetch", "https://x.y", "yyy"),
        ("mcp__a", "mcp__a__t", "yyy"),
        ("mcp__a", "mcp__b__t", "nnn"),
        ("mcp__a__get*", "mcp__a__get_x", "yyy"),
        ("mcp__x__y", "mcp__x__y__z", "yyy"),
        ("Agent(Explore)", "Explore", "yyy"),
        ("Agent(Explore)", "Plan", "nnn"),
        ("Skill(deploy *)", "deploy prod", "yyy"),
        ("Skill(deploy *)", "deploy", "yyy"),
        ("Skill(deploy)", "deploy prod", "nyy"),
        ("ExitPlanMode", "ExitPlanMode", "yyy"),
        ("ExitPlanMode", "EnterPlanMode", "nnn"),
    ],
)
def test_what_a_rule_covers(project: Project, rule: str, example: str, expected: str) -> None:
    assert covers(project, rule, example) == expected


@pytest.mark.parametrize(
    ("rule", "example", "expected"),
    [
        ("Agent(model:opus)", "opus", "yy"),
        ("Agent(model:opus)", "haiku", "nn"),
        ("Bash(run_in_background:true)", "true", "yy"),
        ("Bash(run_in_background:true)", "false", "nn"),
        ("mcp__a__t(mode:fast)", "fast", "yy"),
        ("WebFetch(prompt:*key*)", "the key", "yy"),
        ("*", "Write", "yy"),
        ("*", "mcp__a__t", "yy"),
        ("mcp__*", "mcp__a__t", "yy"),
        ("mcp__*", "Write", "nn"),
    ],
)
def test_what_only_restricts_is_tried_too(
    project: Project, rule: str, example: str, expected: str
) -> None:
    assert covers(project, rule, example)[1:] == expected


def entry(
    behavior: RuleBehavior, text: str, *examples: RuleExample, path: str = "/s.json"
) -> SourcedRule:
    return SourcedRule(behavior, text, "user", path, 3, "/", tuple(examples))


def test_rules_whose_examples_hold_are_kept_as_they_are(project: Project) -> None:
    given = [
        entry("deny", "Bash(rm *)", RuleExample("rm -rf x", True, 4), RuleExample("ls", False, 5)),
        entry("allow", "Bash(make *)", RuleExample("make all", True, 6)),
        entry("ask", "Bash(git push *)"),
        entry("allow", "no rule(", RuleExample("x", True, 7)),
    ]
    held = hold(given, project.ground())
    assert held.entries == tuple(given)
    assert held.problems == ()


@pytest.mark.parametrize("behavior", ["deny", "ask"])
@pytest.mark.parametrize(
    ("text", "example", "words"),
    [
        ("Bash(git push *)", RuleExample("git pull", True, 9), "it doesn't cover 'git pull'"),
        ("Bash(git *)", RuleExample("git pull", False, 9), "it covers 'git pull', which stands in"),
        ("Bash(rm *)", RuleExample("$x y", True, 9), "whether it covers '$x y' can't be told"),
        ("Bash(rm *)", RuleExample("$x y", False, 9), "whether it covers '$x y' can't be told"),
    ],
)
def test_a_restriction_that_is_not_what_its_examples_say_stops_the_start(
    project: Project, behavior: RuleBehavior, text: str, example: RuleExample, words: str
) -> None:
    with pytest.raises(SettingsError) as error:
        hold(
            [entry(behavior, text, RuleExample("rm x", "rm" in text, 8), example)], project.ground()
        )
    said = str(error.value)
    assert said.startswith(f"/s.json:9: permissions.{behavior}: '{text}' ")
    assert words in said
    assert "Nothing is started" in said


def test_an_allow_rule_that_is_not_is_left_out_and_told_and_others_stay(project: Project) -> None:
    wrong = entry("allow", "Bash(git *)", RuleExample("git push", False, 9))
    right = entry("allow", "Bash(make)", RuleExample("make", True, 4))
    held = hold([wrong, right], project.ground())
    assert held.entries == (right,)
    [problem] = held.problems
    assert problem.startswith("/s.json:9: the allow rule 'Bash(git *)' is left out: it covers")


def test_what_keeps_an_allow_rule_from_its_example_is_told(project: Project) -> None:
    held = hold([entry("allow", "Bash(rm *)", RuleExample("rm -rf /", True, 9))], project.ground())
    assert "(It removes /)" in held.problems[0]


def test_without_a_known_line_the_rules_is_told(project: Project) -> None:
    held = hold([entry("allow", "Bash(a)", RuleExample("b", True))], project.ground())
    assert held.problems[0].startswith("/s.json:3: ")


def test_a_long_example_is_shortened(project: Project) -> None:
    held = hold([entry("allow", "Bash(a)", RuleExample("b" * 9_000, True, 4))], project.ground())
    assert len(held.problems[0]) < 400


def test_a_rule_of_settings_written_out_on_the_command_line_names_them(project: Project) -> None:
    wrong = SourcedRule("deny", "Bash(a)", "flag", "--settings", 0, "/", (RuleExample("b", True),))
    with pytest.raises(SettingsError, match=r"^--settings: permissions\.deny"):
        hold([wrong], project.ground())
    flag = SourcedRule("deny", "Bash(a)", "flag", "", 0, "/", (RuleExample("b", True),))
    with pytest.raises(UsageError, match="--disallowedTools"):
        hold([flag], project.ground())


def test_examples_are_tried_in_the_folders_of_the_session(project: Project) -> None:
    (project.folder / "pub").symlink_to("src")
    assert covers(project, "Read(src/**)", "pub/x") == "nyy"
