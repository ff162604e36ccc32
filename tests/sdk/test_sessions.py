"""What was said in stored sessions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from agent_tui.sdk.sessions import (
    get_session_messages,
    get_subagent_messages,
    list_subagents,
    note_of,
)
from agent_tui.settings.paths import Environment, root
from tests.sdk.stored import NOBODY, a_session, kinds, save, save_agent


@pytest.fixture
def peer(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The peer package, pointed at our folder."""
    found: Any = pytest.importorskip("claude_agent_sdk", reason="pip install agent-tui[peer]")
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(root(Environment.of_process())))
    return found


def test_a_sessions_messages_are_read_in_parts(tmp_path: Path) -> None:
    story = a_session(tmp_path)
    save(story, tmp_path)
    said = get_session_messages(story.session_id)
    assert len(said) == 7
    assert said[0].session_id == story.session_id
    assert get_session_messages(story.session_id, str(tmp_path), 2, 1) == said[1:3]
    assert get_session_messages(story.session_id, str(tmp_path / "other")) == []
    assert get_session_messages(NOBODY) == get_session_messages("nonsense") == []


def test_sub_agents_messages_name_what_began_them(tmp_path: Path) -> None:
    path = save(a_session(tmp_path), tmp_path)
    save_agent(path, "one", "seen", toolUseId="toolu_1")
    save_agent(path, "two", "deeper", toolUseId="toolu_2", parentAgentId="one")
    save_agent(path, "three", "alone")
    assert list_subagents(path.stem) == ["one", "three", "two"]
    for agent, expected in (
        ("one", ("toolu_1", None)),
        ("two", ("toolu_2", "one")),
        ("three", (None, None)),
    ):
        said = get_subagent_messages(path.stem, agent)
        assert len(said) == 2
        assert {(one.parent_tool_use_id, one.parent_agent_id) for one in said} == {expected}
    assert kinds(get_subagent_messages(path.stem, "one", limit=1)) == ["user: look"]
    assert kinds(get_subagent_messages(path.stem, "one", None, None, 1)) == ["assistant text: seen"]
    assert get_subagent_messages(path.stem, "none") == []
    assert list_subagents(NOBODY) == get_subagent_messages(NOBODY, "one") == []


@pytest.mark.parametrize("text", ["", "nonsense", "[1]", "\x00"])
def test_a_note_that_can_not_be_read_tells_nothing(text: str, tmp_path: Path) -> None:
    side = tmp_path / "agent-x.jsonl"
    assert note_of(side) == {}
    side.with_suffix(".meta.json").write_text(text)
    assert note_of(side) == {}


def test_the_peer_reads_the_same(tmp_path: Path, peer: Any) -> None:
    path = save(a_session(tmp_path), tmp_path)
    save_agent(path, "one", "seen", toolUseId="toolu_1", parentAgentId="zero")
    for args in ((), (str(tmp_path),), (None, 3), (None, 2, 2), (None, None, 5)):
        mine = get_session_messages(path.stem, *args)  # pyright: ignore[reportArgumentType]
        theirs = peer.get_session_messages(path.stem, *args)
        assert [vars(one) for one in mine] == [vars(one) for one in theirs]
    assert list_subagents(path.stem) == peer.list_subagents(path.stem)
    mine = get_subagent_messages(path.stem, "one")
    theirs = peer.get_subagent_messages(path.stem, "one")
    assert [vars(one) for one in mine] == [vars(one) for one in theirs]
