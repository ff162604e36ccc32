from __future__ import annotations

import re

import pytest

from agent_tui.protocol.usage import Usage
from tests.engine.sessions import Place
from tests.fakes.api_server import reply, tool

pytestmark = pytest.mark.anyio


async def test_it_tells_the_whole_as_the_api_counted_it_and_the_parts(place: Place) -> None:
    place.write("a.txt", "x " * 4000)
    place.api.enqueue(reply(tool("Read", file_path="a.txt")), "ok")
    talk = await place.talk("read it", "/context")
    text = str(talk.system("local_command_output")[-1].data["content"])
    usage = Usage.from_api(place.api.messages[-1].usage)
    counted = usage.prompt_tokens
    found = re.match(r"Context: ([\d,]+) of ([\d,]+) tokens", text)
    assert found is not None
    used, window = (int(number.replace(",", "")) for number in found.groups())
    assert counted <= used <= counted + usage.output_tokens
    assert window >= 200_000
    assert "Estimated: " in text


async def test_before_the_first_answer_it_is_empty(place: Place) -> None:
    talk = await place.talk("/context")
    text = str(talk.system("local_command_output")[0].data["content"])
    assert text.startswith("Context: 0 of ")
    assert "(0%)" in text
