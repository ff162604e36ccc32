from __future__ import annotations

from agent_tui.journal.codec import from_line
from agent_tui.journal.entries import FileChangedEntry, RewoundEntry
from agent_tui.journal.points import Points, points
from agent_tui.journal.rewind import counting
from agent_tui.protocol.display import DiffDisplay
from agent_tui.protocol.file_states import ABSENT, FileState
from tests.journal.story import Story, call, text
from tests.journal.test_branch import stored

NOW = FileState("file", "a" * 64)


def changed(story: Story, path: str, *, group: str = "") -> None:
    by = "rewind" if group else "tool"
    story.add(FileChangedEntry(story.header(), path, ABSENT, NOW, by=by, group=group))


def read(story: Story) -> Points:
    return points(map(from_line, counting(stored(story))))


def test_prompts_are_moments_and_changes_stand_between_them() -> None:
    story = Story()
    story.started()
    story.context()
    first = story.prompt("one")
    [line] = story.answer("m1", call("a", "Edit"))
    changed(story, "/w/a")
    story.result("a", source=line, display=DiffDisplay("a", added=1))
    story.answer("m2", text("done"))
    second = story.prompt("two")
    changed(story, "/w/b")
    found = read(story)
    assert [(p.text, p.at) for p in found.points] == [("one", 0), ("two", 1)]
    assert found.points[0].to == first.header.parent_uuid
    assert [c.path for c in found.since(found.find(second.header.uuid))] == ["/w/b"]
    assert len(found.since(None)) == 2
    assert [(edit.turn, edit.at) for edit in found.edits] == [(1, 1)]
    assert found.last_prompt == found.points[1]


def test_what_is_said_in_others_names_is_no_moment() -> None:
    story = Story()
    story.prompt("one")
    story.interrupted()
    story.compacted(None)
    assert [point.text for point in read(story).points] == ["one"]


def test_going_back_is_a_moment_that_knows_where_it_came_from() -> None:
    story = Story()
    story.started()
    start = story.uuid()
    story.prompt("one")
    story.answer("m1", text("done"))
    left = story.uuid()
    changed(story, "/w/a", group="g")
    changed(story, "/w/b", group="g")
    story.add(RewoundEntry(story.stamp.header(start, uuid="g"), start, left))
    found = read(story)
    [point] = found.points
    assert (point.uuid, point.kind, point.to, point.at) == ("g", "rewind", left, 0)
    assert len(found.since(point)) == 2
