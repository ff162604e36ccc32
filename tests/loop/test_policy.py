from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from agent_tui.loop.policy import Judged, Policy, Surroundings
from agent_tui.permissions.policy import Allowed, Denied, MustAsk
from agent_tui.permissions.resolver import RealResolver
from agent_tui.permissions.rules import RuleBook
from agent_tui.protocol.access import ReadPath, RunCommand, WritePath
from agent_tui.protocol.display import TextDisplay
from agent_tui.protocol.messages import PermissionMode
from agent_tui.protocol.requests import (
    Allow,
    Deny,
    GrantLimit,
    PermissionRequest,
    PermissionRuleValue,
    PermissionUpdate,
)
from agent_tui.settings.layers import SourcedRule


def policy_of(folder: Path, *deny: str, mode: PermissionMode = "default") -> Policy:
    folder.mkdir(exist_ok=True)
    rules = RuleBook.of([SourcedRule("deny", text, "flag") for text in deny])
    around = Surroundings(folder, (), lambda: str(folder), folder)
    return Policy(mode, rules, around, RealResolver(str(folder.parent / "home")))


def writing(path: Path) -> Judged:
    return Judged(WritePath(str(path)), "Write", {"file_path": str(path)}, None, False)


def running(line: str, folder: Path) -> Judged:
    return Judged(RunCommand(line, str(folder)), "Bash", {"command": line}, None, False)


def asked(request_id: str) -> PermissionRequest:
    return PermissionRequest(request_id, "Write", "t", {}, TextDisplay(), "?", "why")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "project"


def test_the_mode_decides_what_no_rule_does(folder: Path) -> None:
    policy = policy_of(folder)
    call = writing(folder / "a.py")
    assert isinstance(policy.judge(call), MustAsk)
    policy.update((PermissionUpdate("setMode", mode="acceptEdits"),))
    assert policy.mode == "acceptEdits"
    assert isinstance(policy.judge(call), Allowed)


def test_a_mode_that_is_none_is_not_taken(folder: Path) -> None:
    policy = policy_of(folder)
    policy.update((PermissionUpdate("setMode", mode="anything"), PermissionUpdate("setMode")))
    assert policy.mode == "default"


def test_a_deny_rule_holds_in_every_mode(folder: Path) -> None:
    policy = policy_of(folder, "Bash(rm *)", mode="bypassPermissions")
    assert isinstance(policy.judge(running("rm x", folder)), Denied)
    assert isinstance(policy.judge(running("touch x", folder)), Allowed)


def test_folders_that_are_added_count_as_inside_until_they_are_removed(folder: Path) -> None:
    policy = policy_of(folder)
    other = folder.parent / "other"
    other.mkdir()
    call = Judged(ReadPath(str(other / "a.py")), "Read", {}, None, True)
    assert isinstance(policy.judge(call), MustAsk)
    policy.update((PermissionUpdate("addDirectories", directories=(str(other),)),))
    assert policy.working_dirs == (folder, other)
    assert isinstance(policy.judge(call), Allowed)
    policy.update((PermissionUpdate("removeDirectories", directories=(str(other),)),))
    assert isinstance(policy.judge(call), MustAsk)


def test_an_answer_that_adds_a_rule_settles_what_it_covers(folder: Path) -> None:
    policy = policy_of(folder)
    policy.asked("1", running("touch x", folder))
    policy.asked("2", running("curl x", folder))
    assert policy.settle(asked("1")) is None
    rule = PermissionRuleValue("Bash", "touch *")
    policy.update((PermissionUpdate("addRules", (rule,)),))
    assert policy.settle(asked("1")) == Allow()
    assert policy.settle(asked("2")) is None
    policy.closed("1")
    assert policy.settle(asked("1")) is None
    assert policy.settle(asked("never")) is None


def test_a_line_that_only_looks_is_known(folder: Path) -> None:
    policy = policy_of(folder)
    assert policy.only_looks(RunCommand("ls | head -3", str(folder)))
    assert not policy.only_looks(RunCommand("ls > list.txt", str(folder)))
    assert not policy.only_looks(RunCommand("rm x", str(folder)))


