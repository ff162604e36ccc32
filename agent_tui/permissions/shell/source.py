"""The text of a line beside its syntax tree: slices, words, and what may stand between two nodes.

Positions in nodes are bytes of the encoded text; positions in what we give are characters.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final

from agent_tui.permissions.shell.words import Hole, HoleKind, UnclearError, Word, read_word
from agent_tui.permissions.tables import names

if TYPE_CHECKING:
    from tree_sitter import Node

NAME = re.compile(r"[A-Za-z_]\w*", re.ASCII)
ASSIGN = re.compile(r"[A-Za-z_]\w*(?:\[[^\]]*\])?\+?=", re.ASCII)
PLAIN_EXPANSION = re.compile(r"\$\{?(?P<name>\w+|[@*#?$!-])\}?", re.ASCII)
AFTER_WORD: Final = (b"", b" ", b"\t", b"\n", b";", b"&", b"|", b"(", b")", b"<", b">")
WORD_NODES: Final = names(
    "word number string raw_string ansi_c_string concatenation simple_expansion expansion "
    "command_substitution process_substitution arithmetic_expansion brace_expression regex "
    "test_operator extglob_pattern variable_name command_name"
)
REDIRECT_NODES: Final = names("file_redirect herestring_redirect heredoc_redirect")

_GAP = re.compile(r"(?:[ \t\n]|\\\n)*")
LINE_GAP = re.compile(r"(?:[ \t]|\\\n)*")
_HOLES: Final[Mapping[str, HoleKind]] = {
    "simple_expansion": "variable",
    "expansion": "variable",
    "command_substitution": "command",
    "process_substitution": "process",
    "arithmetic_expansion": "arithmetic",
}
_HOLE_SHAPES: Final = {
    "simple_expansion": re.compile(r"\$(?:\w+|[@*#?$!-])\Z", re.ASCII),
    "expansion": re.compile(r"\$\{"),
    "command_substitution": re.compile(r"\$\(|`"),
    "process_substitution": re.compile(r"[<>]\("),
    "arithmetic_expansion": re.compile(r"\$\(\(|\$\["),
}


class Source:
    """A line's text, addressed by syntax nodes."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.bytes = text.encode()

    def of(self, node: Node) -> str:
        """Give a node's text."""
        return self.cut(node.start_byte, node.end_byte)

    def cut(self, start: int, end: int) -> str:
        """Give the text between two bytes."""
        return self.bytes[start:end].decode()

    def char(self, at: int) -> int:
        """Turn a byte position into a character position."""
        return at if len(self.bytes) == len(self.text) else len(self.bytes[:at].decode())

    def words(self, parts: list[Node]) -> Iterator[Word]:
        """Join parts that touch into words and read them."""
        index = 0
        while index < len(parts):
            last = index
            while last + 1 < len(parts) and parts[last + 1].start_byte == parts[last].end_byte:
                last += 1
            yield self.word(parts[index : last + 1])
            index = last + 1

    def word(self, parts: list[Node]) -> Word:
        """Read the parts as one word.

        Raises:
            UnclearError: they aren't one.
        """
        for part in parts:
            if part.is_named and part.type not in WORD_NODES and part.type != "array":
                raise UnclearError(f"a word of a kind that isn't known ({part.type})")
        start, end = parts[0].start_byte, parts[-1].end_byte
        return read_word(self.cut(start, end), self.holes(parts, self.char(start)))

    def holes(self, parts: list[Node], base: int) -> dict[int, tuple[int, Hole]]:
        """Find the expansions in some nodes: start -> (end, hole), counted in characters from ``base``."""
        out: dict[int, tuple[int, Hole]] = {}
        for part in parts:
            for node in self.hole_nodes(part):
                raw = self.of(node)
                shift = len(raw) - len(raw.lstrip())  # the grammar may take blanks before it along
                start = self.char(node.start_byte) + shift - base
                out[start] = (self.char(node.end_byte) - base, _hole(node.type, raw.lstrip()))
        return out

    def hole_nodes(self, part: Node) -> Iterator[Node]:
        """Give the outermost expansions in a node."""
        stack = [part]
        while stack:
            node = stack.pop()
            if node.type in _HOLES:
                yield node
            else:
                stack.extend(node.children)

    def without_commands(self, node: Node) -> str:
        """Give a node's text, command substitutions left out."""
        raw = self.bytes[node.start_byte : node.end_byte]
        inner: list[Node] = []
        stack = list(node.children)
        while stack:
            child = stack.pop()
            if child.type == "command_substitution":
                inner.append(child)
            else:
                stack.extend(child.children)
        for child in sorted(inner, key=lambda n: -n.start_byte):
            start, end = child.start_byte - node.start_byte, child.end_byte - node.start_byte
            raw = raw[:start] + raw[end:]
        return raw.decode()

    def check_gaps(self, node: Node, space: re.Pattern[str] = _GAP) -> None:
        """Check that only white space stands between the parts of a node, and that a joined line joins no word."""
        at = node.start_byte
        for child in node.children:
            self.check_space(at, child.start_byte, space)
            at = child.end_byte
        self.check_space(at, node.end_byte, space)

    def check_space(self, start: int, end: int, space: re.Pattern[str] = _GAP) -> None:
        """Check that there is only white space between two bytes.

        Raises:
            UnclearError: there is something else.
        """
        if end <= start:
            return
        gap = self.cut(start, end)
        if not space.fullmatch(gap):
            raise UnclearError("a separator that isn't understood")
        if "\\\n" in gap and not re.search(r"[ \t]", gap):
            raise UnclearError("a word that goes on in the next line")

    def check_token(self, node: Node) -> None:
        """Check that an operator's node holds the operator and nothing more, and that a keyword stands alone."""
        if self.of(node).strip() != node.type.strip():
            raise UnclearError("a separator that isn't understood")
        before = self.bytes[max(0, node.start_byte - 1) : node.start_byte]
        if node.type.isalpha() and not (before in AFTER_WORD and self.ends_word(node)):
            raise UnclearError("a keyword that isn't understood")

    def ends_word(self, node: Node) -> bool:
        """Tell whether the word a node ends goes no further."""
        return self.bytes[node.end_byte : node.end_byte + 1] in AFTER_WORD

    def check_comment(self, node: Node) -> None:
        """Check that a comment begins where the shell begins one, and ends with its line."""
        text = self.of(node)
        before = self.bytes[max(0, node.start_byte - 1) : node.start_byte]
        if not text.startswith("#") or "\n" in text or before not in AFTER_WORD:
            raise UnclearError("a comment that isn't understood")


def _hole(kind: str, raw: str) -> Hole:
    name = ""
    if not _HOLE_SHAPES[kind].match(raw):
        raise UnclearError("an expansion that isn't understood")
    if kind in ("simple_expansion", "expansion"):
        found = PLAIN_EXPANSION.fullmatch(raw)
        name = found["name"] if found else ""
        if not found and "[@]" in raw:
            name = "@"
    return Hole(_HOLES[kind], name)
