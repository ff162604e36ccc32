"""Files for ``@``."""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable
from pathlib import Path

import anyio
import pytest

from agent_tui.engine import completion
from agent_tui.engine.completion import FileIndex
from agent_tui.protocol.queries import Completions

pytestmark = pytest.mark.anyio

FILES = ("README.md", "src/main.py", "src/deep/er/model.py", ".hidden/x.txt", ".gitignore")
NOT = (".git/HEAD", "node_modules/a/index.js", "__pycache__/m.pyc", "build/out.o")


@pytest.fixture(params=["ripgrep", "walk"])
def project(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Path:
    """A project, listed by ripgrep and, as where there is none, by ourselves."""
    if request.param == "walk":
        monkeypatch.setattr(completion, "find_ripgrep", lambda: None)
    for name in (*FILES, *NOT):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("")
    (tmp_path / ".gitignore").write_text("build/\nnode_modules/\n__pycache__/\n")
    return tmp_path


async def indexed(folder: Path, body: Callable[[FileIndex], Awaitable[None]]) -> None:
    index = FileIndex(folder)
    with anyio.fail_after(20):
        async with anyio.create_task_group() as group:
            group.start_soon(index.serve)
            await body(index)
            group.cancel_scope.cancel()


async def whole(index: FileIndex, text: str, limit: int = 99) -> Completions:
    """Ask until the list is complete."""
    while (found := await index.complete(text, limit)).partial:
        await anyio.lowlevel.checkpoint()
    return found


def texts(found: Completions) -> list[str]:
    return [item.text for item in found.items]


async def test_files_and_folders_are_found_and_what_is_built_is_not(project: Path) -> None:
    async def body(index: FileIndex) -> None:
        found = texts(await whole(index, ""))
        assert {*FILES, "src/", "src/deep/", "src/deep/er/"} <= set(found)
        assert not any(name.startswith((".git/", "node_modules", "__pycache__")) for name in found)
        assert texts(await whole(index, "mod"))[0] == "src/deep/er/model.py"
        assert len((await whole(index, "", 3)).items) == 3

    await indexed(project, body)


async def test_what_matched_is_told(project: Path) -> None:
    async def body(index: FileIndex) -> None:
        [first, *_] = (await whole(index, "main")).items
        assert "".join(first.text[at] for at in first.matched) == "main"

    await indexed(project, body)


async def test_an_empty_and_a_missing_folder_give_nothing(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()

    async def body(index: FileIndex) -> None:
        assert await whole(index, "x") == Completions()

    for name in ("empty", "missing"):
        await indexed(tmp_path / name, body)


async def test_nothing_is_listed_before_somebody_asks(project: Path) -> None:
    async def body(index: FileIndex) -> None:
        await anyio.wait_all_tasks_blocked()
        for name in FILES:
            (project / name).unlink()
        assert not {*FILES} & {*texts(await whole(index, ""))}

    await indexed(project, body)


async def test_a_name_that_is_no_utf8_does_no_harm(project: Path) -> None:
    (project / os.fsdecode(b"odd\xff.txt")).write_text("")

    async def body(index: FileIndex) -> None:
        assert texts(await whole(index, "odd")) == ["odd\udcff.txt"]

    await indexed(project, body)


async def test_the_list_is_bounded(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(completion, "MAX_FILES", 4)

    async def body(index: FileIndex) -> None:
        assert len((await whole(index, "")).items) <= 4

    await indexed(project, body)


async def test_a_link_back_to_the_top_is_not_walked_for_ever(project: Path) -> None:
    (project / "src" / "loop").symlink_to(project)

    async def body(index: FileIndex) -> None:
        assert not any("loop/src" in text for text in texts(await whole(index, "loop")))

    await indexed(project, body)


async def test_files_of_the_session_and_those_mentioned_before_come_first(project: Path) -> None:
    used = [str(project / "README.md"), "/elsewhere/main.py", str(project / ".gitignore")]

    async def body(index: FileIndex) -> None:
        while (found := await index.complete("", 3, ("src/main.py", "gone.py"))).partial:
            await anyio.lowlevel.checkpoint()
        assert texts(found) == [".gitignore", "README.md", "src/main.py"]

    index = FileIndex(project, lambda: used)
    with anyio.fail_after(20):
        async with anyio.create_task_group() as group:
            group.start_soon(index.serve)
            await body(index)
            group.cancel_scope.cancel()
