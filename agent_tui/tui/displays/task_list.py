"""The task list after a call: how far it is, what the call changed, its rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from agent_tui.protocol.display import Display, TaskListDisplay, TaskRow
from agent_tui.tui.displays.drawing import Head, Options
from agent_tui.tui.facts import counted
from agent_tui.tui.lines import Line, Page, Span, make_line
from agent_tui.tui.output import fold_row
from agent_tui.view.clean import clean

TASK_ROWS = 8
"""Tasks that are shown of themselves."""
NAMED = 2
"""So many changed tasks are named in one row; more are counted."""
_CAME_TO = {"pending": "added", "in_progress": "begun", "completed": "done"}


def head(display: Display, page: Page) -> Head:
    """Say how many are done; of one that was only looked at, what it is about."""
    assert isinstance(display, TaskListDisplay)
    tasks = display.tasks
    if len(tasks) == 1 and not tasks[0].changed:
        return Head(((tasks[0].subject, page.theme.style("text")),))
    return Head((_done(tasks, page),) if tasks else ())


def changes(display: TaskListDisplay, page: Page) -> list[Span]:
    """Say in one row how many are done, and what the call changed."""
    text = page.theme.style("text")
    tasks = [replace(task, subject=clean(task.subject)) for task in display.tasks]
    changed = [task for task in tasks if task.changed]
    if len(changed) <= NAMED:
        words = [f"{task.subject} {_CAME_TO[task.status]}" for task in changed]
    else:
        counts = Counter(_CAME_TO[task.status] for task in changed)
        words = [f"{count} {what}" for what, count in counts.items()]
    return [_done(tasks, page), (f"  {', '.join(words)}", text)]


def _done(tasks: Sequence[TaskRow], page: Page) -> Span:
    done = sum(task.status == "completed" for task in tasks)
    return f"{done} of {len(tasks)}", page.theme.style("muted")


def body(display: Display, page: Page, options: Options) -> Sequence[Line]:
    """Give the tasks in order; unless expanded, those around what is being done."""
    assert isinstance(display, TaskListDisplay)
    tasks = display.tasks
    most = TASK_ROWS if options.max_rows is None else options.max_rows
    if options.expanded or len(tasks) <= most + 1:
        return [_row(task, page) for task in tasks]
    current = next((at for at, task in enumerate(tasks) if task.status != "completed"), 0)
    start = max(0, min(current - 1, len(tasks) - most))
    rows = [_row(task, page) for task in tasks[start : start + most]]
    return [*rows, fold_row(page, counted(len(tasks) - most, "more task"))]


def _row(task: TaskRow, page: Page) -> Line:
    theme, glyphs = page.theme, page.glyphs
    match task.status:
        case "completed":
            mark: Span = (glyphs.allowed, theme.style("ok"))
            text: Span = (task.subject, theme.style("muted"))
        case "in_progress":
            mark = (glyphs.running, theme.style("accent"))
            text = (_doing(task), theme.style("strong", bold=task.changed or None))
        case "pending":
            mark = (glyphs.queued, theme.style("muted"))
            text = (task.subject, theme.style("text"))
    waits = ", ".join(f"#{other}" for other in task.blocked_by)
    spans = [mark, (" ", theme.style("text")), text]
    if waits and task.status == "pending":
        spans.append((f"  waits for {waits}", theme.style("muted")))
    return make_line(page, spans)


def _doing(task: TaskRow) -> str:
    return task.active_form or task.subject
