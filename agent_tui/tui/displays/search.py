"""A search by name or by content: the pattern and how much it found; the places when expanded."""

from __future__ import annotations

from collections.abc import Sequence

from agent_tui.protocol.display import Display, SearchDisplay
from agent_tui.tui.displays.drawing import Head, Options
from agent_tui.tui.facts import counted, cut_path, short_path
from agent_tui.tui.lines import Line, Page, Span, cut
from agent_tui.tui.output import output_rows


def head(display: Display, page: Page) -> Head:
    """Say what was searched for, where, and how much there was."""
    assert isinstance(display, SearchDisplay)
    theme = page.theme
    pattern = display.pattern.replace("\n", " ")
    room = max(12, page.text_width // 2)
    spans: list[Span] = [(cut(f'"{pattern}"', room, page.glyphs.cut), theme.style("text"))]
    where = short_path(page, display.path)
    if where and where != ".":
        spans.append((f" in {cut_path(where, room // 2, page.glyphs.cut)}", theme.style("muted")))
    found = _found(display)
    if found:
        spans.append((f" {found}", theme.style("muted")))
    return Head(tuple(spans))


def body(display: Display, page: Page, options: Options) -> Sequence[Line]:
    """Give the places that were found, when expanded."""
    assert isinstance(display, SearchDisplay)
    return output_rows(page, display.lines) if options.expanded else ()


def _found(display: SearchDisplay) -> str:
    more = "+" if display.truncated else ""
    if display.matches is not None and display.files is not None:
        if not display.matches:
            return "nothing"
        files = counted(display.files, "file")
        return f"{display.matches}{more} in {files}"
    if display.files is not None:
        return f"{display.files}{more} {counted(display.files, 'file').split(' ')[1]}"
    if display.matches is not None:
        return f"{display.matches}{more} {counted(display.matches, 'match').split(' ')[1]}"
    return ""
