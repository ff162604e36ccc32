"""What of a proposed call can be edited before it runs, and what the model is told about it."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from typing import Literal

from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.requests import PermissionRequest

_FIELDS: dict[str, tuple[str, str]] = {
    "Bash": ("command", "the command"),
    "Edit": ("new_string", "the new text"),
    "Write": ("content", "the new text"),
    "NotebookEdit": ("new_source", "the cell"),
    "ExitPlanMode": ("plan", "the plan"),
}
MAX_TOLD = 60
"""At most so many changed lines are told to the model one by one."""
MAX_WHOLE = 30_000
"""A text of so many characters is told as a whole where more lines than that were changed."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """The part of a call that can be edited: the input's ``field``, called ``name`` on the screen."""

    field: str
    name: str
    text: str


@dataclass(frozen=True, slots=True)
class ChangedLine:
    """A line the person changed; numbers are 1-based in the text as it is now (before a removal: where it was)."""

    number: int
    kind: Literal["changed", "added", "removed"]
    old: str = ""
    new: str = ""


def proposal_of(request: PermissionRequest) -> Proposal | None:
    """Give what can be edited, None when nothing can."""
    found = _FIELDS.get(request.tool_name)
    if found is None or request.input.get("edit_mode") == "delete":
        return None
    text = request.input.get(found[0])
    return Proposal(found[0], found[1], text) if isinstance(text, str) else None


def changed_input(request: PermissionRequest, proposal: Proposal, text: str) -> JsonObject:
    """Give the call's input with the edited text."""
    return {**request.input, proposal.field: text}


def changed_lines(before: str, after: str) -> list[ChangedLine]:
    """Compare line by line."""
    old, new = before.split("\n"), after.split("\n")
    out: list[ChangedLine] = []
    matcher = difflib.SequenceMatcher(None, old, new)
    for kind, a, b, c, d in matcher.get_opcodes():
        if kind == "equal":
            continue
        pairs = min(b - a, d - c)
        out += [ChangedLine(c + i + 1, "changed", old[a + i], new[c + i]) for i in range(pairs)]
        out += [ChangedLine(c + i + 1, "added", new=new[c + i]) for i in range(pairs, d - c)]
        out += [ChangedLine(c + pairs + 1, "removed", old=old[a + i]) for i in range(pairs, b - a)]
    return out


def note_for_model(proposal: Proposal, after: str) -> str:
    """Say to the model exactly what the person changed: line by line, or as a whole where that would be too much."""
    told = told_changes(proposal, after)
    if not told:
        return ""
    return f"The user edited `{proposal.field}` before allowing this call. What ran is:\n{told}"


def told_changes(proposal: Proposal, after: str) -> str:
    """Say how a text differs from what was proposed; empty where it doesn't."""
    lines = changed_lines(proposal.text, after)
    if len(lines) <= MAX_TOLD:
        return "\n".join(map(_told, lines))
    if len(after) <= MAX_WHOLE:
        return f"{len(lines)} lines were changed; the whole of `{proposal.field}` is now:\n{after}"
    first = "\n".join(map(_told, lines[:MAX_TOLD]))
    more = len(lines) - MAX_TOLD
    return (
        f"{first}\nand {more} more changed lines: look at what is there now before you rely on it"
    )


def _told(line: ChangedLine) -> str:
    match line.kind:
        case "changed":
            return f"line {line.number}: changed from {line.old!r} to {line.new!r}"
        case "added":
            return f"line {line.number}: added {line.new!r}"
        case "removed":
            return f"line {line.number}: removed {line.old!r}"
