from __future__ import annotations

from pathlib import Path

from agent_tui.permissions.resolver import MAX_MATCHES, RealResolver


def test_it_tells_of_the_real_file_system(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "x.py").touch()
    (tmp_path / "l").symlink_to("a")
    (tmp_path / "broken").symlink_to("nothing")
    resolver = RealResolver(str(tmp_path))
    assert resolver.realpath(f"{tmp_path}/l/x.py") == f"{tmp_path}/a/x.py"
    assert resolver.realpath(f"{tmp_path}/l/new") == f"{tmp_path}/a/new"
    assert resolver.exists(f"{tmp_path}/broken")
    assert not resolver.exists(f"{tmp_path}/nothing")
    assert resolver.is_dir(f"{tmp_path}/l")
    assert not resolver.is_dir(f"{tmp_path}/a/x.py")


def test_globs_are_the_shell_s(tmp_path: Path) -> None:
    for name in (".env", "a.py", "b.py", "c.txt"):
        (tmp_path / name).touch()
    resolver = RealResolver(str(tmp_path))
    assert sorted(resolver.matches(f"{tmp_path}/*.py") or ()) == [
        f"{tmp_path}/a.py",
        f"{tmp_path}/b.py",
    ]
    assert f"{tmp_path}/.env" not in (resolver.matches(f"{tmp_path}/*") or ())
    assert resolver.matches(f"{tmp_path}/.e*") == (f"{tmp_path}/.env",)
    assert resolver.matches(f"{tmp_path}/*.zzz") == ()


def test_too_many_matches_are_not_known(tmp_path: Path) -> None:
    for number in range(MAX_MATCHES + 1):
        (tmp_path / f"f{number}").touch()
    assert RealResolver(str(tmp_path)).matches(f"{tmp_path}/f*") is None


def test_nothing_is_raised_for_odd_paths() -> None:
    resolver = RealResolver("/")
    assert resolver.realpath("/a\0b") == "/a\0b"
    assert not resolver.exists("/a\0b")
    assert not resolver.is_dir("/a\0b")
    assert resolver.matches("/a\0b/*") in ((), None)
    assert not resolver.exists("/" + "x" * 5000)


def test_what_git_would_run_is_told_and_nothing_raises(tmp_path: Path) -> None:
    resolver = RealResolver(str(tmp_path))
    assert resolver.git_runs(str(tmp_path)) == ""
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "config").write_text("[core]\nfsmonitor = x\n")
    assert resolver.git_runs(str(tmp_path)) == "core.fsmonitor"
    assert resolver.git_runs("/\0") == ""
    assert "can't be read" in resolver.git_runs(f"/{'x' * 5000}")
