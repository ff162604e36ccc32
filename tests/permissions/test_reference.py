"""The documented behaviour of permissions, a class for each chapter, row by row."""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar, cast, get_args

import pytest

from agent_tui.permissions.places import PROTECTED_FILES, PROTECTED_FOLDERS
from agent_tui.permissions.policy import Allowed, Decision, Denied, MustAsk
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
from agent_tui.protocol.requests import (
    Destination,
    HookDecision,
    PermissionRuleValue,
    PermissionUpdate,
    RuleBehavior,
)
from agent_tui.settings.rule_entries import SourcedRule
from tests.permissions.ground import Project, book

ASKING: tuple[PermissionMode, ...] = ("default", "acceptEdits", "plan", "auto")


def kind(decision: Decision) -> str:
    return {Allowed: "run", Denied: "no", MustAsk: "ask"}[type(decision)]


class TestOrderOfEvaluation:
    """Hooks, deny, ask, mode, allow, the question."""

    @pytest.mark.parametrize("rule", ["Bash", "Bash(*)", "Bash()", "B*", "*"])
    def test_a_tool_denied_by_its_name_is_not_even_offered(self, rule: str) -> None:
        assert book(deny=[rule]).hides("Bash")
        assert not book(ask=[rule], allow=[rule]).hides("Bash")
        assert not book(deny=["Bash(ls)"]).hides("Bash")

    def test_a_denied_server_is_hidden_whole(self) -> None:
        for rule in ("mcp__a", "mcp__a__*", "mcp__*", "*"):
            assert book(deny=[rule]).hides("mcp__a__t"), rule
        assert not book(deny=["mcp__a"]).hides("mcp__ab__t")
        assert book(deny=["mcp__x__y"]).hides("mcp__x__y__z")

    @pytest.mark.parametrize("mode", PERMISSION_MODES)
    def test_a_hooks_allow_skips_neither_deny_nor_ask(
        self, project: Project, mode: PermissionMode
    ) -> None:
        yes = HookDecision("allow")
        assert kind(project.bash("make", deny=["Bash(make)"], hook=yes, mode=mode)) == "no"
        asked = project.bash("make", ask=["Bash(make)"], hook=yes, mode=mode)
        assert kind(asked) == ("no" if mode == "dontAsk" else "ask")

    @pytest.mark.parametrize("mode", ASKING)
    def test_a_hooks_allow_skips_the_question_but_for_changes_in_plan_mode(
        self, project: Project, mode: PermissionMode
    ) -> None:
        yes = HookDecision("allow")
        expected = "ask" if mode == "plan" else "run"
        assert kind(project.bash("make", hook=yes, mode=mode)) == expected
        assert kind(project.write("src/x", hook=yes, mode=mode)) == expected
        page = FetchUrl("https://a.b/")
        assert kind(project.judge(page, "WebFetch", hook=yes, mode=mode)) == "run"

    def test_a_broad_ask_beats_a_narrow_allow_and_deny_has_no_exceptions(
        self, project: Project
    ) -> None:
        narrow = ["Bash(git push origin main)"]
        line = "git push origin main"
        assert kind(project.bash(line, allow=narrow, ask=["Bash"])) == "ask"
        assert kind(project.bash(line, allow=narrow, ask=narrow, deny=["Bash(git *)"])) == "no"

    @pytest.mark.parametrize("low", ["user", "project", "local", "session", "flag", "managed"])
    def test_a_deny_of_any_source_beats_an_allow_of_any_other(
        self, project: Project, low: str
    ) -> None:
        for high in ("managed", "flag", "session", "local", "project", "user"):
            rules = RuleBook.of(
                [
                    SourcedRule("allow", "Bash(make)", high),
                    SourcedRule("deny", "Bash(make)", low, f"/{low}", 4),
                ]
            )
            decision = project.bash("make", rules=rules)
            assert isinstance(decision, Denied)
            assert decision.rule is not None
            assert str(decision.rule.source) == f"/{low}:4"
            assert f"/{low}:4" in decision.message

    def test_of_several_the_highest_source_is_told(self, project: Project) -> None:
        order = ["managed", "flag", "session", "local", "project", "user"]
        texts = ["Bash(git push)", "Bash(git *)", "Bash", "Bash(* push)", "*", "Bash(git:*)"]
        for first in range(len(order)):
            given = [
                SourcedRule(behavior, texts[index], order[index], f"/{order[index]}", index + 1)
                for index in range(first, len(order))
                for behavior in cast("tuple[RuleBehavior, ...]", ("deny", "ask"))
            ]
            denied = project.bash("git push", rules=RuleBook.of(given))
            assert isinstance(denied, Denied)
            assert str(denied.rule and denied.rule.source) == f"/{order[first]}:{first + 1}"
            asks = [one for one in given if one.behavior == "ask"]
            asked = project.bash("git push", rules=RuleBook.of(asks))
            assert isinstance(asked, MustAsk)
            assert asked.rule_source == f"/{order[first]}:{first + 1}"

    def test_an_allow_rule_that_was_needed_is_told(self, project: Project) -> None:
        rules = RuleBook.of(
            [SourcedRule("allow", "Bash(make)", name, f"/{name}", 2) for name in ("user", "local")]
        )
        allowed = project.bash("make", rules=rules)
        assert isinstance(allowed, Allowed)
        assert (allowed.by, str(allowed.rule and allowed.rule.source)) == ("rule", "/local:2")

    def test_protected_paths_come_before_allow_rules(self, project: Project) -> None:
        assert kind(project.write(".git/hooks/x", allow=["Edit", "Write", "Edit(**)"])) == "ask"

    def test_a_denied_call_tells_the_model_which_rule_and_where(self, project: Project) -> None:
        denied = project.bash("git push -f", deny=["Bash(git push *)"])
        assert isinstance(denied, Denied)
        assert "Bash(git push *)" in denied.message
        assert "/home/me/settings.json:7" in denied.message


