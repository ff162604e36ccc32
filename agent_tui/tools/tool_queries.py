"""Finding deferred tools by a query of ToolSearch."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from agent_tui.protocol.ports import ShelvedTool

SELECT = "select:"

_WORDS = re.compile(r"[a-z0-9]+")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")

_SAME_PART, _IN_NAME, _IN_TEXT = 10, 5, 2


@dataclass(frozen=True, slots=True)
class Query:
    """What is looked for: tools by name, or words; those in ``required`` must all be there."""

    names: tuple[str, ...] = ()
    required: tuple[str, ...] = ()
    words: tuple[str, ...] = ()


def read_query(text: str) -> Query:
    """Read ``select:A,B``, or words of which some may have a ``+`` before them."""
    text = text.strip()
    if text.lower().startswith(SELECT):
        names = text[len(SELECT) :].split(",")
        return Query(names=tuple(dict.fromkeys(name.strip() for name in names if name.strip())))
    required: list[str] = []
    words: list[str] = []
    for word in text.lower().split():
        found = _WORDS.findall(word)
        (required if word.startswith("+") else words).extend(found)
    return Query((), tuple(required), tuple(words))


def find_tools(query: Query, shelved: Sequence[ShelvedTool], limit: int) -> tuple[str, ...]:
    """Give the names of the tools that fit, best first; for names all of them, in the order asked for."""
    if query.names:
        known = {tool.name.lower(): tool.name for tool in shelved}
        return tuple(known[name.lower()] for name in query.names if name.lower() in known)
    scored = [(_score(query, tool), tool.name) for tool in shelved]
    best = sorted((-score, name) for score, name in scored if score)
    return tuple(name for _, name in best[:limit])


def _score(query: Query, tool: ShelvedTool) -> int:
    name = tool.name.lower()
    parts = frozenset(_WORDS.findall(_CAMEL.sub(" ", tool.name).lower()))
    text = tool.description.lower()
    if not all(word in name or word in text for word in query.required):
        return 0
    return sum(_weight(word, name, parts, text) for word in (*query.required, *query.words))


def _weight(word: str, name: str, parts: frozenset[str], text: str) -> int:
    if word in parts:
        return _SAME_PART
    if word in name:
        return _IN_NAME
    return _IN_TEXT if word in text else 0
