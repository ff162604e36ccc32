from __future__ import annotations

import json
from pathlib import Path

from agent_tui.tui.history import History, Typed, append, load


def filled(*texts: str, project: str = "/p") -> History:
    history = History("/p")
    for text in texts:
        history.add(Typed(text, project))
    return history


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


def test_walking_up_and_down_comes_back_to_the_draft() -> None:
    history = filled("one", "two")
    assert history.older("draft") == "two"
    assert history.older("ignored") == "one"
    assert history.older("ignored") is None
    assert history.newer() == "two"
    assert history.newer() == "draft"
    assert history.newer() is None


def test_leaving_a_walk_gives_the_draft_back_so_that_it_can_be_kept() -> None:
    history = filled("one")
    history.older("my draft")
    assert history.leave() == "my draft"
    assert history.leave() == ""


def test_prompts_of_other_projects_are_not_walked_through() -> None:
    history = filled("theirs", project="/other")
    history.add(Typed("mine", "/p"))
    assert history.older("") == "mine"
    assert history.older("") is None


def test_the_same_prompt_twice_in_a_row_counts_once() -> None:
    history = filled("a")
    assert not history.add(Typed("a", "/p"))
    assert history.texts("project") == ["a"]


def test_search_by_scope() -> None:
    history = History("/p")
    history.add(Typed("fix the Tests", "/p", "s1"))
    history.add(Typed("fix tests elsewhere", "/other", "s9"))
    history.add(Typed("more tests", "/p", "s2"))
    assert history.search("TESTS", "project") == ["more tests", "fix the Tests"]
    assert history.search("tests", "session", "s1") == ["fix the Tests"]
    assert len(history.search("tests", "all")) == 3
