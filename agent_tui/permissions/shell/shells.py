"""Calls of shells: what text or file one is given to run. Their options aren't read like those of other programs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from agent_tui.permissions.shell.words import Hole, Word
from agent_tui.permissions.tables import names

SHELLS: Final = names("bash sh dash zsh ksh ash rbash mksh lksh oksh yash posh osh")
"""Shells that read options and text as ``sh`` does."""

OTHER_SHELLS: Final = names("fish csh tcsh elvish nu xonsh ysh pwsh powershell rc es")
"""Shells with a language, or options, of their own."""

_LETTERS: Final = frozenset("abefhiklmnprtuvxBCDEHPT")
_LONG: Final = names(
    "--norc --noprofile --login --posix --restricted --verbose --noediting --debugger --version --help"
)
_LONG_VALUED: Final = names("--rcfile --init-file")


@dataclass(frozen=True, slots=True)
class ShellCall:
    """What a shell runs: a text (``-c``), a file, or what it reads when both are None.

    ``clear``: its options are understood. ``tells``: it only says its version or checks a text's syntax.
    """

    text: Word | None = None
    file: Word | None = None
    clear: bool = True
    tells: bool = False


def read_shell(words: Sequence[Word]) -> ShellCall:
    """Read the words of a call, the shell's name first."""
    letters: set[str] = set()
    index, waiting = 1, 0
    while index < len(words):
        word = words[index]
        text = word.value
        if text is None and not word.start:
            return ShellCall(clear=False)
        if not word.start.startswith(("-", "+")):
            break
        if text is None:
            return ShellCall(clear=False)
        index += 1
        if text in ("-", "--"):
            break
        if text in _LONG:
            letters.add(text)
        elif text in _LONG_VALUED:
            index += 1
        elif text.startswith("--") or not _known(text):
            return ShellCall(clear=False)
        else:
            letters.update(text[1:])
            waiting = text.count("o") + text.count("O")
            index += waiting  # each takes the next word, wherever it stands in its own
    rest = words[index:]
    if "c" in letters:
        return ShellCall(text=rest[0]) if rest else ShellCall(clear=False)
    tells = bool(letters & {"--version", "--help", "n"})
    if rest and "s" not in letters:
        return ShellCall(file=rest[0], tells=tells)
    return ShellCall(tells=tells)


def _known(option: str) -> bool:
    letters = option[1:]
    known = _LETTERS | (set("csoO") if option[0] == "-" else set("oO"))
    return bool(letters) and set(letters) <= known


def told_file(word: Word) -> bool:
    """Tell whether a script is a file by a known name: no pipe, no descriptor, nothing made at run time."""
    first = word.pieces[0]
    if isinstance(first, Hole):
        home = first.kind == "tilde" or (first.kind == "variable" and first.text in ("HOME", "PWD"))
        return home and all(isinstance(piece, str) for piece in word.pieces[1:])
    return word.literal and not first.startswith(("/dev/", "/proc/"))
