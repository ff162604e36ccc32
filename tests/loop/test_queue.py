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


async def test_several_sent_now_keep_their_order_and_go_before_the_others() -> None:
    said = Said()
    queue = PromptQueue(said)
    await queue.add(Prompt("later", "0"))
    for number in "123":
        await queue.add(Prompt(f"now {number}", number, now=True))
    assert said.queues[-1] == ["now 1", "now 2", "now 3", "later"]
    assert [item.text for item in await queue.steering()] == ["now 1", "now 2", "now 3"]
    assert said.queues[-1] == ["later"]


async def test_one_sent_now_goes_behind_those_the_person_has_put_last() -> None:
    said = Said()
    queue = PromptQueue(said)
    await queue.add(Prompt("one", "1"))
    await queue.add(Prompt("urgent", "2", now=True))
    await queue.replace((QueuedPrompt("1", "one"), QueuedPrompt("2", "urgent")))
    await queue.add(Prompt("more", "3", now=True))
    assert said.queues[-1] == ["one", "urgent", "more"]


async def test_what_only_looks_like_a_command_may_steer() -> None:
    queue = PromptQueue(Said())
    await queue.add(Prompt("/compact", "1", now=True, verbatim=True))
    assert [item.text for item in await queue.steering()] == ["/compact"]
    told = PromptQueue(Said(), lambda prompt: prompt.text == "/compact")
    await told.add(Prompt("/etc/hosts is wrong", "1", now=True))
    await told.add(Prompt("/compact", "2", now=True))
    assert [item.text for item in await told.steering()] == ["/etc/hosts is wrong"]


async def test_an_edited_prompt_keeps_its_pictures_and_who_speaks() -> None:
    queue = PromptQueue(Said())
    picture = {
        "type": "image",
        "source": {"type": "base64", "media_type": "image/png", "data": "x"},
    }
    content = (picture, {"type": "text", "text": "what is this?"})
    prompt = Prompt("what is this?", "1", content=content, origin={"kind": "peer"})
    await queue.add(prompt)
    await queue.replace((QueuedPrompt("1", "what is this?"),))
    await queue.replace((QueuedPrompt("1", "and this?"),))
    taken = await queue.take()
    assert taken.content == ({"type": "text", "text": "and this?"}, picture)
    assert (taken.text, taken.origin) == ("and this?", {"kind": "peer"})


async def test_where_all_is_verbatim_nothing_is_a_command() -> None:
    queue = PromptQueue(Said(), verbatim=True)
    await queue.add(Prompt("/compact", "1", now=True))
    await queue.add(Prompt("/clear", "2"))
    assert [(item.text, item.verbatim) for item in await queue.steering()] == [("/compact", True)]
    assert (await queue.take()).verbatim


async def test_what_background_work_says_is_not_the_persons_to_see_or_edit() -> None:
    said = Said()
    queue = PromptQueue(said)
    news = Prompt("ended", "1", now=True, origin={"kind": "task-notification"})
    await queue.add(Prompt("later", "2"))
    await queue.add(news)
    await queue.replace((QueuedPrompt("2", "changed"),))
    assert said.queues == [["later"], ["later"], ["changed"]]
    assert await queue.steering() == [news]
    assert (await queue.take()).text == "changed"
