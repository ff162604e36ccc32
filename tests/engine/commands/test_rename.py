from __future__ import annotations

import pytest

from agent_tui.journal.file import Reading
from agent_tui.journal.fold import fold
from tests.engine.sessions import Place

pytestmark = pytest.mark.anyio


async def test_the_title_is_kept_in_the_session(place: Place) -> None:
    place.api.enqueue("one")
    talk = await place.talk("a", "/rename  my\nplan ")
    assert "'my plan'" in str(talk.system("local_command_output")[0].data["content"])
    conversation = fold(Reading(talk.journal))
    assert (conversation.custom_title, conversation.title) == ("my plan", "my plan")


async def test_u2_a_title_with_terminal_codes_is_stored_without(place: Place) -> None:
    place.api.enqueue("one")
    talk = await place.talk("a", "/rename x\x1b]52;c;aGk=\x07y\x9b31mz")
    assert fold(Reading(talk.journal)).custom_title == "xyz"
    assert "\x1b" not in str(talk.system("local_command_output")[0].data["content"])


async def test_without_a_title_it_says_how(place: Place) -> None:
    place.api.enqueue("one")
    talk = await place.talk("a", "/rename  \x1b[0m ")
    [said] = talk.system("local_command_output")
    assert said.data["content"] == "Usage: /rename <title>"
    assert fold(Reading(talk.journal)).custom_title == ""
