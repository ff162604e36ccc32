"""Does a command only look, and at what? ``looktable.py`` has the programs; ``git`` has a file of its own."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from agent_tui.permissions.shell.find import find_paths
from agent_tui.permissions.shell.looker import Looker
from agent_tui.permissions.shell.looktable import LOOKERS, ONLY_SO
from agent_tui.permissions.shell.options import Sorted, sort_words
from agent_tui.permissions.shell.words import Hole, Word, word_of
from agent_tui.permissions.tables import names


@dataclass(frozen=True, slots=True)
class Look:
    """What a call of such a program looks at.

    Attributes:
        paths: the files and folders.
        deep: it reads all that is in the folders.
        hidden: what is hidden in them too.
        enters: in folders it reads what links there lead to.
        names_files: further words would be files.
        fed: further words would be text; with neither they could be anything.
    """

    paths: tuple[Word, ...]
    deep: bool = False
    hidden: bool = True
    names_files: bool = False
    fed: bool = False
    enters: bool = False


HERE = word_of(".")
HOME = Word("~", (Hole("tilde", "~", quoted=True),))


def look(words: Sequence[Word]) -> Look | None:
    """Say what a command looks at, None: it isn't known to only look; ``git`` has its own file."""
    name = words[0].value
    if name == "find":
        found_paths = find_paths(words)
        return None if found_paths is None else Look(found_paths or (HERE,))
    if name == "tar":
        return _archive(words)
    if name in LOOKERS and len(words) == 2 and words[1].is_text("--version", "--help"):
        return Look(())
    looker = LOOKERS.get(name or "") or ONLY_SO.get(name or "")
    if looker is None:
        return None
    if looker.operands == "free":
        plain = Sorted(tuple(words[1:]), (), frozenset(), 0)
        good = looker.safe is None or looker.safe(plain)
        return Look((), fed=looker.fed) if good else None
    found = sort_words(words[1:], looker.options)
    if found is None or (looker.safe is not None and not looker.safe(found)):
        return None
    paths = operands(looker, found)
    if paths is None or (not looker.globs and any(map(_may_be_names, paths))):
        return None
    deep = bool(looker.deep & found.given) or "always" in looker.deep
    if name == "cd":
        return _cd(paths)
    if not paths and (looker.here or (deep and looker.operands == "pattern")):
        paths = (HERE,)
    hidden = name != "rg" or bool(found.given & names("hidden no-ignore . u unrestricted"))
    return Look(
        paths, deep, hidden, looker.operands in ("paths", "pattern"), looker.fed, looker.enters
    )


def _may_be_names(word: Word) -> bool:
    return any(isinstance(p, Hole) and not p.quoted and p.kind != "process" for p in word.pieces)


def operands(looker: Looker, found: Sorted) -> tuple[Word, ...] | None:
    """Give the words that are paths, None when there is something wrong with the others."""
    rest = found.rest
    match looker.operands:
        case "paths":
            return rest
        case "pattern":
            return rest if looker.pattern_options & found.given else rest[1:]
        case "none":
            return None if rest else ()
        case "text" | "free":
            return ()


_LISTS = re.compile(r"-?[vzjJ]*t[vzjJ]*f")


def _archive(words: Sequence[Word]) -> Look | None:
    """``tar tf x``; with a colon in its name the archive would be another machine's."""
    if len(words) != 3 or not all(word.literal for word in words):
        return None
    if not _LISTS.fullmatch(str(words[1].value)) or ":" in str(words[2].value):
        return None
    return None if words[2].start.startswith("-") else Look((words[2],))


def _cd(paths: tuple[Word, ...]) -> Look | None:
    if any(path.is_text("-") for path in paths):
        return None
    return Look(paths or (HOME,))
