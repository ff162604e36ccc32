"""Programs in ``awk`` that only read their input and print.

The language isn't read: what could run, write or read something else is looked for anywhere in the text, in strings and
patterns too, since where those begin and end can't be told without reading it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from agent_tui.permissions.shell.options import Options, sort_words
from agent_tui.permissions.shell.words import Word
from agent_tui.permissions.tables import names

AWKS: Final = names("awk gawk mawk nawk original-awk")

OPTIONS: Final = Options("", "Fv", names("posix traditional re-interval"), exact=True)
"""What an ``awk`` may be given that neither names another program text nor a library."""

_REACHES_OUT = re.compile(
    r"system|getline|ARG|ENVIRON|PROCINFO|SYMTAB|FUNCTAB|@|(?<!\|)\|(?:\|\|)*(?!\|)|\\\s*\n|\r"
)
_PRINTS_ELSEWHERE = re.compile(r"print.*>", re.DOTALL)


def awk_is_plain(text: str) -> bool:
    """Tell whether a program surely runs nothing, and opens no file but those it is given."""
    return not (_REACHES_OUT.search(text) or _PRINTS_ELSEWHERE.search(text))


_RUNS = re.compile(r"system|getline|@|(?<!\|)\|(?:\|\|)*(?!\|)")


def awk_runs(text: str) -> bool:
    """Tell whether a program may run another one."""
    return bool(_RUNS.search(text))


def awk_program(words: Sequence[Word]) -> str | None:
    """Give the program of a call, None when it can't be told (a file, a library, made at run time)."""
    found = sort_words(words[1:], OPTIONS)
    return found.rest[0].value if found is not None and found.rest else None
