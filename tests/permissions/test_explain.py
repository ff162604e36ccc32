"""Explanations: what would be decided, by what, and what would change it; all of it is asked of the judge."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agent_tui.permissions.explain import explain, outcome_of, told
from agent_tui.permissions.inquiry import Inquiry, read_inquiry
from agent_tui.permissions.policy import Decision, decide
from agent_tui.permissions.rules import RuleBook
from agent_tui.protocol.access import RunCommand
from agent_tui.protocol.explanations import Explanation
from agent_tui.protocol.messages import PERMISSION_MODES, PermissionMode
from agent_tui.protocol.requests import HookDecision
from tests.permissions.ground import Project, book

WHERE = "/home/me/settings.json:7"


def judged(
    project: Project,
    inquiry: Inquiry,
    mode: PermissionMode,
    rules: RuleBook,
    hook: HookDecision | None = None,
) -> Decision:
    return decide(
        inquiry.access,
        inquiry.tool,
        inquiry.tool_input,
        mode=mode,
        rules=rules,
        hook=hook,
        resolver=project.resolver,
        working_dirs=(project.folder,),
        cwd=project.folder,
        read_only=inquiry.read_only,
    )


def explained(
    project: Project,
    text: str,
    *,
    allow: Iterable[str] = (),
    deny: Iterable[str] = (),
    ask: Iterable[str] = (),
    mode: PermissionMode = "default",
    hook: HookDecision | None = None,
) -> Explanation:
    inquiry = read_inquiry(text, project.ground())[-1]
    rules = book(allow, deny, ask)

    def judge(other: PermissionMode, book: RuleBook) -> Decision:
        return judged(project, inquiry, other, book, hook)

    return explain(inquiry, judge, mode=mode, rules=rules, ground=project.ground())


def last(found: Explanation) -> str:
    """The step that decided."""
    [step] = [step for step in found.steps if step.decided]
    assert step is found.steps[-1]
    return step.name


def test_a_rule_that_allows_is_named_with_its_place(project: Project) -> None:
    found = explained(project, "make all", allow=["Bash(make *)"])
    assert (found.outcome, found.by) == ("allow", "rule")
    assert found.rule is not None
    assert (found.rule.behavior, found.rule.text) == ("allow", "Bash(make *)")
    assert (found.rule.source, found.rule.origin) == (WHERE, "user")
    assert found.reason == f"The rule Bash(make *) in {WHERE} allows it."
    assert "Without the allow rule Bash(make *) it would be asked." in found.changes
    assert last(found) == "looking, the mode, allow rules"


def test_a_rule_that_forbids_is_named_and_what_would_be_without_it(project: Project) -> None:
    found = explained(project, "make all", allow=["Bash(make *)"], deny=["Bash(make all)"])
    assert (found.outcome, found.by) == ("deny", "rule")
    assert found.reason == f"The rule Bash(make all) in {WHERE} forbids it."
    assert found.changes[0] == "Without the deny rule Bash(make all) it would run."
    assert last(found) == "deny rules"


def test_a_rule_that_asks_while_something_else_would_too(project: Project) -> None:
    found = explained(project, "git push -f", ask=["Bash(git push *)"])
    assert (found.outcome, found.by) == ("ask", "rule")
    assert found.changes[0].startswith(
        "Without the ask rule Bash(git push *) it would be asked all the same: "
    )
    assert [step.name for step in found.steps] == [
        "hooks that deny",
        "deny rules",
        "ask rules, hooks that ask",
    ]


def test_what_would_let_it_run_has_been_tried(project: Project) -> None:
    found = explained(project, "Edit src/a.py")
    assert (found.outcome, found.by) == ("ask", "mode")
    assert "With the allow rule Edit(/src/a.py) it would run." in found.changes
    assert "In mode acceptEdits or bypassPermissions it would run." in found.changes
    assert "In mode dontAsk it would be denied." in found.changes
    assert last(found) == "the question"


def test_each_part_of_a_line_has_its_own_decision(project: Project) -> None:
    found = explained(
        project,
        "git push && ls && rm -rf build && make",
        allow=["Bash(make)"],
        ask=["Bash(git push *)"],
        deny=["Bash(rm *)"],
    )
    assert found.outcome == "deny"
    assert [(part.text, part.outcome, part.decided_by) for part in found.parts] == [
        ("git push", "ask", "ask Bash(git push *)  user"),
        ("ls", "allow", "only looks"),
        ("rm -rf build", "deny", "deny Bash(rm *)  user"),
        ("make", "allow", "allow Bash(make)  user"),
    ]


def test_wrappers_are_peeled_and_texts_for_shells_are_parts(project: Project) -> None:
    found = explained(project, "timeout 5 nice git push", ask=["Bash(git push *)"])
    assert found.parts[0].runs == ("nice git push", "git push")
    found = explained(project, "bash -c 'git push'", ask=["Bash(git push *)"])
    assert [(part.text, part.inside, part.outcome) for part in found.parts] == [
        ("bash -c 'git push'", False, "ask"),
        ("git push", True, "ask"),
    ]


def test_an_effect_on_a_file_is_told(project: Project) -> None:
    found = explained(project, "echo x > out.txt")
    assert found.parts[0].effect == "writes out.txt"
    assert found.parts[0].decided_by == "It writes out.txt."


def test_a_doubt_says_which_rule_may_apply(project: Project) -> None:
    found = explained(project, "$x push", allow=["Bash"], deny=["Bash(git push *)"])
    assert (found.outcome, found.by, found.rule) == ("ask", "rule", None)
    assert "Bash(git push *) may apply" in found.reason
    assert "may apply" in found.parts[0].decided_by
    assert last(found) == "deny rules"


def test_what_is_not_understood_says_so(project: Project) -> None:
    found = explained(project, "echo 'unclosed")
    assert (found.outcome, found.by) == ("ask", "unparsable")
    assert found.problem
    assert last(found) == "lines not understood"


def test_critical_and_protected_places_say_where_they_are_stopped(project: Project) -> None:
    found = explained(project, "rm -rf /", allow=["Bash"])
    assert (found.by, last(found)) == ("critical", "critical removals")
    assert found.parts[0].decided_by == "It removes /."
    found = explained(project, "Edit .git/config", allow=["Edit"])
    assert (found.by, last(found)) == ("path", "protected places")
    assert "a protected place: writing there is asked whatever is allowed" in found.paths


def test_a_path_says_where_it_is_and_where_it_leads(project: Project) -> None:
    (project.folder / "link").symlink_to("/etc/hosts")
    found = explained(project, "Read link")
    assert found.paths[0] == f"{project.folder}/link leads to /etc/hosts"
    assert found.paths[1] == "outside the working folders"
    assert explained(project, "Read src").paths[1] == "inside the working folders"


def test_the_mode_that_asks_nobody_says_why_it_would_be_asked(project: Project) -> None:
    found = explained(project, "git push", ask=["Bash(git push)"], mode="dontAsk")
    assert (found.outcome, found.by) == ("deny", "mode")
    assert found.rule is not None and found.rule.text == "Bash(git push)"
    assert [step.name for step in found.steps[-2:]] == ["ask rules, hooks that ask", "the mode"]
    assert found.steps[-1].decided


@pytest.mark.parametrize(
    ("behavior", "outcome", "step"),
    [
        ("deny", "deny", "hooks that deny"),
        ("ask", "ask", "ask rules, hooks that ask"),
        ("allow", "allow", "hooks that allow"),
    ],
)
def test_a_hook_that_decides(project: Project, behavior: str, outcome: str, step: str) -> None:
    said = HookDecision(behavior, "because")  # pyright: ignore[reportArgumentType]
    found = explained(project, "make", hook=said)
    assert (found.outcome, found.by, last(found)) == (outcome, "hook", step)


def test_a_mode_that_approves_all(project: Project) -> None:
    found = explained(project, "make", mode="bypassPermissions")
    assert (found.outcome, found.by, last(found)) == ("allow", "mode", "a mode that approves all")
    assert "In mode default or acceptEdits or plan it would be asked." in found.changes


def test_in_auto_mode_it_says_whether_the_classifier_looks(project: Project) -> None:
    found = explained(project, "make", mode="auto")
    assert found.changes[0].startswith("In mode auto a classifier looks at it")
    found = explained(project, "make", mode="auto", ask=["Bash(make)"])
    assert found.changes[0].startswith("No classifier is asked")


def test_a_question_to_you_is_one(project: Project) -> None:
    found = explained(project, "AskUserQuestion")
    assert (found.outcome, last(found)) == ("ask", "questions to you")


def test_the_sandbox_is_named_where_it_lets_a_line_run(project: Project) -> None:
    access = RunCommand("make", str(project.folder), sandboxed=True, unasked=True)
    inquiry = replace(read_inquiry("make", project.ground())[0], access=access)
    judge = partial(judged, project, inquiry)
    found = explain(
        inquiry, judge, mode="default", rules=book(ask=["Bash"]), ground=project.ground()
    )
    assert (found.outcome, found.by, last(found)) == ("allow", "sandbox", "the sandbox")


def test_a_rule_is_told_with_all_that_is_known_of_it() -> None:
    [rule] = book(allow=["Bash(ls *)"]).allow
    row = told(rule)
    assert (row.behavior, row.text, row.source, row.origin) == (
        "allow",
        "Bash(ls *)",
        WHERE,
        "user",
    )


LINES = st.sampled_from(
    [
        "git push -f",
        "ls && make",
        "rm -rf /",
        "$x y",
        "echo 'a",
        "Read .env",
        "Edit src/a",
        "Edit .git/config",
        "Read /etc/hosts",
        "WebFetch example.com",
        "mcp__a__b",
        "Agent(Explore)",
        "cat < src/a > b",
    ]
)
RULES = st.lists(
    st.sampled_from(
        [
            "Bash",
            "Bash(git *)",
            "Bash(make)",
            "Read",
            "Edit(/src/**)",
            "Read(.env)",
            "mcp__a",
            "Agent",
        ]
    ),
    max_size=2,
)


@settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(LINES, RULES, RULES, RULES, st.sampled_from(PERMISSION_MODES))
def test_an_explanation_never_contradicts_the_judge(
    project: Project,
    text: str,
    allow: list[str],
    deny: list[str],
    ask: list[str],
    mode: PermissionMode,
) -> None:
    inquiry = read_inquiry(text, project.ground())[-1]
    decision = judged(project, inquiry, mode, book(allow, deny, ask))
    found = explained(project, text, allow=allow, deny=deny, ask=ask, mode=mode)
    assert found.outcome == outcome_of(decision)
    assert [step.decided for step in found.steps][-1]
    assert sum(step.decided for step in found.steps) == 1
    assert Path(project.folder).is_dir()
    if found.outcome == "allow":
        assert all(part.outcome != "deny" for part in found.parts)
