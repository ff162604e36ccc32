"""The lines of a hunk with their numbers, and which old line each new one stands for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from agent_tui.protocol.display import Hunk
from agent_tui.tui.highlight import Code, code_of
from agent_tui.tui.words import Stretch

Sign: TypeAlias = Literal[" ", "-", "+"]


@dataclass(frozen=True, slots=True)
class HunkRow:
    """One line of a hunk.

    Attributes:
        sign: unchanged, removed or added.
        number, old_number: its 1-based number in the file; an unchanged line has one on each side.
        text: the line without its sign.
        code, at: its side's lines, and its place there, for colours.
        pair: the line it replaces or is replaced by.
    """

    sign: Sign
    number: int
    old_number: int
    text: str
    code: Code
    at: int
    pair: str | None = None


def hunk_rows(hunk: Hunk, path: str) -> list[HunkRow]:
    """Number the lines of a hunk and pair those that replace one another."""
    old_code = code_of([line[1:] for line in hunk.lines if line[:1] != "+"], path=path)
    new_code = code_of([line[1:] for line in hunk.lines if line[:1] != "-"], path=path)
    rows: list[HunkRow] = []
    gone: list[int] = []
    came: list[int] = []
    at_old = at_new = 0
    for line in hunk.lines:
        old, new = hunk.old_start + at_old, hunk.new_start + at_new
        match line[:1]:
            case "-":
                if came:
                    _pair(rows, gone, came)
                gone.append(len(rows))
                rows.append(HunkRow("-", old, old, line[1:], old_code, at_old))
                at_old += 1
            case "+":
                came.append(len(rows))
                rows.append(HunkRow("+", new, new, line[1:], new_code, at_new))
                at_new += 1
            case _:
                _pair(rows, gone, came)
                rows.append(HunkRow(" ", new, old, line[1:], new_code, at_new))
                at_old += 1
                at_new += 1
    _pair(rows, gone, came)
    return rows


def _pair(rows: list[HunkRow], gone: list[int], came: list[int]) -> None:
    for at_old, at_new in zip(gone, came, strict=False):
        old, new = rows[at_old], rows[at_new]
        rows[at_old], rows[at_new] = replace(old, pair=new.text), replace(new, pair=old.text)
    gone.clear()
    came.clear()


def side_by_side(rows: Sequence[HunkRow]) -> list[tuple[HunkRow | None, HunkRow | None]]:
    """Put old and new lines beside each other; None where one side has none."""
    out: list[tuple[HunkRow | None, HunkRow | None]] = []
    gone: list[HunkRow] = []
    came: list[HunkRow] = []

    def flush() -> None:
        for at in range(max(len(gone), len(came))):
            old = gone[at] if at < len(gone) else None
            out.append((old, came[at] if at < len(came) else None))
        gone.clear()
        came.clear()

    for row in rows:
        match row.sign:
            case "-":
                if came:
                    flush()
                gone.append(row)
            case "+":
                came.append(row)
            case _:
                flush()
                out.append((row, row))
    flush()
    return out


def cuts(start: int, end: int, marks: Sequence[Stretch]) -> Iterator[tuple[int, int, bool]]:
    """Cut a range at the ends of the marks: start, end, whether it is marked."""
    at = start
    for first, last in marks:
        if last <= at or first >= end:
            continue
        if first > at:
            yield at, first, False
        at = max(at, first)
        yield at, min(last, end), True
        at = min(last, end)
    if at < end:
        yield at, end, False
