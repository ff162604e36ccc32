"""Putting a text into the clipboard by way of the terminal (OSC 52), also through what stands between it and us."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from agent_tui.tui.surroundings import Surroundings

Wish: TypeAlias = Literal["auto", "osc52", "off"]
MAX_ENCODED = 8_000_000
"""Characters of a text so encoded; more is held back, since no terminal takes it and it would stop the screen."""
COMMON = 75_000
"""Bytes that most terminals take; some drop more without a word."""


@dataclass(frozen=True, slots=True)
class Clipboard:
    """The way to the clipboard from where the screen is drawn, as the person wants it."""

    around: Surroundings = field(default_factory=Surroundings)
    wish: Wish | None = None

    def sequences(self, text: str) -> Iterator[str]:
        """Give what is to be written."""
        return sequences(text, self.around, self.wish)

    def note(self, text: str) -> str:
        """Say what the person should know; empty for nothing."""
        return note(text, self.wish)


def sequences(text: str, around: Surroundings, wish: Wish | None = None) -> Iterator[str]:
    """Give what is to be written, each alone; nothing when that is not wanted, or the text is too long.

    tmux takes the plain sequence where its ``set-clipboard`` is on, and hands on the wrapped one where its
    ``allow-passthrough`` is; each is dropped without a trace where it isn't. With ``osc52`` only the plain one is given.
    """
    encoded = base64.b64encode(text.encode("utf-8", "replace")).decode("ascii")
    if wish == "off" or len(encoded) > MAX_ENCODED:
        return
    plain = f"\x1b]52;c;{encoded}\x07"
    yield plain
    if wish != "osc52" and around.inside:
        yield from around.pass_through(plain)


def note(text: str, wish: Wish | None = None) -> str:
    """Say what the person should know of a copy; empty for nothing."""
    size = len(text.encode("utf-8", "replace"))
    if wish == "off":
        return "not copied: the setting clipboard is off"
    if size * 4 // 3 > MAX_ENCODED:
        return "not copied: too long for any terminal; /export writes it to a file"
    return "long: some terminals don't take so much" if size > COMMON else ""
