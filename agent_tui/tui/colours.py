"""How many colours the terminal can show: what the person says counts first, then what the terminal is known for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, TypeAlias

from agent_tui.settings.paths import Environment
from agent_tui.tui.surroundings import Surroundings

Depth: TypeAlias = Literal["none", "sixteen", "256", "24bit"]
_FORCED: dict[str, Depth] = {"0": "none", "false": "none", "2": "256", "3": "24bit"}
_RICH = frozenset({"ghostty", "kitty", "alacritty", "wezterm", "foot", "iterm", "rio"})
"""Terminals that show 24 bits also where nobody says so: ``COLORTERM`` is lost on the way through ssh."""
_PLAIN = frozenset(
    {"linux", "xterm", "rxvt", "screen", "tmux", "ansi", "cygwin", "konsole", "putty", "eterm"}
)
"""Names that promise sixteen colours and no more."""
_BARE = frozenset({"vt52", "vt100", "vt102", "vt220", "vt320", "dumb"})
"""Terminals without colours."""
_MANY = 256


def terminfo_colours(term: str) -> int:
    """Ask the terminal database how many colours a terminal has: 0 for none, -1 when it knows no such terminal.

    One process can ask about one terminal only: what it asks later gets the first one's answer.
    """
    try:
        import curses  # door: rarely asked, and some Pythons are built without it
    except ImportError:
        return -1
    try:
        curses.setupterm(term, 2)
    except curses.error:
        return -1
    return max(0, curses.tigetnum("colors"))


def colour_depth(env: Environment, ask_database: Callable[[str], int] = terminfo_colours) -> Depth:
    """Give how many colours may be used.

    ``NO_COLOR`` (not empty) takes all. ``FORCE_COLOR`` is a level: 0 none, 1 or a word at least sixteen, 2 256, 3 24 bits.
    Else ``COLORTERM``, the terminal's own name and the terminal database are asked in turn.
    """
    if env.get("NO_COLOR"):
        return "none"
    forced = env.get("FORCE_COLOR").strip().lower()
    if forced in _FORCED:
        return _FORCED[forced]
    found = _shown(env, ask_database)
    return "sixteen" if forced and found == "none" else found


def _shown(env: Environment, ask_database: Callable[[str], int]) -> Depth:
    around = Surroundings.of(env)
    term = around.term
    ending = term.rpartition("-")[2]
    if around.inside == "screen":
        # GNU screen can't show 24 bits, whatever the terminal around it has said
        return "256" if ending == "256color" else "sixteen"
    if env.get("COLORTERM").strip().lower() in ("truecolor", "24bit") or ending == "direct":
        return "24bit"
    if not around.inside and around.program in _RICH:
        return "24bit"
    if ending in ("256color", "kitty"):
        return "256"
    if not term or term in _PLAIN:
        return "sixteen"
    if term in _BARE:
        return "none"
    count = ask_database(term)
    if count < 0:
        return "sixteen"  # a terminal nobody knows: nearly all have these
    if count > _MANY:
        return "24bit"
    return "256" if count == _MANY else "sixteen" if count >= 8 else "none"
