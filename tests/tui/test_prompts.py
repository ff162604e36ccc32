from __future__ import annotations

from agent_tui.protocol.messages import QueuedPrompt
from agent_tui.protocol.ops import Prompt
from agent_tui.tui.chips import Picture
from agent_tui.tui.prompts import as_typed, made, queued


def test_what_is_sent() -> None:
    assert made("fix it", "u") == Prompt("fix it", "u")
    assert made("! ls", "u") == Prompt("ls", "u", shell=True)
    assert made("! ls", "u", typed=False) == Prompt("! ls", "u")


def test_pictures_go_beside_the_text_in_its_order() -> None:
    prompt = made(
        "[Image 1] or [Image 2]?", "u", [Picture(b"a", "image/png"), Picture(b"b", "image/gif")]
    )
    assert prompt.text == "[Image 1] or [Image 2]?"
    assert prompt.content == (
        {"type": "text", "text": "[Image 1] or [Image 2]?"},
        {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "YQ=="}},
        {"type": "image", "source": {"type": "base64", "media_type": "image/gif", "data": "Yg=="}},
    )


def test_an_item_of_the_queue_is_what_was_typed_for_it() -> None:
    for text in ("fix it", "! ls"):
        assert as_typed(queued(made(text, "u"))) == text
    assert as_typed(QueuedPrompt("u", "ls", shell=True)) == "! ls"
