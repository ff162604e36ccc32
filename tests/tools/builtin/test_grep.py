"""Grep on real files."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from agent_tui.protocol.access import ReadPath
from agent_tui.protocol.display import SearchDisplay
from agent_tui.tools.base import InvalidInputError
from agent_tui.tools.builtin.grep import TOOL as GREP
from agent_tui.tools.builtin.grep import split_globs
from tests.tools.place import Place

pytestmark = pytest.mark.anyio


@pytest.fixture
def project(place: Place) -> Place:
    """A few files with the word "needle"."""
    for age, (name, text) in enumerate(
        {
            "a.py": "one\nneedle 1\nthree\nfour\nfive\nneedle 2\n",
            "src/b.ts": "needle in b\n",
            "ignored.log": "needle\n",
            ".gitignore": "*.log\n",
            ".env": "SECRET=needle\n",
        }.items()
    ):
        file = place.folder / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(text)
        os.utime(file, (1_000 + age, 1_000 + age))
    return place


async def test_files_come_newest_first(project: Place) -> None:
    output = await project.run(GREP, pattern="needle")
    assert output.content == "Found 3 files\n.env\nsrc/b.ts\na.py"
    assert output.structured == {
        "mode": "files_with_matches",
        "numFiles": 3,
        "filenames": [f"{project.folder}/{name}" for name in (".env", "src/b.ts", "a.py")],
        "totalFiles": 3,
    }


async def test_lines_have_their_file_and_number(project: Place) -> None:
    output = await project.run(GREP, pattern="needle", output_mode="content", glob="*.py,*.ts")
    assert output.content == "a.py:2:needle 1\na.py:6:needle 2\nsrc/b.ts:1:needle in b"
    assert isinstance(output.display, SearchDisplay)
    assert (output.display.matches, output.display.files) == (3, 2)
    assert isinstance(output.structured, dict)
    assert output.structured["numLines"] == 3
    bare = await project.text(
        GREP, pattern="needle", path="a.py", output_mode="content", **{"-n": False}
    )
    assert bare == "needle 1\nneedle 2"


async def test_lines_around_a_match(project: Place) -> None:
    text = await project.text(
        GREP, pattern="needle", path="a.py", output_mode="content", **{"-B": 1, "-A": "0"}
    )
    assert text == "1-one\n2:needle 1\n--\n5-five\n6:needle 2"
    text = await project.text(GREP, pattern="three", output_mode="content", **{"-C": 1})
    assert text == "a.py-2-needle 1\na.py:3:three\na.py-4-four"


async def test_p4_blank_lines_are_said_to_be_blank(place: Place) -> None:
    (place.folder / "f").write_text("a\n\n\n")
    more: dict[str, Any] = {"path": "f", "output_mode": "content", "-n": False}
    assert await place.text(GREP, pattern="^$", **more) == "[2 lines match, all of them blank.]"


async def test_counts_have_a_total(project: Place) -> None:
    output = await project.run(GREP, pattern="needle", output_mode="count", head_limit=1)
    assert str(output.content).startswith(
        "Found 4 matching lines in 3 files\n.env:1\n[There is more"
    )
    assert isinstance(output.structured, dict)
    assert output.structured["numMatches"] == 4


async def test_pages_follow_one_another(project: Place) -> None:
    more: dict[str, Any] = {"pattern": "e", "path": "a.py", "output_mode": "content"}
    whole = await project.text(GREP, **more)
    first = await project.text(GREP, **more, head_limit=2)
    assert first.splitlines()[:2] == whole.splitlines()[:2]
    assert "go on with offset: 2" in first
    second = await project.text(GREP, **more, head_limit=2, offset=2)
    assert second.splitlines()[:2] == whole.splitlines()[2:4]
    assert await project.text(GREP, **more, offset=50) == "No entries at this offset."


async def test_ignored_files_are_searched_when_named(project: Place) -> None:
    assert "ignored" not in await project.text(GREP, pattern="needle")
    assert "needle" in await project.text(
        GREP, pattern="needle", path="ignored.log", output_mode="content"
    )


async def test_spans_parts_case_and_type(project: Place) -> None:
    content: dict[str, Any] = {"output_mode": "content"}
    text = await project.text(GREP, pattern="three.*five", multiline=True, **content)
    assert text == "a.py:3:three\na.py:4:four\na.py:5:five"
    text = await project.text(GREP, pattern="need", type="ts", **content, **{"-o": True})
    assert text == "src/b.ts:1:need"
    text = await project.text(GREP, pattern="NEEDLE IN", **content, **{"-i": True})
    assert text == "src/b.ts:1:needle in b"
    assert await project.text(GREP, pattern="NEEDLE IN", **content) == "No matches found."


async def test_a7_what_a_rule_hides_is_not_shown_but_told(project: Place) -> None:
    project.forbidden = {f"{project.folder}/.env"}
    for more in (
        {},
        {"output_mode": "content"},
        {"output_mode": "count"},
        {"glob": "{.env,zzz.ts}", "output_mode": "content"},
    ):
        text = await project.text(GREP, pattern="SECRET|needle", **more)
        assert "SECRET" not in text
        assert ".env" not in text
        assert (
            "1 file was left out: a permission rule forbids reading it, or secrets are kept" in text
        )


async def test_a_rejected_pattern_says_why(project: Place) -> None:
    output = await project.run(GREP, pattern="interface{")
    assert output.is_error
    assert "regex parse error" in str(output.content)
    assert "unrecognized file type" in await project.text(GREP, pattern="x", type="nope")
    assert "no file or folder" in await project.text(GREP, pattern="x", path="none")


async def test_long_lines_and_much_output_are_cut(place: Place) -> None:
    (place.folder / "min.js").write_text("x" * 100_000 + "\n")
    text = await place.text(GREP, pattern="xxx", output_mode="content")
    assert len(text) < 600
    (place.folder / "many").write_text("needle in a long line of hay\n" * 5_000)
    text = await place.text(GREP, pattern="needle", output_mode="content", head_limit=0)
    assert len(text) < 31_000
    assert "There is more" in text


async def test_a_line_too_long_to_be_shown_is_told(place: Place) -> None:
    (place.folder / "min.js").write_text("x" * 5_000_000 + "needle\n")
    text = await place.text(GREP, pattern="needle", output_mode="content")
    assert "1 matching line is too long" in text
    assert "No matches" not in text
    assert "min.js" in await place.text(GREP, pattern="needle")


async def test_p6_odd_names_and_bytes_can_be_sent(place: Place) -> None:
    Path(os.fsdecode(os.fsencode(place.folder) + b"/\xff.txt")).write_bytes(b"needle \x99\n")
    text = await place.text(GREP, pattern="needle", output_mode="content")
    assert text == "\\xff.txt:1:needle \ufffd"
    assert await place.text(GREP, pattern="n", path="\\xff.txt", output_mode="content") == (
        "1:needle \ufffd"
    )


def test_globs_are_divided_outside_braces() -> None:
    assert split_globs("*.ts, *.tsx *.{js,jsx}") == ("*.ts", "*.tsx", "*.{js,jsx}")
    assert split_globs("") == ()


def test_what_it_touches_and_refuses() -> None:
    args = GREP.parse({"pattern": "x", "path": "src"})
    assert GREP.access(args, Path("/w")) == ReadPath("/w/src")
    assert GREP.preview(args, Path("/w")) == SearchDisplay("x", "src")
    for raw in ({"pattern": ""}, {"pattern": "a\0"}, {"pattern": "x", "-A": -1}, {"patern": "x"}):
        with pytest.raises(InvalidInputError):
            GREP.parse(raw)
