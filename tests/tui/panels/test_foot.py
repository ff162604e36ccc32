from __future__ import annotations

from agent_tui.tui.panels.foot import draw_foot
from agent_tui.tui.panels.question import Question
from tests.tui.look import page, texts
from tests.tui.scenes import bash_question, edit_question


def test_what_does_not_fit_is_counted() -> None:
    rows = texts(draw_foot(page(), Question.of(edit_question()), armed=True, hidden=12))
    assert rows[0].endswith("12 more rows   pageup pagedown")


def test_editing_shows_what_the_model_will_be_told() -> None:
    question = Question.of(bash_question())
    question.mode = "edit"
    question.edited = "rm -r build"
    rows = texts(draw_foot(page(), question, armed=True, hidden=0))
    assert rows[1] == "   The model will be told"
    assert "rm -r build" in rows[2]
    assert rows[-1].startswith("   esc back to the answers, changes kept")


def test_changing_the_rule_shows_the_place_and_what_is_wrong() -> None:
    question = Question.of(edit_question())
    question.mode = "rule"
    question.problem = "'x y' is no rule"
    rows = texts(draw_foot(page(), question, armed=True, hidden=0))
    assert "'x y' is no rule" in rows[1]
    assert "tab place: settings.local.json" in rows[2]
    assert "narrower, wider" in rows[2]
