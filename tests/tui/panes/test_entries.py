from __future__ import annotations

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from agent_tui.protocol.display import CommandDisplay, TaskListDisplay, TaskRow
from agent_tui.tui.panes.entries import Entries
from agent_tui.tui.panes.parts import Entry
from agent_tui.view.blocks import (
    Added,
    AnswerBlock,
    Block,
    Cleared,
    Closed,
    Grew,
    NoticeBlock,
    Prepended,
    Removed,
    ThoughtBlock,
    ToolBlock,
    Updated,
)
from tests.fakes.conversation_host import Clock, page, read, texts


def entries_of(*blocks: Block, clock: Clock | None = None) -> Entries:
    entries = Entries(clock or Clock())
    entries.resize(page(80), 30)
    for block in blocks:
        entries.take(Added(block))
    return entries


def shown(entries: Entries) -> list[str]:
    return [row.strip() for row in texts(place.line for place in entries.reel.lay_out())]


def groups(entries: Entries) -> list[list[str]]:
    """Which blocks share a row, for each row."""
    return [[e.block.id for e in entry.group or (entry,)] for entry in entries.shown()]


def test_calls_that_only_looked_share_a_row() -> None:
    entries = entries_of(
        read("1", "/w/a"), read("2", "/w/b"), AnswerBlock("x", "hm"), read("3", "/w/c")
    )
    assert groups(entries) == [["1", "2"], ["x"], ["3"]]
    assert shown(entries)[0].startswith("● Read  a  ·  Read  b")
    assert len(shown(entries)) == 5


def test_a_running_one_stands_alone_until_it_is_done() -> None:
    running = replace(read("2", "/w/b"), state="running")
    entries = entries_of(read("1", "/w/a"), running, read("3", "/w/c"))
    assert groups(entries) == [["1"], ["2"], ["3"]]
    entries.take(Updated(read("2", "/w/b")))
    assert groups(entries) == [["1", "2", "3"]]
    entries.take(Updated(running))
    assert groups(entries) == [["1"], ["2"], ["3"]]


def test_unfolding_a_shared_row_shows_each_and_folding_one_joins_none() -> None:
    entries = entries_of(read("1", "/w/a"), read("2", "/w/b"))
    first = entries.order[0]
    entries.toggle(first)
    assert groups(entries) == [["1"], ["2"]] and all(e.expanded for e in entries.order)
    entries.toggle(first)
    assert groups(entries) == [["1"], ["2"]]
    entries.toggle(entries.order[1])
    assert groups(entries) == [["1", "2"]]


def tasks(block_id: str, *states: str, changed: str, name: str = "TaskUpdate") -> ToolBlock:
    """A call that has changed the task list; ``changed`` names the rows, e.g. ``"12"``."""
    rows = tuple(
        TaskRow(str(at), f"task {at}", state, changed=str(at) in changed)  # pyright: ignore[reportArgumentType]
        for at, state in enumerate(states, 1)
    )
    return ToolBlock(block_id, name, {}, "done", TaskListDisplay(rows))


def test_calls_that_change_the_task_list_one_after_another_share_a_card() -> None:
    entries = entries_of(
        tasks("1", "pending", changed="1"), tasks("2", "pending", "pending", changed="2")
    )
    assert groups(entries) == [["1", "2"]]
    assert shown(entries) == ["● Tasks  0 of 2", "○ task 1", "○ task 2"]
    running = replace(tasks("3", "in_progress", "pending", changed="1"), state="running")
    entries.take(Added(running))
    assert groups(entries) == [["1", "2"], ["3"]]
    entries.take(Updated(replace(running, state="done")))
    assert groups(entries) == [["1", "2", "3"]]
    assert shown(entries) == ["● Tasks  0 of 2", "◐ task 1", "○ task 2"]


def test_only_the_newest_list_is_whole() -> None:
    entries = entries_of(
        tasks("1", "pending", "pending", changed="12"),
        AnswerBlock("x", "hm"),
        tasks("2", "completed", "pending", changed="1"),
    )
    assert shown(entries) == [
        "● Tasks  0 of 2  task 1 added, task 2 added",
        "",
        "hm",
        "",
        "● Tasks  1 of 2",
        "✓ task 1",
        "○ task 2",
    ]
    entries.take(Removed("2"))
    assert shown(entries)[:3] == ["● Tasks  0 of 2", "○ task 1", "○ task 2"]
    entries.take(Cleared())
    entries.take(Added(tasks("4", "pending", changed="1")))
    assert shown(entries) == ["● Tasks  0 of 1", "○ task 1"]


def test_a_list_that_comes_with_an_older_page_is_brief_unless_there_is_no_newer() -> None:
    entries = entries_of(AnswerBlock("x", "hm"))
    entries.take(Prepended((tasks("1", "pending", changed="1"),)))
    assert shown(entries)[:2] == ["● Tasks  0 of 1", "○ task 1"]
    entries.take(Prepended((tasks("0", "pending", "pending", changed="1"), AnswerBlock("y", "o"))))
    assert shown(entries)[0] == "● Tasks  0 of 2  task 1 added"


