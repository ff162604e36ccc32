"""What forbids a part of a shell line or makes it a question, in every mode: rules, protected and critical paths."""

from __future__ import annotations

import os.path
import re
from collections.abc import Sequence
from dataclasses import replace

from agent_tui.permissions.files import FileRules, FileVerdict
from agent_tui.permissions.part import PartVerdict, short
from agent_tui.permissions.places import Ground, is_protected_name
from agent_tui.permissions.rule import (
    COMMAND_FIELDS,
    COMMAND_TOOLS,
    Rule,
    Rules,
    param_rule,
)
from agent_tui.permissions.shell.analysis import Analysis
from agent_tui.permissions.shell.emptying import may_remove_all
from agent_tui.permissions.shell.forms import Fit, strict_fit
from agent_tui.permissions.shell.git import read_git
from agent_tui.permissions.shell.targets import Scope, Target
from agent_tui.permissions.shell.touches import CONTENT_READERS, changes, names_files
from agent_tui.permissions.shell.words import Hole, Word
from agent_tui.permissions.shell.wrappers import program
from agent_tui.permissions.verdict import Hit, weightier

MAX_TEXT = 4_000
_FILE_NAME = re.compile(r"[\w./~+-]+")


def _named(name: str) -> Word:
    """Make a word of a name in a text; ``~/`` is the home folder there too."""
    home = name.startswith("~/")
    return Word(name, (Hole("tilde", "~", quoted=True), name[1:]) if home else (name,))


