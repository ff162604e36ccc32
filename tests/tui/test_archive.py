from __future__ import annotations

import asyncio
from pathlib import Path

from agent_tui.settings.paths import Environment, drafts, input_history
from agent_tui.tui.archive import Archive


def test_prompts_and_drafts_are_on_disk_when_it_closes(home: Path, tmp_path: Path) -> None:
    env = Environment({}, home)
    archive = Archive(env, tmp_path)
    archive.keep("first", "s1")
    archive.save_draft("half")
    archive.close()
    assert "first" in input_history(env).read_text()
    (draft,) = drafts(env).iterdir()
    assert "half" in draft.read_text()


def test_what_was_kept_is_loaded_by_the_next_one(home: Path, tmp_path: Path) -> None:
    env = Environment({}, home)
    first = Archive(env, tmp_path)
    typed = first.keep("from before")
    first.close()
    second = Archive(env, tmp_path)
    assert asyncio.run(second.load()) == [typed]
    second.close()


def test_a_disk_that_can_not_be_written_costs_only_the_history(home: Path, tmp_path: Path) -> None:
    (home / ".agent-tui").write_text("a file where the folder should be")
    archive = Archive(Environment({}, home), tmp_path)
    assert archive.keep("typed").text == "typed"
    archive.save_draft("draft")
    archive.close()
    assert (home / ".agent-tui").is_file()
