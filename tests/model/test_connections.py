from __future__ import annotations

import pytest

from agent_tui.model.connections import IDLE_CONNECTION_S, Connections
from tests.model.asking import Time

pytestmark = pytest.mark.anyio


class Client:
    def __init__(self) -> None:
        self.closed = False

    async def close(self) -> None:
        assert not self.closed
        self.closed = True


def connections(time: Time) -> Connections[Client]:
    return Connections(lambda: time.now)


async def test_the_set_is_kept_while_it_is_used() -> None:
    time = Time()
    kept = connections(time)
    first = await kept.take(Client)
    await kept.give_back(first)
    time.now += IDLE_CONNECTION_S
    assert await kept.take(Client) is first
    assert not first.api.closed


@pytest.mark.parametrize("jump", [IDLE_CONNECTION_S + 1, 7200, -3600])
async def test_a_pause_or_a_jump_of_the_clock_gives_a_new_set(jump: float) -> None:
    time = Time()
    kept = connections(time)
    first = await kept.take(Client)
    await kept.give_back(first)
    time.now += jump
    second = await kept.take(Client)
    assert second is not first and first.api.closed and not second.api.closed


async def test_the_pause_is_counted_from_the_end_of_the_last_request() -> None:
    time = Time()
    kept = connections(time)
    first = await kept.take(Client)
    time.now += 500
    await kept.give_back(first)
    assert await kept.take(Client) is first


async def test_a_worn_set_is_not_used_again() -> None:
    kept = connections(Time())
    first = await kept.take(Client)
    first.worn = True
    await kept.give_back(first)
    assert await kept.take(Client) is not first
    assert first.api.closed


async def test_a_retired_set_is_closed_when_its_last_user_is_done() -> None:
    time = Time()
    kept = connections(time)
    one = await kept.take(Client)
    assert await kept.take(Client) is one
    time.now += 60
    other = await kept.take(Client)
    await kept.give_back(one)
    assert not one.api.closed
    await kept.give_back(one)
    assert one.api.closed and not other.api.closed


async def test_closing_lets_go_of_what_is_not_in_use_and_later_of_the_rest() -> None:
    kept = connections(Time())
    line = await kept.take(Client)
    await kept.aclose()
    assert not line.api.closed
    await kept.give_back(line)
    assert line.api.closed
    await kept.aclose()


async def test_a_set_that_can_not_be_opened_leaves_no_trace() -> None:
    def fails() -> Client:
        raise ValueError("no")

    kept = connections(Time())
    with pytest.raises(ValueError, match="no"):
        await kept.take(fails)
    assert (await kept.take(Client)).users == 1
