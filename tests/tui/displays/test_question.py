from __future__ import annotations

from agent_tui.protocol.display import AskedQuestion, Choice, QuestionDisplay
from agent_tui.tui.displays.drawing import Options, render_display, render_head
from tests.fakes.conversation_host import page, texts

CACHES = AskedQuestion(
    "What should happen to caches?",
    "Caches",
    (Choice("Read them", "they keep working"), Choice("Drop them", "one slow start")),
)


def said(display: QuestionDisplay) -> str:
    return "".join(text for text, _ in render_head(display, page(80)).argument)


def test_one_question_is_said_and_several_are_counted() -> None:
    assert said(QuestionDisplay((CACHES,))) == "What should happen to caches?"
    assert said(QuestionDisplay((CACHES, CACHES))) == "2 questions"


def test_an_answer_stands_below_with_what_it_answers_where_there_are_several() -> None:
    answered = AskedQuestion("Which?", "Pick", CACHES.choices, answer="Drop them")
    assert texts(render_display(QuestionDisplay((answered,)), page(80))) == ["   Drop them"]
    both = QuestionDisplay((answered, CACHES))
    assert texts(render_display(both, page(80))) == ["   Pick  Drop them"]


def test_all_choices_are_shown_when_expanded_with_a_free_answer_last() -> None:
    free = AskedQuestion("Which?", "", CACHES.choices, answer="Ask\nme \x1b[31mlater")
    rows = texts(render_display(QuestionDisplay((free,)), page(80), Options(expanded=True)))
    assert rows[0] == "   Which?"
    assert rows[1:3] == ["     Read them  they keep working", "     Drop them  one slow start"]
    assert rows[3].startswith("   ✓ Ask")
    assert "\x1b" not in rows[3]


def test_the_chosen_ones_are_marked() -> None:
    both = AskedQuestion("Which?", "", CACHES.choices, True, "Read them, Drop them")
    rows = texts(render_display(QuestionDisplay((both,)), page(80), Options(expanded=True)))
    assert [row.strip()[0] for row in rows[1:]] == ["✓", "✓"]
