"""What judging one part of a shell line found, and how it reads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from agent_tui.permissions.match import PathRule
from agent_tui.permissions.rule import Rule
from agent_tui.permissions.shell.analysis import Part
from agent_tui.permissions.shell.words import Hole, Word
from agent_tui.permissions.verdict import Hit
from agent_tui.protocol.requests import CommandPart, Span


@dataclass(slots=True)
class PartVerdict:
    """What was found about one part.

    Attributes:
        denied, asked, doubt, critical, protected: see ``Verdict``.
        looks: it changes nothing and reads only where it may.
        rule: the allow rule that was needed.
        by_edits: the mode's approval of edits was needed.
        needs: sentences: why it isn't allowed as it stands; empty when it is.
        command_needs: the command itself has to be approved, not only a file it reads or writes.
        just: only a rule for exactly this command covers it, none for a prefix.
        reads, writes: paths that have to be approved.
        secrets: places with secrets it would show, to be approved by themselves.
        effects: what it does to files, as far as that is sure.
        blocked_path: the path that keeps it from being allowed.
    """

    part: Part
    denied: Hit | None = None
    asked: Hit | None = None
    doubt: str = ""
    critical: str = ""
    protected: str = ""
    looks: bool = False
    rule: Rule | None = None
    by_edits: bool = False
    needs: list[str] = field(default_factory=list[str])
    command_needs: bool = False
    just: bool = False
    reads: list[str] = field(default_factory=list[str])
    writes: list[str] = field(default_factory=list[str])
    secrets: list[str] = field(default_factory=list[str])
    effects: list[str] = field(default_factory=list[str])
    blocked_path: str | None = None

    @property
    def allowed(self) -> bool:
        """Nothing about it has to be approved."""
        return not self.needs

    def doubts(self, why: str) -> None:
        """Note that a rule which forbids may apply."""
        self.doubt = self.doubt or why

    def may_be_forbidden(self, what: str, denies: Sequence[PathRule]) -> None:
        """Note that a file which can't be told may be one that a rule forbids."""
        if denies:
            self.doubts(f"{what} may be a file that the rule {denies[0].rule} forbids.")

    def block(self, path: str) -> None:
        """Note the path that keeps it from being allowed."""
        self.blocked_path = self.blocked_path or path

    def shown(self, marks: tuple[Span, ...]) -> CommandPart:
        """Say it for the question."""
        stopped = self.denied or self.asked or self.doubt or self.critical or self.protected
        return CommandPart(
            self.part.command.text,
            self.allowed and not stopped,
            self._decided(),
            ", ".join(self.effects),
            marks,
        )

    def _decided(self) -> str:
        """Say what decided; a rule as ``deny Bash(rm *)``, then two blanks and where it is from."""
        if self.denied is not None:
            return _ruled(self.denied.rule)
        if self.asked is not None:
            return _ruled(self.asked.rule)
        if self.needs:
            return self.needs[0]
        if self.rule is not None:
            return _ruled(self.rule)
        return "accepted edit" if self.by_edits else "only looks"


def _ruled(rule: Rule) -> str:
    return f"{rule.behavior} {rule}  {rule.source.name}"


def short(text: str) -> str:
    """Quote a command in a sentence."""
    line = " ".join(text.split())
    return f"`{line}`" if len(line) <= 80 else f"`{line[:77]}...`"


def is_process(word: Word) -> bool:
    """Tell whether a word is ``<(...)``: a pipe, not a file."""
    return all(isinstance(piece, Hole) and piece.kind == "process" for piece in word.pieces)
