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
