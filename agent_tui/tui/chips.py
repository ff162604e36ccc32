"""What single characters of a draft can stand for: a folded paste, a picture.

A chip is one character from the end of the last private plane, so that motion and deletion take it whole; nothing else
may bring such a character into a text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TypeAlias

FOLD_LINES = 200
FOLD_CHARS = 10_000
"""A paste above either is folded: each later key would redraw it (textual-performance.md section 6)."""
CHIP_BASE = 0x10F000
CHIP_END = 0x10FFFD
CHIPS = re.compile(f"[{chr(CHIP_BASE)}-{chr(CHIP_END)}]")


def must_fold(text: str) -> bool:
    """Tell whether a pasted text is too big to be shown as it is."""
    return len(text) > FOLD_CHARS or text.count("\n") >= FOLD_LINES


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture as it was read: its bytes, what kind of file they are, its size in pixels (0 where unknown)."""

    data: bytes
    media_type: str
    width: int = 0
    height: int = 0


@dataclass(frozen=True, slots=True)
class Chip:
    """What one character of a text stands for.

    Attributes:
        text: what is sent in its place.
        label: what is drawn.
        picture: what is sent beside the text; None for a folded paste.
        number: what the text calls the picture, from 1.
    """

    text: str
    label: str
    picture: Picture | None = None
    number: int = 0


Saved: TypeAlias = tuple[str, dict[str, Chip], int]
"""A whole draft: the text, its chips, the cursor."""


def folded(text: str) -> Chip:
    """Make the chip of a long paste."""
    lines = text.count("\n") + 1
    size = f"{lines:,} lines" if lines > 1 else f"{len(text):,} characters"
    return Chip(text, f"[pasted {size}]")


def pictured(picture: Picture, number: int) -> Chip:
    """Make the chip of a picture; the text keeps its number, so that the model knows which one is meant."""
    size = f" · {picture.width}x{picture.height}" if picture.width else ""
    return Chip(f"[Image {number}]", f"[Image {number}{size}]", picture, number)