def test_what_this_session_made_may_be_removed_where_edits_need_no_question(folder: Path) -> None:
    policy = policy_of(folder, mode="acceptEdits")
    call = running("rm made.txt", folder)
    assert isinstance(policy.judge(call), MustAsk)
    policy.note_made(str(folder / "made.txt"))
    assert isinstance(policy.judge(call), MustAsk), "it is not there"
    (folder / "made.txt").touch()
    policy.note_made(str(folder / "made.txt"))
    assert isinstance(policy.judge(call), Allowed)
    assert isinstance(policy.judge(running("rm other.txt", folder)), MustAsk)


def test_what_a_line_is_about_to_make_is_told_before_it_runs(folder: Path) -> None:
    policy = policy_of(folder)
    line = RunCommand("mkdir d && echo x > d/f; cat < in > /var/out", str(folder))
    assert policy.about_to_make(line) == (f"{folder}/d", f"{folder}/d/f")


def test_files_that_may_not_be_read_are_known(folder: Path) -> None:
    policy = policy_of(folder, "Read(./secret/**)")
    assert policy.may_read(str(folder / "a.py"))
    assert not policy.may_read(str(folder / "secret" / "key"))


@pytest.mark.parametrize(
    ("session", "wanted", "runs"),
    [
        ("default", "acceptEdits", True),
        ("plan", "acceptEdits", True),
        ("default", None, False),
        ("acceptEdits", "default", True),
        ("bypassPermissions", "plan", True),
    ],
)
def test_a_sub_agents_own_mode_counts_where_the_sessions_lets_it(
    folder: Path, session: PermissionMode, wanted: PermissionMode | None, runs: bool
) -> None:
    policy = policy_of(folder, mode=session)
    call = replace(writing(folder / "a.txt"), mode=wanted)
    assert isinstance(policy.judge(call), Allowed) is runs


TOUCH, MAKE = PermissionRuleValue("Bash", "touch *"), PermissionRuleValue("Bash", "make *")


def for_calls(count: int, *rules: PermissionRuleValue) -> PermissionUpdate:
    return PermissionUpdate("addRules", rules, limit=GrantLimit(calls=count))


def test_a_rule_for_some_calls_counts_what_ran_and_not_what_was_looked_at(folder: Path) -> None:
    policy = policy_of(folder)
    policy.update((for_calls(2, TOUCH),))
    call = running("touch x", folder)
    for _ in range(5):
        assert isinstance(policy.judge(call), Allowed)
    policy.used(running("ls", folder))
    policy.used(call)
    assert isinstance(policy.judge(call), Allowed)
    policy.used(call)
    assert isinstance(policy.judge(call), MustAsk)


def test_a_line_counts_for_every_rule_that_it_needs_and_no_other(folder: Path) -> None:
    policy = policy_of(folder)
    policy.update((for_calls(1, TOUCH, MAKE), for_calls(1, PermissionRuleValue("Bash", "true *"))))
    policy.used(running("touch a && make b", folder))
    assert [str(grant.rule) for grant in policy.limited.grants] == ["Bash(true *)"]


def test_of_two_rules_that_would_do_the_older_one_counts(folder: Path) -> None:
    policy = policy_of(folder)
    wider = PermissionRuleValue("Bash")
    policy.update((for_calls(1, TOUCH), for_calls(1, wider)))
    policy.used(running("touch a", folder))
    assert [grant.rule for grant in policy.limited.grants] == [wider]
    policy.used(running("touch a", folder))
    assert not policy.limited.grants


def test_where_something_else_allows_it_nothing_is_counted(folder: Path) -> None:
    policy = policy_of(folder)
    policy.update((for_calls(1, TOUCH), PermissionUpdate("addRules", (TOUCH,))))
    policy.used(running("touch x", folder))
    assert policy.limited.counted == (TOUCH,)


