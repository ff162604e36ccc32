"""The tour with the tools of the product: their real results are what the script reads."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from pathlib import Path

import anyio
import pytest

from agent_tui.demo.history import TOUR_END
from agent_tui.demo.script import COUNTDOWN
from agent_tui.permissions.policy import MustAsk, decide
from agent_tui.permissions.resolver import RealResolver
from agent_tui.permissions.rules import RuleBook
from agent_tui.protocol.access import RunCommand
from agent_tui.protocol.content import JsonObject, ToolUseBlock
from agent_tui.tools.registry import builtin_tools
from tests.demo.scene import Scene, text_of
from tests.tools.place import Place


@dataclass
class RealScene(Scene):
    """A scene whose calls are run by the built-in tools; it is told the folder as the product tells it."""

    def __post_init__(self) -> None:
        self.place = Place.at(self.folder)
        self.known = {tool.name: tool for tool in builtin_tools()}

    def body(self) -> JsonObject:
        """The next request."""
        told = f"<system-reminder>\nWorking directory: {self.folder}\n</system-reminder>"
        reminder = {"role": "user", "content": [{"type": "text", "text": told}]}
        tools = [tool.schema() for tool in self.known.values()]
        return {"model": "demo", "tools": tools, "messages": [reminder, *self.messages]}

    def perform(self, call: ToolUseBlock) -> tuple[str, bool]:
        """Run a call for real."""
        return anyio.run(self._perform, call)

    async def _perform(self, call: ToolUseBlock) -> tuple[str, bool]:
        output = await self.place.run(self.known[call.name], **call.input)
        assert isinstance(output.content, str)
        return output.content, output.is_error is True


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    folder = tmp_path / "shop"
    (folder / "src").mkdir(parents=True)
    (folder / "README.md").write_text("# The shop\n\nSells things.\n", "utf-8")
    (folder / "my notes.txt").write_text("buy milk\n", "utf-8")
    (folder / "src" / "cart.py").write_text("# TODO: taxes\ntotal = 0  # FIXME: round\n", "utf-8")
    subprocess.run(["git", "init", "-q", "-b", "main"], cwd=folder, check=True)
    return folder


def test_what_the_tour_tells_of_a_repository_is_true(repository: Path) -> None:
    replies = RealScene(repository).say("go")
    assert "3 files with text here: " in text_of(replies[1])
    assert "`my notes.txt`" in text_of(replies[1])
    assert "On branch `main`, 3 changes." in text_of(replies[1])
    assert "`README.md` begins with “The shop”. 2 lines hold a TODO or FIXME." in text_of(
        replies[2]
    )
    assert "Approved and written" in text_of(replies[3])
    assert TOUR_END in text_of(replies[4])
    assert "- Tours given: 1\n" in (repository / "agent-tui-demo.md").read_text("utf-8")


def test_ignored_files_are_neither_counted_nor_read(tmp_path: Path) -> None:
    folder = tmp_path / "shop"
    (folder / "src").mkdir(parents=True)
    (folder / ".gitignore").write_text(".venv/\n", "utf-8")
    (folder / "src" / "Makefile").write_text("# Build it\n", "utf-8")
    for number in range(120):  # more than one answer of Glob holds
        package = folder / ".venv" / "lib" / f"p{number}"
        package.mkdir(parents=True)
        (package / "README.md").write_text("# Not ours\n", "utf-8")
    scene = RealScene(folder)
    replies = scene.say("go")
    assert "2 files with text here: " in text_of(replies[1])
    assert "`Makefile` begins with “Build it”." in text_of(replies[2])
    assert not any(".venv" in str(call.input) for call in scene.calls)


def test_an_old_readme_and_scratch_file_are_found_among_many_newer_ignored_files(
    repository: Path,
) -> None:
    scene = RealScene(repository)
    scene.say("go")
    (repository / ".gitignore").write_text("vendor\n*.md\n", "utf-8")
    for number in range(120):
        package = repository / "vendor" / f"p{number}"
        package.mkdir(parents=True)
        (package / "README.md").write_text("# Not ours\n", "utf-8")
    replies = scene.say("tour")
    assert "`README.md` begins with “The shop”." in text_of(replies[2])
    assert "- Tours given: 2\n" in (repository / "agent-tui-demo.md").read_text("utf-8")


def test_a_second_tour_counts_up(repository: Path) -> None:
    scene = RealScene(repository)
    scene.say("go")
    scene.say("tour")
    assert "- Tours given: 2\n" in (repository / "agent-tui-demo.md").read_text("utf-8")


def test_a_folder_without_anything_in_it(tmp_path: Path) -> None:
    folder = tmp_path / "empty"
    folder.mkdir()
    replies = RealScene(folder).say("go")
    assert "No file with text is here, ignored ones aside." in text_of(replies[1])
    assert "This folder is in no git repository." in text_of(replies[1])


def test_the_last_command_is_one_that_asks(repository: Path) -> None:
    verdict = decide(
        RunCommand(COUNTDOWN, str(repository)),
        "Bash",
        {"command": COUNTDOWN},
        mode="default",
        rules=RuleBook.of(()),
        hook=None,
        resolver=RealResolver(str(repository.parent), ()),
        working_dirs=(repository,),
        cwd=repository,
        read_only=False,
    )
    assert isinstance(verdict, MustAsk)
