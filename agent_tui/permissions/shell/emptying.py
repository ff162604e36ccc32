"""Words after ``rm`` that can't be told, and that may be the root folder, or all of the folder the shell is in."""

from __future__ import annotations

import re

from agent_tui.permissions.shell.words import Hole, Word

_CURRENT = re.compile(r"(?:\$\(\s*pwd[^)]*\)|`\s*pwd[^`]*`)(?:/\.?\*?)?")
_FALLS_BACK = re.compile(r"\$\{\w+:?[-=][/~]")
_ALTERNATIVE = re.compile(r"[{,](?:~|/[^/,}]*)/*[,}]")


def may_remove_all(word: Word, *, lost: bool) -> str:
    """Say why removing it may be as bad as removing a critical path, "" when it isn't known to be.

    ``lost``: the shell may be in any folder.
    """
    text = word.raw.replace('"', "").replace("'", "")
    if _under_a_hole(word):
        return (
            f"It removes {word.raw}: if what stands before the / is empty, that is the root folder."
        )
    if _behind_the_root(word):
        return (
            f"It removes {word.raw}: if what stands behind the / is empty, that is the root folder."
        )
    if _CURRENT.fullmatch(text):
        return f"It removes {word.raw}, the folder it runs in."
    if _FALLS_BACK.match(text) or _ALTERNATIVE.search(text):
        return f"It removes {word.raw}, which may be all of the machine or of your home folder."
    if lost and (text.rstrip("/") in (".", "..") or not text.strip("*.?/")):
        return f"It removes {word.raw} of a folder that can't be told."
    return ""


def _under_a_hole(word: Word) -> bool:
    """``"$DIR"/`` and ``"$DIR"/*``."""
    first, rest = word.pieces[0], word.pieces[1:]
    if not isinstance(first, Hole) or first.kind not in ("variable", "command"):
        return False
    if not rest or not isinstance(rest[0], str) or rest[0].strip("/") != "":
        return False
    return all(isinstance(piece, Hole) and piece.kind == "glob" for piece in rest[1:])


def _behind_the_root(word: Word) -> bool:
    """``/$DIR`` and ``/$(name)``."""
    first, rest = word.pieces[0], word.pieces[1:]
    rooted = isinstance(first, str) and first != "" and first.strip("/") == ""
    return rooted and bool(rest) and all(isinstance(piece, Hole) for piece in rest)