def test_a_question_that_is_settled_by_a_rule_for_some_calls_counts(folder: Path) -> None:
    policy = policy_of(folder)
    for name in "123":
        policy.asked(name, running(f"touch {name}", folder))
    policy.update((for_calls(2, TOUCH),))
    assert [policy.settle(asked(name)) for name in "123"] == [Allow(), Allow(), None]


def test_a_deny_rule_or_a_mode_settles_open_questions_too(folder: Path) -> None:
    policy = policy_of(folder)
    policy.asked("1", running("touch x", folder))
    policy.asked("2", writing(folder / "a.py"))
    policy.update((PermissionUpdate("addRules", (TOUCH,), "deny"),))
    refused = policy.settle(asked("1"))
    assert isinstance(refused, Deny)
    assert "Bash(touch *)" in refused.message
    assert policy.settle(asked("2")) is None
    policy.mode = "acceptEdits"
    assert policy.settle(asked("2")) == Allow()
    policy.mode = "dontAsk"
    assert isinstance(policy.settle(asked("2")), Deny)


def test_a_deny_rule_beats_a_rule_with_a_limit(folder: Path) -> None:
    policy = policy_of(folder, "Bash(touch *)")
    policy.update((for_calls(3, TOUCH),))
    assert isinstance(policy.judge(running("touch x", folder)), Denied)


def test_what_is_taken_over_says_when_it_ends(folder: Path) -> None:
    policy = policy_of(folder)
    taken = policy.update(
        (
            PermissionUpdate("addRules", (TOUCH,)),
            PermissionUpdate("addRules", (MAKE,), limit=GrantLimit(minutes=1)),
        )
    )
    assert taken[0].limit is None
    assert taken[1].limit is not None
    assert taken[1].limit.until is not None


def test_a_limit_on_anything_but_an_allow_rule_changes_nothing(folder: Path) -> None:
    policy = policy_of(folder)
    policy.update((PermissionUpdate("addRules", (TOUCH,)),))
    for kind in ("removeRules", "replaceRules"):
        policy.update((PermissionUpdate(kind, (TOUCH,), limit=GrantLimit(task=True)),))
    policy.update((PermissionUpdate("addRules", (TOUCH,), "deny", limit=GrantLimit(calls=1)),))
    assert isinstance(policy.judge(running("touch x", folder)), Allowed)


def test_rules_that_are_taken_back_are_gone_whatever_their_limit(folder: Path) -> None:
    policy = policy_of(folder)
    policy.update((for_calls(3, TOUCH, MAKE), PermissionUpdate("removeRules", (TOUCH,))))
    assert isinstance(policy.judge(running("touch x", folder)), MustAsk)
    assert isinstance(policy.judge(running("make x", folder)), Allowed)
    policy.update((PermissionUpdate("replaceRules", (TOUCH,)),))
    assert isinstance(policy.judge(running("make x", folder)), MustAsk)


def test_what_a_rule_would_allow_is_told_without_it_being_taken(folder: Path) -> None:
    policy = policy_of(folder)
    policy.asked("1", running("touch x && make y", folder))
    assert not policy.would_allow("1", (TOUCH,))
    assert policy.would_allow("1", (TOUCH, MAKE))
    assert not policy.would_allow("never", (TOUCH, MAKE))
    assert isinstance(policy.judge(running("touch x", folder)), MustAsk)


def test_folders_of_an_answer_count_from_the_session_and_from_home(folder: Path) -> None:
    policy = policy_of(folder)
    update = PermissionUpdate("addDirectories", directories=("../beside", "~/docs", "/abs"))
    policy.update((update,))
    home = folder.parent / "home"
    assert policy.working_dirs == (folder, folder / "../beside", home / "docs", Path("/abs"))
    for path in (folder.parent / "beside" / "x", home / "docs" / "x"):
        call = Judged(ReadPath(str(path)), "Read", {}, None, True)
        assert isinstance(policy.judge(call), Allowed), path
    policy.update((PermissionUpdate("removeDirectories", directories=("../beside", "~/docs")),))
    assert policy.working_dirs == (folder, Path("/abs"))
