"""The ecosystem's own session readers, pointed at our folder, list and read what we write."""

from __future__ import annotations

import uuid
from pathlib import Path
from typing import Any

import pytest

from agent_tui.journal.entries import DecisionEntry, FileChangedEntry, NoticeEntry, TitleEntry
from agent_tui.journal.file import Journal
from agent_tui.protocol.decisions import DecisionNote
from agent_tui.protocol.file_states import ABSENT, FileState
from agent_tui.protocol.usage import Usage
from agent_tui.settings.paths import Environment, journal, root
from tests.journal.story import Story, call, text, thinking
from tests.sdk.stored import kinds

peer: Any = pytest.importorskip(
    "claude_agent_sdk", reason="the peer package is not installed: pip install agent-tui[peer]"
)


@pytest.fixture
def place(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Environment]:
    env = Environment({}, home)
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(root(env)))
    return tmp_path, env


def save(story: Story, env: Environment, cwd: Path) -> None:
    kept = Journal.create(journal(env, cwd, story.session_id))
    kept.append(*story.entries)
    kept.close()


def a_session(cwd: Path) -> Story:
    story = Story(str(cwd), str(uuid.uuid4()))
    story.started()
    story.model()
    story.context()
    story.prompt("fix the tests")
    one, two = story.answer(
        "m1", thinking("hm"), call("a"), call("b"), usage=Usage(5, 5), ends=True
    )[1:]
    asked = DecisionNote("b", by="person", asked_by="mode", reason="No rule allows it.")
    story.add(DecisionEntry(story.header(), asked))
    story.result("b", "second", source=two)
    story.result("a", "first", source=one, decision=DecisionNote("a", by="read_only"))
    story.answer("m2", text("half an answer that was taken back"), ends=False)
    story.retracted("m2")
    story.answer("m3", text("They pass."))
    story.add(NoticeEntry(story.header(), "careful"))
    story.finished()
    return story


def test_our_sessions_are_listed(place: tuple[Path, Environment]) -> None:
    cwd, env = place
    story = a_session(cwd)
    save(story, env, cwd)
    [info] = peer.list_sessions(directory=str(cwd))
    assert info.session_id == story.session_id
    assert (info.summary, info.first_prompt) == ("fix the tests", "fix the tests")
    assert (info.cwd, info.git_branch, info.custom_title) == (str(cwd), "main", None)
    assert info.created_at == 1_772_366_400_000
    titled = a_session(cwd)
    titled.add(TitleEntry(titled.header(), "made up", generated=True))
    titled.add(TitleEntry(titled.header(), "Mine"))
    save(titled, env, cwd)
    found = {one.session_id: one.summary for one in peer.list_sessions()}
    assert found == {story.session_id: "fix the tests", titled.session_id: "Mine"}


def test_our_sessions_are_read_without_what_was_taken_back(
    place: tuple[Path, Environment],
) -> None:
    cwd, env = place
    story = a_session(cwd)
    save(story, env, cwd)
    read = peer.get_session_messages(story.session_id, directory=str(cwd))
    assert kinds(read) == [
        "user: fix the tests",
        "assistant thinking: hm",
        "assistant tool_use: a",
        "assistant tool_use: b",
        "user tool_result: second",
        "user tool_result: first",
        "assistant text: They pass.",
    ]


def test_a_resumed_session_is_read_to_its_end(place: tuple[Path, Environment]) -> None:
    cwd, env = place
    story = a_session(cwd)
    save(story, env, cwd)
    count = len(story.entries)
    story.prompt("and now?")
    story.answer("m4", text("All is well."))
    again = Journal.open(journal(env, cwd, story.session_id))
    again.append(*story.entries[count:])
    again.close()
    read = kinds(peer.get_session_messages(story.session_id))
    assert read[-2:] == ["user: and now?", "assistant text: All is well."]
    assert len(read) == 9


def test_after_a_compaction_the_rest_is_read(place: tuple[Path, Environment]) -> None:
    cwd, env = place
    story = a_session(cwd)
    story.compacted(None, "a summary")
    story.prompt("next")
    story.answer("m5", text("yes"))
    save(story, env, cwd)
    read = kinds(peer.get_session_messages(story.session_id))
    assert read == ["user text: a summary", "user: next", "assistant text: yes"]


def test_lines_about_files_are_passed_over(place: tuple[Path, Environment]) -> None:
    cwd, env = place
    story = a_session(cwd)
    state = FileState("file", "a" * 64, 0o644, 3)
    for path in ("a.py", "b.py"):
        story.add(FileChangedEntry(story.header(), str(cwd / path), ABSENT, state, kept=True))
    story.prompt("and now?")
    story.answer("m4", text("All is well."))
    save(story, env, cwd)
    read = kinds(peer.get_session_messages(story.session_id, directory=str(cwd)))
    assert read[-2:] == ["user: and now?", "assistant text: All is well."]
    assert len(read) == 9
    [info] = peer.list_sessions(directory=str(cwd))
    assert info.first_prompt == "fix the tests"
