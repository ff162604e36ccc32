"""Pictures of a prompt are small enough before they are sent, and a bad one does no lasting harm."""

from __future__ import annotations

import base64
import io
from typing import Any

import pytest
from PIL import Image

from agent_tui.engine.fitting import fitted
from agent_tui.engine.opening import OpenSession
from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.messages import ResultMessage
from agent_tui.protocol.ops import Prompt
from tests.engine.sessions import Place

pytestmark = pytest.mark.anyio


def png(width: int, height: int) -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (width, height), "navy").save(out, "PNG")
    return out.getvalue()


def block(data: bytes, kind: str = "image/png") -> JsonObject:
    source = {"type": "base64", "media_type": kind, "data": base64.b64encode(data).decode()}
    return {"type": "image", "source": source}


def size(found: JsonObject) -> tuple[int, int]:
    return Image.open(io.BytesIO(base64.b64decode(found["source"]["data"]))).size


async def test_a_small_one_stays_byte_for_byte() -> None:
    text: JsonObject = {"type": "text", "text": "look"}
    small = block(png(40, 30))
    assert await fitted([text, small]) == [text, small]


async def test_a_large_one_is_made_smaller() -> None:
    [found] = await fitted([block(png(6000, 3000))])
    assert size(found) == (1568, 784)


async def test_what_is_wrongly_named_is_told_as_what_it_is() -> None:
    [found] = await fitted([block(png(4, 4), "image/gif")])
    assert found["source"]["media_type"] == "image/png"


@pytest.mark.parametrize("data", [b"no picture", png(40, 30)[:60]])
async def test_one_that_can_not_be_used_is_told_of_in_words(data: bytes) -> None:
    [found] = await fitted([block(data)])
    assert found["type"] == "text"
    assert "left out" in found["text"]


async def test_by_address_it_is_left_to_the_server() -> None:
    given: JsonObject = {"type": "image", "source": {"type": "url", "url": "https://example.com/x"}}
    assert await fitted([given]) == [given]


async def test_in_a_session_of_a_person_the_model_gets_the_small_one(place: Place) -> None:
    place.api.enqueue("Navy.")
    content: tuple[JsonObject, ...] = (
        {"type": "text", "text": "[Image 1] what colour?"},
        block(png(4000, 4000)),
    )

    async def body(opened: OpenSession) -> None:
        with opened.session.subscribe() as messages:
            ident = "00000000-0000-4000-8000-000000000001"
            opened.session.send(Prompt("[Image 1] what colour?", ident, content=content))
            async for message in messages:
                if isinstance(message, ResultMessage):
                    break

    await place.run(body)
    [request] = place.api.messages
    messages: list[Any] = list(request.messages)
    blocks: list[Any] = [b for m in messages for b in m["content"]]
    [sent] = [b for b in blocks if b["type"] == "image"]
    assert size(sent) == (1568, 1568)
    assert "[Image 1] what colour?" in [b.get("text") for b in blocks]
