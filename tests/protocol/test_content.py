from __future__ import annotations

from hypothesis import given

from agent_tui.protocol.content import (
    ContentBlock,
    ImageBlock,
    UnknownBlock,
    block_from_json,
    block_to_json,
)
from tests.protocol.strategies import BLOCKS


@given(BLOCKS)
def test_blocks_survive_their_json(block: ContentBlock) -> None:
    assert block_from_json(block_to_json(block)) == block


def test_pictures_by_value_are_known_and_by_address_kept_whole() -> None:
    inline = {
        "type": "image",
        "source": {"type": "base64", "media_type": "image/png", "data": "QQ=="},
    }
    assert block_from_json(inline) == ImageBlock("image/png", "QQ==")
    linked = {"type": "image", "source": {"type": "url", "url": "http://x"}}
    assert block_from_json(linked) == UnknownBlock(linked)


def test_a_broken_block_is_kept_not_raised() -> None:
    for raw in ({"type": "text"}, {"type": "image"}, {"type": "tool_use", "id": 1}, {}):
        assert block_from_json(raw) == UnknownBlock(raw)
