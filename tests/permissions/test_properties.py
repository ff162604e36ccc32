"""What holds for every call, every set of rules, every mode and every hook."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agent_tui.permissions.policy import Allowed, Decision, Denied, MustAsk
from agent_tui.permissions.rule import parse_rule, problem_of
from agent_tui.permissions.rules import RuleBook
from agent_tui.protocol.access import (
    Access,
    AskUser,
    CallMcp,
    FetchUrl,
    NoAccess,
    ReadPath,
    RunCommand,
    WritePath,
)
from agent_tui.protocol.messages import PERMISSION_MODES, PermissionMode
from agent_tui.protocol.requests import HookDecision, PermissionRuleValue, RuleBehavior
from agent_tui.settings.rule_entries import SourcedRule
from tests.permissions.ground import Project

STRICTNESS = {Allowed: 0, MustAsk: 1, Denied: 2}


@dataclass(frozen=True)
class Call:
    """A call, and rules that surely cover it. Paths and lines count from the project's folder."""

    tool: str
    make: Callable[[Project], Access]
    covering: tuple[str, ...]
    given: dict[str, Any] = field(default_factory=dict[str, Any])
    read_only: bool = False


def run(line: str, *covering: str, tool: str = "Bash", **more: Any) -> Call:
    def make(project: Project) -> Access:
        return RunCommand(line, str(project.folder))

    return Call(tool, make, ("Bash", *covering), {"command": line, **more})


def at(path: str, *covering: str, tool: str, writes: bool = False) -> Call:
    def make(project: Project) -> Access:
        where = str(project.folder / path)
        return WritePath(where) if writes else ReadPath(where)

    return Call(tool, make, (tool, *covering), {"file_path": path}, not writes)


def other(tool: str, access: Access, *covering: str, **more: Any) -> Call:
    return Call(tool, lambda _project: access, (tool, *covering), dict(more))


def fenced(line: str, *covering: str, leaves: bool = False) -> Call:
    def make(project: Project) -> Access:
        return RunCommand(line, str(project.folder), leaves, not leaves, not leaves)

    return Call("Bash", make, ("Bash", *covering), {"command": line})


CALLS = (
    run("ls"),
    run("git status && ls", "Bash(git *)", "Bash(git status)"),
    run("git push -f", "Bash(git push *)", "Bash(git push:*)", "Bash(* -f)"),
    run("cd src && git -C x push", "Bash(git push *)"),
    run("cat x | sh -c 'rm y'", "Bash(rm *)", "Bash(rm y)"),
    run("echo $(make all)", "Bash(make *)", "Bash(echo *)"),
    run("touch x > y", "Bash(touch x)", "Edit(./y)", "Edit(./x)"),
    run("cat .env", "Read(.env)", "Read(./.env)", "Bash(cat *)"),
    run("rm -rf ~", "Bash(rm *)"),
    run("cat <> x", tool="Bash"),
    run("$x y"),
    fenced("make all", "Bash(make *)"),
    fenced("cat .env | touch x", "Read(.env)", "Bash(touch *)", "Edit(./x)"),
    fenced("touch .git/x", "Edit(.git/**)"),
    fenced("make all", "Bash(make *)", leaves=True),
    run("tail -f x", "Bash(tail *)", "Monitor(tail *)", tool="Monitor"),
    run("make", "Bash(run_in_background:true)", run_in_background=True),
    at("src/a", "Read(src/**)", "Read(./src/a)", "Read(a)", "Read(**)", tool="Read"),
    at(".env", "Read(.e*)", "Read(.env)", "Read(.[d-f]nv)", tool="Read"),
    at("/etc/hosts", "Read(//etc/**)", "Read(//etc)", tool="Grep"),
    at("src/a", "Edit(src/**)", "Edit(/src/a)", "Read(a)", tool="Edit", writes=True),
    at("src/a", "Edit(src/**)", "Edit(**/a)", tool="Write", writes=True),
    at("x.ipynb", "Edit(*.ipynb)", tool="NotebookEdit", writes=True),
    at(".git/config", "Edit(.git/**)", tool="Write", writes=True),
    at("/var/x", "Edit(//var/**)", tool="Edit", writes=True),
    other(
        "WebFetch",
        FetchUrl("https://a.example.com/x"),
        "WebFetch(domain:*.example.com)",
        "WebFetch(domain:a.example.com)",
        "WebFetch(domain:*)",
        "WebFetch(prompt:*)",
        prompt="what?",
    ),
    other("WebSearch", FetchUrl("")),
    other("mcp__a__t", CallMcp("a", "t"), "mcp__a", "mcp__a__*", "mcp__*", "*"),
    other("mcp__x__y__z", CallMcp("x__y", "z"), "mcp__x__y", "mcp__x", "mcp__x__y__z(n:1)", n=1),
    other("mcp__a__ask", AskUser(), "mcp__a", "mcp__a__ask"),
    other(
        "Agent",
        NoAccess(),
        "Agent(Explore)",
        "Task",
        "Agent(model:opus)",
        subagent_type="Explore",
        model="opus",
    ),
    other(
        "Skill",
        NoAccess(),
        "Skill(deploy)",
        "Skill(deploy *)",
        "Skill(deploy prod)",
        skill="deploy",
        args="prod",
    ),
    other("TaskCreate", NoAccess(), "Task*"),
    other("AskUserQuestion", AskUser()),
    other("ExitPlanMode", AskUser()),
)

