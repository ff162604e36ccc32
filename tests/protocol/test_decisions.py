"""Notes of decisions: short where there is little to say."""

from __future__ import annotations

import json

from agent_tui.protocol.codec import from_json, to_json
from agent_tui.protocol.decisions import DecisionNote, short


def test_a_plain_one_takes_next_to_nothing() -> None:
    note = DecisionNote("toolu_1", by="read_only")
    assert note.plain and not note.asked
    assert json.dumps(to_json(note)) == (
        '{"tool_use_id": "toolu_1", "behavior": "allow", "by": "read_only"}'
    )
    assert from_json(DecisionNote, to_json(note)) == note


def test_what_was_asked_or_denied_is_never_plain() -> None:
    assert not DecisionNote("a", by="read_only", asked_by="hook").plain
    assert not DecisionNote("a", "deny", "read_only").plain
    assert not DecisionNote("a", by="rule").plain


def test_a_long_reason_is_cut() -> None:
    assert short("why") == "why"
    assert len(short("why" * 200)) == 300
