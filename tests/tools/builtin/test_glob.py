"""Glob on real files."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from agent_tui.protocol.access import ReadPath
from agent_tui.protocol.display import SearchDisplay
from agent_tui.tools.base import InvalidInputError
from agent_tui.tools.builtin.glob import TOOL as GLOB
from tests.tools.place import Place

pytestmark = pytest.mark.anyio


def grow(folder: Path, *names: str) -> None:
    """Make files, each newer than the one before."""
    for age, name in enumerate(names):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).touch()
        os.utime(folder / name, (1_000 + age, 1_000 + age))


async def test_the_newest_comes_first(place: Place) -> None:
    grow(place.folder, "a.py", "src/b.py", "src/deep/c.py", "d.txt", ".git/e.py")
    output = await place.run(GLOB, pattern="**/*.py")
    assert output.content == "src/deep/c.py\nsrc/b.py\na.py"
    assert isinstance(output.structured, dict)
    assert output.structured["filenames"] == [
        f"{place.folder}/{name}" for name in ("src/deep/c.py", "src/b.py", "a.py")
    ]
    assert output.structured["numFiles"] == output.structured["totalMatches"] == 3
    assert output.structured["truncated"] is False
    assert isinstance(output.display, SearchDisplay)
    assert output.display.files == 3


async def test_patterns_with_folders_count_from_the_path(place: Place) -> None:
    grow(place.folder, "a.py", "src/b.py", "src/deep/c.tsx", "[id]/d.py", "lib/src/x.py")
    assert await place.text(GLOB, pattern="src/*.py") == "src/b.py"
    assert await place.text(GLOB, pattern="*.{py,tsx}", path="src") == "src/deep/c.tsx\nsrc/b.py"
    assert await place.text(GLOB, pattern=f"{place.folder}/src/**/*.tsx") == "src/deep/c.tsx"
    assert await place.text(GLOB, pattern="*.py", path="[id]") == "[id]/d.py"
    assert await place.text(GLOB, pattern="src/b.py") == "src/b.py"
    assert await place.text(GLOB, pattern="../work/a*") == "../work/a.py"


async def test_no_more_than_a_hundred_are_shown(place: Place) -> None:
    grow(place.folder, *(f"f{n}" for n in range(130)))
    output = await place.run(GLOB, pattern="f*")
    lines = str(output.content).splitlines()
    assert lines[0] == "f129"
    assert len(lines) == 101
    assert "newest 100 of 130" in lines[-1]
    assert isinstance(output.structured, dict)
    assert output.structured["truncated"] is True


async def test_a7_what_a_rule_hides_is_not_named_but_told(place: Place) -> None:
    grow(place.folder, "a.env", "b.env")
    place.forbidden = {f"{place.folder}/b.env"}
    text = await place.text(GLOB, pattern="*.env")
    assert text.startswith("a.env\n[1 file was left out: a permission rule forbids reading it, or ")


async def test_nothing_and_nowhere(place: Place) -> None:
    assert await place.text(GLOB, pattern="*.zig") == "No files found."
    output = await place.run(GLOB, pattern="*.zig", path="none")
    assert output.is_error
    assert "no file or folder" in str(output.content)
    assert (await place.run(GLOB, pattern="[a")).is_error


async def test_p6_names_that_are_no_text_can_be_sent(place: Place) -> None:
    Path(os.fsdecode(os.fsencode(place.folder) + b"/\xff.txt")).touch()
    assert await place.text(GLOB, pattern="*.txt") == "\\xff.txt"


@pytest.mark.parametrize(
    ("raw", "folder"),
    [
        ({"pattern": "*.py"}, "/w"),
        ({"pattern": "*.py", "path": "src"}, "/w/src"),
        ({"pattern": "/etc/**/*.conf"}, "/etc"),
        ({"pattern": "../x/*.py"}, "/w/../x"),
        ({"pattern": "/*"}, "/"),
    ],
)
def test_the_folder_looked_in_is_what_is_judged(raw: dict[str, Any], folder: str) -> None:
    assert GLOB.access(GLOB.parse(raw), Path("/w")) == ReadPath(folder)


def test_a_nul_is_refused() -> None:
    with pytest.raises(InvalidInputError):
        GLOB.parse({"pattern": "a\0"})
