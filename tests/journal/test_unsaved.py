"""A session that leaves nothing behind."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent_tui.journal.fold import fold
from agent_tui.journal.unsaved import UnsavedJournal, remove_folder, temporary_folder
from tests.journal.story import Story


@pytest.mark.anyio
async def test_lines_are_held_in_memory_only(tmp_path: Path) -> None:
    story = Story()
    story.prompt("one")
    journal = UnsavedJournal(tmp_path / "x.jsonl", story.entries)
    journal.append(story.prompt("two"))
    await journal.sync()
    journal.close()
    assert fold(journal.stored()).prompts == 2
    assert not list(tmp_path.iterdir())


def test_its_folder_is_the_owners_and_goes() -> None:
    folder = temporary_folder()
    assert folder.stat().st_mode & 0o777 == 0o700
    (folder / "a").mkdir()
    (folder / "a" / "b").write_text("x")
    remove_folder(folder)
    remove_folder(folder)
    assert not folder.exists()


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"
