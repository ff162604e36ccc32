"""What the sandbox changes about a decision, and what it doesn't."""

from __future__ import annotations

from typing import Any

import pytest

from agent_tui.permissions.policy import Allowed, Decision, Denied, MustAsk
from agent_tui.permissions.sandboxed import kept_closed, runs_outside, unasked
from agent_tui.protocol.access import NoAccess, RunCommand
from agent_tui.protocol.messages import PERMISSION_MODES, PermissionMode
from agent_tui.protocol.requests import HookDecision
from tests.permissions.ground import Project, book

MODES: list[PermissionMode] = [
    mode for mode in PERMISSION_MODES if mode not in ("plan", "bypassPermissions")
]
UNKNOWN = "python build.py --all"


def inside(
    project: Project,
    line: str,
    mode: PermissionMode = "default",
    hook: HookDecision | None = None,
    *,
    asks: bool = False,
    **rules: Any,
) -> Decision:
    """Judge a line that runs in the sandbox; ``asks``: the settings want it approved all the same."""
    access = RunCommand(line, str(project.folder), sandboxed=True, unasked=not asks)
    return project.judge(
        access, "Bash", {"command": line}, rules=book(**rules), mode=mode, hook=hook
    )


def leaving(
    project: Project,
    line: str,
    mode: PermissionMode = "default",
    hook: HookDecision | None = None,
    **rules: Any,
) -> Decision:
    """Judge a line that wants out."""
    access = RunCommand(line, str(project.folder), leaves=True)
    given = {"command": line, "dangerouslyDisableSandbox": True}
    return project.judge(access, "Bash", given, rules=book(**rules), mode=mode, hook=hook)


# Inside ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    "line", [UNKNOWN, "make > log", "cat /etc/hosts", "curl x | sh", "rm -rf build"]
)
def test_what_is_bounded_needs_no_question(
    project: Project, line: str, mode: PermissionMode
) -> None:
    assert inside(project, line, mode) == Allowed("sandbox")
    assert not isinstance(inside(project, line, mode, asks=True), Allowed)


def test_in_plan_mode_everything_is_as_ever(project: Project) -> None:
    assert isinstance(inside(project, UNKNOWN, "plan"), MustAsk)
    assert inside(project, "ls", "plan") == Allowed("read_only")
    assert isinstance(inside(project, "echo x > .vscode/x", "plan"), MustAsk)


def test_what_would_run_anyway_says_why(project: Project) -> None:
    assert inside(project, "ls") == Allowed("read_only")
    by_rule = inside(project, "make all", allow=["Bash(make *)"])
    assert isinstance(by_rule, Allowed) and by_rule.by == "rule"
    assert inside(project, UNKNOWN, "bypassPermissions") == Allowed("mode")


@pytest.mark.parametrize("mode", MODES)
def test_rules_hooks_and_critical_paths_go_first(project: Project, mode: PermissionMode) -> None:
    denied = inside(project, "git push -f", mode, deny=["Bash(git push *)"])
    assert isinstance(denied, Denied) and denied.by == "rule"
    hook = inside(project, UNKNOWN, mode, HookDecision("deny", "no"))
    assert isinstance(hook, Denied) and hook.by == "hook"
    for decision in (
        inside(project, "git push -f", mode, ask=["Bash(git push *)"]),
        inside(project, UNKNOWN, mode, HookDecision("ask", "look")),
        inside(project, "rm -rf ~", mode),
        inside(project, "rm -rf /", mode),
        inside(project, "$X push", mode, deny=["Bash(git push *)"]),
        inside(project, "cat $FILE", mode, deny=["Read(.env)"]),
        inside(project, "ls", mode, ask=["Bash(run_in_background:true)", "Bash(ls)"]),
    ):
        assert not isinstance(decision, Allowed)


def test_a_rule_that_asks_about_every_line_does_not_count_inside(project: Project) -> None:
    for rule in ("Bash", "Bash(*)"):
        assert inside(project, UNKNOWN, ask=[rule]) == Allowed("sandbox")
        assert isinstance(inside(project, UNKNOWN, ask=[rule], asks=True), MustAsk)
        assert isinstance(inside(project, UNKNOWN, "plan", ask=[rule]), MustAsk)
    assert isinstance(inside(project, UNKNOWN, ask=["*"]), MustAsk)
    assert isinstance(inside(project, UNKNOWN, deny=["Bash"]), Denied)


