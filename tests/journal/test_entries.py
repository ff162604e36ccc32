"""The lines of a journal as values."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

from agent_tui.journal.entries import AssistantEntry, Stamp, UserEntry, content_blocks, iso
from tests.journal.story import Story, text


def test_moments_are_written_in_utc_with_milliseconds() -> None:
    there = datetime(2026, 3, 1, 1, 2, 3, 456_789, tzinfo=timezone(timedelta(hours=2)))
    assert iso(there) == "2026-02-28T23:02:03.456Z"


def test_a_stamp_makes_headers_that_follow_one_another() -> None:
    story = Story()
    stamp: Stamp = story.stamp
    first = stamp.header(None)
    second = stamp.header(first.uuid, uuid="mine")
    assert (first.parent_uuid, second.parent_uuid, second.uuid) == (None, first.uuid, "mine")
    assert (second.session_id, second.cwd, second.git_branch) == (
        story.session_id,
        "/work/app",
        "main",
    )
    assert first.timestamp < second.timestamp


def test_only_what_a_person_said_is_a_prompt() -> None:
    header = Story().stamp.header(None)
    said = {"role": "user", "content": "hi"}
    result = {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "a"}]}
    assert UserEntry(header, said).is_prompt
    assert not UserEntry(header, result).is_prompt
    assert not UserEntry(header, said, synthetic=True).is_prompt
    assert not UserEntry(header, said, is_meta=True).is_prompt
    assert not UserEntry(header, said, is_compact_summary=True).is_prompt


def test_content_is_given_as_blocks_whatever_its_form() -> None:
    assert content_blocks({"content": "hi"}) == (text("hi"),)
    assert content_blocks({"content": [text("a"), "junk", None]}) == (text("a"),)
    assert content_blocks({"content": 3}) == ()
    assert content_blocks({}) == ()


def test_a_response_without_id_or_model_has_empty_ones() -> None:
    entry = AssistantEntry(Story().stamp.header(None), {"id": None, "content": []})
    assert (entry.message_id, entry.model, entry.blocks) == ("", "", ())