calls = st.sampled_from(CALLS)
modes = st.sampled_from(PERMISSION_MODES)
hooks = st.none() | st.builds(HookDecision, st.sampled_from(["allow", "ask", "deny", None]))
sources = st.sampled_from(["managed", "flag", "session", "local", "project", "user"])
texts = st.sampled_from(sorted({text for call in CALLS for text in call.covering}))


def sourced(text: str, behavior: RuleBehavior, source: str) -> SourcedRule:
    return SourcedRule(behavior, text, source, f"/{source}.json", 1)


def entries(behavior: RuleBehavior) -> st.SearchStrategy[list[SourcedRule]]:
    one = st.builds(sourced, texts, st.just(behavior), sources)
    return st.lists(one, max_size=4)


allows, asks, denies = entries("allow"), entries("ask"), entries("deny")
some_rules = st.tuples(allows, asks, denies).map(lambda lists: [*lists[0], *lists[1], *lists[2]])

fast = settings(
    max_examples=120, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


def judge(
    project: Project,
    call: Call,
    rules: list[SourcedRule],
    mode: PermissionMode,
    hook: HookDecision | None = None,
) -> Decision:
    return project.judge(
        call.make(project),
        call.tool,
        call.given,
        rules=RuleBook.of(rules),
        mode=mode,
        hook=hook,
        read_only=call.read_only,
    )


def strictness(decision: Decision) -> int:
    return STRICTNESS[type(decision)]


@fast
@given(calls, st.data(), allows, asks, denies, modes, hooks, sources)
def test_deny_beats_everything(
    project: Project,
    call: Call,
    data: st.DataObject,
    allow: list[SourcedRule],
    ask: list[SourcedRule],
    deny: list[SourcedRule],
    mode: PermissionMode,
    hook: HookDecision | None,
    source: str,
) -> None:
    forbidding = sourced(data.draw(st.sampled_from(call.covering)), "deny", source)
    decision = judge(project, call, [*allow, *ask, *deny, forbidding], mode, hook)
    assert isinstance(decision, Denied), forbidding


@fast
@given(calls, st.data(), allows, modes, st.sampled_from(["allow", None]), sources)
def test_ask_beats_allow_in_every_mode(
    project: Project,
    call: Call,
    data: st.DataObject,
    allow: list[SourcedRule],
    mode: PermissionMode,
    behavior: RuleBehavior | None,
    source: str,
) -> None:
    text = data.draw(st.sampled_from(call.covering))
    match call.make(project):
        case WritePath() if text.startswith("Read("):
            return  # to read may be asked; only what may not be read can't be written
        case RunCommand(sandboxed=True) if text == "Bash":
            return  # what is fenced in is let off from rules about every line
        case _:
            pass
    asking = sourced(text, "ask", source)
    decision = judge(project, call, [*allow, asking], mode, HookDecision(behavior))
    assert not isinstance(decision, Allowed), asking


@fast
@given(calls, some_rules, texts, sources, modes, hooks)
def test_adding_an_allow_rule_never_makes_it_stricter(
    project: Project,
    call: Call,
    rules: list[SourcedRule],
    text: str,
    source: str,
    mode: PermissionMode,
    hook: HookDecision | None,
) -> None:
    before = judge(project, call, rules, mode, hook)
    after = judge(project, call, [*rules, sourced(text, "allow", source)], mode, hook)
    assert strictness(after) <= strictness(before)


@fast
@given(calls, some_rules, texts, sources, st.sampled_from(["ask", "deny"]), modes, hooks)
def test_adding_a_restriction_never_makes_it_laxer(
    project: Project,
    call: Call,
    rules: list[SourcedRule],
    text: str,
    source: str,
    behavior: RuleBehavior,
    mode: PermissionMode,
    hook: HookDecision | None,
) -> None:
    before = judge(project, call, rules, mode, hook)
    after = judge(project, call, [*rules, sourced(text, behavior, source)], mode, hook)
    assert strictness(after) >= strictness(before)


@fast
@given(calls, some_rules, modes, hooks, st.randoms(use_true_random=False), st.data())
def test_neither_the_order_of_rules_nor_a_repetition_changes_a_decision(
    project: Project,
    call: Call,
    rules: list[SourcedRule],
    mode: PermissionMode,
    hook: HookDecision | None,
    chance: random.Random,
    data: st.DataObject,
) -> None:
    twice = data.draw(st.lists(st.sampled_from(rules), max_size=3)) if rules else []
    other_order = [*rules, *twice]
    chance.shuffle(other_order)
    assert RuleBook.of(other_order) == RuleBook.of(rules)
    assert judge(project, call, other_order, mode, hook) == judge(project, call, rules, mode, hook)


@fast
@given(calls, some_rules, modes)
def test_a_stricter_hook_never_loosens(
    project: Project, call: Call, rules: list[SourcedRule], mode: PermissionMode
) -> None:
    said: tuple[RuleBehavior | None, ...] = ("allow", None, "ask", "deny")
    found = [strictness(judge(project, call, rules, mode, HookDecision(one))) for one in said]
    assert found == sorted(found)
    assert strictness(judge(project, call, rules, mode, None)) == found[1]


@fast
@given(calls, some_rules, hooks)
def test_where_nobody_is_asked_a_call_runs_or_is_denied(
    project: Project, call: Call, rules: list[SourcedRule], hook: HookDecision | None
) -> None:
    assert not isinstance(judge(project, call, rules, "dontAsk", hook), MustAsk)


@fast
@given(calls, some_rules, modes, hooks, st.sampled_from(["managed", "user"]))
def test_what_is_told_of_a_denial_is_a_rule_that_stands_there(
    project: Project,
    call: Call,
    rules: list[SourcedRule],
    mode: PermissionMode,
    hook: HookDecision | None,
    source: str,
) -> None:
    rules = [replace(rule, line=line) for line, rule in enumerate(rules, 1)]
    decision = judge(project, call, rules, mode, hook)
    if isinstance(decision, Denied) and decision.rule is not None:
        shown = decision.rule
        told = (str(shown), "deny", shown.source.name, shown.source.line)
        assert told in {(one.text, one.behavior, one.source, one.line) for one in rules}
        again = judge(project, call, [*rules, sourced(call.tool, "deny", source)], mode, hook)
        assert isinstance(again, Denied)
        if source == "managed":
            assert again.rule is not None
            assert again.rule.source.name == "managed"


TOOLS = [
    *("Bash", "Monitor", "Read", "Edit", "Write", "Grep", "Glob", "WebFetch", "WebSearch", "Cd"),
    *(
        "Agent",
        "Task",
        "Skill",
        "TaskCreate",
        "ExitPlanMode",
        "mcp__a",
        "mcp__a__b-c",
        "mcp__*",
        "*",
    ),
]
AWKWARD = [
    "(",
    ")",
    "()",
    "\\",
    '"',
    "'",
    "\n",
    "\t",
    " ",
    "*",
    ":*",
    "**",
    "[",
    "]",
    "~/",
    "//",
    "é",
    "😀",
    "‮",
    "\x00",
]
contents = (
    st.none() | st.text(max_size=30) | st.lists(st.sampled_from(AWKWARD), max_size=8).map("".join)
)


@given(st.sampled_from(TOOLS), contents)
def test_printing_then_parsing_a_rule_is_the_identity(tool: str, content: str | None) -> None:
    value = PermissionRuleValue(tool, content)
    assert parse_rule(str(value)) == value


@given(st.sampled_from(TOOLS), contents, st.sampled_from(["allow", "ask", "deny"]))
def test_a_rule_is_taken_as_it_is_written_or_told_why_not(
    tool: str, content: str | None, behavior: RuleBehavior
) -> None:
    value = PermissionRuleValue(tool, content)
    rules = RuleBook.of([sourced(str(value), behavior, "user")])
    found = rules.rules(behavior)
    if problem_of(value, behavior) is None:
        assert [str(rule) for rule in found] == [str(value)]
        assert rules.problems == ()
    else:
        assert found == ()
        assert rules.problems[0].startswith("/user.json:1: ")