def test_what_is_not_understood_is_bounded_unless_a_rule_may_be_hidden_from(
    project: Project,
) -> None:
    line = "if ; then ((("
    assert inside(project, line) == Allowed("sandbox")
    assert isinstance(inside(project, line, deny=["Read(.env)"]), MustAsk)
    assert isinstance(inside(project, line, ask=["Bash(git push *)"]), MustAsk)
    assert isinstance(inside(project, "rm -rf / ; if ((("), MustAsk)


def test_places_of_secrets_are_asked_all_the_same(project: Project) -> None:
    (project.folder / ".env").write_text("x")
    decision = inside(project, "cat .env")
    assert isinstance(decision, MustAsk) and decision.decided_by == "secret"


@pytest.mark.parametrize("asks", [False, True])
def test_a_protected_place_is_refused_with_the_way_to_ask(project: Project, asks: bool) -> None:
    decision = inside(project, "echo x > .vscode/tasks.json", asks=asks)
    path = str(project.folder / ".vscode/tasks.json")
    assert decision == Denied(kept_closed(path), "sandbox")
    assert "dangerouslyDisableSandbox: true" in kept_closed(path)
    out = leaving(project, "echo x > .vscode/tasks.json")
    assert isinstance(out, MustAsk) and "protected place" in out.reason


# Leaving --------------------------------------------------------------------------------------------------------------


def test_leaving_is_asked_by_name_and_starts_on_no(project: Project) -> None:
    decision = leaving(project, "npm publish")
    assert isinstance(decision, MustAsk)
    assert decision.reason.startswith("It wants to run outside the sandbox. ")
    assert decision.decided_by == "sandbox" and decision.default_to_no
    assert decision.suggestions == ()


def test_no_rule_and_no_edit_mode_lets_a_line_out(project: Project) -> None:
    assert isinstance(leaving(project, "npm test", allow=["Bash(npm test)", "Bash"]), MustAsk)
    assert isinstance(leaving(project, "touch x", "acceptEdits"), MustAsk)
    assert isinstance(leaving(project, "npm test", "dontAsk", allow=["Bash"]), Denied)
    assert isinstance(leaving(project, "npm test", "plan"), MustAsk)


def test_looking_hooks_and_the_mode_that_approves_all_do(project: Project) -> None:
    assert leaving(project, "ls -la") == Allowed("read_only")
    assert leaving(project, "npm test", hook=HookDecision("allow")) == Allowed("hook")
    assert leaving(project, "npm test", "bypassPermissions") == Allowed("mode")


def test_other_reasons_to_ask_stay_and_name_it_too(project: Project) -> None:
    for decision, by in (
        (leaving(project, "rm -rf ~"), "critical"),
        (leaving(project, "git push", ask=["Bash(git push)"]), "rule"),
        (leaving(project, "ls", ask=["Bash(dangerouslyDisableSandbox:true)"]), "rule"),
    ):
        assert isinstance(decision, MustAsk)
        assert decision.decided_by == by and decision.default_to_no
        assert decision.reason.startswith("It wants to run outside the sandbox. ")
    denied = leaving(project, "ls", deny=["Bash(dangerouslyDisableSandbox:true)"])
    assert isinstance(denied, Denied)


def test_only_shell_lines_are_unasked() -> None:
    assert not unasked(NoAccess(), "default")
    assert not unasked(RunCommand("x", "/", sandboxed=True), "default")
    assert unasked(RunCommand("x", "/", sandboxed=True, unasked=True), "auto")


# Excluded programs ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "outside"),
    [
        ("docker ps", True),
        ("docker", True),
        ("ls && sudo docker run x", True),
        ("/usr/bin/docker ps", True),
        ("bash -c 'docker ps'", True),
        ("dockerd", False),
        ("echo docker", False),
        ("$X ps", False),
        ("docker ps (((", False),
        ("npm run test:unit", True),
        ("npm run lint", False),
        ("git push origin main", True),
        ("git pull", False),
    ],
)
def test_excluded_programs_run_outside_with_the_whole_line(line: str, outside: bool) -> None:
    assert runs_outside(line, ("docker", "npm run test*", "git push *")) is outside
    assert not runs_outside(line, ())
