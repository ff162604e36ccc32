from __future__ import annotations

from dataclasses import replace

from agent_tui.protocol.requests import PermissionRuleValue, PermissionUpdate
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


def test_the_second_column_makes_room_for_a_rule_as_far_as_it_can() -> None:
    request = edit_question()
    for path, is_room in (("/src/auth.py", True), ("/src/session/tokens.py", False)):
        rule = PermissionRuleValue("Edit", path)
        update = replace(request.suggestions[0], rules=(rule,))
        question = Question.of(replace(request, suggestions=(update,)))
        rows = texts(draw_choices(page(60), question.choices(), "n", armed=True))
        assert (len(rows) == 3) is is_room
        assert any("Always" in row and str(rule) in row for row in rows)
        assert all(len(row) <= 58 for row in rows)


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


def rows_of(question: Question, width: int) -> list[str]:
    return texts(draw_choices(page(width), question.choices(), question.chosen, armed=True))


def test_how_long_an_answer_holds_is_said_exactly() -> None:
    question = Question.of(edit_question())
    question.chosen = "s"
    said: list[str] = []
    for _ in range(4):
        said.append(next(row for row in rows_of(question, 120) if row.startswith(" › s")))
        question.lasting.move(1)
    assert said == [
        " › s  This session       allows Edit(src/**) until you leave   ← → how long",
        " › s  This task          allows Edit(src/**) until this prompt has its result   ← → how long",
        " › s  5 more calls       allows Edit(src/**) now and 5 more times   ← → how long   0-9 how many",
        " › s  10 minutes         allows Edit(src/**) for 10 minutes   ← → how long   0-9 how many",
    ]


def test_a_narrow_screen_says_below_what_the_chosen_answer_does() -> None:
    question = Question.of(edit_question())
    question.chosen = "s"
    question.lasting.move(2)
    assert rows_of(question, 60) == [
        "   y  Yes                     e  Edit first",
        "   a  Always Edit(src/**)     h  Pick hunks 2 of 2",
        " › s  5 more calls            n  No, and say why",
        "   allows Edit(src/**) now and 5 more times   ← → how long",
        "   0-9 how many",
    ]


def test_several_rules_hold_for_the_same_time() -> None:
    request = edit_question()
    two = (PermissionRuleValue("Bash", "a *"), PermissionRuleValue("Bash", "b *"))
    update = replace(request.suggestions[0], rules=two)
    question = Question.of(replace(request, suggestions=(update,)))
    question.lasting.move(1)
    row = next(row for row in rows_of(question, 120) if row.startswith("   s"))
    assert "This task          allows the same 2 until this prompt has its result" in row


def test_a_mode_or_a_folder_holds_for_the_session() -> None:
    request = edit_question()
    folder = PermissionUpdate("addDirectories", directories=("/data",))
    question = Question.of(replace(request, suggestions=(folder,)))
    row = next(row for row in rows_of(question, 120) if row.startswith("   s"))
    assert row == "   s  This session       lets it work in /data until you leave"


def test_something_can_be_said_with_a_yes_and_the_dangerous_takes_two_keys() -> None:
    question = Question.of(bash_question())
    assert rows_of(question, 120)[0].endswith("the whole command, once   y then enter")
    question.chosen = "y"
    assert rows_of(question, 120)[0].endswith("once   enter runs it   tab and say something")
    assert "y then enter" not in rows_of(Question.of(edit_question()), 120)[0]


def test_a_key_and_what_it_does_stay_in_one_row() -> None:
    question = Question.of(bash_question())
    question.chosen = "y"
    for width in range(60, 130, 7):
        rows = " | ".join(row.strip() for row in rows_of(question, width))
        assert "tab and say something" in rows
        assert "enter runs it" in rows
