from __future__ import annotations

from agent_tui.protocol.display import AskedQuestion, Choice
from agent_tui.tui.panels.choosing import Choosing

CACHES = AskedQuestion("Caches?", "Caches", (Choice("Read"), Choice("Drop")))
WHERE = AskedQuestion("Where?", "Where", (Choice("Import"), Choice("Docs")), multiple=True)


def test_taking_an_answer_goes_to_the_next_question_without_one() -> None:
    choosing = Choosing((CACHES, WHERE))
    choosing.move(1)
    choosing.take()
    assert (choosing.at, choosing.complete) == (1, False)
    choosing.toggle()
    choosing.move(1)
    choosing.toggle()
    choosing.take()
    assert choosing.complete
    assert choosing.answers() == {"Caches?": "Drop", "Where?": ["Import", "Docs"]}


def test_of_several_none_chosen_the_one_under_the_cursor_is_taken() -> None:
    choosing = Choosing((WHERE,))
    choosing.take()
    assert choosing.answers() == {"Where?": ["Import"]}


def test_a_choice_can_be_let_go_of_and_changed() -> None:
    choosing = Choosing((WHERE, CACHES))
    choosing.toggle()
    choosing.toggle()
    assert choosing.answers() == {}
    choosing.next()
    choosing.toggle()
    choosing.move(1)
    choosing.toggle()
    assert choosing.answers() == {"Caches?": "Drop"}


def test_own_words_are_an_answer_and_empty_ones_are_none() -> None:
    choosing = Choosing((CACHES,))
    choosing.move(-1)
    choosing.take()
    assert choosing.typing
    choosing.say("  ")
    assert not choosing.complete
    assert choosing.answers() == {}
    choosing.take()
    choosing.say(" convert them \n")
    assert choosing.complete
    assert choosing.answers() == {"Caches?": "convert them"}


def test_own_words_may_stand_beside_choices() -> None:
    choosing = Choosing((WHERE,))
    choosing.toggle()
    assert choosing.point(2)
    choosing.toggle()
    choosing.say("on the blog")
    assert choosing.answers() == {"Where?": ["Import", "on the blog"]}


def test_what_we_ask_ourselves_has_no_place_for_other_words() -> None:
    choosing = Choosing((CACHES,), free=False)
    assert [choice.label for choice in choosing.choices(0)] == ["Read", "Drop"]
    assert not choosing.point(2)
    choosing.move(-1)
    choosing.take()
    assert choosing.answers() == {"Caches?": "Drop"}
