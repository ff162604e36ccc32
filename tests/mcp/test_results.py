"""What a server's tool gave, as blocks that the API takes."""

from __future__ import annotations

import base64
import io
from typing import Any

import pytest
from PIL import Image

from agent_tui.mcp.results import FAILED, NOTHING, output_of
from agent_tui.protocol.display import TextDisplay

pytestmark = pytest.mark.anyio


def picture(width: int = 20) -> str:
    out = io.BytesIO()
    Image.new("RGB", (width, 10), "red").save(out, "PNG")
    return base64.b64encode(out.getvalue()).decode()


async def blocks(*content: Any) -> list[Any]:
    output = await output_of({"content": list(content)}, "s: t")
    assert output.is_error is None
    assert output.structured == output.content
    assert isinstance(output.content, list)
    return output.content


async def test_text_is_passed_on_and_blank_text_is_not() -> None:
    found = await blocks({"type": "text", "text": "a"}, {"type": "text", "text": " \n"})
    assert found == [{"type": "text", "text": "a"}]


async def test_a_picture_is_shrunk_and_its_kind_looked_for() -> None:
    wrong = {"type": "image", "mimeType": "image/jpeg", "data": picture()}
    assert (await blocks(wrong))[0]["source"]["media_type"] == "image/png"
    big = {"type": "image", "mimeType": "image/png", "data": picture(5_000)}
    made = base64.b64decode((await blocks(big))[0]["source"]["data"])
    with Image.open(io.BytesIO(made)) as image:
        assert max(image.size) <= 2_000


@pytest.mark.parametrize("data", ["no base64!", base64.b64encode(b"no picture").decode(), ""])
async def test_a_picture_that_is_none_is_said_to_be(data: str) -> None:
    found = await blocks({"type": "image", "mimeType": "image/png", "data": data})
    assert "A picture can't be shown" in found[0]["text"]


async def test_other_kinds_are_told_in_words() -> None:
    found = await blocks(
        {"type": "resource", "resource": {"uri": "x://a", "text": "inside"}},
        {"type": "resource", "resource": {"uri": "x://b", "mimeType": "a/b", "blob": "AAAA"}},
        {
            "type": "resource",
            "resource": {"uri": "x://c", "mimeType": "image/png", "blob": picture()},
        },
        {"type": "resource_link", "uri": "x://d", "name": "d", "description": "a file"},
        {"type": "audio", "mimeType": "audio/wav", "data": "AAAA"},
        {"type": "smell"},
    )
    assert found[0]["text"] == "[Resource x://a]\ninside"
    assert "3 bytes" in found[1]["text"]
    assert found[2]["type"] == "image"
    assert found[3]["text"] == "[Resource d at x://d] a file"
    assert "Sound of type audio/wav" in found[4]["text"]
    assert "'smell'" in found[5]["text"]


async def test_data_is_shown_only_where_there_is_nothing_else() -> None:
    data = {"answer": 42}
    alone = await output_of({"content": [], "structuredContent": data}, "s: t")
    assert alone.content == [{"type": "text", "text": '{\n "answer": 42\n}'}]
    both = {"content": [{"type": "text", "text": "a"}], "structuredContent": data}
    assert (await output_of(both, "s: t")).content == [{"type": "text", "text": "a"}]


async def test_nothing_is_said_to_be_nothing() -> None:
    assert await blocks() == [{"type": "text", "text": NOTHING}]


async def test_a_failure_is_one_text() -> None:
    content = [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]
    output = await output_of({"content": content, "isError": True}, "s: t")
    assert (output.content, output.structured) == ("a\nb", "Error: a\nb")
    assert output.is_error is True
    assert output.display == TextDisplay("s: t", "a\nb")
    assert (await output_of({"content": [], "isError": True}, "s: t")).content == FAILED
