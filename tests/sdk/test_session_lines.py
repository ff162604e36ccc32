"""What was said in a session, from its lines."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from agent_tui.journal.entries import RewoundEntry
from agent_tui.protocol.content import JsonObject
from agent_tui.sdk.session_lines import messages, part, side_messages
from agent_tui.settings.paths import Environment, journal, root
from tests.journal.story import call, text
from tests.sdk.stored import NOBODY, a_session, kinds, line, new_story, parallel, save_lines, stored


def theirs(lines: list[JsonObject], home: Path, monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What the peer package reads from the same lines."""
    peer: Any = pytest.importorskip("claude_agent_sdk", reason="pip install agent-tui[peer]")
    env = Environment({}, home)
    save_lines(lines, journal(env, home, NOBODY))
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(root(env)))
    return list(peer.get_session_messages(NOBODY))


def test_our_own_journal_is_read_without_what_was_taken_back(tmp_path: Path) -> None:
    said = messages(stored(a_session(tmp_path)))
    assert kinds(said) == [
        "user: fix the tests",
        "assistant thinking: hm",
        "assistant tool_use: a",
        "assistant tool_use: b",
        "user tool_result: second",
        "user tool_result: first",
        "assistant text: They pass.",
    ]
    assert {(one.parent_tool_use_id, one.parent_agent_id) for one in said} == {(None, None)}


def test_an_answer_that_was_taken_back_last_is_not_read(tmp_path: Path) -> None:
    story = a_session(tmp_path)
    before = kinds(messages(stored(story)))
    story.answer("m4", text("half"), ends=False)
    story.retracted("m4")
    assert kinds(messages(stored(story))) == before


def test_what_was_left_behind_is_not_read(tmp_path: Path) -> None:
    story = a_session(tmp_path)
    end = story.conversation.head or ""
    before = kinds(messages(stored(story)))
    story.prompt("and")
    story.answer("m5", text("more"), call("c"))
    story.add(RewoundEntry(story.stamp.header(end), end))
    assert kinds(messages(stored(story))) == before
    story.prompt("else")
    assert kinds(messages(stored(story))) == [*before, "user: else"]


def test_after_a_compaction_the_rest_is_read(tmp_path: Path) -> None:
    story = a_session(tmp_path)
    story.compacted(None, "a summary")
    story.prompt("next")
    assert kinds(messages(stored(story))) == ["user text: a summary", "user: next"]


def test_a_turn_of_parallel_calls_is_whole() -> None:
    said = messages(parallel())
    assert sorted(kinds(said)) == sorted(
        [
            "user: go",
            "assistant tool_use: x",
            "assistant tool_use: y",
            "assistant tool_use: z",
            "user tool_result: 1",
            "user tool_result: 2",
            "user tool_result: 3",
            "assistant text: done",
        ]
    )
    order = [one.uuid for one in said]
    for before, after in (("u1", "a1"), ("a3", "r3"), ("a3", "r1"), ("r1", "a4"), ("r3", "a4")):
        assert order.index(before) < order.index(after)


def test_calls_that_fork_off_come_back_with_their_results() -> None:
    lines = [
        line("user", "u1", None, "go"),
        line("assistant", "a1", "u1", [call("x")]),
        line("assistant", "a2", "u1", [call("y")]),
        line("user", "r2", "a2", [{"type": "tool_result", "tool_use_id": "y", "content": "2"}]),
        line("user", "r1", "a1", [{"type": "tool_result", "tool_use_id": "x", "content": "1"}]),
        line("assistant", "a3", "r1", [text("done")], id="m2"),
    ]
    assert kinds(messages(lines)) == [
        "user: go",
        "assistant tool_use: x",
        "assistant tool_use: y",
        "user tool_result: 2",
        "user tool_result: 1",
        "assistant text: done",
    ]


@pytest.mark.parametrize("last", [8, 7, 6, 5, 4])
def test_the_peer_reads_the_same_of_parallel_calls(
    last: int, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = parallel()[:last]
    mine = [(one.type, one.uuid, one.message) for one in messages(lines)]
    others = [(one.type, one.uuid, one.message) for one in theirs(lines, home, monkeypatch)]
    assert sorted(mine, key=str) == sorted(others, key=str)


def test_the_peer_reads_the_same_of_ours(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = stored(a_session(home))
    assert kinds(messages(lines)) == kinds(theirs(lines, home, monkeypatch))


def test_what_is_no_talk_is_left_out() -> None:
    lines = [
        line("user", "u1", None, "hidden", isMeta=True),
        line("user", "u2", "u1", "side", isSidechain=True),
        line("user", "u3", "u1", "team", teamName="x"),
        {"type": "progress", "uuid": "p", "parentUuid": "u1"},
        line("user", "u4", "p", "said"),
        {"type": "custom-title", "customTitle": "t", "uuid": "t"},
        {"type": "user"},
    ]
    assert kinds(messages(lines)) == ["user: said"]
    assert messages([]) == []


def test_a_chain_that_bites_its_tail_ends() -> None:
    lines = [line("user", "u1", "u2", "a"), line("user", "u2", "u1", "b")]
    assert messages(lines) == []
    lines.append(line("user", "u3", "u2", "c"))
    assert kinds(messages(lines)) == ["user: a", "user: b", "user: c"]


def test_a_sub_agents_messages_name_what_began_them(tmp_path: Path) -> None:
    story = new_story(tmp_path)
    story.prompt("look")
    story.answer("s1", text("seen"))
    lines = [{**one, "isSidechain": True} for one in stored(story)]
    assert messages(lines) == []
    said = side_messages(lines, "toolu_1", None)
    assert kinds(said) == ["user: look", "assistant text: seen"]
    assert {(one.parent_tool_use_id, one.parent_agent_id) for one in said} == {("toolu_1", None)}


def test_parts_are_counted_from_the_beginning() -> None:
    said = messages(parallel())
    assert part(said, 2) == said[:2]
    assert part(said, 2, 3) == said[3:5]
    assert part(said, None, 6) == said[6:]
    assert part(said, 0) == said
    assert part(said, None, 99) == []
