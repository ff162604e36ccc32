"""What the tools of the task list share."""

from __future__ import annotations

from agent_tui.protocol.display import TaskListDisplay, TaskRow
from agent_tui.protocol.tasks import Task
from agent_tui.tools.tasks import circle, find, line, task_list, unknown, waits_for, whole

ONE = Task("1", "one", status="completed", blocks=("2",))
TWO = Task("2", "two", active_form="doing two", blocked_by=("1", "3"))


def test_tasks_are_found_with_and_without_a_hash() -> None:
    assert find((ONE, TWO), "#2") is TWO
    assert find((ONE, TWO), "3") is None
    assert unknown("3", (ONE, TWO)) == "There is no task 3. There are: 1, 2."
    assert unknown("3", ()) == "There are no tasks."


def test_only_what_is_not_done_keeps_a_task_waiting() -> None:
    assert waits_for(TWO, (ONE, TWO)) == ("3",)
    assert line(TWO, (ONE, TWO)) == "#2 [pending] two (waits for 3)"


def test_the_list_shows_what_a_call_was_about() -> None:
    assert task_list((ONE, TWO), "2") == TaskListDisplay(
        (
            TaskRow("1", "one", "completed"),
            TaskRow("2", "two", "pending", "doing two", ("1", "3"), changed=True),
        )
    )
    assert whole(TWO)["blockedBy"] == ["1", "3"]


def waiting(**pairs: str) -> list[Task]:
    return [Task(name, name, blocked_by=tuple(on)) for name, on in pairs.items()]


def test_circles_are_found() -> None:
    assert circle(waiting(a="b", b="c", c="")) == ()
    assert circle(waiting(a="bc", b="d", c="d", d="")) == ()
    assert circle(waiting(a="b", b="c", c="a")) == ("a", "b", "c")
    assert set(circle(waiting(x="a", a="b", b="a"))) == {"a", "b"}
    assert circle(waiting(a="a")) == ("a",)
    assert circle(waiting(a="gone")) == ()


def test_a_long_chain_is_no_problem() -> None:
    chain = [Task(str(n), "", blocked_by=(str(n + 1),)) for n in range(5000)]
    assert circle(chain) == ()
