from __future__ import annotations

from agent_tui.tui.panels.pace import AFTER_ANSWER, GRACE, TYPING_PAUSE, Pace


def test_a_question_opens_at_once_when_nobody_types() -> None:
    assert Pace().until_open(100.0) <= 0


def test_a_question_waits_for_a_pause_in_typing() -> None:
    pace = Pace()
    pace.key(10.0)
    assert pace.until_open(10.1) > 0
    assert pace.until_open(10.0 + TYPING_PAUSE) <= 0


def test_an_open_question_ignores_keys_for_a_moment() -> None:
    pace = Pace()
    pace.open(20.0)
    assert pace.until_armed(20.1) > 0
    assert pace.until_armed(20.0 + GRACE) <= 0


def test_typing_on_keeps_the_question_from_taking_the_keyboard() -> None:
    pace = Pace()
    pace.open(20.0)
    pace.key(20.3)
    assert pace.until_armed(20.0 + GRACE) > 0
    assert pace.until_armed(20.3 + TYPING_PAUSE) <= 0


def test_a_closed_question_is_never_armed() -> None:
    pace = Pace()
    pace.open(1.0)
    pace.close()
    assert pace.until_armed(1000.0) > 0


def test_a_key_that_answered_or_was_ignored_puts_off_the_next_answer() -> None:
    pace = Pace()
    pace.pressed(10.0)
    pace.open(10.1)
    assert round(pace.until_armed(10.1), 6) == round(AFTER_ANSWER - 0.1, 6)
    assert pace.until_open(10.1) < 0, "it is shown at once"
    pace.pressed(10.7)
    assert round(pace.until_armed(10.7), 6) == AFTER_ANSWER
    assert pace.until_armed(10.7 + AFTER_ANSWER) <= 1e-9
