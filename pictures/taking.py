"""From a picture's description to its file."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from pictures.camera import Camera
from pictures.grid import Grid
from pictures.machine import argv, machine
from pictures.sheet import Sheet
from pictures.states import Picture
from pictures.svg import svg_of
from pictures.times import with_fixed


def take(picture: Picture) -> Grid:
    """Run the program, go to the state, take the screen.

    Raises:
        AssertionError: the state isn't reached, or the screen shows where it was made.
    """
    said = picture.replies, picture.rules
    with machine(*said, picture.settings_file(), picture.variables) as program:
        for change in picture.before:
            change(program)
        line = argv(*picture.arguments)
        with Camera(
            line, cwd=program.project, env=program.environment, size=picture.size
        ) as camera:
            try:
                camera.follow([step.at(program.api.url) for step in picture.steps])
                grid = camera.settled(partial(with_fixed, times=picture.times))
            finally:
                camera.leave()  # it writes to its home as long as it runs
        refused = [request.refused for request in program.api.refused]
        assert not refused, f"the server refused a request: {refused}"
        told = [line for line in grid.lines if str(program.home.parent) in line]
        assert not told, f"a path of this machine is in the picture: {told}"
    return grid


def take_sheet(sheet: Sheet) -> Grid:
    """Take all pictures that a sheet has rows of, and put it together."""
    return sheet.of({picture.name: take(picture) for picture in sheet.pictures})


def save(picture: Picture | Sheet, folder: Path) -> Path:
    """Take a picture and write its file; give the file."""
    grid = take_sheet(picture) if isinstance(picture, Sheet) else take(picture)
    path = folder / f"{picture.name}.svg"
    path.write_text(svg_of(grid, picture.title), "utf-8")
    return path
