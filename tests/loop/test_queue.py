from __future__ import annotations

import pytest

from agent_tui.loop.queue import PromptQueue
from agent_tui.protocol.messages import QueueChanged, QueuedPrompt
from agent_tui.protocol.ops import Prompt

pytestmark = pytest.mark.anyio


class Said:
    def __init__(self) -> None:
        self.queues: list[list[str]] = []

    async def __call__(self, message: QueueChanged) -> None:
        self.queues.append([item.text for item in message.items])


async def test_first_in_first_out_and_now_goes_first() -> None:
    said = Said()
    queue = PromptQueue(said)
    await queue.add(Prompt("one", "1"))
    await queue.add(Prompt("two", "2"))
    await queue.add(Prompt("urgent", "3", now=True))
    assert said.queues[-1] == ["urgent", "one", "two"]
    assert [(await queue.take()).text for _ in range(3)] == ["urgent", "one", "two"]
    assert not queue


async def test_sending_a_waiting_prompt_now_moves_it() -> None:
    said = Said()
    queue = PromptQueue(said)
    await queue.add(Prompt("one", "1"))
    await queue.add(Prompt("two", "2"))
    await queue.add(Prompt("two", "2", now=True))
    assert said.queues[-1] == ["two", "one"]
    assert [item.text for item in await queue.steering()] == ["two"]
    assert said.queues[-1] == ["one"]


async def test_commands_do_not_steer() -> None:
    queue = PromptQueue(Said())
    await queue.add(Prompt("/compact", "1", now=True))
    assert await queue.steering() == []
    assert (await queue.take()).text == "/compact"


async def test_an_edited_queue_is_taken_as_it_is() -> None:
    said = Said()
    queue = PromptQueue(said)
    for number in "123":
        await queue.add(Prompt(f"p{number}", number))
    await queue.replace((QueuedPrompt("3", "third, edited"), QueuedPrompt("1", "p1")))
    assert said.queues[-1] == ["third, edited", "p1"]