class TestSyntaxOfRules:
    """``Tool`` and ``Tool(specifier)``."""

    @pytest.mark.parametrize(
        ("rule", "yes", "no"),
        [
            ("Bash(npm run build)", ["npm run build"], ["npm run", "npm run build x"]),
            ("Bash(npm run *)", ["npm run", "npm run x y"], ["npm runx", "npm"]),
            ("Bash(npm run:*)", ["npm run", "npm run x y"], ["npm runx", "npm"]),
            ("Bash(make*)", ["make", "makefoo", "make x"], ["mak"]),
            ("Bash(* install)", ["npm install", "pip x install"], ["npm install x", "install"]),
            ("Bash(git * main)", ["git push origin main"], ["git push origin dev", "git main"]),
            ("Bash(git:* push)", [], ["git push", "git x push"]),
            ("Bash", ["anything at all"], []),
            ("Bash()", ["anything at all"], []),
            ("Bash(*)", ["anything at all"], []),
        ],
    )
    def test_commands(self, project: Project, rule: str, yes: list[str], no: list[str]) -> None:
        for line in yes:
            assert kind(project.bash(line, allow=[rule])) == "run", line
            assert kind(project.bash(line, deny=[rule])) == "no", line
            assert kind(project.bash(line, ask=[rule], mode="bypassPermissions")) == "ask", line
        for line in no:
            assert kind(project.bash(line, allow=[rule])) == "ask", line
            assert kind(project.bash(line, deny=[rule])) == "ask", line
            assert kind(project.bash(line, ask=[rule], mode="bypassPermissions")) == "run", line

    @pytest.mark.parametrize("tool", ["Edit", "Write", "NotebookEdit"])
    def test_edit_rules_cover_every_tool_that_changes_files(
        self, project: Project, tool: str
    ) -> None:
        assert kind(project.write("src/x", tool=tool, allow=["Edit(src/**)"])) == "run"
        assert kind(project.write("src/x", tool=tool, deny=["Edit(src/**)"])) == "no"

    @pytest.mark.parametrize("tool", ["Read", "Grep", "Glob", "LSP"])
    def test_read_rules_cover_every_tool_that_reads_files(
        self, project: Project, tool: str
    ) -> None:
        assert kind(project.read("src/x", tool=tool, deny=["Read(src/**)"])) == "no"
        assert kind(project.read("/var/x", tool=tool, allow=["Read(//var/**)"])) == "run"

    @pytest.mark.parametrize("tool", ["Write", "Glob", "Grep", "NotebookEdit", "LSP"])
    def test_paths_of_other_tools_are_never_consulted_and_that_is_told(
        self, project: Project, tool: str
    ) -> None:
        rules = book(allow=[f"{tool}(src/**)"], deny=[f"{tool}(src/**)"])
        assert (rules.allow, rules.deny) == ((), ())
        assert len(rules.problems) == 2
        assert all("Edit(...) and Read(...)" in problem for problem in rules.problems)

    def test_reading_comes_with_editing_and_what_may_not_be_read_is_not_edited(
        self, project: Project
    ) -> None:
        assert kind(project.read("/var/x", allow=["Edit(//var/**)"])) == "run"
        for tool, expected in (("Edit", "no"), ("Write", "no"), ("NotebookEdit", "ask")):
            assert kind(project.write("x", tool=tool, deny=["Read(x)"])) == expected

    def test_monitor_follows_the_rules_of_bash_and_has_its_own(self, project: Project) -> None:
        def monitor(line: str, **rules: Any) -> str:
            access = RunCommand(line, str(project.folder))
            given = {"command": line}
            return kind(project.judge(access, "Monitor", given, rules=book(**rules)))

        assert monitor("make", allow=["Bash(make)"]) == "run"
        assert monitor("make", allow=["Monitor(make)"]) == "run"
        assert monitor("make", allow=["Monitor"]) == "run"
        assert monitor("make", deny=["Bash(make)"]) == "no"
        assert monitor("ls", deny=["Bash"]) == "no"
        assert monitor("ls", ask=["Bash"]) == "ask"
        assert book(deny=["Bash"]).hides("Monitor")
        assert not book(deny=["Monitor"]).hides("Bash")
        assert monitor("make", deny=["Monitor(ma*)"]) == "no"
        assert kind(project.bash("make", allow=["Monitor(make)"])) == "ask"
        assert kind(project.bash("make", allow=["Bash"], deny=["Monitor(make)"])) == "run"

    @pytest.mark.parametrize(
        ("rule", "given", "covered"),
        [
            ("Agent(model:opus)", {"model": "opus"}, True),
            ("Agent(model:*)", {"model": "opus"}, True),
            ("Agent(model:*)", {}, False),
            ("Agent(model:*)", {"model": None}, False),
            ("Agent(model:*)", {"model": ["opus"]}, False),
            ("Agent(run_in_background:true)", {"run_in_background": True}, True),
            ("Agent(run_in_background:true)", {"run_in_background": False}, False),
        ],
    )
    def test_fields_of_the_input(
        self, project: Project, rule: str, given: dict[str, Any], covered: bool
    ) -> None:
        def judged(**rules: Any) -> str:
            return kind(project.judge(NoAccess(), "Agent", given, rules=book(**rules)))

        assert judged(deny=[rule]) == ("no" if covered else "run")
        assert judged(ask=[rule]) == ("ask" if covered else "run")

    @pytest.mark.parametrize(
        "rule", ["Bash(command:rm *)", "Read(file_path:x)", "WebFetch(url:x)", "Cd(path:x)"]
    )
    def test_a_tools_main_field_cant_be_named(self, rule: str) -> None:
        rules = book(deny=[rule], ask=[rule])
        assert (rules.deny, rules.ask) == ((), ())
        assert "can't name the field" in rules.problems[0]

    def test_running_outside_the_sandbox_can_be_forbidden_by_its_field(
        self, project: Project
    ) -> None:
        access = RunCommand("make", str(project.folder))
        given = {"command": "make", "dangerouslyDisableSandbox": True}
        rules = book(["Bash"], deny=["Bash(dangerouslyDisableSandbox:true)"])
        assert kind(project.judge(access, "Bash", given, rules=rules)) == "no"
        assert kind(project.bash("make", rules=rules)) == "run"

    def test_wide_names_only_restrict(self, project: Project) -> None:
        rules = book(allow=["*", "mcp__*", "mcp__a*", "Ba*", "mcp__a__*", "mcp__a__get_*"])
        assert [str(rule) for rule in rules.allow] == ["mcp__a__*", "mcp__a__get_*"]
        assert len(rules.problems) == 4
        assert kind(project.bash("make", deny=["B*h"])) == "no"
        assert kind(project.judge(NoAccess(), "TaskCreate", rules=book(ask=["*"]))) == "ask"

    def test_malformed_rules_match_nothing_and_names_are_canonical(self, project: Project) -> None:
        for text in ("Bash(make", "Bash make", "bash", "BASH(make)", "bash(make)"):
            rules = book(allow=[text])
            assert kind(project.bash("make", rules=rules)) == "ask", text
            assert len(rules.problems) == 1, text

    @pytest.mark.parametrize("tool", ["ExitPlanMode", "TaskCreate", "WebSearch"])
    def test_other_tools_take_their_bare_name_only(self, project: Project, tool: str) -> None:
        assert kind(project.judge(NoAccess(), tool, rules=book(deny=[tool]))) == "no"
        assert book(deny=[f"{tool}(x)"]).deny == ()


