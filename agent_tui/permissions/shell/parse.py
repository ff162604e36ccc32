"""A shell line to its simple commands, by the bash grammar, with what the grammar leaves out checked here.

The walk knows a closed set of node kinds and checks that between two of them there is only white space, so what the
grammar doesn't model (here-document ends, words after a redirection, backquotes in backquotes, controls, separators
hidden by a continued line) is found and makes the line *not understood*: ``ShellLine.problem`` says why.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from agent_tui.permissions.shell.words import Hole, HoleKind, UnclearError, Word, read_word

if TYPE_CHECKING:
    from tree_sitter import Node, Parser

MAX_CHARS: Final = 10_000
MAX_COMMANDS: Final = 200
MAX_NODES: Final = 40_000

CommandKind: TypeAlias = Literal["simple", "declare", "unset", "test", "group"]


@dataclass(frozen=True, slots=True)
class Redirect:
    """A redirection to or from a file. ``target`` None: a descriptor is copied or closed, or text is fed in."""

    op: str
    target: Word | None
    raw: str
    start: int = -1
    end: int = -1

    @property
    def writes(self) -> bool:
        """It creates, empties or changes its target."""
        return ">" in self.op


@dataclass(frozen=True, slots=True)
class Assignment:
    """``name=value``; value None for an array or an element of one."""

    name: str
    value: Word | None
    raw: str


@dataclass(frozen=True, slots=True)
class Command:
    """A simple command. ``group`` has no words: redirections of a loop, a group or a bare ``> f``.

    ``start`` and ``end`` are characters of the line it was read from.
    """

    kind: CommandKind
    words: tuple[Word, ...]
    assignments: tuple[Assignment, ...] = ()
    redirects: tuple[Redirect, ...] = ()
    text: str = ""
    start: int = 0
    end: int = 0

    @property
    def source(self) -> str:
        """Assignments and words as written, one space between them, redirections left out."""
        return " ".join([a.raw for a in self.assignments] + [w.raw for w in self.words])


@dataclass(frozen=True, slots=True)
class ShellLine:
    """A line, read.

    Attributes:
        commands: every simple command in source order, those in substitutions and bodies too.
        scripts: contents of backquotes: lines of their own, still to be read.
        problem: why it isn't understood, else "". What is in ``commands`` then may not be all.
        variables: every name given a value in the line, with the words it may hold; None: can't be told.
        arithmetic: names used in arithmetic, which runs what is in their values.
        opaque: expansions that may run what their value holds (``${x@P}``).
        structured: it has loops, functions, conditions or here-documents.
        repeats: it has loops or functions, so a later command may come before an earlier one.
    """

    text: str
    commands: tuple[Command, ...] = ()
    scripts: tuple[str, ...] = ()
    problem: str = ""
    variables: Mapping[str, tuple[Word, ...] | None] = field(
        default_factory=dict[str, "tuple[Word, ...] | None"]
    )
    arithmetic: frozenset[str] = frozenset()
    opaque: str = ""
    structured: bool = False
    repeats: bool = False


def parse_line(text: str) -> ShellLine:
    """Read a shell line; never raises."""
    walk = _Walk(text)
    problem = ""
    try:
        walk.run()
    except UnclearError as error:
        problem = str(error)
    return ShellLine(
        text,
        tuple(walk.commands),
        tuple(walk.scripts),
        problem,
        dict(walk.variables),
        frozenset(walk.arithmetic),
        walk.opaque,
        walk.structured,
        walk.repeats,
    )


@cache
def _parser() -> Parser:
    """Load the grammar: a door, since only sessions that run commands need it."""
    import tree_sitter_bash
    from tree_sitter import Language, Parser

    return Parser(Language(tree_sitter_bash.language()))


_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_GAP = re.compile(r"(?:[ \t\n]|\\\n)*")
_EXPANDS: Final = (b"$(", b"${", b"$[")
_LINE_GAP = re.compile(r"(?:[ \t]|\\\n)*")
_ASSIGN = re.compile(r"[A-Za-z_]\w*(?:\[[^\]]*\])?\+?=", re.ASCII)
_NAME = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_PLAIN_EXPANSION = re.compile(r"\$\{?(?P<name>\w+|[@*#?$!-])\}?", re.ASCII)
_DELIMITER = re.compile(r"(?P<quote>['\"]?)(?P<word>\w+)(?P=quote)|\\(?P<escaped>\w+)")
_QUOTED_IN_HEAD = re.compile(r"'[^'\n]*'|\"[^\"\\`$\n]*(?:\$\w+[^\"\\`$\n]*)*\"|\$\w+")
_UNCLEAR_HEAD = re.compile(r"['\"\\#`$]|<<")
_ARITHMETIC = re.compile(r"[\w\s+\-*/%<>=!&|^~?:,()\[\]$#@.;]*", re.ASCII)
_BAD_IN_BRACES = re.compile(r"['\"\\{}`<>(]")

_RESERVED: Final = frozenset(
    "! { } [[ ]] if then elif else fi for while until do done case esac in select function coproc".split()
)
_STATEMENTS: Final = frozenset(
    (
        "program list pipeline subshell compound_statement if_statement elif_clause else_clause for_statement "
        "c_style_for_statement while_statement case_statement case_item do_group negated_command "
        "function_definition command_substitution process_substitution variable_assignments"
    ).split()
)
_STRUCTURES: Final = frozenset(
    (
        "if_statement for_statement c_style_for_statement while_statement case_statement function_definition "
        "heredoc_redirect"
    ).split()
)
_REPEATING: Final = frozenset(
    "for_statement c_style_for_statement while_statement function_definition".split()
)
_WORDS: Final = frozenset(
    (
        "word number string raw_string ansi_c_string concatenation simple_expansion expansion "
        "command_substitution process_substitution arithmetic_expansion brace_expression regex "
        "test_operator extglob_pattern variable_name command_name"
    ).split()
)
_ARITHMETIC_NODES: Final = frozenset(
    (
        "binary_expression unary_expression postfix_expression ternary_expression parenthesized_expression number "
        "variable_name word subscript simple_expansion expansion concatenation string"
    ).split()
)
_HOLES: Final[Mapping[str, HoleKind]] = {
    "simple_expansion": "variable",
    "expansion": "variable",
    "command_substitution": "command",
    "process_substitution": "process",
    "arithmetic_expansion": "arithmetic",
}
_INNER: Final = frozenset(
    (
        "array heredoc_body heredoc_content heredoc_start heredoc_end string_content special_variable_name "
        "file_descriptor"
    ).split()
)
_REDIRECTS: Final = frozenset("file_redirect herestring_redirect heredoc_redirect".split())
_ANYTHING_KNOWN: Final = _STATEMENTS | _WORDS | _ARITHMETIC_NODES | _INNER


class _Walk:
    """One reading. Positions are bytes of the encoded text, as the grammar counts."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.commands: list[Command] = []
        self.scripts: list[str] = []
        self.variables: dict[str, tuple[Word, ...] | None] = {}
        self.arithmetic: set[str] = set()
        self.opaque = ""
        self.structured = False
        self.repeats = False
        self._bytes = b""

    def run(self) -> None:
        if len(self.text) > MAX_CHARS:
            raise UnclearError(f"it is longer than {MAX_CHARS:,} characters")
        if found := _CONTROL.search(self.text):
            raise UnclearError(f"it holds the control character U+{ord(found[0]):04X}")
        self._bytes = self.text.encode()
        root = _parser().parse(self._bytes).root_node
        if root.has_error:
            raise UnclearError("its syntax isn't understood")
        self._only_space(0, root.start_byte)
        self._only_space(root.end_byte, len(self._bytes))
        self._visit_all(root)

    def _visit_all(self, root: Node) -> None:
        stack = [root]
        seen = 0
        while stack:
            seen += 1
            if seen > MAX_NODES or len(self.commands) > MAX_COMMANDS:
                raise UnclearError("it has too many parts")
            node = stack.pop()
            stack.extend(reversed(self._visit(node)))

    def _visit(self, node: Node) -> list[Node]:
        """Take one node in; give the nodes to go on with."""
        kind = node.type
        if not node.is_named:
            if self._slice(node).strip() != node.type.strip():
                raise UnclearError("a separator that isn't understood")
            return []
        self.structured |= kind in _STRUCTURES
        self.repeats |= kind in _REPEATING
        match kind:
            case "command" | "declaration_command" | "unset_command" | "test_command":
                return self._command(node, ())
            case "redirected_statement":
                return self._redirected(node)
            case "variable_assignment":
                return self._lone_assignment(node)
            case "comment":
                self._comment(node)
                return []
            case "command_substitution" if self._slice(node).lstrip().startswith("`"):
                self._backquotes(node)
                return []
            case "expansion":
                return self._expansion(node)
            case "arithmetic_expansion":
                return self._arithmetic(node)
            case "for_statement":
                self._loop_variable(node)
            case "c_style_for_statement":
                self._arithmetic_text(node)
            case "case_statement" | "case_item":
                for _ in self._words([c for c in node.children if c.type in _WORDS]):
                    pass
            case "function_definition":
                self._function(node)
            case "compound_statement" if self._slice(node).startswith("(("):
                return self._arithmetic(node)
            case "compound_statement" | "negated_command" if not _GROUP_SHAPE.match(self._slice(node)):
                raise UnclearError("a group that isn't understood")
            case _:
                pass
        if kind in _STATEMENTS:
            redirects = [child for child in node.children if child.type in _REDIRECTS]
            if redirects and (kind != "command_substitution" or len(redirects) > 1):
                raise UnclearError("a redirection that isn't understood")
            if redirects:
                return self._file_substitution(node, redirects[0])
            self._gaps(node)
        elif kind not in _ANYTHING_KNOWN:
            raise UnclearError(f"it has a part of a kind that isn't known ({kind})")
        return list(node.children)

    # -- commands ------------------------------------------------------------------------------------------------

    def _command(self, node: Node, redirects: tuple[Node, ...], extra: tuple[Node, ...] = ()) -> list[Node]:
        """Take a command in, with the redirections (and words after them) that hang around it."""
        kinds: dict[str, CommandKind] = {
            "declaration_command": "declare",
            "unset_command": "unset",
            "test_command": "test",
        }
        kind: CommandKind = kinds.get(node.type, "simple")
        inner = [child for child in node.children if child.type in ("file_redirect", "herestring_redirect")]
        assignments = tuple(
            self._assignment(child) for child in node.children if child.type == "variable_assignment"
        )
        if kind == "test" and not _TEST_SHAPE.match(self._slice(node)):
            raise UnclearError("a test that isn't understood")
        if kind == "test":
            words = self._test_words(node)
        else:
            skip = {"variable_assignment", *(child.type for child in inner)}
            self._gaps(node, _LINE_GAP)
            parts = [child for child in node.children if child.type not in skip]
            for child in inner:
                parts += self._destinations(child)[1:]
            parts = sorted([*parts, *extra], key=lambda part: part.start_byte)
            words = tuple(self._words(parts))
        if kind == "simple":
            self._check_name(words)
        whole = (node, *redirects)
        start, end = min(n.start_byte for n in whole), max(self._line_end(n) for n in whole)
        command = Command(
            kind,
            words,
            assignments,
            tuple(self._redirects([*inner, *redirects])),
            self._cut(start, end),
            self._char(start),
            self._char(end),
        )
        self.commands.append(command)
        below = [child for child in node.children if child.type not in _REDIRECTS]
        return [*below, *(child for redirect in (*inner, *redirects) for child in _inside(redirect))]

    def _check_name(self, words: tuple[Word, ...]) -> None:
        if not words:
            return
        name = words[0]
        if name.raw in _RESERVED:
            raise UnclearError(f"{name.raw!r} stands where a command was expected")
        if _ASSIGN.match(name.raw):
            raise UnclearError("an assignment that isn't understood")
        if name.raw == "time" and len(words) > 1 and (words[1].raw in _RESERVED or words[1].raw == "-p"):
            rest = [word.raw for word in words[1:3]]
            if any(raw in _RESERVED for raw in rest):
                raise UnclearError("'time' before a group")

    def _words(self, parts: list[Node]) -> Iterator[Word]:
        """Join parts that touch into words and read them."""
        index = 0
        while index < len(parts):
            last = index
            while last + 1 < len(parts) and parts[last + 1].start_byte == parts[last].end_byte:
                last += 1
            yield self._word(parts[index : last + 1])
            index = last + 1

    def _word(self, parts: list[Node]) -> Word:
        start, end = parts[0].start_byte, parts[-1].end_byte
        holes: dict[int, tuple[int, Hole]] = {}
        for part in parts:
            if part.is_named and part.type not in _WORDS and part.type != "array":
                raise UnclearError(f"a word of a kind that isn't known ({part.type})")
            for node in self._hole_nodes(part):
                raw = self._slice(node)
                shift = len(raw) - len(raw.lstrip())
                spot = self._char(node.start_byte) + shift - self._char(start)
                holes[spot] = (self._char(node.end_byte) - self._char(start), _hole(node.type, raw.lstrip()))
        raw = self._cut(start, end)
        return read_word(raw, holes)

    def _hole_nodes(self, part: Node) -> Iterator[Node]:
        stack = [part]
        while stack:
            node = stack.pop()
            if node.type in _HOLES:
                yield node
            else:
                stack.extend(node.children)

    def _test_words(self, node: Node) -> tuple[Word, ...]:
        """``[`` takes ordinary words, whatever the grammar makes of them; ``[[`` is its own language."""
        raw = self._slice(node)
        if raw.startswith("(("):
            self._arithmetic_text(node)
            return (Word("((", ("((",)),)
        if raw.startswith("[["):
            if _ARITHMETIC_TEST.search(raw):
                self.arithmetic.update(_NAME.findall(raw))
                if "'" in raw or '"' in raw or "\\" in raw:
                    self.opaque = self.opaque or "a test that computes with text"
            if re.search(r"\s-v\s", raw):
                self.opaque = self.opaque or "a test that looks into variables"
            self._check_double_brackets(node, raw)
            return (Word("[[", ("[[",)),)
        if re.search(r"\s-v\s", raw):
            self.opaque = self.opaque or "a test that looks into variables"
        return tuple(self._split_test(node, raw))

    def _check_double_brackets(self, node: Node, raw: str) -> None:
        """Between ``[[`` and the first ``]]`` there are words and operators, and nothing ends the command earlier."""
        holes = self._holes_in(node)
        at, last = 0, ""
        while at < len(raw):
            if raw[at] in " \t\n":
                at += 1
                continue
            end = _word_end(raw, at, holes)
            bare = re.sub(r"'[^']*'|\"[^\"]*\"|\\.", "", raw[at:end], flags=re.DOTALL)
            if last == "]]" or (bare not in ("&&", "||") and re.search(r"[;&]", bare)):
                raise UnclearError("a test that isn't understood")
            at, last = end, raw[at:end]
        if last != "]]":
            raise UnclearError("a test that isn't understood")

    def _holes_in(self, node: Node) -> dict[int, tuple[int, Hole]]:
        base = self._char(node.start_byte)
        out: dict[int, tuple[int, Hole]] = {}
        for child in node.children:
            for hole in self._hole_nodes(child):
                raw = self._slice(hole)
                start = self._char(hole.start_byte) - base + len(raw) - len(raw.lstrip())
                out[start] = (self._char(hole.end_byte) - base, _hole(hole.type, raw.lstrip()))
        return out

    def _split_test(self, node: Node, raw: str) -> Iterator[Word]:
        holes = self._holes_in(node)
        at = 0
        while at < len(raw):
            if raw[at] in " \t":
                at += 1
                continue
            end = _word_end(raw, at, holes)
            yield read_word(
                raw[at:end], {k - at: (e - at, h) for k, (e, h) in holes.items() if at <= k < end}
            )
            at = end

    # -- redirections ----------------------------------------------------------------------------------------------

    def _redirected(self, node: Node) -> list[Node]:
        body = node.child_by_field_name("body")
        redirects = [child for child in node.children if child != body]
        self._gaps(node)
        extra: list[Node] = []
        for redirect in redirects:
            extra += self._words_after(redirect)
        if body is not None and body.type in ("command", "declaration_command", "unset_command"):
            return self._command(body, tuple(redirects), tuple(extra))
        words = tuple(self._words(extra))
        if words and body is not None:
            raise UnclearError("words after the redirection of a group")
        self._check_name(words)
        start = redirects[0].start_byte
        end = max(self._line_end(redirect) for redirect in redirects)
        self.commands.append(
            Command(
                "simple" if words else "group",
                words,
                (),
                tuple(self._redirects(redirects)),
                self._cut(start, end),
                self._char(start),
                self._char(end),
            )
        )
        inner = [child for redirect in redirects for child in _inside(redirect)]
        return [body, *inner] if body is not None else inner

    def _file_substitution(self, node: Node, redirect: Node) -> list[Node]:
        """``$(<file)``."""
        if redirect.type != "file_redirect" or len(self._destinations(redirect)) != 1:
            raise UnclearError("a redirection that isn't understood")
        self._gaps(node)
        start, end = redirect.start_byte, redirect.end_byte
        read = tuple(self._redirects([redirect]))
        self.commands.append(
            Command("group", (), (), read, self._cut(start, end), self._char(start), self._char(end))
        )
        return [*(c for c in node.children if c != redirect), *_inside(redirect)]

    def _words_after(self, redirect: Node) -> list[Node]:
        """Give the words behind a redirection: they are arguments of the command (bash takes one target)."""
        if redirect.type == "file_redirect":
            return self._destinations(redirect)[1:]
        if redirect.type == "heredoc_redirect":
            out = [child for child in redirect.children if child.type in _WORDS]
            for child in redirect.children:
                if child.type == "file_redirect":
                    out += self._destinations(child)[1:]
            return out
        return []

    def _destinations(self, redirect: Node) -> list[Node]:
        """Give the nodes after the operator; parts that touch the first belong to the target."""
        nodes = [c for c in redirect.children if c.type in _WORDS or (c.type == "$" and not c.is_named)]
        if not nodes:
            return []
        joined = 1
        while joined < len(nodes) and nodes[joined].start_byte == nodes[joined - 1].end_byte:
            joined += 1
        if joined > 1:
            raise UnclearError("a redirection whose target isn't understood")
        return nodes

    def _redirects(self, nodes: list[Node]) -> Iterator[Redirect]:
        for node in nodes:
            match node.type:
                case "file_redirect":
                    yield self._file_redirect(node)
                case "herestring_redirect":
                    self._gaps(node)
                case "heredoc_redirect":
                    self._gaps(node)
                    self._heredoc(node)
                    yield from self._redirects(
                        [c for c in node.children if c.type in ("file_redirect", "herestring_redirect")]
                    )
                case _:
                    raise UnclearError(f"a redirection of a kind that isn't known ({node.type})")

    def _file_redirect(self, node: Node) -> Redirect:
        self._gaps(node)
        operator = next(child for child in node.children if not child.is_named)
        self._check_descriptor(node, operator)
        op = self._slice(operator)
        targets = self._destinations(node)
        raw = self._slice(node)
        start, end = self._char(node.start_byte), self._char(node.end_byte)
        if op in ("<&-", ">&-"):
            if targets:
                raise UnclearError("words after a closed descriptor")
            return Redirect(op, None, raw, start, end)
        if not targets:
            raise UnclearError("a redirection without a target")
        target = self._word(targets[:1])
        following = self._bytes[node.end_byte : node.end_byte + 1]
        if following and following not in b" \t\n;&|()<>":
            raise UnclearError("a redirection whose target isn't understood")
        if op in ("<&", ">&") and target.raw[0] in "-0123456789" and not _COPY.fullmatch(target.raw):
            raise UnclearError("a redirection whose target isn't understood")
        if op in ("<&", ">&") and target.literal and _COPY.fullmatch(target.raw):
            return Redirect(op, None, raw, start, end)
        return Redirect(op, target, raw, start, self._char(targets[0].end_byte))

    def _check_descriptor(self, node: Node, operator: Node) -> None:
        """``a2>f`` is the word a2, ``a 2>f`` a descriptor: the grammar and we must agree on which it is."""
        before = self._bytes[: node.start_byte]
        named = node.child_by_field_name("descriptor")
        if named is not None:
            if named.end_byte != operator.start_byte or not re.search(rb"(?:^|[\s;&|(){}<>])$", before):
                raise UnclearError("a descriptor that isn't understood")
        elif re.search(rb"(?:^|[\s;&|()<>])(?:\d+|\{\w+\})$", before):
            raise UnclearError("a descriptor that isn't understood")

    def _heredoc(self, node: Node) -> None:
        """Check that the document ends where the shell ends it, and that nothing in it stays unseen."""
        start = next((c for c in node.children if c.type == "heredoc_start"), None)
        end = next((c for c in node.children if c.type == "heredoc_end"), None)
        found = _DELIMITER.fullmatch(self._slice(start)) if start else None
        if start is None or end is None or found is None:
            raise UnclearError("a here-document that isn't understood")
        head_end = self._bytes.find(b"\n", start.end_byte)
        head = self._bytes[start.end_byte : head_end].decode()
        if _UNCLEAR_HEAD.search(_QUOTED_IN_HEAD.sub("", head)):
            raise UnclearError("a here-document whose first line isn't understood")
        body = self._bytes[head_end + 1 :].decode()
        tabs = any(self._slice(child) == "<<-" for child in node.children[:2])
        ending = _heredoc_end(body, found["word"] or found["escaped"], tabs)
        if ending is None or head_end < 0:
            raise UnclearError("a here-document that doesn't end")
        length, last_line = ending
        body_bytes = len(body[:length].encode())
        if end.end_byte != head_end + 1 + body_bytes + len(last_line.encode()):
            raise UnclearError("a here-document whose end isn't understood")
        quoted = bool(found["quote"] or found["escaped"])
        if not quoted:
            self._check_document(node, head_end + 1, head_end + 1 + body_bytes)

    def _check_document(self, node: Node, start: int, end: int) -> None:
        """Check that the grammar saw every expansion of an unquoted document (it misses some after white space)."""
        known = {
            (hole.start_byte + len(raw) - len(raw.lstrip())): hole.end_byte
            for child in node.children
            if child.type == "heredoc_body"
            for hole in self._hole_nodes(child)
            for raw in [self._slice(hole)]
        }
        at = start
        while at < end:
            if at in known:
                at = known[at]
            elif self._bytes[at : at + 1] == b"\\":
                if self._bytes[at + 1 : at + 2] == b"\n":
                    raise UnclearError("a here-document with continued lines")
                at += 2
            elif self._bytes[at : at + 1] == b"`" or self._bytes[at : at + 2] in _EXPANDS:
                raise UnclearError("a here-document whose expansions aren't understood")
            else:
                at += 1

    def _line_end(self, node: Node) -> int:
        """Where a part ends to the eye: a here-document's redirection ends with its head."""
        if node.type != "heredoc_redirect":
            return node.end_byte
        start = next((c for c in node.children if c.type == "heredoc_start"), node)
        ends = [c.end_byte for c in node.children if c.type == "file_redirect" or c.type in _WORDS]
        return max([start.end_byte, *ends])

    # -- assignments, loops, arithmetic ------------------------------------------------------------------------------

    def _lone_assignment(self, node: Node) -> list[Node]:
        parent = node.parent
        if parent is None or parent.type not in ("command", "declaration_command", "c_style_for_statement"):
            start, end = node.start_byte, node.end_byte
            self.commands.append(
                Command(
                    "declare",
                    (),
                    (self._assignment(node),),
                    (),
                    self._cut(start, end),
                    self._char(start),
                    self._char(end),
                )
            )
        return list(node.children)

    def _assignment(self, node: Node) -> Assignment:
        raw = self._slice(node)
        head = _ASSIGN.match(raw)
        if head is None:
            raise UnclearError("an assignment that isn't understood")
        name = _NAME.match(raw)
        assert name is not None
        value_node = node.child_by_field_name("value")
        simple = head[0] == f"{name[0]}=" and (value_node is None or value_node.type != "array")
        value: Word | None = None
        if "[" in head[0]:
            self.arithmetic.update(_NAME.findall(head[0][len(name[0]) :]))
        if simple and value_node is None:
            if raw != head[0]:
                raise UnclearError("an assignment that isn't understood")
            value = Word("", ("",))
        elif simple and value_node is not None:
            if value_node.start_byte != node.start_byte + len(head[0].encode()):
                raise UnclearError("an assignment that isn't understood")
            rest = [c for c in node.children if c.start_byte >= value_node.start_byte]
            value = self._word(rest)
        self._assign(name[0], (value,) if value is not None else None)
        return Assignment(name[0], value, raw)

    def _assign(self, name: str, values: tuple[Word, ...] | None) -> None:
        known = self.variables.get(name, ())
        self.variables[name] = None if known is None or values is None else (*known, *values)

    def _loop_variable(self, node: Node) -> None:
        name = node.child_by_field_name("variable")
        if name is None or not _NAME.fullmatch(self._slice(name)):
            raise UnclearError("a loop that isn't understood")
        values = node.children_by_field_name("value")
        if self._slice(node).startswith("select") or not values:
            self._assign(self._slice(name), None)
        else:
            self._assign(self._slice(name), tuple(self._words(values)))

    def _function(self, node: Node) -> None:
        name = node.child_by_field_name("name")
        if name is None or not re.fullmatch(r"[\w.-]+", self._slice(name)):
            raise UnclearError("a function that isn't understood")

    def _arithmetic(self, node: Node) -> list[Node]:
        self._arithmetic_text(node)
        stack = list(node.children)
        inner: list[Node] = []
        while stack:
            child = stack.pop()
            if child.type == "command_substitution":
                inner.append(child)
            elif child.is_named and child.type not in _ARITHMETIC_NODES | {"variable_assignment"}:
                raise UnclearError(f"arithmetic that isn't understood ({child.type})")
            else:
                if child.type == "expansion":
                    self._expansion(child)
                stack.extend(child.children)
        return inner

    def _arithmetic_text(self, node: Node) -> None:
        raw = self._without_commands(node)
        if node.type == "c_style_for_statement":
            raw = raw[: raw.find("))")]
        if not _ARITHMETIC.fullmatch(raw):
            raise UnclearError("arithmetic that isn't understood")
        self.arithmetic.update(_NAME.findall(raw))
        for name in re.findall(r"([A-Za-z_]\w*)\s*(?:[-+*/%&|^]|<<|>>)?=(?!=)", raw):
            self._assign(name, (Word("", (Hole("arithmetic", quoted=True),)),))

    def _expansion(self, node: Node) -> list[Node]:
        raw = self._slice(node).lstrip()
        if _PLAIN_EXPANSION.fullmatch(raw):
            return []
        inner = self._without_commands(node).strip()[2:-1]
        inner = _PLAIN_EXPANSION.sub("", inner)
        if _BAD_IN_BRACES.search(inner):
            raise UnclearError("an expansion that isn't understood")
        subscripts = re.findall(r"\[([^\]]*)\]", inner)
        plain = re.sub(r"\[[^\]]*\]", "", inner)
        if plain.startswith("!") or "@" in plain[1:]:
            self.opaque = self.opaque or "an expansion that may run what a variable holds"
        for subscript in subscripts:
            self.arithmetic.update(_NAME.findall(subscript))
        found = _NAME.match(inner)
        if found and inner[found.end() : found.end() + 1] == ":" and inner[found.end() + 1 :][:1] not in "-=?+":
            self.arithmetic.update(_NAME.findall(inner[found.end() :]))
        if found and re.match(r":?=", inner[found.end() :]):
            self._assign(found[0], None)
        return list(node.children)

    def _backquotes(self, node: Node) -> None:
        raw = self._slice(node).strip()
        if len(raw) < 2 or not raw.endswith("`"):
            raise UnclearError("backquotes that aren't understood")
        special = "$`\\"
        above = node.parent
        while above is not None and above.type not in ("command_substitution", "process_substitution"):
            if above.type in ("string", "heredoc_body"):
                special += '"'
                break
            above = above.parent
        self.scripts.append(re.sub(rf"\\([{re.escape(special)}])", r"\1", raw[1:-1]))

    # -- text --------------------------------------------------------------------------------------------------------

    def _comment(self, node: Node) -> None:
        before = self._bytes[: node.start_byte]
        if not self._slice(node).startswith("#") or not re.search(rb"(?:^|[\s;&|()<>])$", before):
            raise UnclearError("a comment that isn't understood")
        if "\n" in self._slice(node):
            raise UnclearError("a comment that isn't understood")

    def _gaps(self, node: Node, space: re.Pattern[str] = _GAP) -> None:
        """Check that only white space stands between the parts of a node, and that a joined line joins no word."""
        at = node.start_byte
        for child in node.children:
            self._only_space(at, child.start_byte, space)
            at = child.end_byte
        self._only_space(at, node.end_byte, space)

    def _only_space(self, start: int, end: int, space: re.Pattern[str] = _GAP) -> None:
        if end <= start:
            return
        gap = self._cut(start, end)
        if not space.fullmatch(gap):
            raise UnclearError("a separator that isn't understood")
        if "\\\n" in gap and not re.search(r"[ \t]", gap):
            raise UnclearError("a word that goes on in the next line")

    def _without_commands(self, node: Node) -> str:
        raw = self._bytes[node.start_byte : node.end_byte]
        inner = [n for n in self._below(node) if n.type == "command_substitution"]
        for child in sorted(inner, key=lambda n: -n.start_byte):
            start, end = child.start_byte - node.start_byte, child.end_byte - node.start_byte
            raw = raw[:start] + raw[end:]
        return raw.decode()

    def _below(self, node: Node) -> Iterator[Node]:
        stack = list(node.children)
        while stack:
            child = stack.pop()
            yield child
            if child.type != "command_substitution":
                stack.extend(child.children)

    def _slice(self, node: Node) -> str:
        return self._cut(node.start_byte, node.end_byte)

    def _cut(self, start: int, end: int) -> str:
        return self._bytes[start:end].decode()

    def _char(self, at: int) -> int:
        return at if len(self._bytes) == len(self.text) else len(self._bytes[:at].decode())


