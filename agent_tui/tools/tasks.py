"""What the tools of the task list share."""

from __future__ import annotations

from collections.abc import Iterable

from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.display import TaskListDisplay, TaskRow
from agent_tui.protocol.tasks import Task

NO_LIST = "There is no task list in this session."


def task_list(tasks: Iterable[Task], *changed: str) -> TaskListDisplay:
    """Show the list; ``changed`` are the ids the call was about."""
    return TaskListDisplay(
        tuple(
            TaskRow(
                task.id,
                task.subject,
                task.status,
                task.active_form,
                task.blocked_by,
                task.id in changed,
            )
            for task in tasks
        )
    )


def find(tasks: Iterable[Task], task_id: str) -> Task | None:
    """Give the task with this id; ``#1`` is ``1``."""
    wanted = task_id.removeprefix("#")
    return next((task for task in tasks if task.id == wanted), None)


def unknown(task_id: str, tasks: Iterable[Task]) -> str:
    """Say that there is no such task, and which there are."""
    ids = ", ".join(task.id for task in tasks)
    return f"There is no task {task_id}. There are: {ids}." if ids else "There are no tasks."


def waits_for(task: Task, tasks: Iterable[Task]) -> tuple[str, ...]:
    """Give the ids of the tasks that keep this one waiting: those not completed."""
    done = {one.id for one in tasks if one.status == "completed"}
    return tuple(one for one in task.blocked_by if one not in done)


def circle(tasks: Iterable[Task]) -> tuple[str, ...]:
    """Give ids of tasks that wait for one another in a circle, empty when there is none."""
    waits = {task.id: task.blocked_by for task in tasks}
    done: set[str] = set()
    for start in waits:
        path: list[str] = []
        todo = [(start, iter(waits[start]))]
        path.append(start)
        while todo:
            here, rest = todo[-1]
            following = next((one for one in rest if one in waits and one not in done), None)
            if following is None:
                done.add(here)
                todo.pop()
                path.pop()
            elif following in path:
                return tuple(path[path.index(following) :])
            else:
                path.append(following)
                todo.append((following, iter(waits[following])))
    return ()


def line(task: Task, tasks: Iterable[Task]) -> str:
    """Say a task in one line."""
    waiting = waits_for(task, tasks)
    owner = f" (owner {task.owner})" if task.owner else ""
    after = f" (waits for {', '.join(waiting)})" if waiting else ""
    return f"#{task.id} [{task.status}] {task.subject}{owner}{after}"


def whole(task: Task) -> JsonObject:
    """Give a task in the documented shape of TaskGet."""
    return {
        "id": task.id,
        "subject": task.subject,
        "description": task.description,
        "status": task.status,
        "blocks": list(task.blocks),
        "blockedBy": list(task.blocked_by),
    }
