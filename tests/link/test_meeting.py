from __future__ import annotations

import os
import socket
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from agent_tui.link import meeting
from agent_tui.link.meeting import (
    MAX_PATH,
    candidates,
    clear_away,
    is_same_person,
    new_socket_path,
    peer_uid,
    sockets,
)
from agent_tui.settings.paths import Environment


@pytest.fixture
def short() -> Iterator[Path]:
    """A folder whose path is short enough."""
    with tempfile.TemporaryDirectory(prefix="m-", dir="/tmp") as folder:
        yield Path(folder)


def env_of(home: Path, **variables: str) -> Environment:
    return Environment(variables, home)


def test_the_systems_place_is_taken_first_then_ours_then_the_temporary_one(short: Path) -> None:
    home, runtime, tmp = short / "h", short / "r", short / "t"
    found = candidates(env_of(home, XDG_RUNTIME_DIR=str(runtime), TMPDIR=str(tmp)))
    assert [path.parent for path in found] == [runtime, home / ".agent-tui", tmp]
    assert found[0].name.startswith("agent-tui-") and found[1].name == "run"
    # another home has another place
    assert candidates(env_of(short / "i", XDG_RUNTIME_DIR=str(runtime)))[0] != found[0]
    relative = candidates(env_of(home, XDG_RUNTIME_DIR="run", TMPDIR=str(tmp)))
    assert [path.parent for path in relative] == [home / ".agent-tui", tmp]


def test_a_path_that_is_too_long_for_a_socket_is_not_taken(short: Path) -> None:
    home = short / ("x" * 90)
    found = candidates(env_of(home, TMPDIR=str(short)))
    assert [path.parent for path in found] == [short]
    assert len(os.fsencode(found[0] / meeting._NAME)) <= MAX_PATH  # pyright: ignore[reportPrivateUsage]


def test_the_folder_is_ours_alone(short: Path) -> None:
    path = new_socket_path(env_of(short))
    assert path.parent == short / ".agent-tui" / "run"
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert path.name.startswith(f"{os.getpid()}-")


@pytest.mark.parametrize("bad", ["open", "link", "file"])
def test_a_folder_that_others_could_have_made_is_not_used(short: Path, bad: str) -> None:
    runtime, elsewhere = short / "r", short / "e"
    runtime.mkdir()
    elsewhere.mkdir(mode=0o700)
    env = env_of(short / "h", XDG_RUNTIME_DIR=str(runtime), TMPDIR=str(short))
    [first, *_] = candidates(env)
    if bad == "open":
        first.mkdir()
        first.chmod(0o755)
    elif bad == "link":
        first.symlink_to(elsewhere)
    else:
        first.write_text("")
    (short / "h" / ".agent-tui").mkdir(parents=True)
    path = new_socket_path(env)
    assert path.parent == short / "h" / ".agent-tui" / "run"
    assert list(elsewhere.iterdir()) == []


def test_where_no_folder_can_be_used_it_is_said(short: Path) -> None:
    env = env_of(short / ("x" * 90), TMPDIR=str(short / ("y" * 90)))
    assert candidates(env) == ()
    with pytest.raises(OSError, match="short enough"):
        new_socket_path(env)
    assert sockets(env) == ()


def listening(path: Path) -> socket.socket:
    made = socket.socket(socket.AF_UNIX)
    made.bind(str(path))
    made.listen()
    return made


def test_sockets_are_found_the_newest_first_and_nothing_else(short: Path) -> None:
    env = env_of(short)
    one, two = new_socket_path(env), new_socket_path(env)
    with listening(one), listening(two):
        os.utime(one, (1, 1))
        (one.parent / "note.sock").write_text("no socket")
        (one.parent / "other").write_text("")
        assert sockets(env) == (two, one)
    clear_away(one)
    clear_away(one)  # once more is no error
    assert sockets(env) == (two,)
    one.parent.chmod(0o755)  # not private any more: nothing there is believed
    assert sockets(env) == ()


def test_sockets_of_dead_processes_are_cleared_when_a_new_one_is_made(short: Path) -> None:
    env = env_of(short)
    mine = new_socket_path(env)
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    dead = mine.with_name(f"{gone.pid}-abcdef.sock")
    strange = mine.with_name("strange.sock")
    for path in (mine, dead, strange):
        listening(path).close()
    new_socket_path(env)
    assert sorted(path.name for path in mine.parent.iterdir()) == sorted([mine.name, strange.name])


def test_a_temporary_folder_goes_with_its_last_socket(short: Path) -> None:
    env = env_of(short / "h", XDG_RUNTIME_DIR=str(short))
    one, two = new_socket_path(env), new_socket_path(env)
    for path in (one, two):
        listening(path).close()
    clear_away(one)
    assert one.parent.is_dir()
    clear_away(two)
    assert not one.parent.exists()


@pytest.mark.skipif(sys.platform not in ("linux", "darwin"), reason="the system does not tell")
def test_the_kernel_says_who_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    ours, theirs = socket.socketpair(socket.AF_UNIX)
    with ours, theirs:
        assert peer_uid(ours) == os.getuid()
        assert is_same_person(ours)
        monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
        assert not is_same_person(ours)
    monkeypatch.undo()
    assert not is_same_person(ours)  # closed: it could tell, and does not
