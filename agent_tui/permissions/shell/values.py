"""What a line does with variables: values it gives them, arithmetic on them, expansions that run what they hold.

Bash evaluates a variable's value again in arithmetic (``x='a[$(rm y)]'; echo $((x))`` runs ``rm``), so a name that is
computed with and holds more than a number makes the line *opaque*: what it runs can't be told.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from agent_tui.permissions.shell.source import ASSIGN, NAME, PLAIN_EXPANSION, Source
from agent_tui.permissions.shell.steering import may_be_set
from agent_tui.permissions.shell.syntax import Assignment
from agent_tui.permissions.shell.words import Hole, UnclearError, Word
from agent_tui.permissions.tables import names

if TYPE_CHECKING:
    from tree_sitter import Node

_ARITHMETIC = re.compile(r"[\w\s+\-*/%<>=!&|^~?:,()\[\]$#@.;]*", re.ASCII)
_ARITHMETIC_ASSIGN = re.compile(r"([A-Za-z_]\w*)\s*(?:[-+*/%&|^]|<<|>>)?=(?!=)", re.ASCII)
_BAD_IN_BRACES = re.compile(r"['\"\\{}`<>(]")
_SUBSCRIPT = re.compile(r"\[([^\]]*)\]")
_QUOTING = re.compile(r"['\"\\]")
_GLUED = re.compile(r"\w\$|\}\w", re.ASCII)
"""``PA${y}TH``."""
_ELEMENT = re.compile(r"\[(.*?)\]\+?=", re.DOTALL)
_NUMBER = re.compile(r"-?\d+|\{-?\d+\.\.-?\d+(?:\.\.-?\d+)?\}", re.ASCII)
_NUMBER_WORD = Word("", (Hole("arithmetic", quoted=True),))

_FROM_OUTSIDE = re.compile(r"\$\{?[\d@*]|\$\(|`", re.ASCII)
COUNTS = re.compile(r"\$\((?:date \+'?%-?[a-zA-Z]'?|nproc)\)|\$\(\(", re.ASCII)
"""What surely gives a number; and arithmetic in arithmetic, which is looked at by itself."""

ARITHMETIC_NODES = names(
    "binary_expression unary_expression postfix_expression ternary_expression parenthesized_expression number "
    "variable_name word subscript simple_expansion expansion concatenation string"
)


class Values:
    """Collects what a line does with variables while it is walked."""

    def __init__(self) -> None:
        self.variables: dict[str, tuple[Word, ...] | None] = {}
        self.computed: set[str] = set()
        self.sets: set[str] = set()
        self.opaque = ""

    def give(self, name: str, values: tuple[Word, ...] | None) -> None:
        """Note that ``name`` may hold one of ``values``; None: anything."""
        known = self.variables.get(name, ())
        self.variables[name] = None if known is None or values is None else (*known, *values)

    def hide(self, why: str) -> None:
        """Note that the line may run what a value holds."""
        self.opaque = self.opaque or why

    def compute_names(self, text: str) -> None:
        """Note the names a text computes with, and those it may give a value beside."""
        bare = _QUOTING.sub("", text)
        self.computed.update(NAME.findall(bare))
        self.sets |= may_be_set(bare)
        if "$'" in text or _GLUED.search(bare):
            self.hide("it computes with names that are put together at run time")

    def index(self, text: str) -> None:
        """Note what a text computes with; what a program prints, or the line was given, can't be told."""
        self.compute_names(text)
        if _FROM_OUTSIDE.search(COUNTS.sub("", text)):
            self.hide("it computes with what is known at run time only")

    def assignment(self, source: Source, node: Node) -> Assignment:
        """Read ``name=value``.

        Raises:
            UnclearError: it may not be one for the shell.
        """
        raw = source.of(node)
        head = ASSIGN.match(raw)
        name = NAME.match(raw)
        value_node = node.child_by_field_name("value")
        empty = value_node is None and head is not None and raw != head[0]
        if head is None or name is None or empty or not source.ends_word(node):
            raise UnclearError("an assignment that isn't understood")
        self.index(head[0][name.end() :])
        value: Word | None = None
        if value_node is not None and value_node.type == "array":
            for subscript in _ELEMENT.findall(source.of(value_node)):
                self.index(subscript)
        if head[0] == f"{name[0]}=" and (value_node is None or value_node.type != "array"):
            value = self._value(source, node, value_node, len(head[0]))
        self.give(name[0], None if value is None else (value,))
        return Assignment(name[0], value, raw)

    def _value(self, source: Source, node: Node, value: Node | None, head: int) -> Word:
        if value is None:
            return Word("", ("",))
        if value.start_byte != node.start_byte + head:
            raise UnclearError("an assignment that isn't understood")
        return source.word([c for c in node.children if c.start_byte >= value.start_byte])

    def loop(self, source: Source, node: Node) -> None:
        """Note the values of a loop's variable."""
        name = node.child_by_field_name("variable")
        if name is None or not NAME.fullmatch(source.of(name)):
            raise UnclearError("a loop that isn't understood")
        values = node.children_by_field_name("value")
        self.sets.add(source.of(name))
        known = bool(values) and not source.of(node).startswith("select")
        self.give(source.of(name), tuple(source.words(values)) if known else None)

    def arithmetic(self, source: Source, node: Node) -> list[Node]:
        """Take arithmetic in; give the command substitutions in it."""
        self.compute(source, node)
        stack = list(node.children)
        commands: list[Node] = []
        while stack:
            child = stack.pop()
            if child.type == "command_substitution":
                commands.append(child)
                continue
            if child.is_named and child.type not in ARITHMETIC_NODES | {"variable_assignment"}:
                raise UnclearError(f"arithmetic that isn't understood ({child.type})")
            if child.type == "expansion":
                self.expansion(source, child)
            stack.extend(child.children)
        return commands

    def compute(self, source: Source, node: Node) -> None:
        """Note the names that are computed with, and those that get a number."""
        raw = source.without_commands(node)
        whole = source.of(node)
        if node.type == "c_style_for_statement":
            body = node.child_by_field_name("body")
            whole = source.cut(node.start_byte, body.start_byte if body else node.end_byte)
            raw = raw[: raw.find("))")]
            if "$((" in whole:
                self.hide("a loop that computes within its computing")
        if not _ARITHMETIC.fullmatch(raw):
            raise UnclearError("arithmetic that isn't understood")
        self.index(raw)
        if _FROM_OUTSIDE.search(COUNTS.sub("", whole.lstrip().removeprefix("$(("))):
            self.hide("it computes with what is known at run time only")
        for name in _ARITHMETIC_ASSIGN.findall(raw):
            self.give(name, (_NUMBER_WORD,))

    def expansion(self, source: Source, node: Node) -> None:
        """Take ``${...}`` in.

        Raises:
            UnclearError: it may end elsewhere for the shell.
        """
        raw = source.of(node).lstrip()
        if PLAIN_EXPANSION.fullmatch(raw):
            return
        inner = PLAIN_EXPANSION.sub("", source.without_commands(node).strip()[2:-1])
        if _BAD_IN_BRACES.search(inner):
            raise UnclearError("an expansion that isn't understood")
        plain = _SUBSCRIPT.sub("", inner)
        if plain.startswith("!") or "@" in plain[1:]:
            self.hide("an expansion may run what a variable holds")
        for subscript in _SUBSCRIPT.findall(inner):
            self.index(subscript)
        found = NAME.match(inner)
        if found is None:
            return
        rest = inner[found.end() :]
        if rest.startswith(":") and rest[1:2] not in ("-", "=", "?", "+"):
            self.index(rest)
            whole = source.of(node)
            if _FROM_OUTSIDE.search(COUNTS.sub("", whole[2:])):
                self.hide("it computes with what is known at run time only")
        if rest.startswith(("=", ":=")):
            self.sets.add(found[0])
            self.give(found[0], None)


def holds_only_numbers(values: tuple[Word, ...] | None) -> bool:
    """Tell whether a variable with these values is safe to compute with."""
    return values is not None and all(
        _NUMBER.fullmatch(word.raw)
        or COUNTS.fullmatch(word.raw.strip('"'))
        or all(isinstance(piece, Hole) and piece.kind == "arithmetic" for piece in word.pieces)
        for word in values
    )
