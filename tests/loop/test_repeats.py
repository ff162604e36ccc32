from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from agent_tui.loop.repeats import ENDS_AFTER, NOTICED_AFTER, Repeats, Verdict
from agent_tui.protocol.content import JsonObject


def after(times: int, text: str = "no such file") -> Repeats:
    repeats = Repeats()
    for _ in range(times):
        repeats.failed("Read", {"path": "x"}, text)
    return repeats


def test_the_third_is_noticed_and_the_fifth_ends() -> None:
    verdicts = [after(n).verdict("Read", {"path": "x"}) for n in range(6)]
    assert (NOTICED_AFTER, ENDS_AFTER) == (2, 4)
    assert verdicts == [
        Verdict.RUN,
        Verdict.RUN,
        Verdict.NOTICE,
        Verdict.NOTICE,
        Verdict.END,
        Verdict.END,
    ]


def test_held_back_counts_as_tried() -> None:
    repeats = after(2)
    repeats.held_back("Read", {"path": "x"})
    repeats.held_back("Read", {"path": "x"})
    assert repeats.verdict("Read", {"path": "x"}) is Verdict.END


def test_the_order_of_the_input_makes_no_difference_and_another_input_does() -> None:
    repeats = Repeats()
    for given_input in ({"a": 1, "b": 2}, {"b": 2, "a": 1}):
        repeats.failed("T", given_input, "no")
    assert repeats.verdict("T", {"a": 1, "b": 2}) is Verdict.NOTICE
    assert repeats.verdict("T", {"a": 1, "b": 3}) is Verdict.RUN
    assert repeats.verdict("U", {"a": 1, "b": 2}) is Verdict.RUN


def test_unreadable_inputs_are_told_apart_by_what_was_written() -> None:
    repeats = Repeats()
    for _ in range(2):
        repeats.failed("T", {}, "no JSON", "{")
    assert repeats.verdict("T", {}, "{") is Verdict.NOTICE
    assert repeats.verdict("T", {}, "[") is Verdict.RUN
    assert repeats.verdict("T", {}) is Verdict.RUN


def test_another_failure_begins_to_count_anew_and_numbers_make_no_other_failure() -> None:
    repeats = after(2, "ended after 12 ms")
    repeats.failed("Read", {"path": "x"}, "ended after 140 ms")
    assert repeats.count("Read", {"path": "x"}) == 3
    repeats.failed("Read", {"path": "x"}, "permission denied")
    assert repeats.count("Read", {"path": "x"}) == 1


def test_what_worked_or_was_let_go_on_is_forgotten() -> None:
    repeats = after(3)
    repeats.failed("Other", {}, "no")
    repeats.forgive("Read", {"path": "x"})
    assert repeats.count("Read", {"path": "x"}) == 0
    assert repeats.count("Other", {}) == 1


def test_a_change_makes_everything_worth_trying_again() -> None:
    repeats = after(3)
    repeats.changed()
    assert repeats.verdict("Read", {"path": "x"}) is Verdict.RUN


JSON: st.SearchStrategy[object] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=6,
)


@given(st.dictionaries(st.text(max_size=5), JSON), st.text(), st.integers(0, 6))
def test_any_input_can_be_counted(given_input: JsonObject, text: str, times: int) -> None:
    repeats = Repeats()
    for _ in range(times):
        repeats.failed("T", given_input, text)
    assert repeats.count("T", dict(reversed(given_input.items()))) == times
