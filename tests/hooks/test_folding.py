from __future__ import annotations

import itertools

import pytest

from agent_tui.hooks.folding import STRICTEST_FIRST, fold
from agent_tui.protocol.hooks import NOTHING, HookBehavior, HookOutcome
from agent_tui.protocol.requests import Allow, Deny


@pytest.mark.parametrize("pair", itertools.combinations(STRICTEST_FIRST, 2))
def test_the_strictest_wins_in_whatever_order(pair: tuple[HookBehavior, HookBehavior]) -> None:
    strict, lax = (HookOutcome(one, f"{one}!", one) for one in pair)
    for order in ((strict, lax, NOTHING), (NOTHING, lax, strict)):
        folded = fold(order)
        assert (folded.behavior, folded.reason, folded.source) == (pair[0], f"{pair[0]}!", pair[0])


def test_texts_add_up_and_reasons_stand_once() -> None:
    folded = fold(
        [
            HookOutcome("deny", "a", "User", additional_context=("x",)),
            HookOutcome("deny", "b", "Managed", additional_context=("y", "z")),
            HookOutcome("deny", "a"),
        ]
    )
    assert folded.reason == "a\nb"
    assert folded.source == "User"
    assert folded.additional_context == ("x", "y", "z")


def test_the_last_change_of_the_input_counts_unless_the_call_is_off() -> None:
    one, two = HookOutcome(updated_input={"n": 1}), HookOutcome(updated_input={"n": 2})
    assert fold([one, two]).updated_input == {"n": 2}
    assert fold([one, HookOutcome("deny")]).updated_input is None
    assert fold([one, HookOutcome("defer")]).updated_input is None
    assert fold([one, HookOutcome("ask")]).updated_input == {"n": 1}


def test_an_allow_does_not_hold_for_what_another_hook_made_of_the_input() -> None:
    allow = HookOutcome("allow", "fine", "User")
    change = HookOutcome(updated_input={"command": "rm x"})
    folded = fold([allow, change])
    assert (folded.behavior, folded.reason, folded.updated_input) == (None, "", {"command": "rm x"})
    own = HookOutcome("allow", updated_input={"command": "ls"})
    assert fold([allow, own]).behavior == "allow"


def test_blocks_are_joined_and_an_end_counts_with_an_empty_reason() -> None:
    folded = fold([HookOutcome(blocked="a", source="User"), HookOutcome(blocked="b"), NOTHING])
    assert (folded.blocked, folded.source, folded.stop) == ("a\nb", "User", None)
    assert fold([NOTHING, HookOutcome(stop="")]).stop == ""


def test_a_denied_question_stays_denied() -> None:
    yes = HookOutcome(answer=Allow(), source="User")
    no = HookOutcome(answer=Deny("no"), source="Managed")
    for order in ((yes, no), (no, yes)):
        folded = fold(order)
        assert (folded.answer, folded.source) == (Deny("no"), "Managed")


def test_titles_first_prompts_outputs_and_another_try() -> None:
    folded = fold(
        [
            HookOutcome(title="a", initial_prompt="one", updated_output=0),
            HookOutcome(title="b", initial_prompt="two", retry=True),
        ]
    )
    assert (folded.title, folded.initial_prompt) == ("b", "one\ntwo")
    assert (folded.updated_output, folded.retry) == (0, True)


def test_nothing_is_nothing() -> None:
    assert fold([]) == fold([NOTHING, NOTHING]) == NOTHING
