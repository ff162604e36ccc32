from __future__ import annotations

import math

import anyio
import pytest

from agent_tui.model.client import ModelResponse
from agent_tui.model.failures import Again, Failure
from agent_tui.model.retry import (
    JITTER,
    LONGEST_WAIT_S,
    Pace,
    Patience,
    retries_of,
    wait_asked,
    with_retries,
)
from agent_tui.protocol.errors import ModelError
from agent_tui.protocol.usage import Usage
from tests.model.asking import Time, Told, environment

RESPONSE = ModelResponse("msg_1", "m", (), "end_turn", Usage())


class Outcomes:
    """Gives one outcome after the other; the last one again and again."""

    def __init__(self, *outcomes: ModelResponse | Failure) -> None:
        self.outcomes = list(outcomes)
        self.asked = 0

    async def __call__(self) -> ModelResponse | Failure:
        self.asked += 1
        return self.outcomes[min(self.asked, len(self.outcomes)) - 1]


def failing(again: Again = "later", wait_s: float | None = None) -> Failure:
    return Failure("The API is overloaded.", "overloaded", 529, again=again, wait_s=wait_s)


@pytest.mark.anyio
async def test_waits_grow_are_capped_and_are_told_before_they_begin() -> None:
    time, told = Time(chance=0.0), Told()
    attempts = Outcomes(*[failing()] * 9, RESPONSE)
    assert await with_retries(attempts, told, time.pace, 10) is RESPONSE
    assert time.slept == [0.5, 1, 2, 4, 8, 16, 32, 32, 32]
    assert [one.delay_ms for one in told.retries] == [round(one * 1000) for one in time.slept]
    assert [one.attempt for one in told.retries] == list(range(1, 10))
    first = told.retries[0]
    assert (first.max_retries, first.status, first.error) == (10, 529, "overloaded")
    assert first.reason == "The API is overloaded."


@pytest.mark.anyio
@pytest.mark.parametrize("chance", [0.0, 0.3, 0.999])
async def test_jitter_lengthens_a_wait_by_its_share_at_most(chance: float) -> None:
    time = Time(chance=chance)
    await with_retries(Outcomes(failing(), failing(), RESPONSE), Told(), time.pace, 10)
    assert time.slept == [0.5 * (1 + JITTER * chance), 1 + JITTER * chance]
    assert time.slept[0] < time.slept[1]
    assert max(time.slept) <= LONGEST_WAIT_S * (1 + JITTER)


@pytest.mark.anyio
async def test_a_wait_the_server_asks_for_is_kept() -> None:
    time = Time()
    await with_retries(Outcomes(failing(wait_s=40), RESPONSE), Told(), time.pace, 10)
    assert 40 <= time.slept[0] < 41


@pytest.mark.anyio
async def test_an_unreasonable_wait_ends_the_retries_and_says_when_to_come_back() -> None:
    time = Time()
    with pytest.raises(ModelError, match="come back in 3 h 5 min"):
        await with_retries(Outcomes(failing(wait_s=3 * 3600 + 300)), Told(), time.pace, 10)
    assert time.slept == []


@pytest.mark.anyio
async def test_retries_used_up_are_an_error_that_counts_them() -> None:
    attempts, told = Outcomes(failing()), Told()
    with pytest.raises(ModelError, match=r"overloaded\. Tried 3 times\.") as caught:
        await with_retries(attempts, told, Time().pace, 2)
    assert (attempts.asked, len(told.retries), caught.value.status) == (3, 2, 529)


@pytest.mark.anyio
@pytest.mark.parametrize(("again", "tries"), [("never", 1), ("stalled", 2), ("thought", 3)])
async def test_some_failures_have_a_smaller_limit(again: Again, tries: int) -> None:
    attempts, told = Outcomes(failing(again)), Told()
    with pytest.raises(ModelError):
        await with_retries(attempts, told, Time().pace, 10)
    assert attempts.asked == tries
    assert all(one.max_retries == tries - 1 for one in told.retries)


