"""Names of servers and their tools as rules, programs and the model know them: ``mcp__server__tool``, each only once.

A name must always mean the same tool, whichever servers happen to be connected: rules are stored by it. So what tells
two apart depends on the configured servers, never on the order in which they answer.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence

LONGEST = 128
"""Characters that the API takes in a tool's name."""

_OTHER = re.compile(r"[^A-Za-z0-9_-]")
_MARK = 8


def cleaned(name: str) -> str:
    """Give a name with every character that a tool's name can't have replaced by ``_``."""
    return _OTHER.sub("_", name)


def labels(servers: Sequence[str]) -> dict[str, str]:
    """Give each configured server the label its tools' names hold: its cleaned name, marked if that is taken."""
    out: dict[str, str] = {}
    for name in servers:
        label = cleaned(name)
        out[name] = _marked(label, name) if label in out.values() else label
    return out


def ambiguous(label: str, others: Iterable[str]) -> bool:
    """Tell whether a tool of ``label`` could bear the name of another server's: ``x__y`` + ``z``, ``x`` + ``y__z``."""
    return any(label.startswith(f"{other}__") for other in others if other != label)


def tool_names(label: str, tools: Iterable[str], *, mark_all: bool = False) -> dict[str, str]:
    """Give each tool of a server its full name.

    Args:
        label: the server's label.
        tools: the tools' own names.
        mark_all: every name gets a mark that tells it from another server's.
    """
    own = tuple(dict.fromkeys(tools))
    plain = {name for name in own if cleaned(name) == name}
    taken: set[str] = set()
    out: dict[str, str] = {}
    for name in sorted(own, key=lambda name: (name not in plain, name)):
        full = f"mcp__{label}__{cleaned(name)}"
        if mark_all or len(full) > LONGEST or full in taken:
            full = _marked(full, f"{label}\0{name}")
        taken.add(full)
        out[name] = full
    return {name: out[name] for name in own}


def _marked(name: str, of: str) -> str:
    digest = hashlib.sha256(of.encode("utf-8", "surrogatepass")).hexdigest()[:_MARK]
    return f"{name[: LONGEST - _MARK - 1]}_{digest}"
