"""Searches by ripgrep and by the stand-in: the same results."""

from __future__ import annotations

import os
import subprocess
import time
from pathlib import Path

import pytest

from agent_tui.machine.file_types import FILE_TYPES
from agent_tui.machine.plain_search import Request
from agent_tui.machine.search import RealSearch, find_ripgrep, fixed_part, ripgrep_arguments
from agent_tui.protocol.errors import PortError
from agent_tui.protocol.ports import GrepMode, GrepQuery, ToolLimits

pytestmark = pytest.mark.anyio

RIPGREP = find_ripgrep()
KINDS = [
    pytest.param(RIPGREP, id="ripgrep", marks=pytest.mark.skipif(RIPGREP is None, reason="no rg")),
    pytest.param(None, id="plain"),
]


def any_file(_: str) -> bool:
    return True


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A folder with what makes searches differ."""
    contents: dict[str, bytes] = {
        ".git/config": b"needle",
        ".gitignore": b"build/\n*.log\n!keep.log\n",
        ".hidden/x.txt": b"needle hidden\n",
        "a.py": b"import os\n\ndef needle():\n    return 'Needle'\n\n\nclass A:\n    needle = 1\n",
        "a/b.py": b"needle needle\nno\nneedle",
        "a/c.ts": "größe needle 😀\r\nsecond\r\nneedle\r\n".encode(),
        "a/d.md": b"# needle\n\ntext\n\n\n\n\nneedle\n",
        "a.txt": b"\n\n\n",
        "bin.dat": b"needle\0needle\n",
        "build/out.py": b"needle\n",
        "late.bin": b"x\n" * 70_000 + b"needle\n",
        "old.txt": "needle é\n".encode("latin-1"),
        "x.log": b"needle\n",
        "keep.log": b"needle\n",
        "wide.txt": b"\xff\xfe" + "needle\n".encode("utf-16-le"),
        "empty": b"",
        "sub/.ignore": b"skip.txt\n",
        "sub/skip.txt": b"needle\n",
        "sub/[id]/page.tsx": b"export needle\n",
    }
    for age, (name, data) in enumerate(contents.items()):
        file = tmp_path / "p" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
        os.utime(file, (1_000 + age, 1_000 + age))
    return tmp_path / "p"


@pytest.mark.skipif(RIPGREP is None, reason="needs ripgrep to compare with")
@pytest.mark.parametrize("mode", ["content", "files_with_matches", "count"])
@pytest.mark.parametrize(
    "query",
    [
        GrepQuery("needle", "", "content"),
        GrepQuery("NEEDLE", "", "content", ignore_case=True),
        GrepQuery("needle", "", "content", before=1, after=2),
        GrepQuery("needle", "", "content", after=1, limit=5),
        GrepQuery("needle$", "", "content"),
        GrepQuery("^", "", "content", globs=("*.{txt,ts}",)),
        GrepQuery("needle", "", "content", globs=("*.log", "!x*")),
        GrepQuery("needle", "", "content", globs=("a/**", "/keep.log")),
        GrepQuery("needle", "", "content", globs=("!*.py",), only_matching=True),
        GrepQuery(r"n\w+e\b", "", "content", type="py", only_matching=True),
        GrepQuery("needle.*?needle", "", "content", multiline=True),
        GrepQuery("(?s)def.*?class", "", "content", multiline=True, before=1, after=1),
        GrepQuery(r"needle\n", "", "content", multiline=True, only_matching=True),
        GrepQuery(r"(?<word>need)[[:alpha:]]+\x{20}", "", "content"),
        GrepQuery("größe|é", "", "content"),
        GrepQuery("nothing at all", "", "content"),
        GrepQuery("needle", "a/b.py", "content", after=1),
        GrepQuery("needle", "x.log", "content"),
        GrepQuery("needle", "a", "content"),
        GrepQuery("needle", "build", "content"),
        GrepQuery("needle", "sub/[id]", "content"),
    ],
    ids=lambda query: f"{query.pattern}-{query.path}-{query.globs}-{query.multiline}",
)
async def test_both_find_the_same(project: Path, mode: GrepMode, query: GrepQuery) -> None:
    query = GrepQuery(
        query.pattern,
        str(project / query.path),
        mode,
        query.globs,
        query.type,
        query.ignore_case,
        query.multiline,
        query.only_matching,
        query.before,
        query.after,
        query.limit,
    )
    theirs = await RealSearch(RIPGREP).grep(query, any_file)
    ours = await RealSearch(None).grep(query, any_file)
    assert ours == theirs
    assert bool(theirs.files or theirs.lines) is (query.pattern != "nothing at all")


@pytest.mark.parametrize("program", KINDS)
async def test_lines_are_bounded_and_in_order(project: Path, program: Path | None) -> None:
    search = RealSearch(program)
    query = GrepQuery("needle", str(project), "content", limit=3)
    found = await search.grep(query, any_file)
    assert [(Path(line.path).name, line.number) for line in found.lines] == [
        ("x.txt", 1),
        ("b.py", 1),
        ("b.py", 3),
    ]
    assert found.more
    assert not (await search.grep(GrepQuery("second", str(project), "content"), any_file)).more


@pytest.mark.parametrize("program", KINDS)
async def test_what_may_not_be_read_is_left_out_and_counted(
    project: Path, program: Path | None
) -> None:
    search = RealSearch(program)
    for mode in ("content", "files_with_matches", "count"):
        query = GrepQuery("needle", str(project), mode)
        found = await search.grep(query, lambda path: not path.endswith(".py"))
        assert found.hidden == 2
        paths = [line.path for line in found.lines] + [file.path for file in found.files]
        assert paths
        assert not [path for path in paths if path.endswith(".py")]
    glob = await search.glob("*.py", str(project), 10, lambda path: "build" not in path)
    assert (len(glob.paths), glob.total, glob.hidden) == (2, 2, 1)
    assert (await search.glob("a/b.py", str(project), 10, lambda _: False)).hidden == 1


@pytest.mark.skipif(RIPGREP is None, reason="needs ripgrep to compare with")
@pytest.mark.parametrize(
    "pattern",
    ["*", "*.py", "**/*.{ts,tsx}", "a/*", "sub/**", ".git/*", "keep.log", "sub/\\[id\\]/*"],
)
@pytest.mark.parametrize(
    "limits", [ToolLimits(), ToolLimits(glob_hidden=False, glob_no_ignore=False)]
)
async def test_both_find_the_same_names(project: Path, pattern: str, limits: ToolLimits) -> None:
    theirs = await RealSearch(RIPGREP, limits).glob(pattern, str(project), 5, any_file)
    ours = await RealSearch(None, limits).glob(pattern, str(project), 5, any_file)
    assert ours == theirs
    assert theirs.total or not limits.glob_hidden or pattern == "keep.log"


@pytest.mark.parametrize("program", KINDS)
async def test_what_is_wrong_with_a_search_is_told(project: Path, program: Path | None) -> None:
    search = RealSearch(program)
    for query, told in (
        (GrepQuery("(", str(project), "content"), "regex parse error"),
        (GrepQuery("x", str(project), "content", type="nope"), "unrecognized file type: nope"),
        (GrepQuery("x", str(project), "count", globs=("[",)), "unclosed character class"),
        (GrepQuery("x", str(project / "none"), "count"), "no file or folder"),
    ):
        with pytest.raises(PortError, match=told):
            await search.grep(query, any_file)


async def test_a_pattern_that_never_ends_is_ended(project: Path) -> None:
    (project / "trap.txt").write_text("a" * 40 + "b\n")
    search = RealSearch(None, ToolLimits(search_timeout_ms=700))
    begun = time.monotonic()
    found = await search.grep(GrepQuery("(a+)+$", str(project), "count"), any_file)
    assert time.monotonic() - begun < 5
    assert found.timed_out


async def test_a_program_that_is_not_there_is_told(project: Path) -> None:
    with pytest.raises(PortError, match="could not be started"):
        await RealSearch(Path("/none/rg")).grep(GrepQuery("x", str(project), "count"), any_file)


def test_patterns_are_divided_at_the_first_wildcard() -> None:
    assert fixed_part("a/b/*.py") == ("a/b", "*.py")
    assert fixed_part("/a/**/b") == ("/a", "**/b")
    assert fixed_part("/*") == ("/", "*")
    assert fixed_part("*/a") == ("", "*/a")
    assert fixed_part("a/b") == ("a/b", "")


def test_a_pattern_is_never_taken_for_an_option() -> None:
    arguments = ripgrep_arguments(Request("json", "--pre=rm", "./-x", ("--hidden",)))
    assert "--regexp=--pre=rm" in arguments
    assert "--glob=--hidden" in arguments
    assert arguments[-2:] == ["--", "./-x"]


@pytest.mark.skipif(RIPGREP is None, reason="needs ripgrep to compare with")
def test_our_file_types_are_a_part_of_ripgreps() -> None:
    done = subprocess.run([str(RIPGREP), "--type-list"], capture_output=True, text=True, check=True)
    theirs = dict(line.split(": ", 1) for line in done.stdout.splitlines())
    for name, globs in FILE_TYPES.items():
        assert ", ".join(globs) == theirs[name]
