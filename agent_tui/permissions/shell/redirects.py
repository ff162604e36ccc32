"""Redirections: their targets, the words after them, and here-documents, whose end is found here once more."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from agent_tui.permissions.shell.source import REDIRECT_NODES, WORD_NODES, Source
from agent_tui.permissions.shell.syntax import Redirect
from agent_tui.permissions.shell.words import UnclearError, Word

if TYPE_CHECKING:
    from tree_sitter import Node

_EXPANDS: Final = (b"$(", b"${", b"$[")
_COPY = re.compile(r"\d+-?|-")
_COPY_TO_FILE = re.compile(r"[^-0-9'\"\\][^'\"\\]*")
_BEFORE_DESCRIPTOR = re.compile(rb"(?:^|[\s;&|(){}<>])$")
_DESCRIPTOR_BEFORE = re.compile(rb"(?:^|[\s;&|()<>])(?:\d+|\{\w+\})$")
_DELIMITER = re.compile(r"(?P<quote>['\"]?)(?P<word>\w+)(?P=quote)|\\(?P<escaped>\w+)")
_QUOTED_IN_HEAD = re.compile(r"'[^'\n]*'|\"[^\"\\`$\n]*(?:\$\w+[^\"\\`$\n]*)*\"|\$\w+")
_UNCLEAR_HEAD = re.compile(r"['\"\\#`$]|<<")


def words_after(redirect: Node) -> list[Node]:
    """Give the words behind a redirection: bash takes one target, the rest are arguments of the command."""
    if redirect.type == "file_redirect":
        return _destinations(redirect)[1:]
    if redirect.type != "heredoc_redirect":
        return []
    out = [child for child in redirect.children if child.type in WORD_NODES]
    for child in redirect.children:
        if child.type == "file_redirect":
            out += _destinations(child)[1:]
    return out


def inside(redirect: Node) -> Iterator[Node]:
    """Give what is in a redirection but redirections: words, and the rest of a here-document's first line."""
    stack = list(reversed(redirect.children))
    while stack:
        child = stack.pop()
        if child.type in REDIRECT_NODES:
            stack.extend(reversed(child.children))
        else:
            yield child


def visible_end(node: Node) -> int:
    """Where a part ends to the eye: a here-document's redirection ends in its first line."""
    if node.type != "heredoc_redirect":
        return node.end_byte
    start = next((c for c in node.children if c.type == "heredoc_start"), node)
    ends = [c.end_byte for c in node.children if c.type == "file_redirect" or c.type in WORD_NODES]
    return max([start.end_byte, *ends])


def read_redirects(source: Source, nodes: list[Node]) -> Iterator[Redirect]:
    """Read redirections.

    Raises:
        UnclearError: the shell may take one otherwise.
    """
    for node in nodes:
        source.check_gaps(node)
        match node.type:
            case "file_redirect":
                yield _file_redirect(source, node)
            case "herestring_redirect":
                _target(source, node)
            case "heredoc_redirect":
                _check_heredoc(source, node)
                inner = [c for c in node.children if c.type in REDIRECT_NODES]
                yield from read_redirects(source, inner)
            case _:
                raise UnclearError(f"a redirection of a kind that isn't known ({node.type})")


def _destinations(redirect: Node) -> list[Node]:
    nodes = [
        c for c in redirect.children if c.type in WORD_NODES or (c.type == "$" and not c.is_named)
    ]
    if len(nodes) > 1 and nodes[1].start_byte == nodes[0].end_byte:
        raise UnclearError("a redirection whose target isn't understood")
    return nodes


