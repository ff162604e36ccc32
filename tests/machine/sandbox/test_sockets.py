"""Sockets of other programs: the system's table, and the variables that name them."""

from __future__ import annotations

from pathlib import Path

from agent_tui.machine.sandbox.sockets import sockets_in_reach, without_sockets


def test_bound_sockets_that_are_there_are_given_once_by_their_real_path(tmp_path: Path) -> None:
    (tmp_path / "a b").write_text("")
    (tmp_path / "link").symlink_to(tmp_path / "a b")
    head = "Num       RefCount Protocol Flags    Type St Inode Path\n"
    row = "0000000000000000: 00000002 00000000 00010000 0001 01 {} {}\n"
    paths = ["@abstract", f"{tmp_path}/a b", f"{tmp_path}/link", f"{tmp_path}/gone", ""]
    table = tmp_path / "unix"
    table.write_text(head + "".join(row.format(n, path) for n, path in enumerate(paths)))
    assert sockets_in_reach(table) == (f"{tmp_path}/a b",)
    assert sockets_in_reach(tmp_path / "missing") == ()


def test_variables_that_name_a_socket_go_unless_it_stays_in_reach() -> None:
    env = {"SSH_AUTH_SOCK": "/tmp/s", "DOCKER_HOST": "unix:///run/d", "PATH": "/bin"}
    assert without_sockets(env, ()) == {"PATH": "/bin"}
    assert without_sockets(env, ("/run/d",)) == {"PATH": "/bin", "DOCKER_HOST": "unix:///run/d"}
