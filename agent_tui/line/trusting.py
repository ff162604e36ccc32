"""Asks, before the session is opened, whether the folder is trusted; without a clear yes nothing of it takes effect."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import anyio.to_thread

from agent_tui.line.reading import Ask, Reading
from agent_tui.protocol.queries import FolderOffer, FolderTrust
from agent_tui.protocol.trust import KIND_WORDS
from agent_tui.settings.options import Options, TrustOptions
from agent_tui.settings.plain import read_plain
from agent_tui.view.clean import exact
from agent_tui.view.trusting import DOES, TITLE, listed, one_row, thing

WAYS = (
    "trust: it takes effect, now and next time. once: until you leave. read: show the files. "
    "no: work without."
)


async def trusted(ask: Ask, options: Options, reading: Reading, say: Callable[[str], None]) -> Options:  # fmt: skip
    """Give the options to open a session with: as they are, or with the person's answer.

    Raises:
        EOFError, KeyboardInterrupt: the person leaves instead.
    """
    reply = await ask(FolderTrust(options.to_json()))
    if not isinstance(reply, FolderOffer) or not reply.ask:
        return options
    for line in told(reply):
        say(line)
    while True:
        match (await reading.answer("answer: ")).strip().casefold():
            case "trust":
                return replace(options, trust=TrustOptions("always", reply.seen))
            case "once":
                return replace(options, trust=TrustOptions("once", reply.seen))
            case "no":
                return replace(options, trust=TrustOptions("no", reply.seen))
            case "read":
                for path in reply.files:
                    say(f"File {one_row(path)}:")
                    say(await anyio.to_thread.run_sync(_content, path))
            case _:
                say("Nothing was answered.")
        say(WAYS)


def told(offer: FolderOffer) -> list[str]:
    """Say what the folder brings, a line each thing."""
    origin = f", cloned from {one_row(offer.origin)}" if offer.origin else ""
    shown, older = listed(offer)
    lines = [f"Question: {TITLE}", f"  {one_row(offer.project)}{origin}"]
    lines.append(
        "It has changed since you trusted it. New, and not active yet:"
        if offer.changed
        else "It brings what can run programs or steer the model. None of it is active yet:"
    )
    lines += [f"  {KIND_WORDS[one.kind][0]} ({DOES[one.kind][0]}): {thing(one)}" for one in shown]
    if older:
        lines.append(f"  and {older} more that you trusted before; all of it waits for your answer")
    return [*lines, WAYS]


def _content(path: str) -> str:
    try:
        return exact(read_plain(Path(path)).decode("utf-8", "replace"))
    except OSError as error:
        return f"can't be read: {error.strerror or error}"
