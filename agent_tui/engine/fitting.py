"""Pictures of a person's prompt, made fit to be sent: one that is too large would fail this request and every later one."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterable
from typing import cast

import anyio.to_thread

from agent_tui.protocol.content import JsonObject
from agent_tui.tools.pictures import PictureError, media_type, prepare

UNUSABLE = "[A picture was left out: {why}.]"


async def fitted(content: Iterable[JsonObject]) -> list[JsonObject]:
    """Give the blocks with every picture small enough; one that can't be used is told of in words."""
    return [
        await anyio.to_thread.run_sync(_fit, block) if block.get("type") == "image" else block
        for block in content
    ]


def _fit(block: JsonObject) -> JsonObject:
    source = cast("JsonObject", block.get("source") or {})
    if source.get("type") != "base64":
        return block
    try:
        data = base64.b64decode(str(source.get("data")), validate=True)
        kind = media_type(data)
        if kind is None:
            raise PictureError("it is of no kind that can be shown")
        return prepare(data, kind).block()
    except (PictureError, binascii.Error) as error:
        return {"type": "text", "text": UNUSABLE.format(why=error)}
