"""Changes to stored sessions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from agent_tui.journal.file import Journal, Reading
from agent_tui.journal.fold import fold
from agent_tui.protocol.errors import SessionError
from agent_tui.sdk.session_changes import (
    delete_session,
    fork_session,
    rename_session,
    tag_session,
    visible,
)
from agent_tui.sdk.session_files import session_file
from agent_tui.sdk.session_info import get_session_info, list_sessions
from agent_tui.sdk.sessions import get_session_messages
from agent_tui.settings.paths import Environment, root
from tests.sdk.stored import NOBODY, a_session, kinds, new_story, save, save_agent


def _rename(session_id: str) -> None:
    rename_session(session_id, "x")


def _tag(session_id: str) -> None:
    tag_session(session_id, "x")


@pytest.mark.parametrize("change", [_rename, _tag, delete_session, fork_session])
def test_only_sessions_can_be_changed(change: Any) -> None:
    with pytest.raises(ValueError, match="UUID"):
        change("nonsense")
    with pytest.raises(FileNotFoundError):
        change(NOBODY)


def test_the_last_title_wins_for_lists_and_for_the_session(tmp_path: Path) -> None:
    story = a_session(tmp_path)
    path = save(story, tmp_path)
    rename_session(story.session_id, "one")
    rename_session(story.session_id, "  two ", str(tmp_path))
    [info] = list_sessions()
    assert (info.summary, info.custom_title) == ("two", "two")
    told = fold(Reading(path))
    assert told.custom_title == "two"
    assert told.head == story.conversation.head
    with pytest.raises(ValueError, match="blank"):
        rename_session(story.session_id, " \n")


def test_a_tag_is_set_and_taken_away(tmp_path: Path) -> None:
    story = a_session(tmp_path)
    save(story, tmp_path)
    tag_session(story.session_id, " a\u200btag\u202e ")
    info = get_session_info(story.session_id)
    assert info is not None
    assert info.tag == "atag"
    tag_session(story.session_id, None)
    info = get_session_info(story.session_id)
    assert info is not None
    assert info.tag is None
    with pytest.raises(ValueError, match="seen"):
        tag_session(story.session_id, "\u200b \ue000")


def test_a_session_in_use_is_renamed_but_not_deleted(tmp_path: Path) -> None:
    story = a_session(tmp_path)
    path = save(story, tmp_path)
    held = Journal.open(path)
    rename_session(story.session_id, "busy")
    with pytest.raises(SessionError, match="in use"):
        delete_session(story.session_id)
    held.append(story.prompt("on"))
    held.close()
    assert fold(Reading(path)).prompts == 2
    delete_session(story.session_id)
    assert not path.exists()


def test_a_deleted_session_takes_its_folder_with_it(tmp_path: Path) -> None:
    path = save(a_session(tmp_path), tmp_path)
    other = save(a_session(tmp_path), tmp_path)
    save_agent(path, "one", "x")
    (path.with_suffix("") / "tool-results").mkdir()
    delete_session(path.stem)
    assert [one.name for one in path.parent.iterdir()] == [other.name]


def test_a_copy_says_the_same_under_other_names(tmp_path: Path) -> None:
    story = a_session(tmp_path, title="plan")
    path = save(story, tmp_path)
    before = path.read_bytes()
    made = fork_session(story.session_id)
    assert path.read_bytes() == before
    copy = session_file(made.session_id, str(tmp_path))
    assert copy is not None
    told = fold(Reading(copy))
    assert [line.blocks for line in told.lines] == [
        line.blocks for line in story.conversation.lines
    ]
    assert told.total_cost_usd == 0.25
    assert told.custom_title == "plan (fork)"
    old, new = get_session_messages(story.session_id), get_session_messages(made.session_id)
    assert kinds(new) == kinds(old)
    assert not {one.uuid for one in old} & {one.uuid for one in new}
    assert {one.session_id for one in new} == {made.session_id}


def test_a_copy_can_end_at_any_message_and_have_a_title(tmp_path: Path) -> None:
    story = a_session(tmp_path, "fix")
    save(story, tmp_path)
    said = get_session_messages(story.session_id)
    for count, message in enumerate(said, 1):
        made = fork_session(story.session_id, None, message.uuid, "mine")
        assert kinds(get_session_messages(made.session_id)) == kinds(said)[:count]
        info = get_session_info(made.session_id)
        assert info is not None
        assert info.custom_title == "mine"
    made = fork_session(story.session_id, title="  ")
    info = get_session_info(made.session_id)
    assert info is not None
    assert info.custom_title == "fix (fork)"


def test_there_must_be_something_to_copy(tmp_path: Path) -> None:
    story = a_session(tmp_path)
    save(story, tmp_path)
    with pytest.raises(ValueError, match="no message"):
        fork_session(story.session_id, None, NOBODY)
    with pytest.raises(ValueError, match="no message id"):
        fork_session(story.session_id, None, "last")
    silent = new_story(tmp_path)
    silent.started()
    save(silent, tmp_path)
    with pytest.raises(ValueError, match="Nothing was said"):
        fork_session(silent.session_id)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plain", "plain"),
        (" a b ", "a b"),
        ("\u2066x\u2069\ufeff", "x"),
        ("ﬁne", "fine"),
        ("a\x00\x1b[2J", "a[2J"),
        ("\ue000\U000e0041", ""),
        ("日本", "日本"),
    ],
)
def test_what_can_not_be_seen_is_taken_out(text: str, expected: str) -> None:
    assert visible(text) == expected


def test_the_peer_reads_what_we_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    peer: Any = pytest.importorskip("claude_agent_sdk", reason="pip install agent-tui[peer]")
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(root(Environment.of_process())))
    story = a_session(tmp_path)
    save(story, tmp_path)
    tag_session(story.session_id, "t")
    rename_session(story.session_id, "mine")
    made = fork_session(story.session_id)
    info = peer.get_session_info(story.session_id)
    assert (info.custom_title, info.tag) == ("mine", "t")
    assert peer.get_session_info(made.session_id).custom_title == "mine (fork)"
    assert kinds(peer.get_session_messages(made.session_id)) == kinds(
        get_session_messages(story.session_id)
    )


def test_we_read_what_the_peer_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    peer: Any = pytest.importorskip("claude_agent_sdk", reason="pip install agent-tui[peer]")
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(root(Environment.of_process())))
    story = a_session(tmp_path)
    path = save(story, tmp_path)
    peer.tag_session(story.session_id, "t")
    peer.rename_session(story.session_id, "theirs")
    made = peer.fork_session(story.session_id)
    info = get_session_info(story.session_id)
    assert info is not None
    assert (info.custom_title, info.tag) == ("theirs", "t")
    assert kinds(get_session_messages(made.session_id)) == kinds(
        get_session_messages(story.session_id)
    )
    told = fold(Reading(path.with_name(f"{made.session_id}.jsonl")))
    assert [line.role for line in told.lines] == [line.role for line in story.conversation.lines]