class TestPatternsOfPaths:
    """Where a pattern begins, and what it fits, through ``decide`` and with real files."""

    @pytest.mark.parametrize("source", ["project", "user", "local", "flag", "session"])
    def test_a_slash_begins_where_the_rule_stands(
        self, project: Project, tmp_path: Path, source: str
    ) -> None:
        anchor = {"project": str(project.folder), "user": str(tmp_path / "settings")}.get(
            source, ""
        )
        rules = RuleBook.of([SourcedRule("deny", "Read(/a/**)", source, "/s.json", 1, anchor)])
        there = Path(anchor or project.folder) / "a" / "b"

        def read(path: Path) -> str:
            return kind(project.judge(ReadPath(str(path)), "Read", rules=rules, read_only=True))

        assert read(there) == "no"
        if source == "user":
            assert read(project.folder / "a" / "b") == "run"

    def test_home_root_and_the_current_folder(self, project: Project) -> None:
        home = str(project.home / "notes")
        assert kind(project.read(home, allow=["Read(~/notes)"])) == "run"
        assert kind(project.read("/var/log/x", allow=["Read(//var/log/**)"])) == "run"
        assert kind(project.read("/var/log/x", allow=["Read(/var/log/**)"])) == "ask"
        assert kind(project.read("a/b", deny=["Read(./a/b)"])) == "no"
        assert kind(project.read("a/b", deny=["Read(a/b)"])) == "no"

    def test_one_folder_is_narrow_to_allow_and_wide_to_deny(self, project: Project) -> None:
        assert kind(project.write("src/x", allow=["Edit(src/**)"])) == "run"
        assert kind(project.write("lib/src/x", allow=["Edit(src/**)"])) == "ask"
        assert kind(project.write("lib/src/x", deny=["Edit(src/**)"])) == "no"
        for anchored in ("Edit(/src/**)", "Edit(src/a/**)"):
            assert kind(project.write("lib/src/a/x", deny=[anchored])) == "ask"
        assert kind(project.write("lib/src/x", allow=["Edit(**/src/**)"])) == "run"

    def test_bare_names_and_classes_at_any_depth(self, project: Project) -> None:
        for rule in ("Read(.env)", "Read(**/.env)", "Read(.en[u-w])", "Read(.en?)", "Read(.e*)"):
            assert kind(project.read("a/b/.env", deny=[rule])) == "no", rule
        assert kind(project.read("a/b/.env", deny=["Read(./.env)"])) != "no"

    def test_a_link_needs_both_to_be_allowed_and_one_to_be_denied(self, project: Project) -> None:
        (project.folder / "out").symlink_to("/var/log")
        both = ["Read(out/**)", "Read(//var/log/**)"]
        assert kind(project.read("out/x", allow=both)) == "run"
        for one in both:
            assert kind(project.read("out/x", allow=[one])) == "ask", one
            assert kind(project.read("out/x", allow=both, deny=[one])) == "no", one

    def test_an_approved_path_means_only_itself(self, project: Project) -> None:
        asked = project.write("src/[a]*?.py")
        assert isinstance(asked, MustAsk)
        for update in asked.suggestions[:1]:
            rules = RuleBook().with_update(update)
            judged: dict[str, str] = {}
            for name in ("src/[a]*?.py", "src/a*?.py", "src/[a]xy.py"):
                access = WritePath(str(project.folder / name))
                judged[name] = kind(project.judge(access, "Write", rules=rules))
            assert list(judged.values()) == ["run", "ask", "ask"]

    @pytest.mark.parametrize(
        "line", ["cat s/k", "head s/k", "tail s/k", "sed -n 1p s/k", "grep x s/k"]
    )
    def test_denials_reach_commands_that_read(self, project: Project, line: str) -> None:
        assert kind(project.bash(line, deny=["Read(./s/**)"], allow=["Bash"])) == "no"


