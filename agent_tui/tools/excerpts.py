"""Beginnings and ends of long output."""

from __future__ import annotations

from agent_tui.protocol.ports import Captured
from agent_tui.tools.text import split_lines

MAX_LINE = 2_000
"""A line of a display holds no more characters."""


def excerpt(output: Captured, most_chars: int) -> str:
    """Give the output if it is short, else its first and last characters and how much is between."""
    if output.complete and len(output.head) <= most_chars:
        return output.head
    half = most_chars // 2
    end = (output.tail if output.tail else output.head)[-half:]
    start = output.head[:half]
    between = output.total_bytes - len(start.encode()) - len(end.encode())
    return f"{start}\n[... about {max(between, 0):,} bytes left out ...]\n{end}"


def cut_lines(output: Captured, first: int, last: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Give the first and the last lines of an output, each cut at ``MAX_LINE``; no line in both."""
    start = split_lines(output.head)
    if output.complete:
        if len(start) <= first + last:
            return (_cut(start), ()) if first else ((), _cut(start))
        return _cut(start[:first]), _cut(start[-last:])
    return _cut(start[:first]), _cut(split_lines(output.tail)[-last:])


def _cut(lines: list[str]) -> tuple[str, ...]:
    return tuple(
        line if len(line) <= MAX_LINE else f"{line[:MAX_LINE]} [... {len(line) - MAX_LINE} more]"
        for line in lines
    )
