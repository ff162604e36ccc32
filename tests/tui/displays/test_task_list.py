from __future__ import annotations

from agent_tui.protocol.display import TaskListDisplay, TaskRow
from agent_tui.tui.displays.drawing import Options, render_display, render_head
from tests.fakes.conversation_host import page, texts

TASKS = (
    TaskRow("1", "Find the callers", "completed"),
    TaskRow("2", "Rename them", "in_progress", "Renaming them", changed=True),
    TaskRow("3", "Run the tests", "pending", blocked_by=("2",)),
)


def test_the_head_says_what_changed_and_how_many_are_done() -> None:
    head = render_head(TaskListDisplay(TASKS), page(80))
    assert "".join(text for text, _ in head.argument) == "Rename them"
    assert head.facts[0][0][0] == "1 of 3 done"
    assert render_head(TaskListDisplay(), page(80)).facts == ()


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
