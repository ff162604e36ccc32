from __future__ import annotations

import pytest

from agent_tui.engine.finding import places_before
from agent_tui.engine.opening import OpenSession
from agent_tui.journal.file import Reading
from agent_tui.protocol.masking import Masker
from agent_tui.protocol.messages import AssistantMessage, UserMessage
from tests.engine.sessions import Place
from tests.fakes.api_server import reply, tool

pytestmark = pytest.mark.anyio


async def test_every_run_before_the_message_counts_and_none_behind_it(place: Place) -> None:
    place.api.enqueue("pear one", "pear two", "pear three")
    talk = await place.talk("a pear", "b pear", "c pear")
    prompts = [m for m in talk.heard if isinstance(m, UserMessage)]
    answers = [m for m in talk.heard if isinstance(m, AssistantMessage)]
    entries = list(Reading(talk.journal))
    assert places_before(entries, "PEAR", None) == 6
    assert places_before(entries, "pear", prompts[0].uuid) == 0
    assert places_before(entries, "pear", answers[0].uuid) == 1
    assert places_before(entries, "pear", prompts[2].uuid) == 4
    assert places_before(entries, "pear", answers[2].uuid) == 5
    assert places_before(entries, " ", None) == 0


async def test_a_call_and_its_result_count_as_the_card_that_shows_them(place: Place) -> None:
    place.write("fig.txt", "nothing\n")
    place.api.enqueue(reply(tool("Read", {"file_path": "fig.txt"})), "ok")
    talk = await place.mode("bypassPermissions").talk("go")
    assert places_before(Reading(talk.journal), "fig.txt", None) == 1


async def test_secrets_can_not_be_found(place: Place) -> None:
    secret = "ghp_0123456789abcdefghijABCDEFGHIJ012345"
    place.api.enqueue("ok")
    talk = await place.talk(f"use {secret}")
    masker = Masker.knowing([secret])
    assert places_before(Reading(talk.journal), secret, None, masker=masker) == 0
    assert places_before(Reading(talk.journal), "[masked]", None, masker=masker) == 1


async def test_it_does_not_wait_for_a_session(place: Place) -> None:
    async def body(opened: OpenSession) -> None:
        assert not opened.journal_path.exists()

    await place.run(body)
    assert places_before([], "x", None) == 0
