"""Commands of the shell itself that run what their words hold.

Where bash takes a name it takes an element of an array too, and computes what stands in the brackets:
``unset 'a[$(rm x)]'`` runs ``rm``, as ``declare -a 'a=($(rm x))'`` does.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from agent_tui.permissions.shell.options import Options, sort_words
from agent_tui.permissions.shell.source import NAME
from agent_tui.permissions.shell.steering import steers
from agent_tui.permissions.shell.words import Hole, Word, word_of
from agent_tui.permissions.tables import names

CHANGE_READING: Final = names("alias shopt enable hash let coproc fc bind complete compopt compgen")
"""Builtins that change how the line is read, or compute with their words."""

DECLARING: Final = names("declare typeset local readonly export")
_READ: Final = Options("ers", "adinNptu", exact=True)
_MAPFILE: Final = Options("t", "dnOsuc", exact=True)
_TAKING_NAMES: Final = {
    "read": _READ,
    "mapfile": _MAPFILE,
    "readarray": _MAPFILE,
    "unset": Options("fvn", exact=True),
    "getopts": Options(exact=True),
}


def computes(name: str, words: Sequence[Word]) -> str:
    """Say why a builtin may run what its words hold, "" when it doesn't."""
    if name in CHANGE_READING:
        return f"'{name}' changes how the line is read"
    if name in DECLARING:
        good = all(map(_declares_plainly, words[1:])) and not _odd_options(words)
    elif name in ("test", "["):
        good = not any(word.is_text("-v", "-R") for word in words[1:])
        return "" if good else "a test that looks into variables"
    elif name == "wait":
        good = not any(re.match(r"-\w*p", word.start) for word in words[1:])
    elif name == "printf":
        good = _plain_printf(words)
    elif name in _TAKING_NAMES:
        good = _takes_names(name, words, _TAKING_NAMES[name])
    else:
        return ""
    return "" if good else f"'{name}' computes with its words"


def _is_name(word: Word | None) -> bool:
    """Tell whether a word is the name of a variable that means something to the line only."""
    text = word.value if word is not None else None
    return text is not None and NAME.fullmatch(text) is not None and not steers(text)


def _is_plain_name(word: Word) -> bool:
    return word.literal and NAME.fullmatch(word.value or "") is not None


def _takes_names(name: str, words: Sequence[Word], options: Options) -> bool:
    found = sort_words(words[1:], options)
    if found is None:
        return False
    if name == "getopts":
        return len(found.rest) < 2 or _is_name(found.rest[1])
    given = [word for option, word in found.values if option == "a" and name == "read"]
    if name == "unset":  # without PATH, programs are looked for in the current folder
        return all(_is_plain_name(word) and not word.is_text("PATH") for word in found.rest)
    called_back = name in ("mapfile", "readarray") and "C" in found.given
    return not called_back and all(map(_is_name, (*found.rest, *given)))


def _plain_printf(words: Sequence[Word]) -> bool:
    """``printf -v name``; the name may be attached."""
    if len(words) < 2:
        return True
    first = words[1]
    if not first.start and not first.literal:
        return not first.splits and not any(_may_be_element(word) for word in words[2:])
    if first.is_text("-v"):
        return len(words) > 2 and _is_name(words[2]) and not _counts(words[3:])
    if first.start.startswith("-v"):
        return first.literal and _is_name(word_of(first.start[2:])) and not _counts(words[2:])
    return not _counts(words[2:] if first.is_text("--") else words[1:])


COUNTS_WRITTEN: Final = re.compile(r"%[-+ #0-9.*'hjlLtz]*n")
"""``printf 'a%n' PATH`` gives a variable the number of characters written."""


def _counts(words: Sequence[Word]) -> bool:
    found = bool(words) and COUNTS_WRITTEN.search(words[0].value or words[0].raw)
    return bool(found) and not all(map(_is_name, words[1:]))


def _may_be_element(word: Word) -> bool:
    return "[" in word.start or not word.literal


def _odd_options(words: Sequence[Word]) -> bool:
    """``-i`` and ``-n`` make every later value be computed."""
    return any(re.match(r"[-+]\w*[in]", word.start) for word in words[1:])


def _declares_plainly(word: Word) -> bool:
    """``name`` or ``name=value`` by known letters, and the value no array in a text."""
    if word.start.startswith(("-", "+")):
        return word.literal
    name, equals, value = word.start.partition("=")
    if not NAME.fullmatch(name.removesuffix("+")) or not (equals or word.literal):
        return False
    if equals and steers(name.removesuffix("+")):
        return False
    return not value.startswith("(")


def given_texts(words: Sequence[Word]) -> dict[str, Word]:
    """Give the values in quoted words of a declaration (``declare "x=$y"``) by name."""
    out: dict[str, Word] = {}
    for word in words[1:]:
        name, equals, value = word.start.partition("=")
        if equals:
            pieces = (value, *word.pieces[1:]) if value or word.literal else word.pieces[1:]
            out[name] = Word(word.raw, pieces or ("",))
    return out


def array_in_text(word: Word | None) -> bool:
    """Tell whether a value may be a text that reads like an array, which is run when its name is one."""
    if word is None:
        return False
    first = word.pieces[0]
    if isinstance(first, Hole):
        return first.kind in ("variable", "command", "brace")
    return first.startswith("(")


def makes_arrays(words: Sequence[Word]) -> bool:
    """Tell whether a declaration says that its names are arrays."""
    return any(re.match(r"-\w*[aA]", word.start) for word in words[1:])
