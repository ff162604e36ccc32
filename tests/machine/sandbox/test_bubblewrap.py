"""The fence on Linux: its arguments, what it reports, how it is found."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from agent_tui.machine.sandbox.bounds import Bounds, Layout, Network, Spot
from agent_tui.machine.sandbox.bubblewrap import Bubblewrap, Report, explained, find_bubblewrap
from agent_tui.protocol.ports import Start
from tests.machine.sandbox.yard import bubblewrap


def program(folder: Path, script: str) -> str:
    folder.mkdir(exist_ok=True)
    path = folder / "bwrap"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return str(path)


def fenced(tmp_path: Path, layout: Layout, bounds: Bounds) -> Start:
    own = str(tmp_path)
    start = Start(
        ("/bin/sh", "-c", "x"),
        {"A": "1", "BASH_ENV": f"{own}/m.start"},
        "/p",
        ("/p",),
        own,
        (f"{own}/m.start",),
        (f"{own}/m.cwd",),
    )
    return Bubblewrap("/usr/bin/bwrap").fence(start, layout, bounds, 9)


def groups(start: Start) -> list[str]:
    """The arguments as text, an option and its values at a time."""
    out: list[str] = []
    for word in start.argv:
        if word.startswith("--") or not out:
            out.append(word)
        else:
            out[-1] += f" {word}"
    return out


def test_a_command_is_set_apart_in_every_way(tmp_path: Path) -> None:
    start = fenced(tmp_path, Layout(), Bounds("/home"))
    options = groups(start)
    assert {
        "--unshare-all",
        "--unshare-user",
        "--cap-drop ALL",
        "--disable-userns",
        "--json-status-fd 9",
    } <= {*options}
    assert "--ro-bind / /" in options and "--proc /proc" in options and "--dev /dev" in options
    assert "--share-net" not in options
    assert start.argv[-4:] == ("--", "/bin/sh", "-c", "x")
    assert start.fds == (9,)
    assert start.env == {
        "A": "1",
        "BASH_ENV": "/run/agent-tui/m.start",
        "TMPDIR": "/tmp",
        "TMP": "/tmp",
        "TEMP": "/tmp",
    }


def test_places_are_mounted_in_order_and_closed_folders_last(tmp_path: Path) -> None:
    spots = (
        Spot("/p", "write", is_dir=True),
        Spot("/secret", "closed", is_dir=True),
        Spot("/half", "closed", is_dir=True),
        Spot("/half/open", "read", is_dir=True),
        Spot("/p/file", "closed", is_dir=False),
        Spot("/p/empty", "empty", is_dir=False),
    )
    options = groups(fenced(tmp_path, Layout(spots), Bounds("/home")))
    begin = options.index("--bind /p /p")
    assert options[begin : begin + 10] == [
        "--bind /p /p",
        "--perms 0000",
        "--tmpfs /secret",
        "--perms 0755",
        "--tmpfs /half",
        "--ro-bind /half/open /half/open",
        f"--ro-bind {tmp_path}/sandbox-closed /p/file",
        f"--ro-bind {tmp_path}/sandbox-empty /p/empty",
        "--remount-ro /secret",
        "--remount-ro /half",
    ]
    assert (tmp_path / "sandbox-closed").stat().st_mode & 0o777 == 0


def test_what_the_settings_change(tmp_path: Path) -> None:
    network = Network(sockets=("/run/docker.sock",), all_sockets=False)
    weak = groups(
        fenced(tmp_path, Layout(), Bounds("/home", files=False, weaker=True, network=network))
    )
    assert "--bind / /" in weak and "--ro-bind / /" not in weak
    assert "--ro-bind /proc /proc" in weak and "--proc /proc" not in weak
    assert "--bind-try /run/docker.sock /run/docker.sock" in weak
    assert not [option for option in weak if option.endswith(" /tmp")]
    old = Bubblewrap("/usr/bin/bwrap", disables=False)
    assert (
        "--disable-userns"
        not in old.fence(Start((), {}, "/", (), str(tmp_path)), Layout(), Bounds("/"), 3).argv
    )


@pytest.mark.parametrize(
    ("text", "report"),
    [
        ("", Report()),
        ('{ "child-pid": 12, "net-namespace": 1 }\n', Report(12, began=False)),
        ('{ "child-pid": 12 }\n{ "exit-code": 0 }\n', Report(12, began=True)),
        ('{ "child-pid": "x" }\nnonsense\n[1]\n{ "exit', Report()),
    ],
)
def test_its_report_is_read(text: str, report: Report) -> None:
    assert Report.read(text) == report


def test_what_to_do_is_told_with_its_own_words() -> None:
    assert "unprivileged_userns_clone" in explained("bwrap: No permissions to create new namespace")
    assert "enableWeakerNestedSandbox" in explained("bwrap: Can't mount proc on /newroot/proc")
    assert explained("bwrap: else") == "bwrap: else"


def test_it_is_found_in_the_path_but_not_in_the_project(tmp_path: Path) -> None:
    good = program(tmp_path / "bin", "echo --disable-userns")
    program(tmp_path / "project", "echo")
    (tmp_path / "linked").symlink_to(tmp_path / "project")
    path = f"relative:{tmp_path}/project:{tmp_path}/linked:{tmp_path}/none:{tmp_path}/bin"
    assert find_bubblewrap(path, tmp_path / "project") == Bubblewrap(good, disables=True)
    assert find_bubblewrap(f"{tmp_path}/project", tmp_path / "project") is None
    program(tmp_path / "bin", "echo older")
    assert find_bubblewrap(path, tmp_path / "project") == Bubblewrap(good, disables=False)


def test_trying_it_tells_why_it_does_not_work(tmp_path: Path) -> None:
    assert Bubblewrap(program(tmp_path, "exit 0")).probe() == ""
    assert (
        Bubblewrap(program(tmp_path, "echo 'setting up uid map' >&2; exit 1"))
        .probe()
        .startswith("setting up uid map. The system")
    )
    assert Bubblewrap(program(tmp_path, "exit 4")).probe() == "it ended with 4"
    assert "can't be run" in Bubblewrap(str(tmp_path / "none")).probe()


def test_the_real_one_works_here() -> None:
    found = bubblewrap()
    assert found.probe() == ""
    assert shutil.which(found.program) == found.program
