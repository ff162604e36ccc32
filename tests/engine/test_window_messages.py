from __future__ import annotations

import pytest

from agent_tui.engine.opening import OpenSession
from agent_tui.engine.window_messages import breakdown
from agent_tui.journal.fold import Conversation
from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.messages import ResultMessage
from agent_tui.protocol.ops import Prompt
from tests.engine.sessions import Place
from tests.fakes.api_server import reply, tool

pytestmark = pytest.mark.anyio


def test_an_empty_window_has_nothing() -> None:
    made = breakdown(Conversation())
    assert made["prompts"] == made["toolResultTokens"] == made["userMessageTokens"] == 0
    assert made["toolCallsByType"] == made["largestResults"] == []


async def test_prompts_answers_calls_and_results_are_told_apart(place: Place) -> None:
    place.write("big.txt", "word word word\n" * 400)
    place.write("small.txt", "x\n")
    place.api.enqueue(
        reply(tool("Read", {"file_path": "big.txt"}), tool("Read", {"file_path": "small.txt"})),
        "an answer of some length " * 20,
        "ok",
    )
    made: JsonObject = {}

    async def body(opened: OpenSession) -> None:
        with opened.session.subscribe() as messages:
            for text in ("please read both files", "thanks"):
                opened.session.send(Prompt(text, f"uuid-{text}"))
                async for message in messages:
                    if isinstance(message, ResultMessage):
                        break
        made.update(breakdown(opened.usage.conversation()))

    await place.mode("bypassPermissions").run(body)
    assert made["prompts"] == 2
    assert made["toolResultTokens"] > 1000 > made["assistantMessageTokens"] > 80
    assert 0 < made["userMessageTokens"] < 40
    assert made["thinkingTokens"] == made["attachmentTokens"] == 0
    (read,) = made["toolCallsByType"]
    assert read["name"] == "Read" and read["resultTokens"] == made["toolResultTokens"]
    largest = made["largestResults"]
    assert [one["about"].rpartition("/")[2] for one in largest] == ["big.txt", "small.txt"]
    assert largest[0]["tokens"] > largest[1]["tokens"]
