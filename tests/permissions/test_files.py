"""One file: rules, working folders, protected places."""

from __future__ import annotations

from agent_tui.permissions.files import FileRules, judge_folder, judge_read, judge_write
from tests.permissions.ground import Project, book


def test_reading_is_judged_by_read_rules_and_place(project: Project) -> None:
    rules = FileRules(
        book(allow=["Read(//etc/**)"], deny=["Read(.env)"], ask=["Read(./src/**)"]),
        project.ground(),
    )
    inside = rules.read(f"{project.folder}/src/a")
    assert inside.inside
    assert inside.asked is not None
    assert rules.read(f"{project.folder}/x/.env").denied is not None
    outside = rules.read("/etc/hosts")
    assert not outside.inside
    assert str(outside.rule) == "Read(//etc/**)"


def test_what_may_be_edited_may_be_read_and_what_may_not_be_read_not_edited(
    project: Project,
) -> None:
    rules = FileRules(book(allow=["Edit(//var/x/**)"], deny=["Read(.env)"]), project.ground())
    assert rules.read("/var/x/a").rule is not None
    assert rules.write(f"{project.folder}/.env").denied is not None
    assert rules.write(f"{project.folder}/.env", notebook=True).denied is None


def test_a_folder_read_whole_meets_what_is_in_it(project: Project) -> None:
    folder = str(project.folder)
    rules = FileRules(book(deny=["Read(./secret.txt)"]), project.ground())
    assert rules.read(folder, deep=True).denied is None
    (project.folder / "secret.txt").touch()
    assert rules.read(folder, deep=True).denied is not None
    assert rules.read(f"{folder}/src", deep=True).denied is None
    assert rules.read(folder).denied is None
    anywhere = FileRules(book(deny=["Read(**/*.pem)"]), project.ground())
    assert anywhere.read(folder, deep=True).doubt


def test_paths_that_can_be_anything_are_doubtful_only_where_rules_forbid(project: Project) -> None:
    assert FileRules(book(deny=["Read(.env)"]), project.ground()).read("/proc/self/cwd/.env").doubt
    assert not FileRules(book(), project.ground()).read("/proc/self/cwd/.env").doubt


def test_a_write_is_free_for_nobody_but_the_mode_and_rules(project: Project) -> None:
    inside, outside = f"{project.folder}/a", "/var/a"
    rules = FileRules(book(), project.ground())
    assert not judge_write(rules, inside, notebook=False, by_edits=False).allowed
    accepted = judge_write(rules, inside, notebook=False, by_edits=True)
    assert accepted.allowed
    assert accepted.by_edits
    beyond = judge_write(rules, outside, notebook=False, by_edits=True)
    assert not beyond.allowed
    assert beyond.blocked_path == outside
    ruled = FileRules(book(allow=["Edit(//var/**)"]), project.ground())
    assert str(judge_write(ruled, outside, notebook=False, by_edits=False).rule) == "Edit(//var/**)"


def test_a_read_says_where_it_is_outside(project: Project) -> None:
    verdict = judge_read(FileRules(book(), project.ground()), "/etc/hosts")
    assert not verdict.allowed
    assert "/etc/hosts is outside" in verdict.why
    assert judge_read(FileRules(book(), project.ground()), f"{project.folder}/a").free


def test_e4_writing_a_link_is_asked_for_the_real_path(project: Project) -> None:
    (project.folder / "real.txt").touch()
    (project.folder / "link.txt").symlink_to("real.txt")
    (project.folder / "out.txt").symlink_to("/etc/hosts")
    rules = FileRules(book(), project.ground())

    def leads(name: str) -> str:
        path = f"{project.folder}/{name}"
        return judge_write(rules, path, notebook=False, by_edits=False).leads_to

    assert leads("link.txt") == f"{project.folder}/real.txt"
    assert leads("out.txt") == "/etc/hosts"
    assert leads("real.txt") == leads("new/file.txt") == ""


def test_folders_a_session_may_move_to(project: Project) -> None:
    def enter(path: str, **rules: list[str]) -> str:
        files = FileRules(book(**rules), project.ground())
        found = judge_folder(files, str(project.folder / path))
        return "no" if found.denied else "ask" if found.asked else "run"

    assert enter("/anywhere") == "run"
    assert enter("/anywhere", deny=["Cd(//anywhere)"]) == "no"
    assert enter("/anywhere", ask=["Cd(//anywhere/**)"]) == "ask"
    assert enter("/else", deny=["Cd(//anywhere)"]) == "run"
    assert enter("/anywhere", allow=["Cd(~/code/**)"]) == "no"
    assert enter(f"{project.home}/code/x", allow=["Cd(~/code/**)"]) == "run"
    assert enter("/anywhere", allow=["Cd(~/code/**)", "Cd"]) == "run"


def test_a_folder_read_whole_is_asked_about_where_a_rule_wants_its_files_asked(
    project: Project,
) -> None:
    (project.folder / "notes").touch()
    folder = str(project.folder)
    there = FileRules(book(ask=["Read(./notes)"]), project.ground()).read(folder, deep=True)
    assert there.asked is not None
    perhaps = FileRules(book(ask=["Read(*.key)"]), project.ground()).read(folder, deep=True)
    assert (perhaps.asked, bool(perhaps.doubt)) == (None, True)
    other = FileRules(book(ask=["Read(//etc/**)"]), project.ground()).read(folder, deep=True)
    assert (other.asked, other.doubt) == (None, "")
