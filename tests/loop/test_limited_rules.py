from __future__ import annotations

from dataclasses import dataclass

import pytest

from agent_tui.loop.limited_rules import LimitedRules, left_for_later
from agent_tui.permissions.rules import RuleBook
from agent_tui.protocol.requests import GrantLimit, PermissionRuleValue, PermissionUpdate

TOUCH, MAKE = PermissionRuleValue("Bash", "touch *"), PermissionRuleValue("Bash", "make *")


def granted(limit: GrantLimit, *rules: PermissionRuleValue) -> PermissionUpdate:
    return PermissionUpdate("addRules", rules or (TOUCH,), limit=limit)


@dataclass
class Times:
    """Two clocks moved by hand: seconds that go on, and the wall's."""

    on: float = 100.0
    wall: float = 5000.0

    def rules(self) -> LimitedRules:
        return LimitedRules(lambda: self.on, lambda: self.wall)


def holding(rules: LimitedRules) -> list[PermissionRuleValue]:
    return [rule.value for rule in rules.joined(RuleBook()).allow]


def test_what_holds_for_some_calls_is_used_up() -> None:
    rules = LimitedRules()
    rules.add(granted(GrantLimit(calls=2)))
    rules.use(TOUCH)
    assert holding(rules) == [TOUCH]
    rules.use(MAKE)
    rules.use(TOUCH)
    assert holding(rules) == []
    rules.use(TOUCH)
    assert rules.grants == ()


def test_each_rule_of_an_answer_has_its_own_count() -> None:
    rules = LimitedRules()
    rules.add(granted(GrantLimit(calls=1), TOUCH, MAKE))
    rules.use(TOUCH)
    assert holding(rules) == [MAKE]


def test_what_holds_for_another_reason_is_not_counted() -> None:
    rules = LimitedRules()
    rules.add(granted(GrantLimit(calls=1)))
    assert rules.counted == (TOUCH,)
    rules.add(granted(GrantLimit(task=True)))
    assert rules.counted == ()
    rules.end_task()
    assert rules.counted == (TOUCH,)


def test_a_task_ends_and_what_holds_for_calls_or_minutes_stays() -> None:
    rules = LimitedRules()
    rules.add(granted(GrantLimit(task=True)))
    rules.add(granted(GrantLimit(minutes=1), MAKE))
    rules.end_task()
    assert holding(rules) == [MAKE]


@pytest.mark.parametrize(
    ("on", "wall"), [(600.0, 0.0), (0.0, 600.0), (600.0, 600.0), (601.0, -9000.0)]
)
def test_minutes_are_over_when_one_of_the_clocks_says_so(on: float, wall: float) -> None:
    times = Times()
    rules = times.rules()
    taken = rules.add(granted(GrantLimit(minutes=10)))
    assert taken.limit == GrantLimit(minutes=10, until=5600.0)
    times.on, times.wall = 100.0 + min(on, 599), 5000.0 + min(wall, 599)
    assert holding(rules) == [TOUCH]
    times.on, times.wall = 100.0 + on, 5000.0 + wall
    assert holding(rules) == []


def test_a_time_that_was_begun_in_an_earlier_run_goes_on_from_there() -> None:
    times = Times()
    rules = times.rules()
    rules.add(granted(GrantLimit(minutes=10, until=5060.0)))
    times.on += 59
    assert holding(rules) == [TOUCH]
    times.on += 1
    assert holding(rules) == []


def test_a_clock_that_was_set_back_makes_no_time_longer_than_was_given() -> None:
    times = Times(wall=1000.0)
    rules = times.rules()
    rules.add(granted(GrantLimit(minutes=10, until=5600.0)))
    times.on += 600
    assert holding(rules) == []


def test_rules_are_taken_away_before_their_time() -> None:
    rules = LimitedRules()
    rules.add(granted(GrantLimit(calls=1), TOUCH, MAKE))
    rules.remove((TOUCH,))
    assert holding(rules) == [MAKE]
    rules.remove(None)
    assert holding(rules) == []


def test_the_book_holds_each_rule_once_and_can_do_without_some() -> None:
    rules = LimitedRules()
    rules.add(granted(GrantLimit(calls=1), TOUCH))
    rules.add(granted(GrantLimit(calls=3), TOUCH, MAKE))
    book = RuleBook().with_update(PermissionUpdate("addRules", (MAKE,)))
    assert [rule.value for rule in rules.joined(book).allow] == [MAKE, TOUCH]
    assert [rule.value for rule in rules.joined(book, (TOUCH,)).allow] == [MAKE]


def test_of_a_session_that_is_resumed_only_time_that_is_left_goes_on() -> None:
    whole = PermissionUpdate("addRules", (MAKE,))
    soon = granted(GrantLimit(minutes=5, until=300.0))
    given = (
        whole,
        granted(GrantLimit(task=True)),
        granted(GrantLimit(calls=9)),
        granted(GrantLimit(minutes=5)),
        soon,
        granted(GrantLimit(minutes=5, until=100.0)),
    )
    assert left_for_later(given, lambda: 200.0) == (whole, soon)
