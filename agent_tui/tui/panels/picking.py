"""Taking single hunks out of a proposed edit: works out the new text with the others only.

A hunk counts lines of the file, the proposal holds a piece of text. Only where both can be brought together for sure is
picking offered: taking all hunks out must give back exactly the old text.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from agent_tui.protocol.display import DiffDisplay, Hunk
from agent_tui.protocol.requests import PermissionRequest

MAX_LINES = 4000


@dataclass(frozen=True, slots=True)
class _Run:
    """Neighbouring changed lines: ``removed`` stood where ``added`` stand, from line ``start`` (0-based) on."""

    hunk: int
    start: int
    removed: tuple[str, ...]
    added: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Picking:
    """A proposal whose hunks can be taken out one by one; ``field`` is where in the input its new text stands."""

    field: str
    count: int
    _lines: tuple[str, ...]
    _runs: tuple[_Run, ...]

    def text(self, chosen: Collection[int]) -> str:
        """Give the new text with only the chosen hunks (0-based)."""
        lines = list(self._lines)
        for run in reversed(self._runs):
            if run.hunk not in chosen:
                lines[run.start : run.start + len(run.added)] = run.removed
        return "\n".join(lines)


def picking_of(request: PermissionRequest) -> Picking | None:
    """Tell how hunks can be picked, None where they can't."""
    display = request.display
    if not isinstance(display, DiffDisplay) or display.truncated or len(display.hunks) < 2:
        return None
    given = request.input.get
    match request.tool_name:
        case "Edit" if not given("replace_all"):
            old, new = given("old_string"), given("new_string")
            if not isinstance(old, str) or not isinstance(new, str):
                return None
            return _place(display, "new_string", old, new)
        case "Write":
            new = given("content")
            if not isinstance(new, str) or new.count("\n") > MAX_LINES:
                return None
            return _at(display, "content", new.split("\n"), 0)
        case _:
            return None


def note_for_model(chosen: Collection[int], count: int, changes: str) -> str:
    """Say to the model which hunks the person took out, and what ran instead of what it proposed."""
    out = [str(at + 1) for at in range(count) if at not in chosen]
    if not out:
        return ""
    which = f"hunk{'s' if len(out) > 1 else ''} {', '.join(out)} of {count}"
    said = f"The user took {which} out before allowing this call; those places stay as they were."
    return f"{said} What ran is:\n{changes}"


def _place(display: DiffDisplay, field: str, old: str, new: str) -> Picking | None:
    """Find where in the file the piece stands: the place at which taking everything out gives the old piece."""
    lines = new.split("\n")
    if len(lines) > MAX_LINES:
        return None
    first, last = display.hunks[0], display.hunks[-1]
    earliest = last.new_start - 1 + last.new_lines - len(lines) - 8
    for offset in range(max(0, earliest), first.new_start + first.new_lines):
        found = _at(display, field, lines, offset)
        if found is not None and found.text(()) == old:
            return found
    return None


def _at(display: DiffDisplay, field: str, lines: list[str], offset: int) -> Picking | None:
    """Try with the piece's first line being line ``offset`` (0-based) of the new file."""
    runs: list[_Run] = []
    for number, hunk in enumerate(display.hunks):
        for run in _runs(hunk, number):
            start = run.start - offset
            if start < 0 or tuple(lines[start : start + len(run.added)]) != run.added:
                return None
            runs.append(_Run(number, start, run.removed, run.added))
    return Picking(field, len(display.hunks), tuple(lines), tuple(runs))


def _runs(hunk: Hunk, number: int) -> list[_Run]:
    out: list[_Run] = []
    removed: list[str] = []
    added: list[str] = []
    line = start = hunk.new_start - 1
    for text in (*hunk.lines, " "):
        if text[:1] == "-":
            removed.append(text[1:])
        elif text[:1] == "+":
            added.append(text[1:])
            line += 1
        else:
            if removed or added:
                out.append(_Run(number, start, tuple(removed), tuple(added)))
                removed, added = [], []
            line += 1
            start = line
    return out
