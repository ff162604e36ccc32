from __future__ import annotations

from dataclasses import replace

from agent_tui.protocol.requests import PermissionRuleValue
from agent_tui.tui.panels.answers import draw_choices
from agent_tui.tui.panels.question import Question
from tests.tui.look import page, texts
from tests.tui.scenes import bash_question, edit_question


def test_a_wide_screen_shows_what_each_answer_does() -> None:
    question = Question.of(edit_question())
    assert texts(draw_choices(page(120), question.choices(), "n", armed=True)) == [
        "   y  Yes                this edit, once",
        "   a  Always             stores Edit(src/**) in settings.local.json   tab change the rule or the place",
        "   s  This session       allows Edit(src/**) until you leave   ← → how long",
        "   e  Edit first         change the new text here; the model is told what you changed",
        "   h  Pick hunks         2 of 2 chosen; space takes one out",
        " › n  No, and say why    the model reads your reason   esc no, and stop",
    ]


def test_a_narrow_screen_has_two_columns_and_keeps_the_rule() -> None:
    question = Question.of(edit_question())
    assert texts(draw_choices(page(60), question.choices(), "n", armed=True)) == [
        "   y  Yes                     e  Edit first",
        "   a  Always Edit(src/**)     h  Pick hunks 2 of 2",
        "   s  This session          › n  No, and say why",
    ]


def test_a_long_rule_is_shown_whole_at_any_width() -> None:
    request = edit_question()
    rule = PermissionRuleValue("Bash", "git " + "x" * 150 + " end")
    update = replace(request.suggestions[0], rules=(rule,))
    question = Question.of(replace(request, suggestions=(update,)))
    for width in (60, 90, 120):
        shown = "".join(
            row.strip()
            for row in texts(draw_choices(page(width), question.choices(), "n", armed=True))
        )
        assert str(rule).replace(" ", "") in shown.replace(" ", "")


def test_letters_are_muted_until_they_work() -> None:
    question = Question.of(bash_question())
    paper = page(120)
    muted = paper.theme.style("muted").color
    accent = paper.theme.style("accent").color
    for armed, colour in ((False, muted), (True, accent)):
        row = draw_choices(paper, question.choices(), "n", armed=armed)[0]
        key = next(s for s in row.strip if s.text == "y")
        assert key.style is not None
        assert key.style.color == colour
