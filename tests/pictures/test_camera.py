from __future__ import annotations

import os
import sys
from functools import partial
from pathlib import Path

import pytest

from pictures.camera import Camera, Step, keys, typed, wait
from pictures.grid import Grid
from pictures.times import Fixed, with_fixed

ECHO = """
import sys, termios, tty
tty.setraw(0)
print("ready", end="", flush=True)
while (char := sys.stdin.read(1)) != "\\x1b":
    print(f"[{ord(char)}]", end="", flush=True)
"""
CLOCK = """
import itertools, time
for second in itertools.count(): print(f"\\rWorking 0:{second % 60:02}", end="", flush=True); time.sleep(0.2)
"""


def camera(program: str, folder: Path) -> Camera:
    return Camera(
        [sys.executable, "-c", program],
        cwd=folder,
        env={"PATH": os.environ["PATH"], "TERM": "xterm-256color"},
        size=(40, 3),
    )


def unchanged(grid: Grid) -> Grid:
    return grid


def test_steps_are_followed_and_the_screen_is_taken(tmp_path: Path) -> None:
    with camera(ECHO, tmp_path) as taken:
        taken.follow((wait("ready"), typed("ab"), keys("ctrl+j space"), wait("[32]")))
        assert taken.settled(unchanged).lines[0] == "ready[97][98][10][32]"
        taken.leave()
        assert taken.exit_code is not None


def test_a_time_that_runs_is_no_change_once_it_is_fixed(tmp_path: Path) -> None:
    fixed = partial(with_fixed, times=(Fixed(r"Working (\d:\d\d)", ("1:07",)),))
    with camera(CLOCK, tmp_path) as taken:
        taken.follow((wait("Working"),))
        assert taken.settled(fixed).lines[0] == "Working 1:07"


def test_a_screen_that_goes_on_changing_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pictures.camera.PATIENCE", 2.0)
    with camera(CLOCK, tmp_path) as taken:
        taken.follow((wait("Working"),))
        with pytest.raises(AssertionError, match="doesn't settle"):
            taken.settled(unchanged)


def test_the_servers_address_is_put_into_a_step() -> None:
    assert typed("to {url}").at("http://x") == Step("type", "to http://x")
