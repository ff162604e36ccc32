"""Reads what was typed in Vim's normal and visual mode: a count, an operator, what it works on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from agent_tui.tui.vim_motions import MOTIONS

OPERATORS = frozenset({"d", "c", "y", ">", "<"})
PLAIN_MOTIONS = frozenset({"h", "j", "k", "l", ";", ","})
FINDS = frozenset({"f", "F", "t", "T"})
LONGER = {"x": "dl", "X": "dh", "D": "d$", "C": "c$", "s": "cl", "S": "cc", "Y": "yy"}
"""Commands that are short for an operator and a motion."""
SIMPLE = frozenset({*"iaIAoOpPuJ~.vV", "/"})
VISUAL_SIMPLE = frozenset({*"dxXycsSCDY><~pPoJvVuU"})
OBJECTS = frozenset("wWp\"'`()[]{}<>bB")


@dataclass(frozen=True, slots=True)
class Command:
    """One command.

    Attributes:
        name: the motion, or what is done; a doubled operator (``dd``) is its own name.
        operator: what is done to what the motion covers; empty: the cursor only moves.
        count: how often, 0 when it was not said.
        char: the character that ``f``, ``t`` and ``r`` name.
        object: for a text object ``i`` or ``a``.
    """

    name: str
    operator: str = ""
    count: int = 0
    char: str = ""
    object: Literal["", "i", "a"] = ""


def parse(keys: str, *, visual: bool = False) -> Command | Literal["more"] | None:
    """Read keys: a whole command, ``more`` when it can still become one, None when it can't."""
    count, rest = _count(keys)
    operator = ""
    if not visual and rest[:1] in LONGER:
        rest = LONGER[rest[0]] + rest[1:]
    if not visual and rest[:1] in OPERATORS and rest:
        operator, rest = rest[0], rest[1:]
        if rest[:1] == operator:
            return Command(operator * 2, operator, count)
        again, rest = _count(rest)
        count = (count or 1) * (again or 1) if count or again else 0
    if not rest:
        return "more"
    return _rest(rest, operator, count, visual)


def _rest(rest: str, operator: str, count: int, visual: bool) -> Command | Literal["more"] | None:
    head = rest[0]
    takes_object = bool(operator) or visual
    if takes_object and head in ("i", "a"):
        if len(rest) == 1:
            return "more"
        which: Literal["i", "a"] = "i" if head == "i" else "a"
        return Command(rest[1], operator, count, object=which) if rest[1] in OBJECTS else None
    if head in FINDS or (head == "r" and not operator):
        if len(rest) == 1:
            return "more"
        return Command(head, operator, count, rest[1:])
    if head == "g":
        if len(rest) == 1:
            return "more"
        return Command(rest, operator, count) if rest in MOTIONS else None
    if head in MOTIONS or head in PLAIN_MOTIONS:
        return Command(head, operator, count)
    if not operator and head in (VISUAL_SIMPLE if visual else SIMPLE):
        return Command(head, "", count)
    return None


def _count(keys: str) -> tuple[int, str]:
    digits = ""
    while keys and keys[0].isascii() and keys[0].isdigit() and (digits or keys[0] != "0"):
        digits, keys = digits + keys[0], keys[1:]
    return min(int(digits or 0), 9999), keys
