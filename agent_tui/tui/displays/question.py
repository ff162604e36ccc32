"""Questions to the person: how many, or the one; with their answers once they were given."""

from __future__ import annotations

from collections.abc import Sequence

from agent_tui.protocol.display import AskedQuestion, Display, QuestionDisplay
from agent_tui.tui.displays.drawing import Head, Options
from agent_tui.tui.facts import counted
from agent_tui.tui.lines import Line, Page, Span, cut, make_line


def head(display: Display, page: Page) -> Head:
    """Say the question; of several, how many there are."""
    assert isinstance(display, QuestionDisplay)
    text = page.theme.style("text")
    if len(display.questions) != 1:
        return Head(((counted(len(display.questions), "question"), text),))
    return Head(((_one_line(display.questions[0].question), text),))


def body(display: Display, page: Page, options: Options) -> Sequence[Line]:
    """Give what was answered; when expanded, what could have been, too."""
    assert isinstance(display, QuestionDisplay)
    rows: list[Line] = []
    for question in display.questions:
        if options.expanded:
            rows.extend(_whole(question, page))
        elif question.answer:
            rows.append(_answered(question, page, alone=len(display.questions) == 1))
    return rows


def _answered(question: AskedQuestion, page: Page, *, alone: bool) -> Line:
    theme = page.theme
    asked = "" if alone else f"{question.header or _one_line(question.question)}  "
    asked = cut(asked, page.text_width // 2, page.glyphs.cut)
    return make_line(
        page,
        [(asked, theme.style("muted")), (_one_line(question.answer), theme.style("accent"))],
        source=question.answer,
    )


def _whole(question: AskedQuestion, page: Page) -> list[Line]:
    theme, glyphs = page.theme, page.glyphs
    muted = theme.style("muted")
    chosen = {part.strip() for part in question.answer.split(",")} | {question.answer}
    rows = [make_line(page, [(_one_line(question.question), theme.style("strong", bold=True))])]
    for choice in question.choices:
        picked = choice.label in chosen
        mark: Span = (f"{glyphs.allowed if picked else ' '} ", theme.style("ok"))
        label: Span = (choice.label, theme.style("strong" if picked else "text"))
        rows.append(make_line(page, [mark, label, (f"  {choice.description}", muted)]))
    if question.answer and not chosen & {choice.label for choice in question.choices}:
        rows.append(make_line(page, [(f"{glyphs.allowed} ", theme.style("ok")), (question.answer, theme.style("strong"))]))  # fmt: skip
    return rows


def _one_line(text: str) -> str:
    return " ".join(text.split())
