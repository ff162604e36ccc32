"""Words and parts of a line, to be held against tables."""

from __future__ import annotations

from agent_tui.permissions.shell.analysis import Part, analyse
from agent_tui.permissions.shell.parse import parse_line
from agent_tui.permissions.shell.words import Word


def words(line: str) -> tuple[Word, ...]:
    """Read a line of one command."""
    parsed = parse_line(line)
    assert not parsed.problem, parsed.problem
    return parsed.commands[0].words


def part(line: str) -> Part:
    """Read a line; give its first part."""
    analysis = analyse(line)
    assert not analysis.problem, analysis.problem
    return analysis.parts[0]


def texts(given: tuple[Word, ...]) -> list[str]:
    """Write words, ``*`` for what is filled in."""
    return ["".join(str(i) if isinstance(i, str) else "*" for i in word.items()) for word in given]
