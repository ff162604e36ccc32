"""Plain output of tools as rows: wrapped at the edge, made when asked for."""

from __future__ import annotations

from collections.abc import Sequence

from agent_tui.tui.coderows import CodeRows
from agent_tui.tui.highlight import Code
from agent_tui.tui.lines import Line, Page, Span, make_line

OUTPUT_LINES = 3
"""Lines of an output that are shown of themselves."""


def output_rows(page: Page, lines: Sequence[str]) -> Sequence[Line]:
    """Give all lines, as text at the text's edge."""
    return CodeRows(page, Code(None, lines), lines, on="bg", inset=0)


def last_state(line: str) -> str:
    """Give what a terminal would show of a line that was written over by carriage returns."""
    if "\r" not in line:
        return line
    return next((part for part in reversed(line.split("\r")) if part), "")


def fold_row(page: Page, text: str, facts: Sequence[Span] = ()) -> Line:
    """Give the row that says what is folded away; it copies as nothing."""
    muted = page.theme.style("muted")
    line = make_line(page, [(f"{page.glyphs.folded} {text}", muted)], facts=facts)
    line.start = line.end = 0
    line.glue = ""
    line.folds = True
    return line
