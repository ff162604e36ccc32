"""Judging a shell line: every part and every redirection by itself; the strictest wins."""

from __future__ import annotations

import os.path
from collections.abc import Iterator
from dataclasses import dataclass

from agent_tui.permissions.exposing import exposed
from agent_tui.permissions.folders import Folders
from agent_tui.permissions.leave import Leave
from agent_tui.permissions.part import PartVerdict, is_process
from agent_tui.permissions.places import Ground
from agent_tui.permissions.rule import Rule, Rules
from agent_tui.permissions.secrets import secret_reason
from agent_tui.permissions.shell.analysis import Analysis, Part, analyse
from agent_tui.permissions.shell.forms import allow_fit, innermost, names_exactly, read_pattern
from agent_tui.permissions.shell.risk import dangers
from agent_tui.permissions.shell.runners import hidden_run
from agent_tui.permissions.shell.syntax import Redirect
from agent_tui.permissions.shell.targets import Scope
from agent_tui.permissions.shell.touches import aside
from agent_tui.permissions.shell.turning import may_turn
from agent_tui.permissions.shell.words import Hole, Word
from agent_tui.permissions.shell.wrappers import program
from agent_tui.permissions.strict import Strict, command_rules
from agent_tui.permissions.verdict import Mode, Verdict, weightier
from agent_tui.protocol.requests import CommandPart, Span

_ANYTHING = Word("its input", (Hole("command"),))
"""Words that come from a command's input."""

FREE_TARGETS = frozenset({"/dev/null", "/dev/stdout", "/dev/stderr"})


@dataclass(frozen=True, slots=True)
class JudgedLine:
    """A judged line: the verdict, and its parts for suggestions."""

    verdict: Verdict
    analysis: Analysis
    parts: tuple[PartVerdict, ...]


def judge_line(
    command: str, tool_name: str, rules: Rules, ground: Ground, mode: Mode
) -> JudgedLine:
    """Judge a shell line; ``ground.cwd`` is where it would run."""
    analysis = analyse(command)
    parts = tuple(_Judge(analysis, tool_name, rules, ground, mode).parts())
    return JudgedLine(_fold(analysis, parts), analysis, parts)