def _file_redirect(source: Source, node: Node) -> Redirect:
    operator = next(child for child in node.children if not child.is_named)
    _check_descriptor(source, node, operator)
    op, raw = source.of(operator), source.of(node)
    targets = _destinations(node)
    start, end = source.char(node.start_byte), source.char(node.end_byte)
    if op in ("<&-", ">&-"):
        if targets:
            raise UnclearError("words after a closed descriptor")
        return Redirect(op, None, raw, start, end)
    target = _target(source, node)
    if op in ("<&", ">&"):
        if _COPY.fullmatch(target.raw):
            return Redirect(op, None, raw, start, end)
        if not _COPY_TO_FILE.fullmatch(target.raw):
            raise UnclearError("a redirection whose target isn't understood")
    return Redirect(op, target, raw, start, source.char(targets[0].end_byte))


def _target(source: Source, node: Node) -> Word:
    """Read the one word a redirection takes; what follows it must not touch it."""
    targets = _destinations(node)
    if not targets or not source.ends_word(node):
        raise UnclearError("a redirection whose target isn't understood")
    return source.word(targets[:1])


def _check_descriptor(source: Source, node: Node, operator: Node) -> None:
    """``a2>f`` is the word a2, ``a 2>f`` a descriptor: the grammar and we must agree on which it is."""
    before = source.bytes[: node.start_byte]
    named = node.child_by_field_name("descriptor")
    if named is None:
        if _DESCRIPTOR_BEFORE.search(before):
            raise UnclearError("a descriptor that isn't understood")
        return
    text = source.of(named)
    digits = text.isdecimal() and text.isascii()
    if not digits or named.end_byte != operator.start_byte or not _BEFORE_DESCRIPTOR.search(before):
        raise UnclearError("a descriptor that isn't understood")


def _check_heredoc(source: Source, node: Node) -> None:
    """Check that a document ends where the shell ends it, and that nothing in it stays unseen."""
    start = next((c for c in node.children if c.type == "heredoc_start"), None)
    end = next((c for c in node.children if c.type == "heredoc_end"), None)
    found = _DELIMITER.fullmatch(source.of(start)) if start else None
    if start is None or end is None or found is None:
        raise UnclearError("a here-document that isn't understood")
    head_end = source.bytes.find(b"\n", start.end_byte)
    head = source.cut(start.end_byte, head_end)
    if (
        not source.ends_word(start)
        or head_end < 0
        or _UNCLEAR_HEAD.search(_QUOTED_IN_HEAD.sub("", head))
    ):
        raise UnclearError("a here-document whose first line isn't understood")
    tabs = any(source.of(child) == "<<-" for child in node.children[:2])
    delimiter = (found["word"] or found["escaped"]).encode()
    length, shell_end = _document_end(source.bytes, head_end + 1, delimiter, tabs)
    if end.end_byte != shell_end:
        raise UnclearError("a here-document whose end isn't understood")
    if not (found["quote"] or found["escaped"]):
        _check_document(source, node, head_end + 1, length)


def _document_end(text: bytes, at: int, delimiter: bytes, tabs: bool) -> tuple[int, int]:
    """Find where a document's last line begins and ends, as the shell does."""
    while at <= len(text):
        end = text.find(b"\n", at)
        stop = len(text) if end < 0 else end
        line = text[at:stop]
        if (line.lstrip(b"\t") if tabs else line) == delimiter:
            return at, stop
        if end < 0:
            break
        at = end + 1
    raise UnclearError("a here-document that doesn't end")


def _check_document(source: Source, node: Node, start: int, end: int) -> None:
    """Check that the grammar saw every expansion of an unquoted document (it misses some after white space)."""
    known: dict[int, int] = {}
    for child in node.children:
        if child.type == "heredoc_body":
            for hole in source.hole_nodes(child):
                raw = source.of(hole)
                known[hole.start_byte + len(raw) - len(raw.lstrip())] = hole.end_byte
    at = start
    text = source.bytes
    while at < end:
        if at in known:
            at = known[at]
        elif text[at : at + 1] == b"\\":
            if text[at + 1 : at + 2] == b"\n":
                raise UnclearError("a here-document with continued lines")
            at += 2
        elif text[at : at + 1] == b"`" or text[at : at + 2] in _EXPANDS:
            raise UnclearError("a here-document whose expansions aren't understood")
        else:
            at += 1
