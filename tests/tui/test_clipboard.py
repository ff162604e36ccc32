"""The clipboard's picture, with programs of our own in place of the desktop's."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from PIL import Image

from agent_tui.settings.paths import Environment
from agent_tui.tui import clipboard
from agent_tui.tui.clipboard import picture
from agent_tui.tui.pictures import PictureError

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


class Desktop:
    """A folder of programs, and the variables of a desktop."""

    def __init__(self, folder: Path, **variables: str) -> None:
        self.folder = folder
        self.variables = variables
        out = io.BytesIO()
        Image.new("RGB", (64, 48), "red").save(out, "PNG")
        (folder / "it.png").write_bytes(out.getvalue())

    def program(self, name: str, script: str) -> None:
        path = self.folder / name
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)

    @property
    def env(self) -> Environment:
        path = f"{self.folder}:/usr/bin:/bin"
        return Environment({**self.variables, "PATH": path}, self.folder)


WL = """case "$*" in
*--list-types*) echo text/plain; echo image/png;;
*image/png*) cat "$(dirname "$0")/it.png";;
*) exit 1;;
esac"""
X = """case "$*" in
*TARGETS*) echo TARGETS; echo image/jpeg;;
*image/jpeg*) cat "$(dirname "$0")/it.png";;
esac"""


async def test_the_program_gets_no_more_of_our_environment_than_it_needs(tmp_path: Path) -> None:
    desktop = Desktop(tmp_path, WAYLAND_DISPLAY="w", ANTHROPIC_API_KEY="sk-secret")
    desktop.program("wl-paste", f"env > {tmp_path}/seen; echo text/plain")
    with pytest.raises(PictureError):
        await picture(desktop.env)
    seen = (tmp_path / "seen").read_text()
    assert "WAYLAND_DISPLAY=w" in seen
    assert "sk-secret" not in seen


async def test_on_wayland(tmp_path: Path) -> None:
    desktop = Desktop(tmp_path, WAYLAND_DISPLAY="wayland-0", DISPLAY=":0")
    desktop.program("wl-paste", WL)
    assert ((await picture(desktop.env)).width, (await picture(desktop.env)).height) == (64, 48)


async def test_on_x11_what_there_is_is_taken_for_what_it_is(tmp_path: Path) -> None:
    desktop = Desktop(tmp_path, DISPLAY=":0")
    desktop.program("xclip", X)
    assert (await picture(desktop.env)).media_type == "image/png"


async def test_on_a_mac(tmp_path: Path) -> None:
    desktop = Desktop(tmp_path)
    desktop.program("pngpaste", 'cat "$(dirname "$0")/it.png"')
    assert (await picture(desktop.env)).width == 64


@pytest.mark.parametrize(
    ("variables", "script", "why"),
    [
        ({"WAYLAND_DISPLAY": "w"}, None, "wl-paste must be installed"),
        ({"DISPLAY": ":0"}, None, "xclip must be installed"),
        ({}, None, "pngpaste"),
        ({"WAYLAND_DISPLAY": "w"}, "echo text/plain", "holds no picture"),
        ({"WAYLAND_DISPLAY": "w"}, "exit 1", "holds no picture"),
        ({"WAYLAND_DISPLAY": "w"}, "echo image/png", "no picture that can be shown"),
        ({"WAYLAND_DISPLAY": "w"}, "exec sleep 30", "does not answer"),
    ],
)
async def test_what_is_in_the_way_is_said(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    variables: dict[str, str],
    script: str | None,
    why: str,
) -> None:
    monkeypatch.setattr(clipboard, "SECONDS", 0.4)
    desktop = Desktop(tmp_path, **variables)
    if script is not None:
        desktop.program("wl-paste", script)
    with pytest.raises(PictureError, match=why):
        await picture(desktop.env)


async def test_a_flood_is_not_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clipboard, "MAX_BYTES", 1000)
    desktop = Desktop(tmp_path, WAYLAND_DISPLAY="w")
    desktop.program("wl-paste", 'case "$*" in *list*) echo image/png;; *) yes;; esac')
    with pytest.raises(PictureError, match="larger than"):
        await picture(desktop.env)
