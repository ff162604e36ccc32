from __future__ import annotations

from dataclasses import replace

import pytest

from agent_tui.protocol.display import TaskListDisplay, TaskRow
from agent_tui.tui.displays.drawing import Options, render_display, render_head
from agent_tui.tui.displays.task_list import changes
from tests.fakes.conversation_host import page, texts

TASKS = (
    TaskRow("1", "Find the callers", "completed"),
    TaskRow("2", "Rename them", "in_progress", "Renaming them", changed=True),
    TaskRow("3", "Run the tests", "pending", blocked_by=("2",)),
)


def test_the_head_says_how_many_are_done() -> None:
    assert said(TaskListDisplay(TASKS)) == "1 of 3"
    assert said(TaskListDisplay()) == ""
    assert said(TaskListDisplay(TASKS[2:])) == "Run the tests"


def said(display: TaskListDisplay) -> str:
    return "".join(text for text, _ in render_head(display, page(80)).argument)


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ((), "1 of 3  "),
        ((1,), "1 of 3  Rename them begun"),
        ((0, 2), "1 of 3  Find the callers done, Run the tests added"),
        ((0, 1, 2), "1 of 3  1 done, 1 begun, 1 added"),
    ],
)
def test_one_row_says_what_a_call_changed(changed: tuple[int, ...], words: str) -> None:
    tasks = tuple(replace(task, changed=at in changed) for at, task in enumerate(TASKS))
    row = changes(TaskListDisplay(tasks), page(80))
    assert "".join(text for text, _ in row) == words


def test_u1_a_subject_is_cleaned_in_the_one_row_too() -> None:
    evil = TaskRow("1", "a\x1b]52;c;aGk=\x07b", "pending", changed=True)
    assert "\x1b" not in "".join(text for text, _ in changes(TaskListDisplay((evil,)), page(80)))


def test_each_task_is_told_by_its_mark() -> None:
    assert texts(render_display(TaskListDisplay(TASKS), page(80))) == [
        "   ✓ Find the callers",
        "   ◐ Renaming them",
        "   ○ Run the tests  waits for #2",
    ]


def test_of_a_long_list_the_part_that_is_worked_at_is_shown() -> None:
    many = tuple(
        TaskRow(str(n), f"task {n}", "completed" if n < 20 else "pending") for n in range(1, 41)
    )
    rows = texts(render_display(TaskListDisplay(many), page(80)))
    assert rows[0] == "   ✓ task 19"
    assert rows[1] == "   ○ task 20"
    assert "32 more tasks" in rows[-1]
    assert len(render_display(TaskListDisplay(many), page(80), Options(expanded=True))) == 40
