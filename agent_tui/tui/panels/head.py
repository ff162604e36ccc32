"""The head of a permission question: what is asked, why, where, and how many more wait."""

from __future__ import annotations

from pathlib import PurePath

from rich.segment import Segment
from textual.strip import Strip

from agent_tui.protocol.display import CommandDisplay, DiffDisplay
from agent_tui.protocol.requests import PermissionRequest
from agent_tui.tui.displays.diff import counts
from agent_tui.tui.lines import (
    FACT_GAP,
    Line,
    Page,
    Span,
    blank_line,
    join_facts,
    make_line,
    spans_width,
    width_of,
)
from agent_tui.tui.wrapping import wrap_prose
from agent_tui.view.clean import clean, exact
from agent_tui.view.decisions import short_source

LABEL_WIDTH = 100
WARNED = frozenset({"path", "critical"})
"""What decided when the reason is a warning (a protected place, a removal of far too much): it is shown whole."""
WARNING_ROWS = 4


def draw_head(
    page: Page,
    request: PermissionRequest,
    place: tuple[int, int],
    *,
    mode: str,
    hunk: int | None,
    edited: bool,
    full: bool,
    armed: bool,
) -> list[Line]:
    """Make the amber rule, the question, who asks, the reason, and a blank row where there is room."""
    theme = page.theme
    rule = Segment(page.glyphs.rule * page.width, theme.style("warning"))
    lead: list[Span] = [(" ", theme.style("text")), (page.glyphs.asking, theme.style("warning"))]
    title: list[Span] = [(exact(request.title), theme.style("strong", bold=True))]
    what = _what(page, request, hunk, edited=edited)
    if what:
        title += [("   ", theme.style("muted")), *what]
    facts = _facts(page, request, place, mode=mode, hunk=hunk, full=full, armed=armed)
    rows = [
        Line(Strip([rule], page.width)),
        make_line(page, title, lead=lead, facts=facts),
        *who_asks(page, request),
        *_looked(page, request, mode),
        *_why(page, request, mode, place if hunk is not None else (1, 1)),
    ]
    if page.width >= 70:
        rows.append(blank_line(page))
    return rows


def _what(page: Page, request: PermissionRequest, hunk: int | None, *, edited: bool) -> list[Span]:
    theme = page.theme
    muted = theme.style("muted")
    if edited:
        return [("changed by you", theme.style("accent"))]
    match request.display:
        case DiffDisplay(hunks=hunks, created=created) as diff if hunk is None:
            count = f"{len(hunks)} hunk{'s' if len(hunks) != 1 else ''}"
            words = "new file" if created else count
            return [(f"{words}  ", muted), *counts(page, diff.added, diff.removed)]
        case CommandDisplay():
            needed = sum(not part.allowed for part in request.parts)
            if len(request.parts) < 2:
                return []
            need = f"{needed} need{'s' if needed == 1 else ''} your answer"
            return [(f"{len(request.parts)} parts, {need}", muted)]
        case _:
            return []


def _facts(
    page: Page,
    request: PermissionRequest,
    place: tuple[int, int],
    *,
    mode: str,
    hunk: int | None,
    full: bool,
    armed: bool,
) -> list[Span]:
    theme = page.theme
    muted = theme.style("muted")
    key = theme.style("accent" if armed else "muted", bold=armed or None)
    at, count = place
    facts: list[list[Span]] = []
    if page.width >= LABEL_WIDTH or (count > 1 and hunk is None):
        facts.append([(f"question {at} of {count}", muted)])
    if isinstance(request.display, DiffDisplay) and hunk is not None:
        diff = request.display
        if len(diff.hunks) > 1:
            facts.append([(f"hunk {hunk + 1} of {len(diff.hunks)}", muted)])
        facts.append(list(counts(page, diff.added, diff.removed)))
    elif mode == "edit":
        facts.append([("ctrl+g", key), (" own editor", muted)])
    elif full:
        if isinstance(request.display, DiffDisplay) and page.width >= LABEL_WIDTH:
            facts += [[("u", key), (" unified", muted)], [("w", key), (" wrap", muted)]]
        facts.append([("f", key), (" back to the conversation", muted)])
    elif page.width >= LABEL_WIDTH:
        facts.append([("f", key), (" full screen", muted)])
    return join_facts(facts, ("   ", muted))


def who_asks(page: Page, request: PermissionRequest) -> list[Line]:
    """Say who asks, when it is not the main conversation."""
    if not request.agent:
        return []
    theme = page.theme
    who = [
        ("Asked by sub-agent ", theme.style("muted")),
        (clean(request.agent), theme.style("text")),
    ]
    return [make_line(page, who)]


def _looked(page: Page, request: PermissionRequest, mode: str) -> list[Line]:
    """Say what auto mode made of the call, on a row of its own: it is what the person would go by."""
    said, more, _ = request.reason.partition("\n")
    if mode == "edit" or request.decided_by != "classifier" or not more:
        return []
    return [make_line(page, [(clean(said), page.theme.style("text"))])]


def _why(page: Page, request: PermissionRequest, mode: str, place: tuple[int, int]) -> list[Line]:
    theme = page.theme
    muted, text = theme.style("muted"), theme.style("text")
    facts: list[Span] = []
    if request.cwd and page.width >= 70:
        facts = [(f"in {clean(home_path(request.cwd, page.home))}", muted)]
    elif place[1] > 1:
        facts = [(f"question {place[0]} of {place[1]}", muted)]
    if mode == "edit":
        words = "Type in the new text. Nothing runs or is written before you answer."
        return [make_line(page, [(words, muted)], facts=facts)]
    if request.decided_by in WARNED and request.default_to_no:
        warning = [(clean(request.reason).replace("\n", " "), theme.style("warning"))]
        rows = wrap_prose(warning, page.text_width)
        return [make_line(page, row.spans) for row in rows[:WARNING_ROWS]]
    spans: list[Span] = []
    if request.rule:
        spans += [("Asked by rule ", muted), (f"ask {clean(request.rule)}", text)]
        spans.append((f"  {clean(short_source(request.rule_source or '', page.home))}", muted))
    else:
        looked = request.decided_by == "classifier"
        reason = request.reason.partition("\n")[2] if looked else request.reason
        said = clean(reason or request.reason).replace("\n", " ")
        room = page.text_width - (spans_width(facts) + len(FACT_GAP) if facts else 0)
        if width_of(said) > room:  # the first sentence is why; what the mode makes of it can go
            said = f"{said.partition('. ')[0].rstrip('.')}."
        spans.append((said, muted))
    return [make_line(page, spans, facts=facts)]


def home_path(path: str, home: str) -> str:
    """Write a path with ``~`` for the home folder."""
    if home and PurePath(path).is_relative_to(home):
        return str(PurePath("~") / PurePath(path).relative_to(home))
    return path
