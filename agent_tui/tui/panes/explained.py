"""The explanation of a decision, drawn: what would happen, why, what was looked at, what would change it."""

from __future__ import annotations

from collections.abc import Sequence

from agent_tui.protocol.explanations import ExplainedPart, Explanation, Outcome
from agent_tui.protocol.requests import CommandPart
from agent_tui.tui.lines import Line, Page, Span, blank_line, cut, make_line, width_of
from agent_tui.tui.look import Look
from agent_tui.tui.panels.body import part_rows
from agent_tui.tui.panes.sheet import Sheet
from agent_tui.tui.theme import TextRole
from agent_tui.tui.wrapping import wrap_prose
from agent_tui.view.clean import clean, exact
from agent_tui.view.explanations import OUTCOMES

ROLES: dict[Outcome, TextRole] = {"allow": "ok", "ask": "warning", "deny": "error"}
STEP_COLUMN = 32
"""Cells the name of a step may take where there is room."""


class Explained(Sheet):
    """Shows explanations one below the other, or why there is none."""

    def __init__(self, look: Look, *, id: str | None = None) -> None:
        super().__init__(look, id=id)
        self.fills = True
        self.explanations: tuple[Explanation, ...] = ()
        self.failed = ""

    def show(self, explanations: tuple[Explanation, ...], failed: str = "") -> None:
        """Show others, from their beginning."""
        if (explanations, failed) != (self.explanations, self.failed):
            self.explanations, self.failed, self.top = explanations, failed, 0
            self.redraw()

    def draw(self, page: Page) -> Sequence[Line]:
        """Make the rows."""
        if self.failed:
            return [make_line(page, [(clean(self.failed), page.theme.style("muted"))])]
        rows: list[Line] = []
        for one in self.explanations:
            rows += [blank_line(page), blank_line(page)] if rows else []
            rows += explained_rows(page, one)
        return rows


def explained_rows(page: Page, one: Explanation) -> list[Line]:
    """Draw one explanation."""
    theme = page.theme
    muted = theme.style("muted")
    rows = [_verdict(page, one), *_prose(page, one.reason, "text")]
    if one.paths:
        rows += _prose(page, ", ".join(one.paths), "muted")
    if one.problem:
        rows += _prose(page, f"Not understood: {one.problem}", "muted")
    if len(one.parts) > 1 or any(part.effect or part.runs for part in one.parts):
        rows += [blank_line(page), *part_rows(page, [_shown(part) for part in one.parts])]
        rows += _wrappers(page, one.parts)
    rows += [blank_line(page), _title(page, "Looked at, in this order")]
    rows += [_step(page, number, one) for number in range(len(one.steps))]
    if one.changes:
        rows += [blank_line(page), _title(page, "What would change it")]
        for change in one.changes:
            lead: list[Span] = [(" ", muted), (page.glyphs.between, muted)]
            for row in wrap_prose([(exact(change), theme.style("text"))], page.prose_width):
                rows.append(make_line(page, row.spans, lead=lead, glue=row.glue))
                lead = []
    return rows


def _verdict(page: Page, one: Explanation) -> Line:
    theme, glyphs = page.theme, page.glyphs
    mark = {"allow": glyphs.allowed, "ask": glyphs.asking, "deny": glyphs.stopped}[one.outcome]
    role = ROLES[one.outcome]
    lead = [(" ", theme.style("text")), (mark, theme.style(role))]
    call = exact(one.call).replace("\n", " ")
    facts: list[Span] = [(OUTCOMES[one.outcome], theme.style(role, bold=True))]
    if page.width >= 70:
        facts.append((f"   mode {clean(one.mode)}", theme.style("muted")))
    return make_line(page, [(call, theme.style("strong", bold=True))], lead=lead, facts=facts)


def _title(page: Page, title: str) -> Line:
    return make_line(page, [(title, page.theme.style("strong", bold=True))])


def _step(page: Page, at: int, one: Explanation) -> Line:
    theme = page.theme
    step = one.steps[at]
    style = theme.style("text" if step.decided else "muted")
    lead: list[Span] = [(" ", style)]
    if step.decided:
        lead.append((page.glyphs.prompt, theme.style("accent")))
    room = STEP_COLUMN if page.width >= 80 else page.text_width // 2
    name = cut(step.name, room, page.glyphs.cut)
    found = _tilde(page, exact(step.found)).replace("\n", " ")
    spans: list[Span] = [(name + " " * (room - width_of(name) + 2), style)]
    spans.append((found, theme.style("strong" if step.decided else "muted")))
    return make_line(page, spans, lead=lead)


def _wrappers(page: Page, parts: Sequence[ExplainedPart]) -> list[Line]:
    """Say what parts run that stand for something else."""
    muted = page.theme.style("muted")
    rows: list[Line] = []
    for part in parts:
        for run in part.runs:
            words = exact(f"runs {run}").replace("\n", " ")
            rows.append(make_line(page, [(words, muted)], column=8))
    return rows


def _shown(part: ExplainedPart) -> CommandPart:
    text = f"  {part.text}" if part.inside else part.text
    return CommandPart(text, part.outcome == "allow", part.decided_by, part.effect)


def _prose(page: Page, text: str, role: TextRole) -> list[Line]:
    words = _tilde(page, exact(text)).replace("\n", " ")
    broken = wrap_prose([(words, page.theme.style(role))], page.prose_width)
    return [make_line(page, row.spans, glue=row.glue) for row in broken]


def _tilde(page: Page, text: str) -> str:
    return text.replace(f"{page.home}/", "~/") if len(page.home) > 1 else text
