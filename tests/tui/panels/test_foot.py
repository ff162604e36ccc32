from __future__ import annotations

from agent_tui.tui.panels.foot import draw_foot
from agent_tui.tui.panels.question import Mode, Question
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
    question.look_at_rules("x y", ())
    rows = texts(draw_foot(page(), question, armed=True, hidden=0))
    assert "'x y' is no rule" in rows[1]
    assert rows[2] == "   kept in settings.local.json, for you, in this project"
    assert "tab place" in rows[3]
    assert "narrower, wider" in rows[3]


def test_a_rule_that_is_typed_says_what_it_would_do_at_any_width() -> None:
    question = Question.of(bash_question())
    question.mode, question.place = "rule", "projectSettings"
    question.look_at_rules("Bash(*)", ())
    question.allows = False
    wide = texts(draw_foot(page(), question, armed=True, hidden=0))
    assert wide[1:4] == [
        "   ! Bash(*) allows every command, whatever it does",
        "   ! does not cover this call: it runs now, the same is asked again",
        "   kept in the project's settings.json, for everyone who works here, once they trust the folder",
    ]
    narrow = " ".join(
        row.strip() for row in texts(draw_foot(page(60), question, armed=True, hidden=0))
    )
    assert "it runs now, the same is asked again" in narrow
    question.allows = True
    assert "   ✓ lets this call run" in texts(draw_foot(page(), question, armed=True, hidden=0))


def test_a_comment_says_which_answer_it_goes_with() -> None:
    question = Question.of(edit_question())
    told: dict[Mode, str] = {"comment": "no, with this reason", "note": "yes, with this"}
    for question.mode, words in told.items():
        rows = texts(draw_foot(page(), question, armed=True, hidden=0))
        assert rows[-1].startswith(f"   enter {words}")
