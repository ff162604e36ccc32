"""What a session works at in the background, folded from what it says of it. It reads no clock."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias, cast

from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.masking import Masker

WorkState: TypeAlias = Literal["running", "completed", "failed", "stopped"]
_STATES: Mapping[str, WorkState] = {
    "completed": "completed",
    "failed": "failed",
    "stopped": "stopped",
    "killed": "stopped",
}


@dataclass(frozen=True, slots=True)
class Work:
    """One command or sub-agent in the background; secrets in what it is called and says are hidden.

    Attributes:
        id: what the engine knows it by.
        agent: it is a sub-agent; else it is a command.
        description: what it is about.
        agent_type: which kind of sub-agent.
        last: the tool a sub-agent called last.
        tool_uses, total_tokens: of a sub-agent so far.
        duration_ms: how long it ran, None where that was not told.
        output_file: what it gives, as a file; empty while that is unknown.
        summary: how it ended, in a sentence.
    """

    id: str
    agent: bool
    description: str
    state: WorkState = "running"
    agent_type: str = ""
    last: str = ""
    tool_uses: int = 0
    total_tokens: int = 0
    duration_ms: int | None = None
    output_file: str = ""
    summary: str = ""

    @property
    def over(self) -> bool:
        """Whether it has ended."""
        return self.state != "running"


Works: TypeAlias = tuple[Work, ...]


def running(works: Works) -> int:
    """Count those that run."""
    return sum(not work.over for work in works)


def fold_works(works: Works, subtype: str, data: JsonObject) -> Works:
    """Take a system message; give the same value when it says nothing of what is in the background."""
    if subtype == "background_tasks_changed":
        return _listed(works, data)
    known = next((work for work in works if work.id == data.get("task_id")), None)
    if known is None:
        return works  # a sub-agent in the foreground: its card tells of it
    match subtype:
        case "task_started":
            new = replace(known, agent_type=_text(data, "subagent_type"))
        case "task_progress":
            new = replace(_used(known, data), last=_text(data, "last_tool_name") or known.last)
        case "task_notification":
            state = _STATES.get(_text(data, "status"), "completed")
            file, summary = _text(data, "output_file"), _text(data, "summary")
            new = replace(_used(known, data), state=state, output_file=file, summary=summary)
        case _:
            return works
    return tuple(new if work is known else work for work in works)


def _listed(works: Works, data: JsonObject) -> Works:
    """Take the list of what runs now."""
    listed = [cast("JsonObject", row) for row in data.get("tasks") or () if isinstance(row, dict)]
    ids = {_text(row, "task_id") for row in listed}
    kept = [
        work if work.over or work.id in ids else replace(work, state="stopped") for work in works
    ]
    known = {work.id for work in works}
    fresh = [
        Work(
            _text(row, "task_id"), row.get("task_type") == "local_agent", _text(row, "description")
        )
        for row in listed
        if _text(row, "task_id") not in known
    ]
    return (*kept, *fresh)


def _used(work: Work, data: JsonObject) -> Work:
    usage: Any = data.get("usage")
    if not isinstance(usage, dict):
        return work
    told = cast("JsonObject", usage)

    def number(key: str, before: int) -> int:
        value = told.get(key)
        return value if isinstance(value, int) else before

    return replace(
        work,
        tool_uses=number("tool_uses", work.tool_uses),
        total_tokens=number("total_tokens", work.total_tokens),
        duration_ms=number("duration_ms", work.duration_ms or 0),
    )


def _text(data: JsonObject, key: str) -> str:
    value = data.get(key)
    return Masker().mask(value) if isinstance(value, str) else ""
