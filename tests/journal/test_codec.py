"""Entries as JSON lines."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_tui.journal.codec import decode, encode, to_line
from agent_tui.journal.entries import (
    AssistantEntry,
    CompactBoundaryEntry,
    DecisionEntry,
    Entry,
    FileSeenEntry,
    GrantedEntry,
    Header,
    InterruptedEntry,
    LastPromptEntry,
    ModeEntry,
    ModelEntry,
    NoticeEntry,
    ResponseEntry,
    ResultEntry,
    RetractedEntry,
    RewoundEntry,
    StartedEntry,
    TitleEntry,
    UnknownEntry,
    UserEntry,
)
from agent_tui.protocol.decisions import DecisionNote
from agent_tui.protocol.display import Display
from agent_tui.protocol.messages import PERMISSION_MODES, ResultMessage
from agent_tui.protocol.requests import PermissionUpdate
from agent_tui.protocol.usage import Usage
from tests.journal.story import Story, text
from tests.protocol.strategies import JSON_OBJECT, NUMBER, instances, of

WORD = st.text(min_size=1, max_size=9)
MAYBE = st.none() | WORD
COUNT = st.integers(0, 10**9)
FLAG = st.booleans()
HEADERS = st.builds(Header, WORD, MAYBE, WORD, WORD, WORD, WORD, st.text(max_size=5))
PARENTLESS = st.builds(Header, WORD, st.none(), WORD, WORD, WORD, WORD, st.text(max_size=5))
USAGES = st.builds(Usage, COUNT, COUNT, COUNT, COUNT, COUNT, COUNT)
COSTS = st.none() | st.floats(0, 1e6, allow_nan=False)
DISPLAYS = st.none() | of(Display)
ENTRIES: st.SearchStrategy[Entry] = st.one_of(
    st.builds(
        StartedEntry, HEADERS, st.sampled_from(["interactive", "print", "sdk"]), COUNT, MAYBE
    ),
    st.builds(
        UserEntry,
        HEADERS,
        JSON_OBJECT,
        st.none() | WORD | JSON_OBJECT,
        DISPLAYS,
        FLAG,
        FLAG,
        FLAG,
        FLAG,
        MAYBE,
        st.none() | COUNT,
        MAYBE,
        FLAG,
        st.none(),
        st.none() | instances(DecisionNote),
    ),
    st.builds(AssistantEntry, HEADERS, JSON_OBJECT, MAYBE, DISPLAYS, MAYBE, FLAG, MAYBE),
    st.builds(
        ResponseEntry,
        HEADERS,
        WORD,
        WORD,
        MAYBE,
        USAGES,
        COSTS,
        st.sampled_from(["main", "compact", "other"]),
        COUNT,
        COUNT,
        COUNT,
    ),
    st.builds(RetractedEntry, HEADERS, WORD, WORD),
    st.builds(RewoundEntry, HEADERS, st.text(max_size=9)),
    st.builds(InterruptedEntry, HEADERS, st.sampled_from(["streaming", "tools", "waiting"])),
    st.builds(CompactBoundaryEntry, HEADERS, JSON_OBJECT, MAYBE, MAYBE, MAYBE),
    st.builds(ModeEntry, HEADERS, st.sampled_from(PERMISSION_MODES)),
    st.builds(ModelEntry, HEADERS, WORD),
    st.builds(GrantedEntry, HEADERS, st.lists(instances(PermissionUpdate), max_size=2).map(tuple)),
    st.builds(ResultEntry, HEADERS, instances(ResultMessage)),
    st.builds(DecisionEntry, HEADERS, instances(DecisionNote)),
    st.builds(NoticeEntry, HEADERS, WORD, WORD, st.just("permission_denied"), JSON_OBJECT),
    st.builds(
        FileSeenEntry, HEADERS, WORD, WORD, COUNT, st.lists(st.tuples(COUNT, COUNT)).map(tuple)
    ),
    st.builds(TitleEntry, PARENTLESS, WORD, FLAG),
    st.builds(LastPromptEntry, PARENTLESS, WORD),
    st.builds(UnknownEntry, st.fixed_dictionaries({"type": st.just("novel"), "x": NUMBER})),
)


@given(ENTRIES)
def test_every_entry_comes_back_as_it_was(entry: Entry) -> None:
    line = encode(entry)
    assert line.endswith(b"\n")
    assert line.count(b"\n") == 1
    assert decode(line) == entry


@given(ENTRIES)
def test_a_line_read_and_written_again_is_the_same_bytes(entry: Entry) -> None:
    line = encode(entry)
    again = decode(line)
    assert again is not None
    assert encode(again) == line


@given(st.binary(max_size=60))
def test_reading_never_fails(data: bytes) -> None:
    entry = decode(data)
    assert entry is None or isinstance(entry, UnknownEntry)


@pytest.mark.parametrize(
    "raw",
    [
        {"type": "user"},
        {"type": "user", "message": "no object"},
        {"type": "assistant", "message": 3},
        {"type": "system", "subtype": "permission_mode", "permissionMode": "reckless"},
        {"type": "system", "subtype": "result", "result": {"type": "user"}},
        {"type": "system", "subtype": "response"},
        {"type": "system", "subtype": "turn_duration", "durationMs": 1},
        {"type": "custom-title"},
        {"type": "file-history-snapshot", "snapshot": {}},
        {"type": "user", "isSidechain": True, "message": {"role": "user", "content": "x"}},
        {"type": "user", "teamName": "a", "message": {"role": "user", "content": "x"}},
    ],
)
def test_what_does_not_fit_is_kept_whole(raw: dict[str, Any]) -> None:
    entry = decode(json.dumps(raw).encode())
    assert entry == UnknownEntry(raw)
    assert json.loads(encode(UnknownEntry(raw))) == raw


@pytest.mark.parametrize("line", [b"", b"\n", b"[1]", b'"x"', b'{"type":"user","mess', b"\xff\xfe"])
def test_h1_a_damaged_line_is_told(line: bytes) -> None:
    assert decode(line) is None


def test_p6_a_line_is_utf8_whatever_it_holds() -> None:
    story = Story()
    entry = story.prompt("emoji \ud83d\ude00, half \ud83d, file \udcff")
    line = encode(entry).decode("utf-8")
    assert "emoji 😀, half \ufffd, file \ufffd" in line


def test_lines_have_the_ecosystems_shape() -> None:
    story = Story()
    user = to_line(story.prompt("hi"))
    assert list(user)[:8] == [
        "type",
        "uuid",
        "parentUuid",
        "sessionId",
        "timestamp",
        "cwd",
        "version",
        "gitBranch",
    ]
    assert user["message"] == {"role": "user", "content": "hi"}
    [answer] = story.answer("m1", text("hello"))
    assert to_line(answer)["message"]["id"] == "m1"
    assert to_line(answer)["parentUuid"] == user["uuid"]
    title = to_line(TitleEntry(story.header(), "Mine"))
    assert (title["type"], title["customTitle"], title["sessionId"]) == (
        "custom-title",
        "Mine",
        story.session_id,
    )
    assert to_line(TitleEntry(story.header(), "Made", generated=True))["aiTitle"] == "Made"
    assert to_line(LastPromptEntry(story.header(), "hi"))["lastPrompt"] == "hi"


def test_other_writers_lines_are_understood() -> None:
    boundary = decode(
        json.dumps(
            {
                "type": "system",
                "subtype": "compact_boundary",
                "uuid": "b",
                "compactMetadata": {"trigger": "auto", "preservedSegment": {"headUuid": "h"}},
            }
        ).encode()
    )
    assert isinstance(boundary, CompactBoundaryEntry)
    assert boundary.kept_from == "h"
    result = decode(
        json.dumps(
            {
                "type": "user",
                "uuid": "u",
                "message": {"role": "user", "content": []},
                "toolUseResult": [{"type": "text", "text": "x"}],
                "display": {"kind": "diff", "hunks": 3},
            }
        ).encode()
    )
    assert isinstance(result, UserEntry)
    assert result.tool_use_result == [{"type": "text", "text": "x"}]
    assert result.display is None


def test_a_decision_that_does_not_fit_is_no_reason_to_lose_a_result() -> None:
    story = Story()
    story.prompt("go")
    line = {**to_line(story.result("a", "files")), "decision": {"behavior": "maybe"}}
    entry = decode(json.dumps(line).encode())
    assert isinstance(entry, UserEntry)
    assert entry.decision is None
