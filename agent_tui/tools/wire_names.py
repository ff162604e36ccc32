"""Names of tools as the API takes them: one it refuses would make every request fail.

A tool keeps its own name everywhere else (rules, the screen); the model knows it by its wire name only.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable

LONGEST = 128
"""Characters of a name."""

_LEGAL = re.compile(r"[a-zA-Z0-9_-]{1,128}")
_ILLEGAL = re.compile(r"[^a-zA-Z0-9_-]+")
_MARK = 8


def wire_names(names: Iterable[str]) -> dict[str, str]:
    """Give each name the one it goes out under, in order: itself where the API takes it.

    Any other is cleaned and cut; where that is empty, too long or somebody else's name, a mark made of the whole name
    tells it apart. So a name's wire name seldom depends on which other tools there are.
    """
    own = tuple(names)
    taken = {name for name in own if _LEGAL.fullmatch(name)}
    out: dict[str, str] = {}
    for name in own:
        if name not in taken and name not in out:
            out[name] = _made(name, taken.union(out.values()))
        else:
            out.setdefault(name, name)
    return out


def _made(name: str, taken: set[str]) -> str:
    cleaned = _ILLEGAL.sub("_", name)
    if 0 < len(cleaned) <= LONGEST and cleaned not in taken:
        return cleaned
    digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()
    for length in range(_MARK, len(digest) + 1):
        made = f"{cleaned[: LONGEST - length - 1] or 'tool'}_{digest[:length]}"
        if made not in taken:
            return made
    raise ValueError(f"no name is left for the tool {name!r}")
