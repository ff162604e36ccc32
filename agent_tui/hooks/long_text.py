"""Texts of hooks, bounded: what is too long for the model goes to a file, and a preview says where."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

from anyio import to_thread

from agent_tui.hooks.output import Said
from agent_tui.settings.private import write_private

MOST = 10_000
"""Characters of one text that are passed on."""

PREVIEW = 2_000


async def bounded(said: Said, folder: Callable[[], Path]) -> Said:
    """Give the same with every text short enough; files are written where needed."""
    outcome = said.outcome
    texts = (outcome.reason, outcome.blocked or "", outcome.stop or "", said.warning)
    texts += (outcome.initial_prompt, *outcome.additional_context)
    if all(len(text) <= MOST for text in texts):
        return said

    async def short(text: str) -> str:
        return await to_thread.run_sync(shortened, text, folder()) if len(text) > MOST else text

    return Said(
        replace(
            outcome,
            reason=await short(outcome.reason),
            blocked=None if outcome.blocked is None else await short(outcome.blocked),
            stop=None if outcome.stop is None else await short(outcome.stop),
            initial_prompt=await short(outcome.initial_prompt),
            additional_context=tuple([await short(text) for text in outcome.additional_context]),
        ),
        await short(said.warning),
    )


def shortened(text: str, folder: Path) -> str:
    """Write a text to a file named for what it holds; give its beginning and where the rest is. Blocks on files."""
    data = text.encode("utf-8", "backslashreplace")
    path = folder / f"hook-{sha256(data).hexdigest()[:16]}.txt"
    try:
        write_private(path, data.decode())
    except OSError as error:
        rest = f"the rest is lost, it could not be written: {error.strerror or error}"
    else:
        rest = f"all of it: {path}"
    return f"{text[:PREVIEW]}\n[{len(text):,} characters in all; {rest}]"
