"""Journals of sub-agents: beside the session's, with a note, read as what they are."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from agent_tui.journal.entries import Stamp, UserEntry
from agent_tui.journal.file import Journal, Reading
from agent_tui.journal.fold import fold
from agent_tui.journal.side_chain import (
    SideMeta,
    read_meta,
    read_side,
    side_agents,
    side_journal,
    write_meta,
)
from agent_tui.protocol.errors import JournalError
from tests.journal.story import START

META = SideMeta("call", "helper", "find it", "a0")


def write(path: Path, agent_id: str) -> None:
    stamp = Stamp("s", "/w", "0", lambda: START, lambda: f"u-{agent_id}", agent_id=agent_id)
    journal = Journal.create(path)
    journal.append(UserEntry(stamp.header(None), {"role": "user", "content": "PROMPT"}))
    journal.close()


def test_they_are_found_and_read_by_their_agents_ids(tmp_path: Path) -> None:
    session = tmp_path / "s.jsonl"
    assert side_agents(session) == ()
    for agent_id in ("b2", "a1"):
        write(side_journal(session, agent_id), agent_id)
    assert side_agents(session) == ("a1", "b2")
    assert side_journal(session, "a1") == tmp_path / "s" / "subagents" / "agent-a1.jsonl"
    [entry] = read_side(side_journal(session, "a1"))
    assert isinstance(entry, UserEntry)
    assert entry.header.agent_id == "a1"
    assert len(fold(read_side(side_journal(session, "a1"))).lines) == 1


def test_in_the_sessions_own_reading_such_lines_do_not_count(tmp_path: Path) -> None:
    path = side_journal(tmp_path / "s.jsonl", "a1")
    write(path, "a1")
    assert not fold(Reading(path)).lines


def test_a_note_says_whose_it_is(tmp_path: Path) -> None:
    path = side_journal(tmp_path / "s.jsonl", "a1")
    assert read_meta(path) is None
    write_meta(path, META)
    assert read_meta(path) == META
    assert json.loads((path.parent / "agent-a1.meta.json").read_text()) == META.to_json()
    assert "parentAgentId" not in SideMeta("call", "helper", "find it").to_json()


@pytest.mark.parametrize("text", ["", "[]", "{", '{"toolUseId": null}'])
def test_a_note_that_is_no_note_costs_nothing(tmp_path: Path, text: str) -> None:
    path = side_journal(tmp_path / "s.jsonl", "a1")
    path.parent.mkdir(parents=True)
    path.with_suffix(".meta.json").write_text(text)
    found = read_meta(path)
    assert found is None or found == SideMeta("", "", "")


def test_one_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(JournalError):
        list(read_side(tmp_path / "gone.jsonl"))