def test_an_older_list_is_whole_when_it_is_unfolded() -> None:
    entries = entries_of(
        tasks("1", "pending", changed="1"),
        AnswerBlock("x", "hm"),
        tasks("2", "pending", changed="1"),
    )
    entries.toggle(entries.order[0])
    assert shown(entries)[:2] == ["● Tasks  0 of 1", "○ task 1"]
    entries.toggle(entries.order[0])
    assert shown(entries)[:2] == ["● Tasks  0 of 1  task 1 added", ""]


def test_looking_at_the_list_shares_the_row_of_what_only_looked() -> None:
    looked = replace(tasks("2", "pending", changed="", name="TaskList"), looked=True)
    entries = entries_of(read("1", "/w/a"), looked)
    assert groups(entries) == [["1", "2"]]


def test_older_blocks_join_the_row_of_the_first() -> None:
    entries = entries_of(read("3", "/w/c"), AnswerBlock("x", "hm"))
    entries.take(Prepended((AnswerBlock("o", "old"), read("1", "/w/a"), read("2", "/w/b"))))
    assert groups(entries) == [["o"], ["1", "2", "3"], ["x"]]


def test_taking_out_what_stood_between_joins_rows() -> None:
    entries = entries_of(read("1", "/w/a"), ToolBlock("t", "Bash"), read("2", "/w/b"))
    entries.take(Removed("t"))
    assert groups(entries) == [["1", "2"]]
    entries.take(Removed("1"))
    assert groups(entries) == [["2"]]


def test_text_grows_after_sync_and_a_notice_may_come_between() -> None:
    entries = entries_of(AnswerBlock("a", "", open=True))
    entries.take(Grew("a", "one\n\ntw"))
    entries.take(Added(NoticeBlock("n", "info", "by the way")))
    entries.take(Grew("a", "o\n\nthree"))
    entries.sync()
    assert shown(entries) == ["one", "", "two", "", "three", "", "by the way"]
    entries.take(Closed(AnswerBlock("a", "one\n\ntwo\n\nthree")))
    assert shown(entries) == ["one", "", "two", "", "three", "", "by the way"]


def test_a_block_told_twice_is_updated_and_an_unknown_one_left_alone() -> None:
    entries = entries_of(NoticeBlock("n", "info", "a"), NoticeBlock("n", "info", "b"))
    entries.take(Updated(NoticeBlock("z", "info", "c")))
    entries.take(Grew("z", "c"))
    entries.take(Removed("z"))
    assert shown(entries) == ["b"]


def test_a_new_conversation_is_empty() -> None:
    entries = entries_of(AnswerBlock("a", "x"), replace(read("r", "/a"), state="running"))
    entries.take(Cleared())
    assert shown(entries) == [] and not entries.order and not entries.clocks
    entries.take(Added(AnswerBlock("a", "new")))
    assert shown(entries) == ["new"]


def test_clocks_run_from_what_was_told() -> None:
    clock = Clock()
    running = ToolBlock("b", "Bash", {}, "running", CommandDisplay("x"), elapsed_ms=2000)
    entries = entries_of(running, clock=clock)
    assert shown(entries)[0].endswith("running   0:02")
    clock.time += 40
    assert entries.tick() and shown(entries)[0].endswith("running   0:42")
    entries.take(Updated(replace(running, state="asking")))
    clock.time += 8
    entries.tick()
    assert shown(entries)[0].endswith("waiting for you   0:08")
    entries.take(Updated(replace(running, state="asking", why="")))
    assert shown(entries)[0].endswith("waiting for you   0:08")
    entries.take(Updated(replace(running, state="done", elapsed_ms=51_000)))
    assert shown(entries)[0].endswith("51 s") and not entries.tick()


def test_detail_of_everything_and_of_what_comes() -> None:
    entries = entries_of(ThoughtBlock("t", "hm", 1.0), read("1", "/w/a"), AnswerBlock("a", "x"))
    entries.toggle_detail()
    entries.take(Added(read("2", "/w/b")))
    assert [entry.expanded for entry in entries.order] == [True, True, False, True]
    entries.toggle_detail()
    assert not any(entry.expanded for entry in entries.order)


STATES = st.lists(
    st.tuples(st.integers(0, 6), st.sampled_from(["done", "running", "gone", "toggle"])),
    max_size=20,
)


@given(STATES)
@settings(max_examples=100, deadline=None)
def test_rows_are_shared_by_all_neighbours_that_may(steps: list[tuple[int, str]]) -> None:
    entries = entries_of(*(read(str(n), f"/w/{n}") for n in range(7)))
    for number, what in steps:
        entry = entries.get(str(number))
        if entry is None:
            entries.take(Added(read(str(number), "/w/x")))
        elif what == "gone":
            entries.take(Removed(str(number)))
        elif what == "toggle":
            if not entry.folded:
                entries.toggle(entry)
        else:
            block = entry.block
            assert isinstance(block, ToolBlock)
            entries.take(Updated(replace(block, state=what)))  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]

    def may(entry: Entry) -> bool:
        return (
            isinstance(entry.block, ToolBlock)
            and entry.block.state == "done"
            and not entry.expanded
        )

    expected: list[list[str]] = []
    last = False
    for entry in entries.order:
        if last and may(entry):
            expected[-1].append(entry.block.id)
        else:
            expected.append([entry.block.id])
        last = may(entry)
    assert groups(entries) == expected
