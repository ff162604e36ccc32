"""``find`` that only looks: paths, then an expression in which every word is known."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from agent_tui.permissions.shell.words import Hole, Word
from agent_tui.permissions.tables import names

_FIND_TESTS: Final = names(
    "-name -iname -path -ipath -wholename -iwholename -regex -iregex -lname -ilname -type -xtype -size -mtime -atime "
    "-ctime -mmin -amin -cmin -perm -user -group -uid -gid -links -inum -maxdepth -mindepth -printf -regextype "
    "-newermt -used -fstype"
)
_FIND_PATHS: Final = names("-newer -anewer -cnewer -samefile")
_FIND_FLAGS: Final = names(
    "-print -print0 -ls -prune -quit -depth -d -mount -xdev -empty -readable -writable -executable -true -false "
    "-nouser -nogroup -not -a -and -o -or ! ( ) , -daystart -noleaf -nowarn -warn -ignore_readdir_race -follow"
)


def find_paths(words: Sequence[Word]) -> tuple[Word, ...] | None:
    """Give the paths a ``find`` looks at, () for the current folder; None: it may do more than look."""
    paths: list[Word] = []
    index = 1
    while index < len(words) and words[index].is_text("-H", "-L", "-P"):
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
