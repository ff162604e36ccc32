"""The foot of a permission question: the answers, or what the keys of its text field do."""

from __future__ import annotations

from agent_tui.tui.lines import Line, Page, Span, blank_line, make_line
from agent_tui.tui.panels import rules
from agent_tui.tui.panels.answers import NARROW, draw_choices
from agent_tui.tui.panels.question import Question
from agent_tui.tui.theme import TextRole
from agent_tui.tui.wrapping import wrap_prose
from agent_tui.view.clean import clean, exact
from agent_tui.view.proposal import changed_lines

TOLD_ROWS = 6


def draw_foot(page: Page, question: Question, *, armed: bool, hidden: int) -> list[Line]:
    """Make it; ``hidden`` rows of the body above don't fit."""
    rows = [_above(page, question, hidden)]
    if question.mode == "answers":
        return rows + draw_choices(page, question.choices(), question.chosen, armed=armed)
    if question.mode == "edit":
        rows += _told(page, question)
    if question.mode == "rule":
        rows += _rule_rows(page, question)
    return [*rows, _hints(page, question)]


def _rule_rows(page: Page, question: Question) -> list[Line]:
    """Say what is wrong with the rules that are typed, or what they would do; and for whom they are kept."""
    theme = page.theme
    told: list[tuple[str, str, TextRole]] = []
    if question.problem:
        told.append((page.glyphs.failed, question.problem, "error"))
    elif question.typed is not None:
        wide = rules.warnings(question.typed)
        told.extend((page.glyphs.danger, text, "warning") for text in wide)
        if question.allows is True:
            told.append((page.glyphs.allowed, "lets this call run", "ok"))
        elif question.allows is False:
            text = "does not cover this call: it runs now, the same is asked again"
            told.append((page.glyphs.danger, text, "warning"))
    rows: list[Line] = []
    for mark, text, role in told:
        rows += _wrapped(page, [(clean(text), theme.style(role))], (mark, theme.style(role)))
    muted, where = theme.style("muted"), rules.PLACE_WORDS[question.place]
    kept: list[Span] = [("kept in ", muted), (where, theme.style("text"))]
    if question.place in rules.PLACE_EFFECTS:
        kept.append((f", {rules.PLACE_EFFECTS[question.place]}", muted))
    rows += _wrapped(page, kept)
    return rows


def _above(page: Page, question: Question, hidden: int) -> Line:
    """Make the row between body and answers; it says when there is more to see."""
    if hidden <= 0 or question.mode != "answers":
        return blank_line(page)
    theme = page.theme
    key, muted = theme.style("accent", bold=True), theme.style("muted")
    rows = "row" if hidden == 1 else "rows"
    facts = [(f"{hidden} more {rows}   ", muted), ("pageup pagedown", key)]
    return make_line(page, [], facts=facts)


def _told(page: Page, question: Question) -> list[Line]:
    """Show what the model will be told of the changes."""
    proposal, text = question.proposal, question.text
    lines = changed_lines(proposal.text, text) if proposal and text is not None else []
    if not lines:
        return []
    theme = page.theme
    muted, plain = theme.style("muted"), theme.style("text")
    rows = [make_line(page, [("The model will be told", theme.style("strong", bold=True))])]
    for line in lines[:TOLD_ROWS]:
        spans: list[Span] = [(f"line {line.number}  ", muted)]
        if line.kind != "changed":
            spans.append((f"{line.kind}  ", muted))
        if line.old:
            spans.append((exact(line.old.strip()), theme.style("text", strike=True)))
            spans.append(("  ", plain))
        spans.append((exact(line.new.strip()), plain))
        rows.append(make_line(page, spans, column=5))
    if len(lines) > TOLD_ROWS:
        more = f"and {len(lines) - TOLD_ROWS} more lines"
        rows.append(make_line(page, [(more, muted)], column=5))
    return [*rows, blank_line(page)]


def _wrapped(page: Page, spans: list[Span], mark: Span | None = None) -> list[Line]:
    """Break a sentence over rows, with a mark before the first one."""
    room = page.text_width - (2 if mark else 0)
    rows = wrap_prose(spans, room)
    if mark is None:
        return [make_line(page, row.spans) for row in rows]
    head, style = mark
    heads = [head, *(" " * len(head) for _ in rows[1:])]
    return [
        make_line(page, [(f"{lead} ", style), *row.spans])
        for lead, row in zip(heads, rows, strict=True)
    ]


def _hints(page: Page, question: Question) -> Line:
    theme = page.theme
    key, muted = theme.style("accent", bold=True), theme.style("muted")
    match question.mode:
        case "comment":
            pairs = [("enter", "no, with this reason"), ("esc", "back to the answers")]
        case "note":
            pairs = [("enter", "yes, with this"), ("esc", "back to the answers")]
        case "rule":
            pairs = [("enter", "take it"), ("esc", "back"), ("tab", "place")]
        case _:
            pairs = [("esc", "back to the answers, changes kept"), ("ctrl+r", "as it was")]
    spans: list[Span] = []
    for name, what in pairs:
        spans += [("   ", muted)] if spans else []
        spans += [(name, key), (f" {what}", muted)]
    if question.mode == "rule" and len(question.request.suggestions) > 1:
        arrows = f"{page.glyphs.up} {page.glyphs.down}"
        words = " narrower, wider" if page.width >= NARROW else " wider"
        spans += [("   ", muted), (arrows, key), (words, muted)]
    return make_line(page, spans)