class TestNeverApproved:
    """What no mode, no allow rule and no hook approves."""

    @pytest.mark.parametrize(
        "line",
        [
            *("rm -rf /", "rm -rf /etc", "rm -rf ~", "rm -rf .", "rm -rf ..", "rmdir /opt"),
            *('rm -rf "$DIR"/*', 'rm -rf "$DIR"/', "echo $(rm -rf /)", "echo `rm -rf ~`"),
            *("cat <(rm -rf ~)", "cd / && rm -rf etc", "rm -rf /home/../"),
        ],
    )
    def test_removing_something_critical(self, project: Project, line: str) -> None:
        for mode in PERMISSION_MODES:
            decision = project.bash(
                line, mode=mode, allow=["Bash", "Bash(rm *)"], hook=HookDecision("allow")
            )
            assert kind(decision) == ("no" if mode == "dontAsk" else "ask"), mode

    def test_all_of_an_additional_folder(self, project: Project, tmp_path: Path) -> None:
        more = tmp_path / "more"
        more.mkdir()
        line = f"rm -rf {more}/*"
        asked = project.bash(line, mode="bypassPermissions", more=(more,))
        assert isinstance(asked, MustAsk)
        assert asked.decided_by == "critical"

    @pytest.mark.parametrize("tool", ["AskUserQuestion", "ExitPlanMode", "mcp__a__ask"])
    def test_what_needs_the_person(self, project: Project, tool: str) -> None:
        rules = book(allow=[tool, "mcp__a"])
        for mode in PERMISSION_MODES:
            decision = project.judge(
                AskUser(), tool, rules=rules, mode=mode, hook=HookDecision("allow")
            )
            assert kind(decision) == ("no" if mode == "dontAsk" else "ask"), mode


