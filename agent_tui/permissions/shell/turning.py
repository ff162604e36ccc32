"""May a word that can't be read turn into an option when the shell fills it in?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from agent_tui.permissions.shell.words import Hole, Piece, Word

Variables: TypeAlias = Mapping[str, "tuple[Word, ...] | None"]

_MAX_DEPTH = 3
_FIXED = ("tilde", "process", "arithmetic")


def may_turn(word: Word, variables: Variables, depth: int = 0) -> bool:
    """Tell whether a word may become one that begins with ``-``, or several of which one does.

    Words that can be read are taken for what they are. ``variables`` are those the line gives a value.
    """
    if word.literal:
        return False
    if any(_may_split(piece, variables, depth) for piece in word.pieces):
        return True
    first = word.pieces[0]
    if isinstance(first, str):
        return first == ""
    return _may_begin(first, variables, depth)


def _may_begin(hole: Hole, variables: Variables, depth: int) -> bool:
    if hole.kind in _FIXED:
        return False
    values = _values(hole, variables)
    if hole.kind != "variable" or values is None or depth > _MAX_DEPTH:
        return True
    return any(
        word.start.startswith("-") or word.value == "" or may_turn(word, variables, depth + 1)
        for word in values
    )


def _may_split(piece: Piece, variables: Variables, depth: int) -> bool:
    if isinstance(piece, str) or piece.quoted or piece.kind in (*_FIXED, "glob"):
        return False
    values = _values(piece, variables)
    if piece.kind != "variable" or values is None or depth > _MAX_DEPTH or "IFS" in variables:
        return True
    return not all(word.literal and not set(str(word.value)) & set(" \t\n*?[") for word in values)


def _values(hole: Hole, variables: Variables) -> tuple[Word, ...] | None:
    if hole.text in ("HOME", "PWD") and hole.text not in variables:
        return (Word("/", ("/",)),)
    return variables.get(hole.text) if hole.kind == "variable" else None