_HOLE_SHAPES: Final = {
    "simple_expansion": re.compile(r"\$(?:\w+|[@*#?$!-])\Z", re.ASCII),
    "expansion": re.compile(r"\$\{"),
    "command_substitution": re.compile(r"\$\(|`"),
    "process_substitution": re.compile(r"[<>]\("),
    "arithmetic_expansion": re.compile(r"\$\(\(|\$\["),
}
_COPY = re.compile(r"\d+-?|-")
_TEST_SHAPE = re.compile(r"(?:\[\[?[ \t\n]|\(\()")
_GROUP_SHAPE = re.compile(r"(?:[{!][ \t\n]|\()")
_ARITHMETIC_TEST = re.compile(r"\s-(?:eq|ne|lt|le|gt|ge)\s")


def _inside(redirect: Node) -> Iterator[Node]:
    """Give what is in a redirection but redirections: words, and the rest of a here-document's first line."""
    stack = list(reversed(redirect.children))
    while stack:
        child = stack.pop()
        if child.type in _REDIRECTS:
            stack.extend(reversed(child.children))
        else:
            yield child


def _hole(kind: str, raw: str) -> Hole:
    name = ""
    if not _HOLE_SHAPES[kind].match(raw):
        raise UnclearError("an expansion that isn't understood")
    if kind in ("simple_expansion", "expansion"):
        found = _PLAIN_EXPANSION.fullmatch(raw)
        name = found["name"] if found else ""
        if not found and "[@]" in raw:
            name = "@"
    return Hole(_HOLES[kind], name)


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


def _heredoc_end(body: str, delimiter: str, tabs: bool) -> tuple[int, str] | None:
    """Give the length of a document's text and its last line (the delimiter as written)."""
    at = 0
    while at <= len(body):
        end = body.find("\n", at)
        line = body[at:] if end < 0 else body[at:end]
        if (line.lstrip("\t") if tabs else line) == delimiter:
            return at, line
        if end < 0:
            return None
        at = end + 1
    return None
