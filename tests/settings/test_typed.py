from __future__ import annotations

import json
from pathlib import Path

from agent_tui.settings.typed import Typed, append, load


def test_what_is_appended_is_loaded_in_order(tmp_path: Path) -> None:
    path = tmp_path / "new" / "history.jsonl"
    for text in ("one", "two\nlines", "あ\u2028"):
        append(path, Typed(text, "/p", "s1", 5))
    assert [t.text for t in load(path)] == ["one", "two\nlines", "あ\u2028"]
    assert load(path)[0] == Typed("one", "/p", "s1", 5)
    assert path.stat().st_mode & 0o777 == 0o600


def test_lines_that_cannot_be_read_are_skipped(tmp_path: Path) -> None:
    path = tmp_path / "history.jsonl"
    path.write_bytes(b'{"display": "a", "project": "/p"}\n\xff\xfe\n[1]\n{"display": 3}\n{"displ')
    assert [t.text for t in load(path)] == ["a"]


def test_only_the_end_of_a_long_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "history.jsonl"
    line = json.dumps({"display": "x" * 50, "project": "/p"})
    path.write_text("\n".join([line] * 100) + "\n")
    found = load(path, limit=500)
    assert 0 < len(found) < 10
    assert all(t.text == "x" * 50 for t in found)


def test_there_is_no_file_yet(tmp_path: Path) -> None:
    assert load(tmp_path / "none") == []
