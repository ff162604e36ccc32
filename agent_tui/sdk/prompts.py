"""A program's prompts, texts or documented records, as ops."""

from __future__ import annotations

import uuid
from collections.abc import AsyncGenerator, AsyncIterable, Mapping
from contextlib import AsyncExitStack, aclosing
from typing import Any, TypeAlias, cast

from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.ops import Prompt

Input: TypeAlias = str | AsyncIterable[dict[str, Any]]
"""A prompt, or records of user messages as they come."""


def prompt_of(text: str, *, verbatim: bool) -> Prompt:
    """Give the op of a text; it joins a run that goes."""
    return Prompt(text, str(uuid.uuid4()), now=True, verbatim=verbatim)


def prompt_of_record(record: Mapping[str, Any], *, verbatim: bool) -> Prompt:
    """Give the op of ``{"type": "user", "message": {"role": "user", "content": …}, "uuid"?}``.

    Raises:
        ValueError: it is no user message.
    """
    if not isinstance(record, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance] - a program's own
        raise ValueError(f"a prompt must be the record of a user message, not {record!r:.80}")
    message: Any = record.get("message")
    content: Any = message.get("content") if isinstance(message, dict) else None  # pyright: ignore[reportUnknownVariableType, reportUnknownMemberType]
    if record.get("type", "user") != "user" or not isinstance(content, str | list):
        kind = record.get("type")
        raise ValueError(f"a prompt must be the record of a user message, not of type {kind!r}")
    named = record.get("uuid")
    name = named if isinstance(named, str) and named else str(uuid.uuid4())
    origin: Any = record.get("origin")
    source = cast("JsonObject", origin) if isinstance(origin, dict) else None
    if isinstance(content, str):
        return Prompt(content, name, now=True, verbatim=verbatim, origin=source)
    blocks = [cast("JsonObject", one) for one in cast("list[Any]", content)]
    if not all(isinstance(one, dict) for one in blocks):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise ValueError("the content of a user message must be a text or a list of blocks")
    texts = [str(one.get("text", "")) for one in blocks if one.get("type") == "text"]
    more = len(texts) < len(blocks)
    return Prompt(
        "\n\n".join(texts),
        name,
        now=True,
        content=tuple(blocks) if more else None,
        verbatim=verbatim,
        origin=source,
    )


async def prompts(given: Input, *, verbatim: bool) -> AsyncGenerator[Prompt]:
    """Give the ops of what a program hands in, as it comes.

    A generator of the program's is closed when it is left before its end.

    Raises:
        TypeError: it is no text and gives no records.
        ValueError: a record is no user message.
    """
    if isinstance(given, str):
        yield prompt_of(given, verbatim=verbatim)
        return
    if not isinstance(given, AsyncIterable):  # pyright: ignore[reportUnnecessaryIsInstance] - a program's own
        raise TypeError(
            f"a prompt must be a text or an async iterable of records, not {given!r:.80}"
        )
    async with AsyncExitStack() as left:
        if isinstance(given, AsyncGenerator):
            generator = cast("AsyncGenerator[dict[str, Any], None]", given)
            await left.enter_async_context(aclosing(generator))
        async for record in given:
            yield prompt_of_record(record, verbatim=verbatim)
