"""A conversation as a request: messages joined, cache marks set. Pure, and byte-stable for an unchanged prefix.

Tools and system text are the caller's and must not change within a session; what changes (date, files, state) is in
the conversation, at its end. Marks (at most four): the last system block covers tools and system; the last block of
the last message covers the rest and is found again by looking back up to 20 blocks; when one round added as many,
the message that was marked before keeps its mark for this request.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from agent_tui.context.messages import api_messages
from agent_tui.context.references import without_dangling
from agent_tui.journal.fold import Conversation
from agent_tui.model.client import ModelRequest
from agent_tui.protocol.content import JsonObject

LOOK_BACK = 20
"""Blocks the API looks back from a mark for a prefix it has written."""

CacheTtl = Literal["5m", "1h"]


def build_request(
    conversation: Conversation,
    system: Sequence[str],
    tools: Sequence[JsonObject],
    model: str,
    max_tokens: int,
    extra: JsonObject | None = None,
    *,
    cache: bool = True,
    ttl: CacheTtl | None = None,
    ask: str | None = None,
) -> ModelRequest:
    """Make the request that shows ``conversation`` to ``model``.

    Args:
        conversation: what was said.
        system: texts of the system prompt; blank ones are left out.
        tools: definitions, in their fixed order.
        model: whose thinking is sent back.
        max_tokens: limit of the answer.
        extra: further fields of the body.
        cache: whether to set marks.
        ttl: how long written prefixes live; None leaves it to the API (5 minutes).
        ask: a last text that is not part of the conversation. The mark then sits on the model's last message, so
            that the conversation's own prefix is what is read and written.
    """
    messages = without_dangling(api_messages(conversation.lines, model, ask=ask), tools)
    blocks = [_text(text) for text in system if text.strip()]
    if cache:
        mark: JsonObject = {"type": "ephemeral", **({"ttl": ttl} if ttl else {})}
        if blocks:
            blocks[-1] = {**blocks[-1], "cache_control": mark}
        _mark_messages(messages, mark, newest=len(messages) - (2 if ask else 1))
    return ModelRequest(
        model=model,
        max_tokens=max_tokens,
        system=tuple(blocks),
        messages=tuple(messages),
        tools=tuple(tools),
        extra=dict(extra or {}),
    )


def reminder(text: str) -> str:
    """Wrap text that the person did not type, so that the model can tell."""
    return f"<system-reminder>\n{text.strip()}\n</system-reminder>"


def _mark_messages(messages: list[JsonObject], mark: JsonObject, newest: int) -> None:
    if newest < 0:
        return
    _mark(messages[newest], mark)
    before = newest - (2 if messages[newest]["role"] == "user" else 1)
    added = sum(len(message["content"]) for message in messages[before + 1 : newest + 1])
    if before >= 0 and added >= LOOK_BACK:
        _mark(messages[before], mark)


def _mark(message: JsonObject, mark: JsonObject) -> None:
    content: list[JsonObject] = message["content"]
    for index in range(len(content) - 1, -1, -1):
        if content[index]["type"] not in ("thinking", "redacted_thinking"):
            content[index] = {**content[index], "cache_control": mark}
            return


def _text(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}
