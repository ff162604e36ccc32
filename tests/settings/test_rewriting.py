"""Rewriting settings files; what rules need of it is tried in tests/permissions/test_grants.py."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest

from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.errors import SettingsError
from agent_tui.settings.rewriting import rewrite


def add(data: JsonObject) -> None:
    data["new"] = "é"


def test_a_missing_file_is_made_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "settings.json"
    rewrite(path, add)
    assert json.loads(path.read_text()) == {"new": "é"}
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_rights_and_indentation_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    path.write_text('{\n    "old": 1\n}')
    path.chmod(0o644)
    rewrite(path, add)
    assert path.read_text() == '{\n    "old": 1,\n    "new": "é"\n}\n'
    assert stat.S_IMODE(path.stat().st_mode) == 0o644
    assert [one.name for one in tmp_path.iterdir()] == ["settings.json"]


@pytest.mark.parametrize("text", ["[1]", "{", '{"a": 1, "a": 2}', "\xff"])
def test_a_file_that_can_not_be_written_again_whole_is_left_alone(
    tmp_path: Path, text: str
) -> None:
    path = tmp_path / "settings.json"
    path.write_bytes(text.encode("latin-1"))
    with pytest.raises(SettingsError):
        rewrite(path, add)
    assert path.read_bytes() == text.encode("latin-1")


def test_what_a_change_raises_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    path.write_text('{"old": 1}')

    def fail(data: JsonObject) -> None:
        data.clear()
        raise SettingsError("no")

    with pytest.raises(SettingsError):
        rewrite(path, fail)
    assert path.read_text() == '{"old": 1}'
