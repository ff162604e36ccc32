from __future__ import annotations

import json

from agent_tui.journal.codec import encode, from_line, to_line
from agent_tui.journal.entries import FileChangedEntry, UnknownEntry
from agent_tui.journal.file_changes import touched
from agent_tui.journal.fold import fold
from agent_tui.journal.rewind import counting
from agent_tui.protocol.file_states import ABSENT, FileState
from tests.journal.story import Story
from tests.journal.test_branch import stored
from tests.journal.test_rewind import back, two_turns

A, B, C, D = (FileState("file", name * 64, 0o644, 1) for name in "abcd")


def changed(
    story: Story, path: str, before: FileState, after: FileState | None
) -> FileChangedEntry:
    entry = FileChangedEntry(story.header(), path, before, after, kept=True, by="command", turn=3)
    story.add(entry)
    return entry


def test_a_line_survives_with_a_name_that_is_no_utf_8() -> None:
    story = Story()
    entry = changed(story, "/w/\udcff.txt", A, B)
    raw = json.loads(encode(entry))
    assert raw["type"] == "file-change"
    assert "parentUuid" not in raw
    again = from_line(raw)
    assert isinstance(again, FileChangedEntry)
    assert (again.path, again.before, again.after) == (entry.path, A, B)
    assert (again.kept, again.by, again.turn) == (True, "command", 3)
    removed = FileChangedEntry(story.header(), "/w/a", A, ABSENT, group="g", why="full")
    read = from_line(to_line(removed))
    assert isinstance(read, FileChangedEntry)
    assert (read.after, read.group, read.why, read.kept) == (ABSENT, "g", "full", False)
    assert isinstance(from_line({"type": "file-change", "uuid": "u"}), UnknownEntry)


def test_it_moves_no_head_and_stays_when_the_conversation_goes_back() -> None:
    story, end = two_turns()
    head = story.conversation.head
    changed(story, "/w/a", A, B)
    assert story.conversation.head == head
    back(story, end)
    kept = fold(map(from_line, counting(stored(story))))
    assert [change.path for change in kept.changes] == ["/w/a"]


def test_changes_of_a_file_join_to_what_it_was_and_what_was_left() -> None:
    story = Story()
    for before, after in ((A, B), (B, C)):
        changed(story, "/w/a", before, after)
    changed(story, "/w/b", ABSENT, A)
    found = touched(story.conversation.changes)
    assert list(found) == ["/w/a", "/w/b"]
    a = found["/w/a"]
    assert (a.before, a.last.after, a.mixed, a.count) == (A, C, False, 2)
    assert a.left_as(C)
    assert a.left_as(B)  # the last change was never made
    assert not a.left_as(D)


def test_a_change_by_others_in_between_is_seen() -> None:
    story = Story()
    changed(story, "/w/a", A, B)
    changed(story, "/w/a", D, C)
    assert touched(story.conversation.changes)["/w/a"].mixed


def test_a_command_that_never_ended_leaves_what_it_found_or_something_unknown() -> None:
    story = Story()
    changed(story, "/w/a", A, None)
    one = touched(story.conversation.changes)["/w/a"]
    assert one.left_as(A)
    assert not one.left_as(B)
    assert not one.changed_mode
