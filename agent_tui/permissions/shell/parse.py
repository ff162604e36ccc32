"""A shell line to its simple commands, by the bash grammar, with what the grammar leaves out checked here.

The walk knows a closed set of node kinds and checks that between two of them there is only white space, so what the
grammar doesn't model (here-document ends, words after a redirection, backquotes in backquotes, controls, separators
hidden by a continued line) is found and makes the line *not understood*: ``ShellLine.problem`` says why.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final

from agent_tui.permissions.shell.brackets import computed_names, test_words
from agent_tui.permissions.shell.redirects import inside, read_redirects, visible_end, words_after
from agent_tui.permissions.shell.source import (
    ASSIGN,
    LINE_GAP,
    REDIRECT_NODES,
    WORD_NODES,
    Source,
)
from agent_tui.permissions.shell.syntax import Assignment, Command, CommandKind, ShellLine
from agent_tui.permissions.shell.values import ARITHMETIC_NODES, Values
from agent_tui.permissions.shell.words import UnclearError, Word
from agent_tui.permissions.tables import names

if TYPE_CHECKING:
    from tree_sitter import Node, Parser

MAX_CHARS: Final = 10_000
MAX_COMMANDS: Final = 200
MAX_NODES: Final = 40_000


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
        dict(walk.values.variables),
        frozenset(walk.values.computed),
        walk.values.opaque,
        frozenset(walk.values.sets),
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

_RESERVED: Final = names(
    "! { } [[ ]] if then elif else fi for while until do done case esac in select function coproc"
)
_STATEMENTS: Final = names(
    "program list pipeline subshell compound_statement if_statement elif_clause else_clause for_statement "
    "c_style_for_statement while_statement case_statement case_item do_group negated_command "
    "function_definition command_substitution process_substitution variable_assignments"
)
_STRUCTURES: Final = names(
    "if_statement for_statement c_style_for_statement while_statement case_statement function_definition "
    "heredoc_redirect"
)
_REPEATING: Final = names("for_statement c_style_for_statement while_statement function_definition")
_INNER: Final = names(
    "array heredoc_body heredoc_content heredoc_start heredoc_end string_content special_variable_name "
    "file_descriptor"
)
_INNER_KINDS: Final = WORD_NODES | ARITHMETIC_NODES | _INNER
_ASSIGNING: Final = ("command", "declaration_command", "c_style_for_statement")
_SUBSTITUTIONS: Final = ("command_substitution", "process_substitution")
_OPEN_BACKQUOTE = re.compile(r"(?<!\\)(?:\\\\)*`")
_FUNCTION_NAME = re.compile(r"[\w.-]+")
_GROUP_SHAPE = re.compile(r"(?:[{!][ \t\n]|\()")
_KINDS: Final[dict[str, CommandKind]] = {
    "command": "simple",
    "declaration_command": "declare",
    "unset_command": "unset",
    "test_command": "test",
}


class _Walk:
    """One reading."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.commands: list[Command] = []
        self.scripts: list[str] = []
        self.values = Values()
        self.structured = False
        self.repeats = False
        self._source = Source("")
        self._around: dict[int, list[Node]] = {}

    def run(self) -> None:
        """Read it all.

        Raises:
            UnclearError: it isn't understood; what was read so far is kept.
        """
        if len(self.text) > MAX_CHARS:
            raise UnclearError(f"it is longer than {MAX_CHARS:,} characters")
        if found := _CONTROL.search(self.text):
            raise UnclearError(f"it holds the control character U+{ord(found[0]):04X}")
        source = self._source = Source(self.text)
        root = _parser().parse(source.bytes).root_node
        if root.has_error:
            raise UnclearError("its syntax isn't understood")
        source.check_space(0, root.start_byte)
        source.check_space(root.end_byte, len(source.bytes))
        stack: list[Node | _Group] = [root]
        seen = 0
        while stack:
            seen += 1
            if seen > MAX_NODES or len(self.commands) > MAX_COMMANDS:
                raise UnclearError("it has too many parts")
            last = stack.pop()
            if isinstance(last, _Group):
                self._add("group", (), (), last.redirects, last.redirects)
            else:
                stack.extend(reversed(self._visit(last)))

    def _visit(self, node: Node) -> Sequence[Node | _Group]:
        """Take one node in; give the nodes to go on with."""
        kind = node.type
        if not node.is_named:
            self._source.check_token(node)
            return []
        self.structured |= kind in _STRUCTURES
        self.repeats |= kind in _REPEATING
        text = self._source.of(node).lstrip()
        match kind:
            case "command" | "declaration_command" | "unset_command" | "test_command":
                return self._command(node, self._around.pop(node.id, []))
            case "redirected_statement":
                return self._redirected(node)
            case "variable_assignment":
                return self._assignment(node)
            case "comment":
                self._source.check_comment(node)
                return []
            case "command_substitution" if text.startswith("`"):
                self._backquotes(node)
                return []
            case "expansion":
                self.values.expansion(self._source, node)
                return [child for child in node.children if child.is_named]
            case "arithmetic_expansion":
                return self.values.arithmetic(self._source, node)
            case "compound_statement" if text.startswith("(("):
                return self.values.arithmetic(self._source, node)
            case _ if kind in _STATEMENTS:
                return self._statement(node, text)
            case _ if kind not in _INNER_KINDS:
                raise UnclearError(f"it has a part of a kind that isn't known ({kind})")
            case _:
                pass
        return list(node.children)

    def _statement(self, node: Node, text: str) -> list[Node]:
        redirects = [child for child in node.children if child.type in REDIRECT_NODES]
        if redirects:
            return self._file_substitution(node, redirects)
        self._source.check_gaps(node)
        match node.type:
            case "for_statement":
                self.values.loop(self._source, node)
            case "c_style_for_statement":
                self.values.compute(self._source, node)
            case "case_statement" | "case_item":
                tuple(self._source.words([c for c in node.children if c.type in WORD_NODES]))
            case "function_definition":
                name = node.child_by_field_name("name")
                if name is None or not _FUNCTION_NAME.fullmatch(self._source.of(name)):
                    raise UnclearError("a function that isn't understood")
            case "compound_statement" | "negated_command" if not _GROUP_SHAPE.match(text):
                raise UnclearError("a group that isn't understood")
            case _:
                pass
        return list(node.children)

    def _command(self, node: Node, around: list[Node]) -> list[Node]:
        """Take a command in, with the redirections (and words after them) that hang ``around`` it."""
        kind = _KINDS[node.type]
        redirects = [child for child in node.children if child.type in REDIRECT_NODES] + around
        assignments = tuple(
            self.values.assignment(self._source, child)
            for child in node.children
            if child.type == "variable_assignment"
        )
        if kind == "test":
            words = self._test(node)
        else:
            self._source.check_gaps(node, LINE_GAP)
            parts = [
                child
                for child in node.children
                if child.type not in REDIRECT_NODES and child.type != "variable_assignment"
            ]
            parts += [word for redirect in redirects for word in words_after(redirect)]
            words = tuple(self._source.words(sorted(parts, key=lambda part: part.start_byte)))
        if kind == "simple":
            _check_name(words)
        self._add(kind, words, assignments, redirects, [node, *redirects])
        below = [child for child in node.children if child.type not in REDIRECT_NODES]
        return below + [child for redirect in redirects for child in inside(redirect)]

    def _test(self, node: Node) -> tuple[Word, ...]:
        if self._source.of(node).startswith("(("):
            self.values.compute(self._source, node)
            return (Word("((", ("((",)),)
        computed, why = computed_names(self._source.of(node))
        if computed:
            self.values.compute_names(self._source.of(node))
        if why:
            self.values.hide(why)
        return test_words(self._source, node)

    def _redirected(self, node: Node) -> Sequence[Node | _Group]:
        body = node.child_by_field_name("body")
        redirects = [child for child in node.children if child != body]
        self._source.check_gaps(node)
        inner = [child for redirect in redirects for child in inside(redirect)]
        after = [word for redirect in redirects for word in words_after(redirect)]
        if body is None:
            words = tuple(self._source.words(after))
            _check_name(words)
            self._add("simple" if words else "group", words, (), redirects, redirects)
            return inner
        last = _last_command(body)
        if last is not None:
            self._around[last.id] = redirects
            return [body]
        if after:
            raise UnclearError("words after the redirection of a group")
        return [body, _Group(redirects), *inner]

    def _file_substitution(self, node: Node, redirects: list[Node]) -> list[Node]:
        """``$(<file)`` reads a file; elsewhere a statement has no redirection of its own."""
        redirect = redirects[0]
        plain = node.type == "command_substitution" and redirect.type == "file_redirect"
        if not plain or len(redirects) > 1 or words_after(redirect):
            raise UnclearError("a redirection that isn't understood")
        self._source.check_gaps(node)
        self._add("group", (), (), redirects, redirects)
        return [*(c for c in node.children if c != redirect), *inside(redirect)]

    def _assignment(self, node: Node) -> list[Node]:
        parent = node.parent
        if parent is None or parent.type not in _ASSIGNING:
            read = self.values.assignment(self._source, node)
            self._add("declare", (), (read,), [], [node])
        return list(node.children)

    def _backquotes(self, node: Node) -> None:
        raw = self._source.of(node).strip()
        if len(raw) < 2 or not raw.endswith("`") or _OPEN_BACKQUOTE.search(raw, 1, len(raw) - 1):
            raise UnclearError("backquotes that aren't understood")
        special = "$`\\"
        above = node.parent
        while above is not None and above.type not in _SUBSTITUTIONS:
            if above.type in ("string", "heredoc_body"):
                special += '"'
                break
            above = above.parent
        self.scripts.append(re.sub(rf"\\([{re.escape(special)}])", r"\1", raw[1:-1]))

    def _add(
        self,
        kind: CommandKind,
        words: tuple[Word, ...],
        assignments: tuple[Assignment, ...],
        redirects: list[Node],
        extent: list[Node],
    ) -> None:
        source = self._source
        start = min(node.start_byte for node in extent)
        end = max(visible_end(node) for node in extent)
        read = tuple(read_redirects(source, redirects))
        text = source.cut(start, end)
        where = source.char(start), source.char(end)
        self.commands.append(Command(kind, words, assignments, read, text, *where))


@dataclass(frozen=True, slots=True)
class _Group:
    """Redirections of a group of commands; they come after it, since ``cd`` in it may change what they mean."""

    redirects: list[Node]


def _last_command(body: Node) -> Node | None:
    """Find the command that redirections after a list belong to (the grammar hangs them around all of it)."""
    while body.type in ("list", "pipeline", "negated_command") and body.children:
        body = body.children[-1]
    return body if body.type in ("command", "declaration_command", "unset_command") else None


def _check_name(words: tuple[Word, ...]) -> None:
    """Check that what stands first is a command for the shell too."""
    raws = [word.raw for word in words[:3]]
    if not raws:
        return
    if raws[0] in _RESERVED or ASSIGN.match(raws[0]):
        raise UnclearError(f"{raws[0]!r} stands where a command was expected")
    if raws[0] == "time" and any(raw in _RESERVED for raw in raws[1:]):
        raise UnclearError("'time' before a group")
