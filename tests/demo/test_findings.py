from __future__ import annotations

import pytest

from agent_tui.demo.findings import Findings, findings_of
from agent_tui.demo.history import Done, History


def found(*calls: Done) -> Findings:
    return findings_of(History(calls=calls))


def look(result: str, *, failed: bool = False) -> Findings:
    return found(Done("look", "Bash", {}, result, failed))


@pytest.mark.parametrize(
    ("status", "branch", "changes"),
    [
        ("## main...origin/main [ahead 1]\n M a.py\n?? b.py\n", "main", 2),
        ("## No commits yet on trunk\n?? a\n", "trunk", 1),
        ("## HEAD (no branch)\n", "HEAD", 0),
        ("## fix/a.b\nR  old -> new\n", "fix/a.b", 1),
    ],
)
def test_git_status_is_read(status: str, branch: str, changes: int) -> None:
    facts = look(status)
    assert (facts.repository, facts.branch, facts.changes) == (True, branch, changes)


def test_no_repository_is_told_from_a_refusal() -> None:
    assert look("fatal: not a git repository (or any parent)", failed=True).repository is False
    assert look("denied", failed=True).repository is None
    assert found().repository is None


def listed(result: str, *, failed: bool = False) -> Done:
    return Done("look", "Grep", {}, result, failed)


def named(result: str) -> Done:
    return Done("look", "Glob", {}, result)


def test_a_listing_with_notes_around_counts_paths_only() -> None:
    facts = found(listed("/w/a.py\n/w/b c.py\n(Results are truncated.)"))
    assert (facts.files, facts.count) == (("/w/a.py", "/w/b c.py"), 2)
    cut = found(listed("Found 1,234 files\na.py\nmy notes.txt\n[There is more: go on with …]"))
    assert (cut.files, cut.count) == (("a.py", "my notes.txt"), 1234)
    one = found(listed("Found 1 file\nFound 2 files.txt"))
    assert (one.files, one.count) == (("Found 2 files.txt",), 1)
    none = found(listed("No matches found."))
    assert (none.files, none.count) == ((), 0)
    assert found(listed("boom", failed=True)).files is None


def test_paths_in_the_folder_are_told_relative_to_it() -> None:
    calls = (listed("/w/src/a.py\n/v/b.py"), named("/w/README.md"))
    facts = findings_of(History(calls=calls, folder="/w"))
    assert facts.files == ("src/a.py", "/v/b.py")
    assert facts.landmarks == ("README.md",)


@pytest.mark.parametrize(
    ("files", "landmarks", "promising"),
    [
        ("docs/README.md\nz.py", "Makefile\npackage.json", "package.json"),
        ("a/Makefile\na/README.rst\nz.py", "No files found.", "a/README.rst"),
        ("README.md", "README.md", "README.md"),
        ("z.py\nb.py", "No files found", "b.py"),
        ("agent-tui-demo.md\npicture.png", "agent-tui-demo.md", ""),
    ],
)
def test_the_file_that_tells_most_is_chosen(files: str, landmarks: str, promising: str) -> None:
    assert found(listed(files), named(landmarks)).promising == promising


def test_a_landmark_is_chosen_where_only_one_of_the_two_calls_was_made() -> None:
    assert found(named("Makefile\nREADME.md")).promising == "README.md"
    assert found(listed("Found 2 files\na.py\nlib/go.mod")).promising == "lib/go.mod"


def test_the_title_is_the_first_line_that_says_something() -> None:
    read = Done("read", "Read", {"file_path": "/w/README.md"}, "1\t---\n2\t\n3\t## The *shop*\n")
    facts = found(read)
    assert (facts.read, facts.title) == ("README.md", "The *shop*")


def test_counts_are_added_up() -> None:
    grep = Done("read", "Grep", {}, "/w/a:2.py:3\n/w/b.py:4\n\nFound 7 lines")
    assert found(grep).marks == 7
    assert found(Done("read", "Grep", {}, "No matches found")).marks == 0
    assert found().marks is None


def test_a_free_name_is_found_for_the_scratch_file() -> None:
    taken = named("agent-tui-demo.md\nagent-tui-demo-2.md")
    assert found(listed("a"), taken).scratch_file == "agent-tui-demo-3.md"
    ours = Done("read", "Read", {"file_path": "agent-tui-demo.md"}, "9\t- Tours given: 4")
    facts = found(listed("a"), taken, ours)
    assert (facts.tours, facts.scratch_file) == (4, "agent-tui-demo.md")
    assert facts.old_scratch == "agent-tui-demo.md"
    below = listed("a\nsub/agent-tui-demo.md")
    assert found(below, named("No files found.")).scratch_file == "agent-tui-demo.md"
