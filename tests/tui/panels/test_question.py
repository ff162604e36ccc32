from __future__ import annotations

from agent_tui.protocol.requests import GrantLimit, PermissionUpdate
from agent_tui.tui.panels import rules
from agent_tui.tui.panels.question import Question
from tests.tui.scenes import bash_question, edit_question


def test_no_is_chosen_to_begin_with() -> None:
    question = Question.of(bash_question())
    assert question.chosen == "n"
    assert [choice.key for choice in question.choices()] == ["y", "a", "s", "e", "n"]


def test_without_suggestions_nothing_can_be_stored() -> None:
    question = Question.of(edit_question(suggestions=()))
    assert [choice.key for choice in question.choices()] == ["y", "e", "h", "n"]


def test_yes_to_an_untouched_call_changes_nothing_of_it() -> None:
    allow = Question.of(bash_question()).allow()
    assert (allow.updated_input, allow.updated_permissions, allow.note) == (None, (), "")


def test_yes_to_an_edited_call_carries_the_text_and_tells_the_model() -> None:
    question = Question.of(bash_question())
    question.edited = "rm -r build"
    allow = question.allow()
    assert allow.updated_input == {"command": "rm -r build"}
    assert "'rm -r build'" in allow.note
    assert "as you changed it" in question.choices()[0].effect[0][0]


def test_always_goes_out_with_the_rule_and_its_place() -> None:
    question = Question.of(edit_question())
    assert question.update is not None
    allow = question.allow(rules.at_place([question.update], "projectSettings"))
    (update,) = allow.updated_permissions
    assert str(update.rules[0]) == "Edit(src/**)"
    assert update.destination == "projectSettings"


def test_wider_rules_are_one_key_away() -> None:
    question = Question.of(edit_question())
    wider = question.other_suggestion(1)
    assert wider is not None
    assert str(wider.rules[0]) == "Edit"
    assert question.update == wider
    assert Question.of(bash_question()).other_suggestion(1) is None


def test_taking_a_hunk_out_changes_what_runs_and_the_last_one_stays() -> None:
    question = Question.of(edit_question())
    assert question.toggle_hunk()
    assert question.is_changed
    assert "as you changed it" in question.choices()[0].effect[0][0]
    question.move_hunk(1)
    question.toggle_hunk()
    assert question.picked == {1}
    assert "hunk 1 of 2" in question.allow().note


def test_an_edited_proposal_is_not_picked_apart_any_more() -> None:
    question = Question.of(edit_question())
    question.edited = "mine"
    assert not question.toggle_hunk()
    assert "h" not in [choice.key for choice in question.choices()]


def test_an_answer_for_a_while_carries_its_limit_and_always_does_not() -> None:
    question = Question.of(edit_question())
    question.lasting.move(2)
    [update] = question.take("s").updated_permissions
    assert (update.destination, update.limit) == ("session", GrantLimit(calls=5))
    [update] = question.take("a").updated_permissions
    assert (update.destination, update.limit) == ("localSettings", None)
    assert question.take("y").updated_permissions == ()


def test_a_mode_given_for_the_session_has_no_limit() -> None:
    mode = PermissionUpdate("setMode", mode="acceptEdits")
    question = Question.of(edit_question(suggestions=(mode,)))
    question.lasting.move(1)
    assert question.take("s").updated_permissions == (mode,)


def test_a_comment_goes_to_the_model_behind_what_was_changed() -> None:
    question = Question.of(bash_question())
    assert question.take("y", "then stop").note == (
        "The person allowed this call and says: then stop"
    )
    question.edited = "rm -r build"
    first, *_, last = question.take("y", "then stop").note.splitlines()
    assert "edited `command`" in first
    assert last == "The person allowed this call and says: then stop"


def test_rules_are_read_as_they_are_typed() -> None:
    question = Question.of(bash_question())
    assert question.look_at_rules("Bash(make *)", ("Bash",)) is not None
    question.allows, question.problem = False, "the engine says no"
    assert question.look_at_rules("Bash(make  *)".replace("  ", " "), ("Bash",)) is not None
    assert (question.allows, question.problem) == (False, "the engine says no")
    assert question.look_at_rules("Bash(make", ("Bash",)) is None
    assert question.allows is None
    assert "is no rule" in question.problem
    question.look_at_rules("Bash(make x)", ("Bash",))
    assert question.problem == ""
