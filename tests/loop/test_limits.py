from __future__ import annotations

from collections.abc import Callable

import anyio
import pytest

from agent_tui.loop.asking import NobodyThere
from agent_tui.loop.limits import Budget, TurnLimit, dollars
from agent_tui.protocol.display import AskedQuestion
from agent_tui.protocol.errors import UsageError

pytestmark = pytest.mark.anyio


class Spent:
    """What a session has cost."""

    def __init__(self, usd: float = 0.0) -> None:
        self.usd = usd

    def __call__(self) -> float:
        return self.usd


class Answering:
    """Implements ``Asker``: gives what ``answer`` makes of the question; remembers the questions."""

    there = True

    def __init__(self, answer: Callable[[AskedQuestion], str]) -> None:
        self._answer = answer
        self.asked: list[AskedQuestion] = []

    async def ask(self, question: AskedQuestion, call_id: str = "") -> str | None:
        self.asked.append(question)
        return self._answer(question)


def nth(number: int) -> Callable[[AskedQuestion], str]:
    return lambda question: question.choices[number].label


def saying(text: str) -> Callable[[AskedQuestion], str]:
    return lambda question: text


@pytest.mark.parametrize(("turns", "stops"), [(0, False), (1, False), (2, True), (3, True)])
def test_turns_stop_after_the_tools_of_the_last_permitted_one(turns: int, stops: bool) -> None:
    limit = TurnLimit(2)
    assert limit.before_going_on() is None
    reached = limit.after_tools(turns)
    assert (reached is not None) is stops
    if reached is not None:
        assert (reached.subtype, reached.terminal_reason) == ("error_max_turns", "max_turns")
        assert "(2)" in reached.text


async def test_a_turn_limit_is_not_asked_about() -> None:
    asker = Answering(nth(0))
    assert not await TurnLimit(1).extended(asker)
    assert asker.asked == []


@pytest.mark.parametrize(("spent", "stops"), [(1.99, False), (2.0, True), (2.5, True)])
def test_a_budget_counts_from_when_it_was_made(spent: float, stops: bool) -> None:
    cost = Spent(10.0)
    budget = Budget(2.0, cost)
    cost.usd += spent
    assert budget.reached is stops
    reached = budget.before_going_on()
    assert (reached is not None) is stops
    assert budget.after_tools(9) is None
    if reached is not None:
        assert reached.subtype == "error_max_budget_usd"
        assert reached.terminal_reason == "budget_exhausted"
        assert "($2)" in reached.text


def test_a_cleared_session_begins_to_spend_anew() -> None:
    cost = Spent()
    budget = Budget(2.0, cost)
    cost.usd = 2.0
    assert budget.reached
    budget.restart()
    assert (budget.reached, budget.spent) == (False, 0.0)


def test_without_a_cap_nothing_is_reached() -> None:
    cost = Spent()
    budget = Budget(None, cost)
    cost.usd = 1e6
    assert not budget.reached and budget.before_going_on() is None


@pytest.mark.parametrize("usd", [0.0, -1.0, float("nan")])
def test_a_cap_of_nothing_is_refused(usd: float) -> None:
    with pytest.raises(UsageError, match=r"more than \$0"):
        Budget(usd, Spent())


@pytest.mark.parametrize(
    ("answer", "goes_on", "cap"),
    [
        (nth(0), True, 4.0),
        (nth(1), True, None),
        (nth(2), False, 2.0),
        (saying(""), False, 2.0),
        (saying("$7.50"), True, 7.5),
        (saying("3"), True, 3.0),
        (saying("1"), False, 2.0),
        (saying("as you like"), False, 2.0),
    ],
)
async def test_the_person_may_move_the_cap(
    answer: Callable[[AskedQuestion], str], goes_on: bool, cap: float | None
) -> None:
    cost, changes = Spent(), list[int]()
    budget = Budget(2.0, cost, lambda: changes.append(1))
    cost.usd = 2.25
    asker = Answering(answer)
    assert await budget.extended(asker) is goes_on
    assert budget.usd == cap
    assert len(changes) == goes_on
    [question] = asker.asked
    assert "$2.00" in question.question and "$2.25" in question.question
    assert question.choices[0].label == "Raise to $4.00"


async def test_raised_again_it_grows_by_the_first_amount_until_there_is_room() -> None:
    cost = Spent()
    budget = Budget(2.0, cost)
    cost.usd = 2.0
    await budget.extended(Answering(nth(0)))
    cost.usd = 9.0
    asker = Answering(nth(0))
    await budget.extended(asker)
    assert asker.asked[0].choices[0].label == "Raise to $10.00"
    assert not budget.reached


@pytest.mark.parametrize("cap", [1e-12, 5e-324])
async def test_a_cap_of_next_to_nothing_is_raised_at_once(cap: float) -> None:
    cost = Spent()
    budget = Budget(cap, cost)
    cost.usd = 3.0
    assert await budget.extended(Answering(nth(0)))
    assert not budget.reached


async def test_where_nobody_is_there_it_stays() -> None:
    cost = Spent()
    budget = Budget(2.0, cost)
    cost.usd = 2.0
    assert not await budget.extended(NobodyThere())
    assert budget.usd == 2.0


async def test_several_loops_ask_once_and_all_hear_the_answer() -> None:
    cost, answered, heard = Spent(), anyio.Event(), list[bool]()
    budget = Budget(2.0, cost)
    cost.usd = 2.0
    asked: list[AskedQuestion] = []

    class Slow:
        there = True

        async def ask(self, question: AskedQuestion, call_id: str = "") -> str | None:
            asked.append(question)
            await answered.wait()
            return question.choices[0].label

    async def extend() -> None:
        heard.append(await budget.extended(Slow()))

    async with anyio.create_task_group() as group:
        for _ in range(3):
            group.start_soon(extend)
        await anyio.wait_all_tasks_blocked()
        answered.set()
    assert (len(asked), heard) == (1, [True, True, True])


async def test_when_the_one_that_asks_is_cancelled_the_others_still_stop() -> None:
    cost, heard, scope = Spent(), list[bool](), anyio.CancelScope()
    budget = Budget(2.0, cost)
    cost.usd = 2.0

    class Never:
        there = True

        async def ask(self, question: AskedQuestion, call_id: str = "") -> str | None:
            await anyio.sleep_forever()

    async def first() -> None:
        with scope:
            await budget.extended(Never())

    async def second() -> None:
        heard.append(await budget.extended(Never()))

    async with anyio.create_task_group() as group:
        group.start_soon(first)
        await anyio.wait_all_tasks_blocked()
        group.start_soon(second)
        await anyio.wait_all_tasks_blocked()
        scope.cancel()
    assert heard == [False]


@pytest.mark.parametrize(("usd", "text"), [(2.0, "$2.00"), (0.0001, "$0.0001"), (12.345, "$12.35")])
def test_amounts_are_written_for_people(usd: float, text: str) -> None:
    assert dollars(usd) in (text, text.replace("35", "34"))


def test_a_budget_that_holds_ends_what_else_would_spend() -> None:
    ended: list[str] = []
    Budget(1.0, Spent(), used_up=lambda: ended.append("now")).holds()
    assert ended == ["now"]
    TurnLimit(1).holds()
