"""What a permission question is about, drawn: the change, or the command and its parts."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rich.style import Style

from agent_tui.protocol.display import CommandDisplay
from agent_tui.protocol.requests import CommandPart, PermissionRequest
from agent_tui.protocol.requests import Span as Mark
from agent_tui.tui.displays.drawing import Options, render_display
from agent_tui.tui.lines import Line, Page, Span, blank_line, cut_spans, make_line, spans_width
from agent_tui.tui.theme import Background
from agent_tui.tui.wrapping import wrap_prose
from agent_tui.view.clean import exact

_OPERATOR = re.compile(r"(&&|\|\||\|&|[|;&])(?=\s|$)")
MAX_COMMAND_ROWS = 200


def draw_body(page: Page, request: PermissionRequest, options: Options) -> Sequence[Line]:
    """Give the rows between the head and the answers."""
    display = request.display
    if not isinstance(display, CommandDisplay):
        return render_display(display, page, options)
    rows = command_rows(page, display.command, request.danger)
    if len(request.parts) > 1 or any(part.effect for part in request.parts):
        rows += [blank_line(page), *part_rows(page, request.parts)]
    return rows


def command_rows(page: Page, command: str, danger: Sequence[Mark]) -> list[Line]:
    """Draw a command in a band: dangerous words stand out, what joins commands steps back."""
    rows: list[Line] = []
    for row in wrap_prose(_marked(page, command, danger, "surface"), page.text_width - 4):
        band = [("  ", page.theme.style("text", "surface")), *row.spans]
        rows.append(make_line(page, band, on="surface"))
    if len(rows) > MAX_COMMAND_ROWS:
        left = len(rows) - MAX_COMMAND_ROWS
        rows = rows[:MAX_COMMAND_ROWS]
        more = f"{left} more {'row' if left == 1 else 'rows'}"
        rows.append(make_line(page, [(more, page.theme.style("warning"))]))
    return rows


def _marked(page: Page, text: str, danger: Sequence[Mark], on: Background) -> list[Span]:
    """Style a command character by character; newlines stay in the spans."""
    theme = page.theme
    plain, joins = theme.style("text", on), theme.style("muted", on)
    ground: Background = "danger_bg" if on == "surface" else on
    alarm = theme.style("strong", ground, bold=True, underline=True)
    styles = [plain] * len(text)
    for found in _OPERATOR.finditer(text):
        styles[found.start() : found.end()] = [joins] * (found.end() - found.start())
    for mark in danger:
        start, end = max(0, mark.start), min(len(text), mark.end)
        styles[start:end] = [alarm] * max(0, end - start)
    spans: list[Span] = []
    at = 0
    while at < len(text):
        end = at + 1
        while end < len(text) and styles[end] is styles[at]:
            end += 1
        spans.append((exact(text[at:end]).replace("\t", "    "), styles[at]))
        at = end
    return spans


def part_rows(page: Page, parts: Sequence[CommandPart]) -> list[Line]:
    """Draw the table of simple commands: needs an answer or not, what it does, what decided."""
    theme = page.theme
    muted = theme.style("muted")
    cells = [_part_cells(page, part) for part in parts]
    widths = [
        max(spans_width(row[column]) for row in [*cells, _heads(page)]) for column in range(3)
    ]
    wide = page.width >= 80
    room = page.text_width - 3
    gap = 4 if wide else 2
    first = min(widths[0], room // 2 if wide else room)
    rest = room - first - gap
    even = rest // 2 if max(widths[1:]) + gap <= rest // 2 else 0
    second = max(even - gap, min(widths[1], max(rest - widths[2] - gap, room // 4)))
    rows: list[Line] = []
    if wide:
        heads = _table_row(_heads(page), first, second, gap, muted, wide=True)
        line = (page.glyphs.rule * page.text_width, theme.style("line"))
        rows = [make_line(page, heads, column=6), make_line(page, [line])]
    for part, row in zip(parts, cells, strict=True):
        role = "ok" if part.allowed else "warning"
        glyph = page.glyphs.allowed if part.allowed else page.glyphs.danger
        lead = [("   ", muted), (glyph, theme.style(role, bold=not part.allowed or None))]
        spans = _table_row(row, first, second, gap, muted, wide=wide)
        rows.append(make_line(page, spans, lead=lead, column=6))
    return rows


def _heads(page: Page) -> tuple[list[Span], list[Span], list[Span]]:
    muted = page.theme.style("muted")
    return [("Part", muted)], [("What it does", muted)], [("Decided by", muted)]


def _part_cells(page: Page, part: CommandPart) -> tuple[list[Span], list[Span], list[Span]]:
    theme = page.theme
    text = [(t.replace("\n", " "), s) for t, s in _marked(page, part.text, part.danger, "bg")]
    decided = exact(part.decided_by).replace("\n", " ")
    head, comma, tail = decided.partition("  ")
    if not comma:
        head, comma, tail = decided.partition(", ")
    who = theme.style("warning") if not part.allowed else theme.style("text")
    verdict: list[Span] = [(head, who)]
    if tail:
        verdict.append((comma + tail, theme.style("muted")))
    return text, [(exact(part.effect).replace("\n", " "), theme.style("muted"))], verdict


def _table_row(
    cells: tuple[Sequence[Span], Sequence[Span], Sequence[Span]],
    first: int,
    second: int,
    gap: int,
    blank: Style,
    *,
    wide: bool,
) -> list[Span]:
    widths = (first, second) if wide else (first,)
    out: list[Span] = []
    for spans, width in zip(cells, widths, strict=False):
        cell = cut_spans(spans, width)
        out += [*cell, (" " * (width - spans_width(cell) + gap), blank)]
    return [*out, *cells[2]] if wide else out
