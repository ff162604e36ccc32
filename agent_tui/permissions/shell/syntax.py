"""What a shell line is made of, once read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from agent_tui.permissions.shell.words import Word

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
        sets: names that loops, arithmetic and expansions may give a value beside assignments.
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
    sets: frozenset[str] = frozenset()
    structured: bool = False
    repeats: bool = False
