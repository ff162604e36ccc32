"""The layout: what every place is for a command."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from agent_tui.machine.sandbox.bounds import Bounds, Layout
from agent_tui.machine.sandbox.layout import lay_out
from agent_tui.protocol.errors import PortError
from agent_tui.protocol.ports import Start


def start(*dirs: Path, shows: tuple[str, ...] = ()) -> Start:
    return Start(("true",), {}, str(dirs[0]), tuple(map(str, dirs)), "/own", shows=shows)


def reach(layout: Layout, root: Path) -> dict[str, str]:
    """What places below a folder are, by their names there."""
    below = (spot for spot in layout.spots if spot.path.startswith(str(root)))
    return {spot.path.removeprefix(str(root)).strip("/"): spot.reach for spot in below}


@pytest.fixture
def bounds(tmp_path: Path) -> Bounds:
    for name in (
        "home/.ssh",
        "home/project/.vscode",
        "home/project/dist",
        "home/cache",
        "home/data/open",
    ):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "home/.netrc").write_text("x")
    home = tmp_path / "home"
    return Bounds(
        str(home),
        secrets=(str(home / ".ssh"), str(home / ".netrc"), str(home / ".aws")),
        protected_folders=frozenset({".vscode", ".idea"}),
        protected_files=frozenset({".npmrc"}),
    )


def test_the_usual_places(tmp_path: Path, bounds: Bounds) -> None:
    layout = lay_out(start(tmp_path / "home/project"), bounds)
    assert reach(layout, tmp_path / "home") == {
        ".ssh": "closed",
        ".netrc": "empty",
        "project": "write",
        "project/.vscode": "read",
    }
    assert layout.absent == tuple(f"{tmp_path}/home/project/{name}" for name in (".idea", ".npmrc"))


def test_settings_go_before_what_is_usual_and_the_nearer_before_the_wider(
    tmp_path: Path, bounds: Bounds
) -> None:
    home = tmp_path / "home"
    chosen = replace(
        bounds,
        allow_write=(f"{home}/cache", f"{home}/missing", f"{home}/project/.vscode"),
        deny_write=(f"{home}/project/dist", f"{home}/data"),
        deny_read=(f"{home}/data",),
        allow_read=(f"{home}/data/open", f"{home}/.netrc"),
    )
    assert reach(lay_out(start(home / "project"), chosen), home) == {
        ".ssh": "closed",
        ".netrc": "read",
        "cache": "write",
        "data": "closed",
        "data/open": "read",
        "project": "write",
        "project/.vscode": "write",
        "project/dist": "read",
    }


def test_links_are_followed_before_anything_is_said_of_them(tmp_path: Path, bounds: Bounds) -> None:
    home = tmp_path / "home"
    (home / ".aws").symlink_to(home / "data")
    (tmp_path / "way").symlink_to(home / "project")
    found = reach(lay_out(start(tmp_path / "way"), bounds), home)
    assert found["project"] == "write" and found["data"] == "closed"


def test_what_is_shown_is_read_where_it_would_be_hidden(tmp_path: Path, bounds: Bounds) -> None:
    home = tmp_path / "home"
    shows = (f"{home}/.ssh", f"{home}/project/dist", "/usr")
    layout = lay_out(start(home / "project", shows=shows), bounds)
    assert reach(layout, home)[".ssh"] == "read"
    assert not [spot for spot in layout.spots if spot.path in ("/usr", f"{home}/project/dist")]


def test_what_can_not_be_bounded_is_refused(tmp_path: Path, bounds: Bounds) -> None:
    with pytest.raises(PortError, match="works in /:"):
        lay_out(start(tmp_path, Path("/")), bounds)
    with pytest.raises(PortError, match="denyRead can't be /"):
        lay_out(start(tmp_path), replace(bounds, deny_read=("/",)))
    assert lay_out(start(Path("/")), replace(bounds, files=False)) == Layout()
