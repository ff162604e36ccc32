"""Words to paths."""

from __future__ import annotations

from agent_tui.permissions.shell.analysis import analyse
from agent_tui.permissions.shell.targets import Scope
from tests.permissions.ground import Project


def paths(project: Project, line: str, *cwds: str) -> list[str] | None:
    """Give the paths that the last word of the command ``x`` may stand for."""
    analysis = analyse(line)
    word = next(p.words[-1] for p in analysis.parts if p.words and p.words[0].is_text("x"))
    scope = Scope(project.ground(), cwds or (str(project.folder),), analysis.variables)
    found = scope.targets(word)
    return (
        None
        if found is None
        else [
            t.path.replace(f"{project.folder}", "P").replace(f"{project.home}", "~") for t in found
        ]
    )


def test_what_is_known_is_filled_in(project: Project) -> None:
    for name in ("a.py", "b.py"):
        (project.folder / name).touch()
    for line, expected in (
        ("x a", ["P/a"]),
        ("x /a", ["/a"]),
        ("x ~/a", ["~/a"]),
        ("x $HOME/a", ["~/a"]),
        ('x "$PWD"/a', ["P/a"]),
        ("v=b; x $v", ["P/b"]),
        ("v=/b; w=$v; x $w/c", ["/b/c"]),
        ("for v in b c; do x $v; done", ["P/b", "P/c"]),
        ('for v in *.py; do x "$v"; done', ["P/a.py", "P/b.py"]),
        ("x *.zzz", ["P/*.zzz"]),
        ("x ''", ["P/"]),
    ):
        assert sorted(paths(project, line) or []) == expected, line


def test_what_isn_t_known_is_none(project: Project) -> None:
    for line in (
        "x $v",
        "x $(a)",
        "x {a,b}",
        "x ~me/a",
        "x ~+/a",
        "x $1",
        "v=$(a); x $v",
        "v='a b'; x $v",
        "for v in *.py; do x $v; done",
        "x <(a)",
        "read v; x $v",
        "HOME=$(a); x $HOME",
    ):
        assert paths(project, line) is None, line


def test_a_name_given_in_the_line_counts_even_for_home(project: Project) -> None:
    assert paths(project, "HOME=/etc; x $HOME/a") == ["/etc/a"]


def test_every_folder_the_shell_may_be_in_counts(project: Project) -> None:
    assert paths(project, "x a", "/p", "/q") == ["/p/a", "/q/a"]
    analysis = analyse("x a /b")
    nowhere = Scope(project.ground(), None, {})
    assert nowhere.targets(analysis.parts[0].words[1]) is None
    found = nowhere.targets(analysis.parts[0].words[2])
    assert found is not None
    assert [target.path for target in found] == ["/b"]


def test_a_glob_keeps_where_it_stood(project: Project) -> None:
    (project.folder / "a.py").touch()
    analysis = analyse("x *.py")
    found = Scope(project.ground(), (str(project.folder),), {}).targets(analysis.parts[0].words[1])
    assert found is not None
    assert [target.glob for target in found] == [(str(project.folder), "*.py")]


def test_names_are_taken_literally_in_globs(project: Project) -> None:
    (project.folder / "a[1]").mkdir()
    (project.folder / "a[1]" / "x.py").touch()
    assert paths(project, "x 'a[1]'/*.py") == ["P/a[1]/x.py"]


def test_too_many_spellings_are_unknown(project: Project) -> None:
    many = " ".join(f"v{i}" for i in range(30))
    assert paths(project, f"for v in {many}; do x $v; done") is None


def test_a_change_of_folder_is_followed(project: Project) -> None:
    here = Scope(project.ground(), ("/p",), {})
    given = analyse("git -C a -C /b -C $x").parts[0].words
    assert here.moved((given[2],)).cwds == ("/p/a",)
    assert here.moved((given[2], given[4])).cwds == ("/b",)
    assert here.moved((given[6],)).cwds is None
    assert here.moved(()) == here


def test_where_words_are_split_otherwise_nothing_is_known(project: Project) -> None:
    assert paths(project, "IFS=:; v=a:b; x $v") is None
