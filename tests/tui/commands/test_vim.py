from __future__ import annotations

from agent_tui.tui.commands import vim
from tests.tui.recorder import Recorder, run


def test_it_changes_to_vim_and_says_how_to_keep_it() -> None:
    stage = run("/vim")
    assert stage.vim
    assert "editorMode" in stage.done[0]


def test_a_second_time_it_changes_back() -> None:
    stage = Recorder(vim=True)
    vim.run(stage, "")
    assert not stage.vim
    assert stage.done == ["say The prompt is edited as usual."]
