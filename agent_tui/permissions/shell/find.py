"""``find`` that only looks: paths, then an expression in which every word is known.

Links are not followed (``-L``), since they may lead anywhere.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from agent_tui.permissions.shell.words import Hole, Word
from agent_tui.permissions.tables import names
from agent_tui.permissions.wildcards import Items, items, overlap

_FIND_TESTS: Final = names(
    "-name -iname -path -ipath -wholename -iwholename -regex -iregex -lname -ilname -type -xtype -size -mtime -atime "
    "-ctime -mmin -amin -cmin -perm -user -group -uid -gid -links -inum -maxdepth -mindepth -printf -regextype "
    "-newermt -used -fstype"
)
_FIND_PATHS: Final = names("-newer -anewer -cnewer -samefile")
_FIND_FLAGS: Final = names(
    "-print -print0 -ls -prune -quit -depth -d -mount -xdev -empty -readable -writable -executable -true -false "
    "-nouser -nogroup -not -a -and -o -or ! ( ) , -daystart -noleaf -nowarn -warn -ignore_readdir_race"
)


def find_paths(words: Sequence[Word]) -> tuple[Word, ...] | None:
    """Give the paths a ``find`` looks at, () for the current folder; None: it may do more than look."""
    paths: list[Word] = []
    index = 1
    while index < len(words) and words[index].is_text("-H", "-P"):
        index += 1
    while index < len(words) and _is_path(words[index]):
        paths.append(words[index])
        index += 1
    while index < len(words):
        word = words[index].value
        if word is None:
            return None
        if word in _FIND_FLAGS:
            index += 1
        elif word in _FIND_TESTS | _FIND_PATHS and index + 1 < len(words):
            if words[index + 1].splits:
                return None
            if word in _FIND_PATHS:
                paths.append(words[index + 1])
            index += 2
        else:
            return None
    if any(path.splits for path in paths):
        return None
    return tuple(paths)


def _is_path(word: Word) -> bool:
    first = word.pieces[0]
    if isinstance(first, Hole):
        return first.kind == "tilde"
    return first == "" or first[0] not in "-!(,)"


RUNS: Final = tuple(map(items, ("-exec", "-execdir", "-ok", "-okdir")))
"""Words after which a command stands."""

CHANGES: Final = (
    *RUNS,
    *(items(w) for w in ("-delete", "-fls", "-fprint", "-fprint0", "-fprintf", "-files0-from")),
)
"""Words that make ``find`` do more than look."""


def may_be(word: Word, wanted: Sequence[Items]) -> bool:
    """Tell whether a word, or one of those it turns into, may be one of ``wanted``."""
    for piece in word.pieces:
        if isinstance(piece, Hole) and not piece.quoted and piece.kind in ("variable", "command"):
            return True  # it may become several words, and any
    text = word.items()
    return any(overlap(one, text) for one in wanted)


def unread(words: Sequence[Word]) -> Iterator[Word]:
    """Give the words that can't be read and aren't surely the value of a test (``-name "$x"``)."""
    for before, word in itertools.pairwise(words):
        value = before.literal and before.value in _FIND_TESTS | _FIND_PATHS
        if not word.literal and not (value and stays_one(word)):
            yield word


def stays_one(word: Word) -> bool:
    """Tell whether a word surely stays one when it is filled in."""
    return not any(isinstance(piece, Hole) and not piece.quoted for piece in word.pieces)


def may_run(words: Sequence[Word]) -> bool:
    """Tell whether a word that can't be read may be one after which a command stands."""
    return any(may_be(word, RUNS) for word in unread(words))


def may_act(words: Sequence[Word], turns: Callable[[Word], bool]) -> str:
    """Give the word by which a ``find`` may do more than look though that can't be read, "" for none."""
    for word in unread(words):
        if (word.start.startswith("-") or turns(word)) and may_be(word, CHANGES):
            return word.raw
    return ""