class TestModesAndProtectedPaths:
    """Each mode by what was observed; protected paths in all of them."""

    PROTECTED = (
        *(f"{name}/x" for name in sorted(PROTECTED_FOLDERS)),
        *sorted(PROTECTED_FILES),
        ".config/git/ignore",
        "a/b/.git/config",
    )

    @pytest.mark.parametrize("path", PROTECTED)
    def test_writes_to_protected_paths(self, project: Project, path: str) -> None:
        assert ".agent-tui" in PROTECTED_FOLDERS
        expected = {"dontAsk": "no", "bypassPermissions": "run"}
        for mode in PERMISSION_MODES:
            decision = project.write(path, mode=mode, allow=["Edit", "Write", "Edit(**)"])
            assert kind(decision) == expected.get(mode, "ask"), mode
            for line in (f"touch {path}", f"echo x > {path}"):
                shell = project.bash(line, mode=mode, allow=["Bash", "Edit(**)"])
                assert kind(shell) == expected.get(mode, "ask"), (mode, line)

    def test_worktrees_are_not_protected(self, project: Project) -> None:
        assert kind(project.write(".claude/worktrees/w/a", mode="acceptEdits")) == "run"

    ACCEPTED = (
        *("mkdir d", "touch d", "mv src/a src/b", "cp src/a src/b", "sed -i s/a/b/ src/a"),
        *("echo x > f", "mkdir d && touch d/e", "LANG=C touch d"),
    )

    @pytest.mark.parametrize("line", ACCEPTED)
    def test_accepted_edits_in_the_working_folders(
        self, project: Project, tmp_path: Path, line: str
    ) -> None:
        (project.folder / "src" / "a").touch()
        assert kind(project.bash(line, mode="acceptEdits")) == "run"
        assert kind(project.bash(line)) == "ask"
        assert kind(project.bash(line, mode="plan")) == "ask"
        assert kind(project.bash(line, mode="dontAsk")) == "no"
        elsewhere = tmp_path / "elsewhere"
        (elsewhere / "src").mkdir(parents=True)
        (elsewhere / "src" / "a").touch()
        assert kind(project.bash(line, cwd=elsewhere, mode="acceptEdits")) == "ask"
        more = project.bash(line, cwd=elsewhere, more=(elsewhere,), mode="acceptEdits")
        assert kind(more) == "run"

    def test_other_commands_are_as_in_default(self, project: Project) -> None:
        for line in ("python3 -c x", "npm test", "touch d && npm test", "curl x"):
            assert kind(project.bash(line, mode="acceptEdits")) == "ask", line

    def test_allow_rules_have_no_effect_where_all_runs(self, project: Project) -> None:
        with_rule = project.bash("make", allow=["Bash(make)"], mode="bypassPermissions")
        assert with_rule == project.bash("make", mode="bypassPermissions") == Allowed("mode")

    def test_in_plan_mode_no_allow_rule_lets_a_change_through(self, project: Project) -> None:
        for line in ("make", "touch x", "echo > x", "git commit"):
            assert kind(project.bash(line, allow=["Bash"], mode="plan")) == "ask", line
        for path in ("x", "/var/x"):
            assert kind(project.write(path, allow=["Edit(//**)"], mode="plan")) == "ask"
        assert kind(project.bash("git log && cat src/x", mode="plan")) == "run"