class Strict:
    """Holds parts against all that forbids or asks."""

    def __init__(self, analysis: Analysis, tool: str, rules: Rules, ground: Ground) -> None:
        self.files = FileRules(rules, ground)
        self._analysis = analysis
        self._ground = ground
        self._deny = command_rules(rules.deny, tool)
        self._ask = command_rules(rules.ask, tool)

    def hold(self, out: PartVerdict, scope: Scope) -> None:
        """Hold one part, with all it runs, against them."""
        self._rules(out)
        self._mentions(out, scope)
        for view in out.part.runs.views:
            if view.sure and view.words:
                self._reads(view.words, scope, out)
                self._changes(view.words, scope, out)

    def _rules(self, out: PartVerdict) -> None:
        text = out.part.command.source
        out.denied = self._first(self._deny, out, text)
        out.asked = self._first(self._ask, out, text)
        opaque = out.part.runs.opaque or self._analysis.opaque
        scoped = next((r for r in (*self._deny, *self._ask) if _is_about_the_line(r)), None)
        if opaque and scoped is not None:
            out.doubts(f"Whether the rule {scoped} applies can't be told: {opaque}.")

    def _mentions(self, out: PartVerdict, scope: Scope) -> None:
        """A program in another language, or an option's value, may name a file that may not be read."""
        runs = out.part.runs
        if not self.files.read_denies or not (runs.texts or runs.reads):
            return
        text = " ".join((*runs.texts, self._analysis.text if runs.reads else ""))
        for name in dict.fromkeys(_FILE_NAME.findall(text[:MAX_TEXT])):
            for target in scope.targets(_named(name)) or ():
                if (found := self.files.read(target.path)).denied is not None:
                    out.doubts(
                        f"It names {name}, which the rule {found.denied.rule} forbids to read."
                    )

    def _first(self, rules: Sequence[Rule], out: PartVerdict, text: str) -> Hit | None:
        hit: Hit | None = None
        for rule in rules:
            if rule.content is None or not _is_about_the_line(rule):
                continue
            read = (self._analysis.text,) if out.part.runs.reads else ()
            fit = strict_fit(rule.content, out.part, *read)
            if fit is Fit.YES:
                hit = hit or Hit(rule, text)
            elif fit is Fit.MAYBE:
                out.doubts(f"The rule {rule} may apply to {short(text)}.")
        return hit

    def _reads(self, words: Sequence[Word], scope: Scope, out: PartVerdict) -> None:
        """Hold every file a command names against the rules for reading."""
        denies = self.files.read_denies
        if not denies and not self.files.read_asks:
            return
        named = names_files(words)
        name = program(words[0]) or ""
        if name == "git":
            scope = scope.moved(read_git(words).folders)
        if name == "git" and scope.cwds is not None:
            # ``git show HEAD:x`` counts from the repository's folder
            scope = replace(scope, cwds=(*scope.cwds, self._ground.project))
        found_ones = any(word.is_text("{}") for word in words)  # ``find -exec cat {} +``
        if (out.part.runs.fed or found_ones) and name in CONTENT_READERS:
            out.may_be_forbidden("What it is given to read", denies)
        for word in named.paths:
            targets = scope.targets(word)
            if targets is None and name in CONTENT_READERS:
                out.may_be_forbidden(word.raw, denies)
            for target in targets or ():
                found = self.files.read(target.path, deep=named.deep, hidden=named.hidden)
                self.take(found, out)

    def take(self, found: FileVerdict, out: PartVerdict) -> None:
        """Take over what rules say of a file."""
        out.denied = weightier(out.denied, found.denied)
        out.asked = weightier(out.asked, found.asked)
        if found.doubt:
            out.doubts(f"{found.doubt[0].upper()}{found.doubt[1:]}.")

    def _changes(self, words: Sequence[Word], scope: Scope, out: PartVerdict) -> None:
        """Hold every file a command is known to change against the rules and the places."""
        found = changes(words)
        if found is None:
            return
        for touch in found.touches:
            targets = scope.targets(touch.word)
            if touch.does == "removes":
                self._critical(touch.word, targets, out, lost=scope.cwds is None)
            if targets is None:
                self.unknown(touch.word, out)
            for target in targets or ():
                self.written(target.path, touch.does, out)
        for word in found.sources:
            for target in scope.targets(word) or ():
                if self._ground.holds_protected(target.path):
                    out.protected = out.protected or target.path

    def written(self, path: str, does: str, out: PartVerdict) -> FileVerdict:
        """Hold a file that is written or removed against the rules and the protected places."""
        found = self.files.write(path)
        self.take(found, out)
        if found.protected:
            out.protected = out.protected or path
            out.critical = out.critical or self.files.own(path)
        effect = f"{does} {self.shown(path)}"
        if effect not in out.effects:
            out.effects.append(effect)
        return found

    def unknown(self, word: Word, out: PartVerdict) -> None:
        """Hold a file that is written, and that can't be told, against the rules and the protected names."""
        out.may_be_forbidden(word.raw, self.files.edit_denies)
        if is_protected_name("".join(p if isinstance(p, str) else "?" for p in word.pieces)):
            out.protected = out.protected or word.raw

    def shown(self, path: str) -> str:
        """Write a path as short as it can be."""
        path, start = os.path.normpath(path), f"{self._ground.project}/"
        return path.removeprefix(start)

    def _critical(
        self, word: Word, targets: tuple[Target, ...] | None, out: PartVerdict, *, lost: bool
    ) -> None:
        for target in targets or ():
            if self._ground.critical(target.path):
                out.critical = out.critical or f"It removes {os.path.normpath(target.path)}."
            elif target.glob is not None and self._ground.critical_glob(*target.glob):
                out.critical = out.critical or f"It removes all of {target.glob[0]}."
        if targets is None and not out.critical:
            out.critical = may_remove_all(word, lost=lost)


def command_rules(rules: Sequence[Rule], tool: str) -> tuple[Rule, ...]:
    """Give the rules about shell lines of a tool."""
    return tuple(r for r in rules if r.tool in ("Bash", tool) and r.tool in COMMAND_TOOLS)


def _is_about_the_line(rule: Rule) -> bool:
    content = rule.content
    if content is None:
        return False
    found = param_rule(content)
    return found is None or found[0] not in COMMAND_FIELDS
