"""The window's title: which session this is, and whether it works or waits for the person."""

from __future__ import annotations

from pathlib import PurePath

from agent_tui.protocol.masking import Masker
from agent_tui.tui.glyphs import GLYPHS, Glyphs
from agent_tui.tui.lines import take, width_of
from agent_tui.view.clean import clean
from agent_tui.view.status import Status

PROGRAM = "agent-tui"
MAX_WIDTH = 80
"""Cells; a tab shows less, a taskbar not much more."""

KEEP = "\x1b[22;0t"
"""Has the terminal remember its title."""
RESTORE = "\x1b]2;\x07\x1b[23;0t"
"""Takes ours away, for terminals that remember none, and brings back what was remembered."""


def title_of(
    status: Status, cwd: str, *, masker: Masker, glyphs: Glyphs = GLYPHS, watching: bool = False
) -> str:
    """Say what the window is about, on one line that is safe to hand to a terminal.

    ``cwd`` names the session where it has no title; ``watching``: the session is another window's.
    """
    session = status.session
    about = status.title or PurePath((session.cwd if session else "") or cwd).name
    about = harmless(about, masker)
    if status.requests:
        state = f"{glyphs.asking} waiting for you"
    elif status.busy:
        state = f"{glyphs.running} working"
    else:
        state = PROGRAM
    if watching:
        state = f"{state}, watching"
    whole = f"{state}: {about}" if about else state
    return whole if width_of(whole) <= MAX_WIDTH else take(whole, MAX_WIDTH - 1) + glyphs.cut


def sequence_of(title: str) -> str:
    """Give what sets the title."""
    return f"\x1b]2;{title}\x07"


def harmless(text: str, masker: Masker) -> str:
    """Make a text one line without secrets that can't end, or be more than, the string it is put into."""
    line = " ".join(clean(masker.mask(text)).split())
    return "".join(char for char in line if char.isprintable())
