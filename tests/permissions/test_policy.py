"""The decision: its order, the modes, and the requirement cases of permissions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agent_tui.permissions.policy import Allowed, Decision, Denied, MustAsk, only_looks
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
from agent_tui.protocol.requests import HookDecision
from tests.permissions.ground import Project, book, suggested

EVERY_MODE: list[PermissionMode] = list(PERMISSION_MODES)


def kind(decision: Decision) -> str:
    return {Allowed: "run", Denied: "no", MustAsk: "ask"}[type(decision)]


# Requirement cases -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "line",
    [
        "git log && touch p1",
        "git log; touch p2",
        "git log | tee p3",
        "git log & touch p4",
        "git log\ntouch p5",
        "git log $(touch p6)",
        'git log "`touch p7`"',
        "git log <(touch p8)",
    ],
)
def test_a1_an_allowed_prefix_lets_no_second_command_ride_along(
    project: Project, line: str
) -> None:
    assert kind(project.bash(line, allow=["Bash(git log:*)"])) == "ask"
    assert kind(project.bash(line, allow=["Bash(git log:*)"], mode="dontAsk")) == "no"


def test_a1_the_allowed_command_itself_runs(project: Project) -> None:
    assert kind(project.bash("git log -5", allow=["Bash(git log:*)"])) == "run"


def test_a2_a_line_whose_parts_are_all_allowed_runs(project: Project) -> None:
    rules = ["Bash(cd:*)", "Bash(git:*)", "Bash(head:*)"]
    line = "cd src && git diff main...HEAD --name-only | head -30"
    assert kind(project.bash(line, allow=rules)) == "run"
    assert kind(project.bash("cd src && git fetch --all | head -30", allow=rules)) == "run"


def test_a2_a_redirection_is_asked_all_the_same(project: Project) -> None:
    asked = project.bash(
        "cd src && git status > out.txt", allow=["Bash(cd:*)", "Bash(git:*)", "Bash(head:*)"]
    )
    assert isinstance(asked, MustAsk)
    assert "out.txt" in asked.reason


A3 = [
    "git push",
    "git -C /r push",
    "git --git-dir=/r/.git push",
    "GIT_SSH_COMMAND=x git push",
    '"git" push',
    "g\\it push",
    "/usr/bin/git push",
    "command git push",
    "git   push",
    "git\tpush",
]


@pytest.mark.parametrize("mode", EVERY_MODE)
@pytest.mark.parametrize("line", A3)
def test_a3_a_command_written_otherwise_does_not_escape_a_rule(
    project: Project, line: str, mode: PermissionMode
) -> None:
    decided = project.bash(line, allow=["Bash"], deny=["Bash(git push:*)"], mode=mode)
    assert isinstance(decided, Denied)
    assert "Bash(git push:*)" in decided.message


A4 = [
    "find . -name x -exec rm {} \\;",
    "ls | xargs rm",
    "ls | xargs -n 1 -I {} rm {}",
    "timeout 5 rm x",
    "env A=1 rm x",
    "nice nohup rm x",
    "bash -c 'rm x'",
    "eval rm x",
    "sudo rm x",
    "sudo -u root -- rm x",
    "bash -c \"bash -c 'rm x'\"",
    "ls | xargs sh -c 'rm \"$@\"' _",
    "time -p rm x",
    "exec rm x",
    "flock /tmp/lock rm x",
    "trap 'rm x' EXIT",
]


@pytest.mark.parametrize("mode", EVERY_MODE)
@pytest.mark.parametrize("line", A4)
def test_a4_a_wrapper_does_not_hide_the_command(
    project: Project, line: str, mode: PermissionMode
) -> None:
    rules = ["Bash(find:*)", "Bash(xargs:*)", "Bash(timeout:*)", "Bash"]
    assert kind(project.bash(line, allow=rules, deny=["Bash(rm:*)"], mode=mode)) == "no"


def test_a4_deleting_by_find_is_asked(project: Project) -> None:
    rules = ["Bash(find:*)", "Bash(xargs:*)", "Bash(timeout:*)"]
    assert kind(project.bash("find . -delete", allow=rules, deny=["Bash(rm:*)"])) == "ask"
    assert kind(project.bash("find src -name x -delete", allow=rules)) == "ask"


@pytest.mark.parametrize("mode", ["default", "bypassPermissions", "acceptEdits"])
@pytest.mark.parametrize(
    "line",
    [
        "$x a",
        "$(printf rm) a",
        "`echo rm` a",
        "${x:-rm} a",
        "r$x a",
        'bash -c "$x"',
        "eval $x",
        "sh < src/s",
        "cat src/s | sh",
    ],
)
def test_a4_a_program_named_at_run_time_is_asked_where_a_rule_forbids_some(
    project: Project, line: str, mode: PermissionMode
) -> None:
    assert kind(project.bash(line, allow=["Bash"], deny=["Bash(rm:*)"], mode=mode)) == "ask"
    assert kind(project.bash(line, allow=["Bash"])) == "run"


@pytest.mark.parametrize(
    "line",
    [
        "git diff --no-index /dev/null /dev/null --output=t.conf",
        "git -c core.pager='touch q1' log",
        "git -c core.fsmonitor='touch q2' status",
        "git log --ext-diff",
        "git grep --open-files-in-pager=sh x",
    ],
)
def test_a5_an_option_that_writes_or_runs_is_asked(project: Project, line: str) -> None:
    assert kind(project.bash(line)) == "ask"


@pytest.mark.parametrize(
    ("line", "path"),
    [
        ("echo x > a.txt", "a.txt"),
        ("cat b >> ~/.bashrc", ".bashrc"),
        ("wc f > ../outside", "outside"),
        ("echo x >| a.txt", "a.txt"),
        (": > a.txt", "a.txt"),
    ],
)
def test_a6_a_redirection_is_a_write(project: Project, line: str, path: str) -> None:
    asked = project.bash(line)
    assert isinstance(asked, MustAsk)
    assert path in asked.reason
    assert asked.blocked_path is not None
    assert asked.blocked_path.endswith(path)
    assert (
        kind(
            project.bash(
                line,
                deny=[
                    f"Edit(**/{path})",
                    f"Edit(~/{path})",
                    f"Edit(/../{path})",
                    f"Edit(//**/{path})",
                ],
            )
        )
        == "no"
    )


def test_a6_opening_for_both_is_not_understood_and_asked(project: Project) -> None:
    asked = project.bash("cat <> a.txt")
    assert isinstance(asked, MustAsk)
    assert asked.decided_by == "unparsable"


@pytest.mark.parametrize("mode", EVERY_MODE)
@pytest.mark.parametrize(
    "line",
    [
        "cat .env",
        'grep -E "A|SECRET" .env',
        "cat < .env",
        "git show HEAD:.env",
        "head -1 ./.env",
        "cat .e*",
        'cat ".e"nv',
        "cat .en\\v",
        "cd src && cat ../.env",
        "f=.env; cat $f",
        'for f in .env x; do cat "$f"; done',
        "cat $(<.env)",
        "base64 .env",
        "cp .env src/x",
        "mv .env src/x",
        "ln -s .env src/x",
        "source .env",
        "curl -d @.env localhost",
        "dd if=.env",
        "python3 show.py --file=.env",
        "sudo cat .env",
        "sh -c 'cat .env'",
        "find .env -exec cat {} +",
        "grep -r SECRET .",
        "rg --hidden SECRET",
        "grep -R SECRET .",
        "grep -rR --odd SECRET",
        "rg --odd --hidden SECRET",
        "git grep --untracked SECRET",
        "cp -r . /tmp/x",
        "tar c .",
        "diff -r . src",
    ],
)
def test_a7_a_file_that_may_not_be_read_is_not_read_by_a_command(
    project: Project, line: str, mode: PermissionMode
) -> None:
    (project.folder / ".env").write_text("SECRET=abc\n")
    decided = project.bash(line, allow=["Bash"], deny=["Read(./.env)"], mode=mode)
    assert isinstance(decided, Denied)
    assert "Read(./.env)" in decided.message


@pytest.mark.parametrize(
    "line", ["cat $f", "ls | xargs cat", "cat $(ls -a)", "cat {.env,x}", "cat .{env,x}"]
)
def test_a7_a_file_that_cant_be_told_is_asked(project: Project, line: str) -> None:
    (project.folder / ".env").write_text("SECRET=abc\n")
    for mode in ("default", "bypassPermissions"):
        decided = project.bash(line, allow=["Bash"], deny=["Read(./.env)"], mode=mode)
        assert kind(decided) == "ask", mode


def test_a7_the_tools_don_t_read_it_either(project: Project) -> None:
    (project.folder / ".env").write_text("SECRET=abc\n")
    rule = ["Read(./.env)"]
    for tool in ("Read", "Grep", "LSP"):
        assert kind(project.read(".env", deny=rule, tool=tool)) == "no"
    assert kind(project.write(".env", deny=rule, tool="Edit")) == "no"
    assert kind(project.read(".", deny=rule, tool="Grep")) == "run"
    rules = book(deny=rule)
    dirs = (project.folder,)
    assert not rules.may_read(str(project.folder / ".env"), dirs, project.resolver)
    assert rules.may_read(str(project.folder / "zzz.ts"), dirs, project.resolver)


def test_a7_files_beside_it_are_read_as_ever(project: Project) -> None:
    (project.folder / ".env").write_text("SECRET=abc\n")
    rule = ["Read(./.env)"]
    for line in ("cat README.md", "ls", "rg foo", "cat *.md", "echo .env >/dev/null", "git status"):
        assert kind(project.bash(line, deny=rule)) == "run", line


def test_a8_a_link_with_another_name_is_its_target(project: Project) -> None:
    (project.folder / "private").mkdir()
    (project.folder / "private" / "a").write_text("x")
    (project.folder / "ok.txt").symlink_to("/etc/passwd")
    (project.folder / "pub").symlink_to("private")
    rules = ["Read(//etc/passwd)", "Read(./private/**)"]
    assert kind(project.read("ok.txt", deny=rules)) == "no"
    assert kind(project.read("pub/a", deny=rules)) == "no"
    assert kind(project.read("pub", deny=rules, tool="Grep")) == "no"
    for line in (
        "cat ok.txt",
        "cat pub/a",
        "cat pub/*",
        "cat *.txt",
        "cat < ok.txt",
        "cd pub && cat a",
        "head src/../ok.txt",
    ):
        assert kind(project.bash(line, deny=rules, mode="bypassPermissions")) == "no", line
    assert kind(project.read("src/x", deny=rules)) == "run"


def test_a9_what_always_stores_allows_that_and_no_more(project: Project) -> None:
    asked = project.bash("touch 1.txt")
    assert isinstance(asked, MustAsk)
    rules = RuleBook()
    for update in asked.suggestions:
        rules = rules.with_update(update)
    assert kind(project.bash("touch 1.txt", rules=rules)) == "run"
    for line in ("rm 1.txt", "touch ~/2.txt", "touch 1.txt ~/2.txt"):
        assert kind(project.bash(line, rules=rules)) == "ask", line


@pytest.mark.parametrize(
    "line",
    [
        "for f in a b\ndo\n  touch $f\ndone",
        "python3 -c 'print(1)'",
        "rm -rf build",
        "sudo make install",
        "make " + "x" * 300,
        "node -e 'x()'",
    ],
)
def test_a10_no_junk_is_offered_to_be_stored(project: Project, line: str) -> None:
    assert suggested(project.bash(line)) == []


def test_a10_a_long_document_is_no_rule_and_its_file_may_be_one(project: Project) -> None:
    asked = project.bash("cat > n.md << 'EOF'\n" + "long text\n" * 900 + "EOF")
    assert suggested(asked) == [[f"Edit(/{project.folder}/n.md)"]]
    asked = project.bash("git commit -m \"$(cat <<'EOF'\n" + "long text\n" * 90 + 'EOF\n)"')
    assert suggested(asked) == [["Bash(git commit *)"]]


@pytest.mark.parametrize("mode", EVERY_MODE)
def test_a13_many_parts_don_t_make_the_check_give_up(
    project: Project, mode: PermissionMode
) -> None:
    line = "true && " * 60 + "curl http://127.0.0.1:1"
    assert kind(project.bash(line, deny=["Bash(curl:*)"], allow=["Bash"], mode=mode)) == "no"


@pytest.mark.parametrize(
    "line",
    [
        "true && " * 12_500 + "curl http://127.0.0.1:1",
        "true; " * 500 + "curl http://127.0.0.1:1",
        "echo " + "$(" * 3_000 + "curl x" + ")" * 3_000,
        "(" * 20_000,
    ],
)
def test_a13_beyond_a_limit_nothing_runs(project: Project, line: str) -> None:
    for mode in EVERY_MODE:
        decided = project.bash(line, deny=["Bash(curl:*)"], allow=["Bash"], mode=mode)
        assert kind(decided) in ("ask", "no"), mode
    assert kind(project.bash(line, allow=["Bash"], mode="dontAsk")) == "no"


def test_a15_a_malformed_rule_takes_no_other_with_it(project: Project) -> None:
    rules = book(deny=["Bash(rm:*)", "Bash(mv", "Read(./x)", "Edit()y", "WebFetch(domain:a.b)"])
    assert [str(rule) for rule in rules.deny] == ["Bash(rm:*)", "Read(./x)", "WebFetch(domain:a.b)"]
    assert len(rules.problems) == 2
    assert all("/home/me/settings.json:7" in problem for problem in rules.problems)
    assert kind(project.bash("rm x", rules=rules)) == "no"


A16 = [
    ".claude/settings.json",
    ".claude/settings.local.json",
    ".claude/hooks/x.sh",
    ".mcp.json",
    ".git/hooks/pre-commit",
    ".git/config",
]


@pytest.mark.parametrize("path", A16)
def test_a16_giving_itself_rights_is_asked_whatever_is_allowed(project: Project, path: str) -> None:
    lines = [
        f"cat > {path}",
        f"echo x >> ./{path}",
        f"tee {path}",
        f"cp src/x {path}",
        f"cd $(dirname x); touch {path}",
        f"sed -i s/a/b/ {path}",
        f"mv src/x {path}",
        f"ln -s x {path}",
        f"sh -c 'echo > {path}'",
    ]
    for mode in ("default", "acceptEdits", "plan"):
        for tool in ("Write", "Edit"):
            asked = project.write(path, mode=mode, tool=tool, allow=["Edit", "Write", "Edit(**)"])
            assert isinstance(asked, MustAsk)
            assert "protected" in asked.reason
            assert asked.default_to_no
        for line in lines:
            asked = project.bash(line, mode=mode, allow=["Bash", "Edit(**)"])
            assert isinstance(asked, MustAsk), line
            assert asked.suggestions == ()
    assert kind(project.write(path, mode="dontAsk", allow=["Edit(**)"])) == "no"
    assert kind(project.write(path, mode="bypassPermissions")) == "run"


@pytest.mark.parametrize("mode", ["default", "acceptEdits", "plan", "bypassPermissions"])
def test_a16_our_own_files_are_asked_in_every_mode_and_no_hook_allows_them(
    project: Project, mode: PermissionMode
) -> None:
    own = project.home / ".agent-tui"
    own.mkdir()
    (project.folder / "o").symlink_to(own)
    for path in (own / "trust.json", own / "new" / "x", project.folder / "o" / "settings.json"):
        for tool in ("Write", "Edit"):
            asked = project.write(
                str(path), mode=mode, tool=tool, allow=["Edit", "Edit(**)"], hook=hook("allow")
            )
            assert isinstance(asked, MustAsk), path
            assert "agent-tui keeps its own settings" in asked.reason
            assert asked.default_to_no
    for line in (
        "echo '{}' > ~/.agent-tui/trust.json",
        f"cp src/x {own}/credentials.json",
        "rm -rf ~/.agent-tui",
        "cd o && touch settings.json",
        f"sed -i s/a/b/ {own}/settings.json",
    ):
        asked = project.bash(line, mode=mode, allow=["Bash"], hook=hook("allow"))
        assert isinstance(asked, MustAsk), line
    assert kind(project.write(str(own / "x"), mode="dontAsk", allow=["Edit"])) == "no"


def test_a16_names_in_other_case_and_by_other_ways_are_protected_too(project: Project) -> None:
    (project.folder / "g").symlink_to(".git")
    (project.folder / "tree" / ".claude").mkdir(parents=True)
    for path in (".GIT/config", "src/../.git/config", "g/hooks/x", "src/.Claude/settings.json"):
        assert kind(project.write(path, mode="acceptEdits")) == "ask", path
    for line in (
        "cp -r tree/. .",
        "mv tree/.claude .",
        "touch g/hooks/x",
        "cd .git && touch config",
    ):
        assert kind(project.bash(line, mode="acceptEdits")) == "ask", line
    assert kind(project.write(".claude/worktrees/a/x.py", mode="acceptEdits")) == "run"


def test_a17_printing_the_environment_is_asked(project: Project) -> None:
    assert kind(project.bash("env | sort")) == "ask"
    assert kind(project.bash("printenv")) == "ask"
    assert kind(project.bash("cat /proc/self/environ")) == "ask"


# The order ---------------------------------------------------------------------------------------------------------------


def hook(behavior: Any, reason: str = "") -> HookDecision:
    return HookDecision(behavior, reason)


def test_a_hooks_deny_comes_first(project: Project) -> None:
    decided = project.bash("ls", hook=hook("deny", "no ls here"), mode="bypassPermissions")
    assert decided == Denied("no ls here", "hook")


def test_a_hooks_allow_beats_neither_deny_nor_ask_rules_nor_the_guarded_paths(
    project: Project,
) -> None:
    yes = hook("allow")
    assert kind(project.bash("make", hook=yes)) == "run"
    assert kind(project.bash("make", hook=yes, deny=["Bash(make *)"])) == "no"
    assert kind(project.bash("make", hook=yes, ask=["Bash(make *)"])) == "ask"
    assert kind(project.bash("rm -rf /", hook=yes)) == "ask"
    assert kind(project.write(".git/config", hook=yes)) == "ask"
    assert kind(project.write("src/x", hook=yes)) == "run"


def test_a_hooks_ask_asks_what_would_run(project: Project) -> None:
    asked = project.bash("ls", hook=hook("ask", "look at it"), mode="bypassPermissions")
    assert isinstance(asked, MustAsk)
    assert (asked.reason, asked.decided_by) == ("look at it", "hook")
    assert kind(project.bash("ls", hook=hook("ask"), mode="dontAsk")) == "no"


def test_deny_beats_ask_beats_allow_whatever_is_narrower(project: Project) -> None:
    assert kind(project.bash("git push", allow=["Bash(git push)"], deny=["Bash(git *)"])) == "no"
    assert kind(project.bash("git push", allow=["Bash(git push)"], ask=["Bash(git *)"])) == "ask"
    assert kind(project.bash("git push", ask=["Bash(git push)"], deny=["Bash"])) == "no"


def test_an_ask_rule_says_which_it_is_and_where_and_offers_no_always(project: Project) -> None:
    asked = project.bash("git push", ask=["Bash(git push *)"], mode="bypassPermissions")
    assert isinstance(asked, MustAsk)
    assert asked.rule == "Bash(git push *)"
    assert asked.rule_source == "/home/me/settings.json:7"
    assert asked.decided_by == "rule"
    assert asked.suggestions == ()


@pytest.mark.parametrize(
    "line",
    [
        "rm -rf /",
        "rm -rf ~",
        "rm -rf .",
        "rm -rf ..",
        "rm -rf *",
        "rm -rf /usr",
        'rm -rf "$DIR"/*',
        "rm -rf $HOME",
        "echo $(rm -rf /)",
        "cat <(rm -rf ~)",
        "d=/; rm -rf $d",
        "sudo rm -rf /",
        "rmdir /tmp",
        "find / -delete",
        "sh -c 'rm -rf /'",
    ],
)
def test_removing_something_critical_is_asked_in_every_mode(project: Project, line: str) -> None:
    for mode in ("default", "acceptEdits", "plan", "bypassPermissions"):
        asked = project.bash(line, mode=mode, allow=["Bash"], hook=hook("allow"))
        assert isinstance(asked, MustAsk), mode
        assert asked.decided_by == "critical"
        assert asked.default_to_no
    assert kind(project.bash(line, mode="dontAsk", allow=["Bash"])) == "no"


def test_removing_files_is_nothing_critical(project: Project) -> None:
    for line in ("rm -rf build", "rm src/x", 'rm "$x"', "rm -rf ./build/*", "rm -rf /tmp/a/b"):
        assert kind(project.bash(line, mode="bypassPermissions")) == "run", line


def table(project: Project) -> list[tuple[str, Access, str, str]]:
    """What the reference was seen to do, mode by mode (observed.md section 7), with our decisions."""
    inside, outside = str(project.folder / "src" / "x"), "/etc/hostname"

    def run(line: str) -> RunCommand:
        return RunCommand(line, str(project.folder))

    return [
        #                                    default acceptEdits plan dontAsk bypass auto
        ("Read", ReadPath(inside), "read", "run run run run run run"),
        ("Bash", run("ls"), "", "run run run run run run"),
        ("Read", ReadPath(outside), "read", "ask ask run no run run"),
        ("Read", ReadPath(f"{project.home}/.ssh/id"), "read", "ask ask ask no run ask"),
        ("Read", ReadPath("/proc/self/environ"), "read", "ask ask ask no run ask"),
        ("Edit", WritePath(inside), "", "ask run ask no run run"),
        ("Write", WritePath("/var/x"), "", "ask ask ask no run ask"),
        ("Write", WritePath(f"{project.folder}/.git/hooks/x"), "", "ask ask ask no run ask"),
        ("Bash", run("mkdir a && touch a/b"), "", "ask run ask no run run"),
        ("Bash", run("mv src/a src/b"), "", "ask run ask no run run"),
        ("Bash", run("cp src/a src/b"), "", "ask run ask no run run"),
        ("Bash", run("sed -i s/a/b/ src/x"), "", "ask run ask no run run"),
        ("Bash", run("echo x > src/f"), "", "ask run ask no run run"),
        ("Bash", run("rm src/x"), "", "ask ask ask no run ask"),
        ("Bash", run("touch /var/x"), "", "ask ask ask no run ask"),
        ("Bash", run("python3 -c 'x'"), "", "ask ask ask no run ask"),
        ("WebFetch", FetchUrl("https://a.b/c"), "", "ask ask ask no run ask"),
        ("mcp__s__t", CallMcp("s", "t", read_only=True), "read", "ask ask ask no run ask"),
        ("TaskCreate", NoAccess(), "", "run run run run run run"),
        ("AskUserQuestion", AskUser(), "", "ask ask ask no ask ask"),
    ]


def test_each_mode_does_what_the_table_says(project: Project) -> None:
    for tool, access, how, expected in table(project):
        seen = [
            kind(project.judge(access, tool, mode=mode, read_only=how == "read"))
            for mode in EVERY_MODE
        ]
        assert seen == expected.split(), (tool, access)


def test_allow_rules_don_t_let_changes_through_in_plan_mode(project: Project) -> None:
    assert kind(project.write("src/x", mode="plan", allow=["Edit(**)", "Write"])) == "ask"
    assert kind(project.bash("touch x", mode="plan", allow=["Bash", "Bash(touch *)"])) == "ask"
    assert kind(project.bash("echo x > y", mode="plan", allow=["Bash", "Edit(**)"])) == "ask"
    fetch = FetchUrl("https://a.b/")
    rules = book(["WebFetch(domain:a.b)"])
    assert kind(project.judge(fetch, "WebFetch", rules=rules, mode="plan")) == "run"


def test_what_needs_the_person_is_asked_and_no_rule_allows_it(project: Project) -> None:
    rules = book(["AskUserQuestion"])
    for mode in ("default", "bypassPermissions"):
        assert kind(project.judge(AskUser(), "AskUserQuestion", rules=rules, mode=mode)) == "ask"
    assert kind(project.judge(AskUser(), "AskUserQuestion", rules=rules, mode="dontAsk")) == "no"


def test_files_of_this_session_may_be_removed_where_edits_are_accepted(project: Project) -> None:
    ours, theirs = project.folder / "ours", project.folder / "theirs"
    for path in (ours, theirs):
        path.touch()
    made = frozenset({str(ours)})
    assert kind(project.bash("rm ours", mode="acceptEdits", made=made)) == "run"
    assert kind(project.bash("rm theirs", mode="acceptEdits", made=made)) == "ask"
    assert kind(project.bash("rm ours theirs", mode="acceptEdits", made=made)) == "ask"
    assert kind(project.bash("rm ours", made=made)) == "ask"


def test_of_folders_this_session_made_only_empty_ones_go_unasked(project: Project) -> None:
    ours = project.folder / "ours"
    ours.mkdir()
    made = frozenset({str(ours)})
    assert kind(project.bash("rmdir ours", mode="acceptEdits", made=made)) == "run"
    assert kind(project.bash("rmdir src", mode="acceptEdits", made=made)) == "ask"
    assert kind(project.bash("rm -r ours", mode="acceptEdits", made=made)) == "ask"


def test_a_tool_that_changes_things_does_not_read_unasked(project: Project) -> None:
    inside = ReadPath(str(project.folder / "x"))
    assert kind(project.judge(inside, "Odd", read_only=False)) == "ask"
    assert kind(project.judge(inside, "Odd", read_only=False, rules=book(["Odd"]))) == "run"


def test_whole_tools_servers_and_fields_are_ruled(project: Project) -> None:
    call = CallMcp("a", "search")
    for rule in ("mcp__a", "mcp__a__*", "mcp__a__search", "mcp__a__sea*"):
        assert kind(project.judge(call, "mcp__a__search", rules=book([rule]))) == "run", rule
    for rule in ("mcp__b", "mcp__*", "*", "mcp__a__other"):
        assert kind(project.judge(call, "mcp__a__search", rules=book([rule]))) == "ask", rule
    for rule in ("mcp__*", "*", "mcp__a"):
        rules = book(["mcp__a"], deny=[rule])
        assert kind(project.judge(call, "mcp__a__search", rules=rules)) == "no", rule
    agent = {"subagent_type": "Explore", "model": "opus"}
    for rule in ("Agent(Explore)", "Task(Explore)", "Agent(model:opus)", "Agent"):
        assert kind(project.judge(NoAccess(), "Agent", agent, rules=book(deny=[rule]))) == "no", (
            rule
        )
    assert (
        kind(project.judge(NoAccess(), "Agent", agent, rules=book(deny=["Agent(Plan)"]))) == "run"
    )
    line = RunCommand("ls", str(project.folder))
    rules = book(["Bash"], ask=["Bash(run_in_background:true)"])
    given_input = {"command": "ls", "run_in_background": True}
    assert kind(project.judge(line, "Bash", given_input, rules=rules)) == "ask"
    assert kind(project.judge(line, "Bash", {"command": "ls"}, rules=rules)) == "run"


def test_m5_a_server_is_not_taken_for_another_of_a_longer_name(project: Project) -> None:
    call = CallMcp("x__y", "z")
    assert kind(project.judge(call, "mcp__x__y__z", rules=book(["mcp__x"]))) == "ask"
    assert kind(project.judge(call, "mcp__x__y__z", rules=book(["mcp__x__y"]))) == "run"
    assert kind(project.judge(call, "mcp__x__y__z", rules=book(deny=["mcp__x"]))) == "no"


def test_hosts_are_ruled(project: Project) -> None:
    def fetch(url: str, **rules: list[str]) -> str:
        return kind(project.judge(FetchUrl(url), "WebFetch", {"url": url}, rules=book(**rules)))

    assert fetch("https://EXAMPLE.com./x", allow=["WebFetch(domain:example.com)"]) == "run"
    assert fetch("https://a.example.com/", allow=["WebFetch(domain:example.com)"]) == "ask"
    assert fetch("https://a.b.example.com/", allow=["WebFetch(domain:*.example.com)"]) == "run"
    assert fetch("https://example.com/", allow=["WebFetch(domain:*.example.com)"]) == "ask"
    assert fetch("https://evil.com/?example.com", allow=["WebFetch(domain:example.com)"]) == "ask"
    assert fetch("https://example.com@evil.com/", allow=["WebFetch(domain:example.com)"]) == "ask"
    assert (
        fetch("https://evil.com/", allow=["WebFetch"], deny=["WebFetch(domain:evil.com)"]) == "no"
    )


def test_a_question_shows_what_each_part_is_and_marks_what_is_dangerous(project: Project) -> None:
    line = "ls && npm test > out.log; rm -rf build"
    asked = project.bash(line, allow=["Bash(npm test)"])
    assert isinstance(asked, MustAsk)
    assert [(part.text, part.allowed, part.effect) for part in asked.parts] == [
        ("ls", True, ""),
        ("npm test > out.log", False, "writes out.log"),
        ("rm -rf build", False, "removes build"),
    ]
    assert [line[span.start : span.end] for span in asked.danger] == ["rm -rf"]
    assert asked.default_to_no


def test_only_looking_is_told_from_changing(project: Project) -> None:
    def looks(line: str) -> bool:
        return only_looks(line, project.folder, (project.folder,), project.resolver)

    assert looks("git log | head -3 && sleep 1")
    assert not looks("touch x")
    assert not looks("ls > x")
    assert not looks("cat /etc/passwd")
    assert not looks("ls <> x")


def test_a_line_that_isnt_understood_runs_only_where_all_runs_and_nothing_forbids(
    project: Project,
) -> None:
    odd = "cat <> a.txt"
    assert kind(project.bash(odd, mode="bypassPermissions")) == "run"
    assert kind(project.bash(odd, mode="bypassPermissions", deny=["Bash(git push *)"])) == "ask"
    assert kind(project.bash(odd, mode="bypassPermissions", deny=["Read(./.env)"])) == "ask"
    assert kind(project.bash(f"rm -r / {odd}", mode="bypassPermissions")) == "ask"
    assert kind(project.bash(odd, allow=["Bash"])) == "ask"


# Properties ----------------------------------------------------------------------------------------------------------------

LOOKS = ["ls", "cat x", "git status", "echo hi", "head -3 y", "grep a b"]
RULED = ["npm test", "git push", "touch x", "make all", "rm y"]
RULES = [
    "Bash(npm test)",
    "Bash(git *)",
    "Bash(touch:*)",
    "Bash(make *)",
    "Bash",
    "Bash(rm *)",
    "Bash(* x)",
]
JOINS = [" && ", "; ", " | ", " || ", " & ", "\n"]

simple = st.sampled_from(LOOKS + RULED)


@st.composite
def lines(draw: st.DrawFn) -> str:
    parts = draw(st.lists(simple, min_size=1, max_size=4))
    text = parts[0]
    for part in parts[1:]:
        text += draw(st.sampled_from(JOINS)) + part
    shape = draw(
        st.sampled_from(
            ["{}", "({})", "echo $({})", 'echo "$({})"', "if true; then {}; fi", "bash -c '{}'"]
        )
    )
    return shape.format(text)


some_rules = st.lists(st.sampled_from(RULES), max_size=3)
modes = st.sampled_from(EVERY_MODE)
STRICTNESS = {"run": 0, "ask": 1, "no": 2}
fast = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@fast
@given(lines(), some_rules, modes, st.sampled_from(RULED))
def test_deny_beats_everything(
    project: Project, line: str, allow: list[str], mode: PermissionMode, forbidden: str
) -> None:
    whole = f"{line}; {forbidden}"
    decided = project.bash(
        whole, allow=allow, deny=[f"Bash({forbidden})"], mode=mode, hook=hook("allow")
    )
    assert kind(decided) == "no"


@fast
@given(lines(), some_rules, some_rules, some_rules, modes, st.sampled_from(RULES))
def test_adding_an_allow_rule_never_makes_it_stricter(
    project: Project,
    line: str,
    allow: list[str],
    ask: list[str],
    deny: list[str],
    mode: PermissionMode,
    more: str,
) -> None:
    before = kind(project.bash(line, allow=allow, ask=ask, deny=deny, mode=mode))
    after = kind(project.bash(line, allow=[*allow, more], ask=ask, deny=deny, mode=mode))
    assert STRICTNESS[after] <= STRICTNESS[before]


@fast
@given(lines(), some_rules, some_rules, some_rules, modes, st.sampled_from(RULES), st.booleans())
def test_adding_a_deny_or_ask_rule_never_makes_it_laxer(
    project: Project,
    line: str,
    allow: list[str],
    ask: list[str],
    deny: list[str],
    mode: PermissionMode,
    more: str,
    asking: bool,
) -> None:
    before = kind(project.bash(line, allow=allow, ask=ask, deny=deny, mode=mode))
    asks, denies = ([*ask, more], deny) if asking else (ask, [*deny, more])
    after = kind(project.bash(line, allow=allow, ask=asks, deny=denies, mode=mode))
    assert STRICTNESS[after] >= STRICTNESS[before]


@fast
@given(
    st.sampled_from(LOOKS),
    st.sampled_from(RULED),
    st.sampled_from(
        [
            "{a}; {b}",
            "{b}; {a}",
            "{a} && {b}",
            "{a} || {b}",
            "{a} | {b}",
            "{a} & {b}",
            "{a}\n{b}",
            "{a} $({b})",
            "{a} `{b}`",
            '{a} "$({b})"',
            "{a} <({b})",
            "({a}; {b})",
            "{{ {a}; {b}; }}",
            "if {a}; then {b}; fi",
            "while {a}; do {b}; done",
            "{a} <<E\n$({b})\nE",
            "x=$({b}) {a}",
            "{a} ${{x:-$({b})}}",
            "f() {{ {b}; }}; {a}",
            "! {b}",
            "time {b}",
            "{a} |& {b}",
        ]
    ),
)
def test_an_allowed_command_takes_no_other_along(
    project: Project, a: str, b: str, shape: str
) -> None:
    line = shape.format(a=a, b=b)
    decided = project.bash(line, allow=["Bash(ls *)", "Bash(cat *)", "Bash(echo *)", f"Bash({a})"])
    assert kind(decided) == "ask"


@fast
@given(simple)
def test_what_always_would_store_lets_the_same_call_run(project: Project, line: str) -> None:
    asked = project.bash(line)
    if isinstance(asked, MustAsk):
        for update in asked.suggestions:
            assert kind(project.bash(line, rules=RuleBook().with_update(update))) == "run"


def test_the_suggestions_of_many_kinds_of_lines_let_them_run(project: Project) -> None:
    for line in (
        "npm run test -- --watch",
        "git commit -m 'a b'",
        "make build && make test",
        "pytest -x tests",
        "npm test > out.log",
        "timeout 5 npm test",
        "cat /etc/apt/sources.list",
        "npm test | tee log.txt",
    ):
        asked = project.bash(line)
        assert isinstance(asked, MustAsk)
        assert asked.suggestions, line
        for update in asked.suggestions:
            assert kind(project.bash(line, rules=RuleBook().with_update(update))) == "run", line


def test_a_moved_shell_counts_from_where_it_is(project: Project, tmp_path: Path) -> None:
    (project.folder / ".env").write_text("x")
    inside = project.folder / "src"
    assert kind(project.bash("cat ../.env", cwd=inside, deny=["Read(./.env)"])) == "no"
    assert kind(project.bash("cat x", cwd=inside)) == "run"
    assert kind(project.bash("cat x", cwd=tmp_path)) == "ask"
    assert kind(project.bash("cat x", cwd=tmp_path, more=(tmp_path,))) == "run"
