"""What is typed, as what is sent: a prompt, with its pictures, or a line for the shell."""

from __future__ import annotations

import base64
from collections.abc import Iterable

from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.messages import QueuedPrompt
from agent_tui.protocol.ops import Prompt
from agent_tui.tui.chips import Picture
from agent_tui.view.shell_lines import SIGN, shell_line


def made(text: str, ident: str, pictures: Iterable[Picture] = (), *, typed: bool = True) -> Prompt:
    """Make what is sent of a text; what was not typed here, but handed in, is never for the shell."""
    line = shell_line(text) if typed else None
    if line is not None:
        return Prompt(line, ident, shell=True)
    shown = tuple(map(_block, pictures))
    return Prompt(text, ident, content=({"type": "text", "text": text}, *shown) if shown else None)


def queued(prompt: Prompt) -> QueuedPrompt:
    """Give a prompt as it stands in the queue."""
    return QueuedPrompt(prompt.uuid, prompt.text, prompt.shell)


def as_typed(item: QueuedPrompt) -> str:
    """Give what was typed for an item of the queue."""
    return f"{SIGN} {item.text}" if item.shell else item.text


def _block(picture: Picture) -> JsonObject:
    source = {
        "type": "base64",
        "media_type": picture.media_type,
        "data": base64.b64encode(picture.data).decode("ascii"),
    }
    return {"type": "image", "source": source}