class TestWorkingFolders:
    """The first folder and the added ones."""

    def test_added_folders_are_inside_and_others_are_not(
        self, project: Project, tmp_path: Path
    ) -> None:
        more = tmp_path / "more"
        more.mkdir()
        read, write = ReadPath(str(more / "x")), WritePath(str(more / "x"))

        def judged(access: Access, mode: PermissionMode = "default", *, added: bool) -> str:
            folders = (more,) if added else ()
            tool = "Read" if isinstance(access, ReadPath) else "Edit"
            return kind(
                project.judge(access, tool, mode=mode, more=folders, read_only=tool == "Read")
            )

        assert [judged(read, added=added) for added in (True, False)] == ["run", "ask"]
        assert [judged(write, "acceptEdits", added=added) for added in (True, False)] == [
            "run",
            "ask",
        ]
        assert kind(project.bash(f"cat {more}/x", more=(more,))) == "run"
        assert kind(project.bash(f"cat {more}/x")) == "ask"


class TestUpdates:
    """Changes that come with an answer, for every destination."""

    NAMES: ClassVar = {
        "session": "session",
        "localSettings": "local",
        "projectSettings": "project",
        "userSettings": "user",
    }

    def test_every_destination_is_known(self) -> None:
        assert set(self.NAMES) == set(get_args(Destination))

    @pytest.mark.parametrize("destination", list(NAMES))
    @pytest.mark.parametrize("behavior", ["allow", "ask", "deny"])
    def test_rules_are_added_replaced_and_removed_where_they_belong(
        self, destination: Destination, behavior: RuleBehavior
    ) -> None:
        one, two = PermissionRuleValue("Bash", "one"), PermissionRuleValue("Bash", "two")
        name = self.NAMES[destination]
        other = "user" if name != "user" else "local"
        rules = RuleBook.of([SourcedRule(behavior, "Bash(one)", other)])

        def update(kind: Any, *values: PermissionRuleValue) -> PermissionUpdate:
            return PermissionUpdate(kind, values, behavior, destination=destination)

        def there(source: str) -> list[str]:
            return [str(r) for r in rules.rules(behavior) if r.source.name == source]

        rules = rules.with_update(update("addRules", one, two))
        assert there(name) == ["Bash(one)", "Bash(two)"]
        rules = rules.with_update(update("removeRules", one))
        assert there(name) == ["Bash(two)"]
        rules = rules.with_update(update("replaceRules", one))
        assert there(name) == ["Bash(one)"]
        rules = rules.with_update(update("replaceRules"))
        assert there(name) == []
        assert there(other) == ["Bash(one)"]
        for untouched in ("allow", "ask", "deny"):
            if untouched != behavior:
                assert rules.rules(untouched) == ()

    def test_the_next_call_is_judged_by_them(self, project: Project) -> None:
        touch = PermissionUpdate("addRules", (PermissionRuleValue("Bash", "touch *"),))
        rules = RuleBook().with_update(touch)
        assert kind(project.bash("touch b", rules=rules)) == "run"
        assert kind(project.bash("rm a", rules=rules)) == "ask"

    def test_no_more_than_five_rules_are_proposed_for_a_line(self, project: Project) -> None:
        asked = project.bash(" && ".join(f"make t{n}" for n in range(5)))
        assert isinstance(asked, MustAsk)
        assert all(len(update.rules) <= 5 for update in asked.suggestions)
        many = project.bash(" && ".join(f"npm run s{n}" for n in range(6)))
        assert isinstance(many, MustAsk)
        assert many.suggestions == ()

    def test_a_page_proposes_its_host_and_a_tool_of_a_server_itself(self, project: Project) -> None:
        fetch = project.judge(FetchUrl("https://a.example.com/x"), "WebFetch")
        tool = project.judge(CallMcp("a", "t"), "mcp__a__t")
        search = project.judge(FetchUrl(""), "WebSearch")
        proposed = [
            [str(rule) for update in one.suggestions for rule in update.rules]
            for one in (fetch, tool, search)
            if isinstance(one, MustAsk)
        ]
        assert proposed == [["WebFetch(domain:a.example.com)"], ["mcp__a__t"], ["WebSearch"]]