class _Judge:
    def __init__(
        self, analysis: Analysis, tool: str, rules: Rules, ground: Ground, mode: Mode
    ) -> None:
        self._analysis = analysis
        self._ground = ground
        self._mode = mode
        self._strict = Strict(analysis, tool, rules, ground)
        self._leave = Leave(analysis, self._strict.files, ground)
        self._allow = command_rules(rules.allow, tool)
        self._all = next((rule for rule in self._allow if rule.whole), None)

    def parts(self) -> Iterator[PartVerdict]:
        """Judge the parts in order, following the shell from folder to folder."""
        folders = Folders(self._analysis, self._ground)
        for part in self._analysis.parts:
            scope = Scope(self._ground, folders.now, self._analysis.variables)
            yield self._part(part, scope)
            folders.follow(part, scope)

    def _part(self, part: Part, scope: Scope) -> PartVerdict:
        out = PartVerdict(part)
        self._strict.hold(out, scope)
        self._command(out, scope)
        for redirect in part.command.redirects:
            self._redirect(redirect, scope, out)
        if part.inside is not None:  # what approves the part that runs this text approves it too
            out.needs.clear()
        self._secrets(out, scope)
        return out

    def _secrets(self, out: PartVerdict, scope: Scope) -> None:
        """Have places with secrets that the part would show approved by themselves, whatever rule allows the command."""
        if self._mode.rules_allow and (self._all is not None or self._names_it(out.part)):
            out.secrets.clear()
            return
        for path in exposed(out.part, scope, self._ground):
            if self._strict.files.read(path).secret:
                out.secrets.append(os.path.normpath(path))
        for path in dict.fromkeys(out.secrets):
            out.needs.append(secret_reason(path))
            out.block(path)
            out.looks = False

    def _names_it(self, part: Part) -> bool:
        """Tell whether a rule allows exactly this command."""
        contents = [rule.content for rule in self._allow if rule.content is not None]
        return any(read_pattern(text).exact and allow_fit(text, part) for text in contents)

    def _command(self, out: PartVerdict, scope: Scope) -> None:
        """Say whether the command may run: it only looks, a rule allows it, the mode approves the edit."""
        reason = self._leave.to_look(out, scope)
        if reason is None:
            out.looks = True
            return
        rule = self._allowing(out.part, scope)
        if rule is not None:
            out.rule = rule
            if not (rule.whole or _just(rule, out.part)):
                self._aside(out, scope)
        elif self._mode.approves_edits and self._leave.is_edit(out.part, scope):
            out.by_edits = True
        else:
            out.command_needs = not out.reads
            out.just = self._more_than_named(out.part, scope)
            out.needs.append(reason)

    def _allowing(self, part: Part, scope: Scope) -> Rule | None:
        if not self._mode.rules_allow:
            return None
        if self._all is not None:
            return self._all
        fitting = [r for r in self._allow if r.content is not None and allow_fit(r.content, part)]
        exact = next((r for r in fitting if _just(r, part)), None)
        if exact is not None or not fitting or self._more_than_named(part, scope):
            return exact
        return fitting[0]

    def _more_than_named(self, part: Part, scope: Scope) -> bool:
        """Tell whether a command may do more than its program is there for: only a rule for just that covers it."""
        words = innermost(part)
        if part.runs.opaque or self._analysis.opaque or not words:
            return True
        name = program(words[0]) or ""
        given = (*words, _ANYTHING) if part.runs.fed else words
        if hidden_run(name, given, lambda word: may_turn(word, self._analysis.variables)):
            return True
        return name == "git" and not self._leave.git_at_home(words, scope)

    def _aside(self, out: PartVerdict, scope: Scope) -> None:
        """Files that a program which looks writes by an option are written as by a redirection."""
        for word in aside(innermost(out.part)):
            targets = scope.targets(word)
            if targets is None:
                out.needs.append(f"Which file {word.raw} means can't be told.")
            for target in targets or ():
                if os.path.normpath(target.path) not in FREE_TARGETS:
                    self._write_to(target.path, out)

    def _redirect(self, redirect: Redirect, scope: Scope, out: PartVerdict) -> None:
        word = redirect.target
        if word is None or is_process(word):
            return
        targets = scope.targets(word)
        if targets is None:
            if redirect.writes:
                self._strict.unknown(word, out)
            else:
                out.may_be_forbidden(word.raw, self._strict.files.read_denies)
            out.needs.append(f"Which file {redirect.raw} means can't be told.")
            out.looks = False
        for target in targets or ():
            if os.path.normpath(target.path) in FREE_TARGETS:
                continue
            if redirect.writes:
                self._write_to(target.path, out)
            else:
                self._read_from(target.path, out)

    def _write_to(self, path: str, out: PartVerdict) -> None:
        found = self._strict.written(path, "writes", out)
        out.looks = False
        by_all = self._all if found.inside else None
        rule = (found.rule or by_all) if self._mode.rules_allow else None
        if rule is not None:
            out.rule = out.rule or rule
        elif (
            self._mode.approves_edits and found.inside and not found.protected and not found.secret
        ):
            out.by_edits = True
        else:
            out.needs.append(f"It writes {self._strict.shown(path)}.")
            out.writes.append(path)
            out.block(path)

    def _read_from(self, path: str, out: PartVerdict) -> None:
        found = self._strict.files.read(path)
        self._strict.take(found, out)
        if found.secret:
            out.secrets.append(os.path.normpath(path))
        elif (
            not found.inside
            and found.rule is None
            and (self._all is None or not self._mode.rules_allow)
        ):
            out.needs.append(f"{path} is outside the working folders.")
            out.reads.append(path)
            out.block(path)
            out.looks = False


def _fold(analysis: Analysis, parts: tuple[PartVerdict, ...]) -> Verdict:
    own = [part for part in parts if part.part.inside is None]
    first = next((part for part in parts if not part.allowed), None)
    shown: list[CommandPart] = []
    danger: list[Span] = []
    for part in own:
        marks = dangers(part.part)
        shown.append(part.shown(marks))
        if part.part.visible:
            start = part.part.command.start
            danger += [Span(start + mark.start, start + mark.end, mark.why) for mark in marks]
    unclear = (
        f"The command can't be fully understood: {analysis.problem}." if analysis.problem else ""
    )
    return Verdict(
        denied=weightier(*(part.denied for part in parts)),
        asked=weightier(*(part.asked for part in parts)),
        doubt=next((part.doubt for part in parts if part.doubt), ""),
        unclear=unclear,
        critical=next((part.critical for part in parts if part.critical), ""),
        protected=next((part.protected for part in parts if part.protected), ""),
        secret=next((path for part in parts for path in part.secrets), ""),
        free=all(part.looks for part in own),
        allowed=first is None,
        rule=next((part.rule for part in own if part.rule), None),
        by_edits=any(part.by_edits for part in own),
        why=first.needs[0] if first else "",
        blocked_path=next((part.blocked_path for part in parts if part.blocked_path), None),
        parts=tuple(shown),
        danger=tuple(danger),
        default_to_no=bool(danger) or any(part.secrets for part in parts),
    )


def _just(rule: Rule, part: Part) -> bool:
    """Tell whether a rule names just this command."""
    return rule.content is not None and names_exactly(rule.content, part)
