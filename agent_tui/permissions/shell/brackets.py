"""Tests: ``[ ... ]``, which is a command with ordinary words, and ``[[ ... ]]``, a language of its own."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from agent_tui.permissions.shell.source import NAME, Source
from agent_tui.permissions.shell.words import Hole, UnclearError, Word, read_word

if TYPE_CHECKING:
    from tree_sitter import Node

_SHAPE = re.compile(r"\[\[?[ \t\n]")
_COMPUTES = re.compile(r"\s-(?:eq|ne|lt|le|gt|ge)\s")
_QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"|\\.", re.DOTALL)
_NOT_IN_TEST = re.compile(r"[;&`]|[<>]\(|\$[({\[]")
_LOOKS_UP = re.compile(r"\s-[vR]\s")
_FROM_OUTSIDE = re.compile(r"\$\{?[\d@*]|\$\(|`", re.ASCII)


def test_words(source: Source, node: Node) -> tuple[Word, ...]:
    """Read the words of a test; of ``[[`` only the name, what is inside is checked.

    Raises:
        UnclearError: the test may end elsewhere for the shell.
    """
    raw = source.of(node)
    if not _SHAPE.match(raw):
        raise UnclearError("a test that isn't understood")
    holes = source.holes(node.children, source.char(node.start_byte))
    if raw.startswith("[["):
        _check_double(raw, holes)
        return (Word("[[", ("[[",)),)
    return _split(raw, holes)


def computed_names(raw: str) -> tuple[frozenset[str], str]:
    """Give the names a test computes with, and why it may run what a text holds ("" when it can't)."""
    if _LOOKS_UP.search(raw):
        return frozenset(), "a test that looks into variables"
    if not raw.startswith("[[") or not _COMPUTES.search(raw):
        return frozenset(), ""
    quoted = any(mark in raw for mark in "'\"\\") or bool(_FROM_OUTSIDE.search(raw))
    return frozenset(NAME.findall(raw)), "a test that computes with text" if quoted else ""


def _check_double(raw: str, holes: dict[int, tuple[int, Hole]]) -> None:
    """Between ``[[`` and the first ``]]`` there are words and operators, and nothing ends the command earlier."""
    at, last = 0, ""
    while at < len(raw):
        if raw[at] in " \t\n":
            at += 1
            continue
        end = _word_end(raw, at, holes)
        bare = _QUOTED.sub("", _without(raw, at, end, holes))
        if last == "]]" or (bare not in ("&&", "||") and _NOT_IN_TEST.search(bare)):
            raise UnclearError("a test that isn't understood")
        at, last = end, raw[at:end]
    if last != "]]":
        raise UnclearError("a test that isn't understood")


def _without(raw: str, at: int, end: int, holes: dict[int, tuple[int, Hole]]) -> str:
    out: list[str] = []
    while at < end:
        if at in holes:
            at = holes[at][0]
        else:
            out.append(raw[at])
            at += 1
    return "".join(out)


def _split(raw: str, holes: dict[int, tuple[int, Hole]]) -> tuple[Word, ...]:
    words: list[Word] = []
    at = 0
    while at < len(raw):
        if raw[at] in " \t":
            at += 1
            continue
        end = _word_end(raw, at, holes)
        if end == at:
            raise UnclearError("a test that isn't understood")
        inner = {k - at: (e - at, hole) for k, (e, hole) in holes.items() if at <= k < end}
        words.append(read_word(raw[at:end], inner))
        at = end
    return tuple(words)


def _word_end(raw: str, at: int, holes: dict[int, tuple[int, Hole]]) -> int:
    """Find where the word that begins at ``at`` ends: the first blank outside quotes and expansions."""
    quote = ""
    while at < len(raw):
        if at in holes and quote != "'":
            at = holes[at][0]
            continue
        char = raw[at]
        if quote:
            if char == "\\" and quote == '"':
                at += 1
            elif char == quote:
                quote = ""
        elif char in "'\"":
            quote = char
        elif char == "\\":
            at += 1
        elif char in " \t\n":
            break
        at += 1
    return min(at, len(raw))
