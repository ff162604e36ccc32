"""The task list after a call: how far it is; its rows, done ones last to be cut."""

from __future__ import annotations

from collections.abc import Sequence

from agent_tui.protocol.display import Display, TaskListDisplay, TaskRow
from agent_tui.tui.displays.drawing import Head, Options
from agent_tui.tui.facts import counted
from agent_tui.tui.lines import Line, Page, Span, make_line
from agent_tui.tui.output import fold_row

TASK_ROWS = 8
"""Tasks that are shown of themselves."""


def head(display: Display, page: Page) -> Head:
    """Say what is being done, and how many are done."""
    assert isinstance(display, TaskListDisplay)
    theme = page.theme
    changed = [task for task in display.tasks if task.changed]
    about = changed[0].subject if len(changed) == 1 else ""
    about = about or next((_doing(task) for task in display.tasks if task.status == "in_progress"), "")  # fmt: skip
    done = sum(task.status == "completed" for task in display.tasks)
    facts: tuple[tuple[Span, ...], ...] = ()
    if display.tasks:
        facts = (((f"{done} of {len(display.tasks)} done", theme.style("muted")),),)
    return Head(((about, theme.style("text")),) if about else (), facts)


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