@pytest.mark.anyio
async def test_after_thinking_the_retries_stay_quick() -> None:
    time = Time(chance=0.0)
    attempts = Outcomes(failing(), failing(), failing("thought"), failing("thought"), RESPONSE)
    assert await with_retries(attempts, Told(), time.pace, 10) is RESPONSE
    assert time.slept == [0.5, 1, 0.5, 0.5]


@pytest.mark.anyio
async def test_no_retries_wanted_means_one_try() -> None:
    attempts = Outcomes(failing())
    with pytest.raises(ModelError, match=r"overloaded\.$"):
        await with_retries(attempts, Told(), Time().pace, 0)
    assert attempts.asked == 1


@pytest.mark.anyio
async def test_a_wait_can_be_cancelled() -> None:
    waiting = anyio.Event()
    attempts = Outcomes(failing(), RESPONSE)

    async def sleep(_: float) -> None:
        waiting.set()
        await anyio.sleep_forever()

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(with_retries, attempts, Told(), Pace(sleep=sleep), 10)
        with anyio.fail_after(5):
            await waiting.wait()
        tasks.cancel_scope.cancel()
    assert attempts.asked == 1


@pytest.mark.parametrize(
    ("value", "retries"), [("", 10), ("3", 3), ("0", 0), ("99", 15), ("-1", 10), ("many", 10)]
)
def test_the_environment_says_how_many(value: str, retries: int) -> None:
    assert retries_of(environment(CLAUDE_CODE_MAX_RETRIES=value)) == retries


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "7"}, 7),
        ({"retry-after": "1.5"}, 1.5),
        ({"retry-after": "9", "retry-after-ms": "250"}, 0.25),
        ({"retry-after-ms": "soon", "retry-after": "9"}, 9),
        ({"retry-after": "Fri, 15 Jan 2027 08:00:30 GMT"}, 30),
        ({"retry-after": "Fri, 15 Jan 2021 08:00:30 GMT"}, 0),
        ({"retry-after": "in a while"}, None),
        ({"retry-after": "-3"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "inf"}, None),
    ],
)
def test_how_long_the_server_asks_to_wait(headers: dict[str, str], seconds: float | None) -> None:
    now = 1_800_000_000.0  # 15 Jan 2027, 08:00:00 UTC
    found = wait_asked(headers, now)
    assert found == seconds
    assert found is None or math.isfinite(found)


def test_patience_is_read_in_milliseconds_and_nonsense_counts_as_unset() -> None:
    assert Patience.of(environment()) == Patience(600.0, 300.0)
    env = environment(API_TIMEOUT_MS="1500", CLAUDE_STREAM_IDLE_TIMEOUT_MS="250")
    assert Patience.of(env) == Patience(1.5, 0.25)
    env = environment(API_TIMEOUT_MS="0", CLAUDE_STREAM_IDLE_TIMEOUT_MS="soon")
    assert Patience.of(env) == Patience(600.0, 300.0)


@pytest.mark.anyio
@pytest.mark.parametrize(("overloads", "asked"), [(None, 11), (3, 3), (1, 1)])
async def test_where_another_model_waits_it_gives_up_after_so_many_overloads(
    overloads: int | None, asked: int
) -> None:
    time, told, attempts = Time(), Told(), Outcomes(failing())
    with pytest.raises(ModelError) as error:
        await with_retries(attempts, told, time.pace, 10, overloads)
    assert attempts.asked == asked
    assert len(told.retries) == asked - 1
    assert error.value.kind == "overloaded"


@pytest.mark.anyio
async def test_overloads_count_in_a_row_only() -> None:
    other = Failure("no", "server_error", 500, again="later")
    down = Failure("no", "server_error", 503, again="later")
    attempts = Outcomes(failing(), failing(), other, failing(), down, RESPONSE)
    assert await with_retries(attempts, Told(), Time().pace, 10, 3) is RESPONSE
    attempts = Outcomes(other, failing(), down, failing(), RESPONSE)
    with pytest.raises(ModelError):
        await with_retries(attempts, Told(), Time().pace, 10, 3)
