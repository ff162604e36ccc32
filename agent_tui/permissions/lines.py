"""Judging a shell line: every part and every redirection by itself; the strictest wins."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from agent_tui.permissions.files import FileRules, FileVerdict
from agent_tui.permissions.places import Ground
from agent_tui.permissions.rule import COMMAND_TOOLS, Rule, Rules, param_rule
from agent_tui.permissions.shell.analysis import Analysis, Part, analyse
from agent_tui.permissions.shell.forms import (
    SAFE_VARIABLES,
    Fit,
    allow_fit,
    innermost,
    strict_fit,
)
from agent_tui.permissions.shell.git import looks_only, read_git
from agent_tui.permissions.shell.lookers import Look, look
from agent_tui.permissions.shell.risk import dangers
from agent_tui.permissions.shell.syntax import Redirect
from agent_tui.permissions.shell.targets import Scope, Target
from agent_tui.permissions.shell.touches import CONTENT_READERS, Changes, changes, names_files
from agent_tui.permissions.shell.words import Hole, Word
from agent_tui.permissions.shell.wrappers import program
from agent_tui.permissions.verdict import Hit, Mode, Verdict
from agent_tui.protocol.requests import CommandPart, Span

FREE_TARGETS = frozenset({"/dev/null", "/dev/stdout", "/dev/stderr"})
MAX_FOLDERS = 8
_PROXIES = ("http_proxy", "https_proxy", "ftp_proxy", "all_proxy", "no_proxy")


@dataclass(slots=True)
class PartVerdict:
    """What was found about one part; ``needs`` are the reasons why it isn't allowed as it stands."""

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
    effects: list[str] = field(default_factory=list[str])
    blocked_path: str | None = None
    writes: list[str] = field(default_factory=list[str])
    reads: list[str] = field(default_factory=list[str])
    command_needs: bool = False
    """The command itself (not only its redirections or what it reads) has to be approved."""

    @property
    def allowed(self) -> bool:
        """Nothing about it has to be approved."""
        return not self.needs


@dataclass(frozen=True, slots=True)
class JudgedLine:
    """A judged line: the verdict, and its parts for suggestions."""

    verdict: Verdict
    analysis: Analysis
    parts: tuple[PartVerdict, ...]


def judge_line(command: str, tool_name: str, book: Rules, ground: Ground, mode: Mode) -> JudgedLine:
    """Judge a shell line; ``ground.cwd`` is where it would run."""
    analysis = analyse(command)
    judge = _Judge(analysis, tool_name, book, ground, mode)
    parts = tuple(judge.parts())
    return JudgedLine(_fold(analysis, parts), analysis, parts)


class _Judge:
    def __init__(
        self, analysis: Analysis, tool: str, book: Rules, ground: Ground, mode: Mode
    ) -> None:
        self._analysis = analysis
        self._ground = ground
        self._mode = mode
        self._files = FileRules(book, ground)
        self._deny = _command_rules(book.deny, tool)
        self._ask = _command_rules(book.ask, tool)
        self._allow = _command_rules(book.allow, tool)
        self._all = next((rule for rule in self._allow if rule.whole), None)

    def parts(self) -> Iterator[PartVerdict]:
        """Judge the parts in order, following the shell from folder to folder."""
        folders = _Folders(self._analysis, self._ground)
        for part in self._analysis.parts:
            scope = Scope(self._ground, folders.now, self._analysis.variables)
            yield self._part(part, scope)
            folders.follow(part, scope)

    def _part(self, part: Part, scope: Scope) -> PartVerdict:
        out = PartVerdict(part)
        self._strict_rules(part, out)
        for view in part.runs.views:
            if view.sure and view.words:
                self._reads(view.words, scope, out)
                self._changes(view.words, scope, out)
        self._command(part, scope, out)
        for redirect in part.command.redirects:
            self._redirect(redirect, scope, out)
        if part.inside is not None:
            out.needs.clear()
        return out

    # Rules that deny or ask -------------------------------------------------------------------------------------------

    def _strict_rules(self, part: Part, out: PartVerdict) -> None:
        text = part.command.source
        hits: dict[str, Hit] = {}
        for rules, name in ((self._deny, "deny"), (self._ask, "ask")):
            for rule in rules:
                if rule.content is None:
                    continue
                fit = strict_fit(rule.content, part)
                if fit is Fit.YES:
                    hits[name] = hits.get(name) or Hit(rule, text)
                elif fit is Fit.MAYBE:
                    out.doubt = out.doubt or f"The rule {rule} may apply to {_short(text)}."
        out.denied, out.asked = hits.get("deny"), hits.get("ask")
        opaque = part.runs.opaque or self._analysis.opaque
        scoped = next((r for r in (*self._deny, *self._ask) if _is_pattern(r)), None)
        if opaque and scoped is not None:
            out.doubt = out.doubt or f"Whether the rule {scoped} applies can't be told: {opaque}."

    # Files --------------------------------------------------------------------------------------------------------

    def _reads(self, words: Sequence[Word], scope: Scope, out: PartVerdict) -> None:
        """Hold every file a command names against the rules for reading."""
        if not self._files.read_denies and not self._files.read_asks:
            return
        named, deep = names_files(words)
        name = program(words[0]) or ""
        if name == "git":
            cwds = None if scope.cwds is None else (*scope.cwds, self._ground.project)
            scope = replace(scope, cwds=cwds)
        for word in named:
            targets = scope.targets(word)
            if targets is None:
                if name in CONTENT_READERS and self._files.read_denies:
                    rule = self._files.read_denies[0].rule
                    out.doubt = (
                        out.doubt or f"{word.raw} may be a file that the rule {rule} forbids."
                    )
                continue
            for target in targets:
                self._strict(self._files.read(target.path, deep=deep, hidden=name != "rg"), out)

    def _strict(self, found: FileVerdict, out: PartVerdict) -> None:
        out.denied = out.denied or found.denied
        out.asked = out.asked or found.asked
        if found.doubt:
            out.doubt = out.doubt or f"{found.doubt[0].upper()}{found.doubt[1:]}."

    def _changes(self, words: Sequence[Word], scope: Scope, out: PartVerdict) -> None:
        """Hold every file a command is known to change against the rules and the places."""
        found = changes(words)
        if found is None:
            return
        for touch in found.touches:
            targets = scope.targets(touch.word)
            if touch.does == "removes":
                self._critical(touch.word, targets, out)
            for target in targets or ():
                self._written(target.path, touch.does, out)
            if targets is None and self._files.edit_denies:
                rule = self._files.edit_denies[0].rule
                out.doubt = (
                    out.doubt or f"{touch.word.raw} may be a file that the rule {rule} forbids."
                )
        for word in found.sources:
            for target in scope.targets(word) or ():
                if self._ground.holds_protected(target.path):
                    out.protected = out.protected or target.path

    def _written(self, path: str, does: str, out: PartVerdict) -> FileVerdict:
        found = self._files.write(path)
        self._strict(found, out)
        if found.protected:
            out.protected = out.protected or path
        effect = f"{does} {self._shown(path)}"
        if effect not in out.effects:
            out.effects.append(effect)
        return found

    def _critical(self, word: Word, targets: tuple[Target, ...] | None, out: PartVerdict) -> None:
        for target in targets or ():
            if self._ground.critical(target.path):
                out.critical = out.critical or f"It removes {target.path}."
            elif target.glob is not None and self._ground.critical_glob(*target.glob):
                out.critical = out.critical or f"It removes all of {target.glob[0]}."
        if targets is None and _under_a_hole(word):
            out.critical = (
                out.critical or f"It removes {word.raw}: with nothing in the variable that is /."
            )

    # The command itself -------------------------------------------------------------------------------------------

    def _command(self, part: Part, scope: Scope, out: PartVerdict) -> None:
        """Say whether the command may run: it only looks, a rule allows it, the mode approves the edit."""
        reason = self._look(part, scope, out)
        if reason is None:
            out.looks = True
            return
        if self._mode.rules_allow:
            rule = self._all or next(
                (r for r in self._allow if r.content is not None and allow_fit(r.content, part)),
                None,
            )
            if rule is not None:
                out.rule = rule
                return
        if self._mode.approves_edits and self._is_edit(part, scope):
            out.by_edits = True
            return
        out.command_needs = not out.reads
        out.needs.append(reason)

    def _look(self, part: Part, scope: Scope, out: PartVerdict) -> str | None:
        """Say why a command isn't one that only looks where it may; None: it is."""
        unknown = f"No rule allows {_short(part.command.source)}."
        if part.runs.opaque or self._analysis.opaque:
            return f"What it runs can't be seen: {part.runs.opaque or self._analysis.opaque}."
        prefix = bool(part.words) and part.command.kind == "simple"
        for given in part.command.assignments:
            if not _harmless(given.name, prefix=prefix):
                return f"It sets {given.name}, which can change what programs do."
        if part.runs.wrapped or part.runs.exact_only:
            return unknown
        if part.command.kind == "declare":
            plain = all(
                not w.start.startswith("-") or w.is_text("-r", "-x", "-g") for w in part.words[1:]
            )
            named = all(
                _harmless(w.start, prefix=False)
                for w in part.words[1:]
                if not w.start.startswith("-")
            )
            return None if plain and named else unknown
        if part.command.kind in ("group", "unset") or not part.words:
            return None
        words = innermost(part)
        if part.command.kind == "test" and words[0].is_text("[[", "(("):
            return None
        if words[0].is_text("git"):
            return self._git_look(words, scope, unknown)
        found = look(words) if words else None
        if found is None:
            return unknown
        return self._may_look(found, scope, out)

    def _may_look(self, found: Look, scope: Scope, out: PartVerdict) -> str | None:
        for word in found.paths:
            if all(isinstance(piece, Hole) and piece.kind == "process" for piece in word.pieces):
                continue
            if word.is_text("-"):
                continue
            targets = scope.targets(word)
            if targets is None:
                return f"Which file {word.raw} is can't be told."
            for target in targets:
                seen = self._files.read(target.path)
                if not seen.inside and seen.rule is None:
                    out.blocked_path = out.blocked_path or target.path
                    out.reads.append(target.path)
        if out.reads:
            return f"{out.reads[0]} is outside the working folders."
        return None

    def _git_look(self, words: Sequence[Word], scope: Scope, unknown: str) -> str | None:
        named = looks_only(read_git(words))
        if named is None:
            return unknown
        if scope.cwds is None or not all(self._own_folder(cwd) for cwd in scope.cwds):
            return "It runs git in another repository, whose settings could run programs."
        for word in named:
            outward = word.start.startswith(("/", "..")) or "/.." in word.start or not word.literal
            targets = scope.targets(word) if outward else ()
            if targets is None or any(not self._ground.is_inside(t.path) for t in targets):
                return f"{word.raw} may be outside the working folders."
        return None

    def _own_folder(self, cwd: str) -> bool:
        """Tell whether a folder belongs to the working folders' own repositories."""
        resolver = self._ground.resolver
        if not self._ground.is_inside(cwd):
            return False
        roots = {resolver.realpath(folder) for folder in self._ground.working_dirs}
        spot = resolver.realpath(cwd)
        while spot not in roots and spot != "/":
            bare = resolver.exists(f"{spot}/HEAD") and resolver.is_dir(f"{spot}/objects")
            if bare or resolver.exists(f"{spot}/.git"):
                return False
            spot = spot.rpartition("/")[0] or "/"
        return True

    def _is_edit(self, part: Part, scope: Scope) -> bool:
        """Tell whether it is a plain edit inside the working folders."""
        words = innermost(part)
        if part.runs.wrapped or part.runs.exact_only or part.runs.opaque or not words:
            return False
        if any(given.name not in SAFE_VARIABLES for given in part.command.assignments):
            return False
        found = changes(words) if words[0].literal and words[0].value == program(words[0]) else None
        return found is not None and found.known and self._edits_inside(found, scope)

    def _edits_inside(self, found: Changes, scope: Scope) -> bool:
        moved = {touch.word for touch in found.touches if touch.does == "removes"} & set(
            found.sources
        )
        for touch in found.touches:
            targets = scope.targets(touch.word)
            if targets is None:
                return False
            for target in targets:
                if not self._ground.is_inside(target.path) or self._ground.protected(target.path):
                    return False
                if (
                    touch.does == "removes"
                    and touch.word not in moved
                    and not self._made(target.path)
                ):
                    return False
        for word in found.sources:
            targets = scope.targets(word)
            if targets is None or not all(self._ground.is_inside(t.path) for t in targets):
                return False
        return True

    def _made(self, path: str) -> bool:
        return self._ground.resolver.realpath(path) in self._ground.made

    # Redirections -------------------------------------------------------------------------------------------------

    def _redirect(self, redirect: Redirect, scope: Scope, out: PartVerdict) -> None:
        word = redirect.target
        if word is None or all(isinstance(p, Hole) and p.kind == "process" for p in word.pieces):
            return
        targets = scope.targets(word)
        if targets is None:
            denies = self._files.edit_denies if redirect.writes else self._files.read_denies
            if denies:
                out.doubt = (
                    out.doubt or f"{word.raw} may be a file that the rule {denies[0].rule} forbids."
                )
            out.needs.append(f"Which file {redirect.raw} means can't be told.")
            out.looks = False
            return
        for target in targets:
            if target.path in FREE_TARGETS:
                continue
            if redirect.writes:
                self._write_to(target.path, out)
            else:
                self._read_from(target.path, out)

    def _write_to(self, path: str, out: PartVerdict) -> None:
        found = self._written(path, "writes", out)
        out.looks = False
        covered = self._mode.rules_allow and (
            found.rule is not None or (self._all is not None and found.inside)
        )
        if covered:
            out.rule = out.rule or found.rule or self._all
        elif self._mode.approves_edits and found.inside and not found.protected:
            out.by_edits = True
        else:
            out.needs.append(f"It writes {self._shown(path)}.")
            out.writes.append(path)
            out.blocked_path = out.blocked_path or path

    def _read_from(self, path: str, out: PartVerdict) -> None:
        found = self._files.read(path)
        self._strict(found, out)
        if not found.inside and found.rule is None and self._all is None:
            out.needs.append(f"{path} is outside the working folders.")
            out.reads.append(path)
            out.blocked_path = out.blocked_path or path
            out.looks = False

    def _shown(self, path: str) -> str:
        start = f"{self._ground.project}/"
        return path.removeprefix(start) if path.startswith(start) else path


class _Folders:
    """The folders the shell may be in, part by part. A ``cd`` may fail, so the old ones stay possible."""

    def __init__(self, analysis: Analysis, ground: Ground) -> None:
        self.now: tuple[str, ...] | None = (ground.cwd,)
        self._settled = False
        hidden = any(not part.visible for part in analysis.parts)
        if analysis.repeats or hidden:
            self._settle(analysis, ground)

    def _settle(self, analysis: Analysis, ground: Ground) -> None:
        """Loops, functions and texts run in another order: go round until no folder is new."""
        for _ in range(3):
            before = self.now
            for part in analysis.parts:
                self.follow(part, Scope(ground, self.now, analysis.variables))
            if self.now == before:
                break
        else:
            self.now = None
        self._settled = True

    def follow(self, part: Part, scope: Scope) -> None:
        """Take the changes of folder of a part into account."""
        if self._settled or self.now is None:
            return
        for view in part.runs.views:
            name = program(view.words[0]) if view.words else None
            if name in ("pushd", "popd", "env", "sudo") and _moves(name, view.words):
                self.now = None
                return
            if name == "cd":
                self._change(view.words, scope)

    def _change(self, words: Sequence[Word], scope: Scope) -> None:
        found = look(words)
        targets = scope.targets(found.paths[0]) if found is not None and found.paths else None
        if targets is None or self.now is None:
            self.now = None
            return
        self.now = tuple(dict.fromkeys((*self.now, *(target.path for target in targets))))
        if len(self.now) > MAX_FOLDERS:
            self.now = None


def _moves(name: str, words: Sequence[Word]) -> bool:
    if name in ("env", "sudo"):
        return any(word.start.startswith(("-C", "--chdir", "-D")) for word in words[1:])
    return True


def _command_rules(rules: Sequence[Rule], tool: str) -> tuple[Rule, ...]:
    return tuple(
        rule for rule in rules if rule.tool in ("Bash", tool) and rule.tool in COMMAND_TOOLS
    )


def _is_pattern(rule: Rule) -> bool:
    """Whether a rule is about commands, and not only about another field of the input."""
    content = rule.content
    if content is None:
        return False
    found = param_rule(content)
    return found is None or found[1] in ("", "*") or found[0] not in _INPUT_FIELDS


_INPUT_FIELDS = frozenset(
    {"run_in_background", "timeout", "description", "dangerouslyDisableSandbox"}
)


def _harmless(name: str, *, prefix: bool) -> bool:
    """Whether giving a variable a value changes nothing but the line's own text."""
    if name in SAFE_VARIABLES:
        return True
    return not prefix and name == name.lower() and name not in _PROXIES


def _under_a_hole(word: Word) -> bool:
    """``"$DIR"/`` and ``"$DIR"/*``: with an empty variable that is the root folder."""
    pieces = word.pieces
    if not isinstance(pieces[0], Hole) or pieces[0].kind not in ("variable", "command"):
        return False
    rest = pieces[1:]
    if not rest or not isinstance(rest[0], str) or rest[0].strip("/") != "":
        return False
    return all(isinstance(piece, Hole) and piece.kind == "glob" for piece in rest[1:])


def _short(text: str) -> str:
    line = " ".join(text.split())
    return f"`{line}`" if len(line) <= 80 else f"`{line[:77]}...`"


def _fold(analysis: Analysis, parts: tuple[PartVerdict, ...]) -> Verdict:
    own = [part for part in parts if part.part.inside is None]
    first = next((part for part in own if not part.allowed), None)
    shown: list[CommandPart] = []
    danger: list[Span] = []
    for part in own:
        marks = dangers(part.part)
        shown.append(_shown_part(part, marks))
        if part.part.visible:
            start = part.part.command.start
            danger += [Span(start + m.start, start + m.end, m.why) for m in marks]
    return Verdict(
        denied=_one(part.denied for part in parts),
        asked=_one(part.asked for part in parts),
        doubt=next((part.doubt for part in parts if part.doubt), ""),
        unclear=f"The command can't be fully understood: {analysis.problem}."
        if analysis.problem
        else "",
        critical=next((part.critical for part in parts if part.critical), ""),
        protected=next((part.protected for part in parts if part.protected), ""),
        free=all(part.looks for part in own),
        allowed=first is None,
        rule=next((part.rule for part in own if part.rule), None),
        by_edits=any(part.by_edits for part in own),
        why=first.needs[0] if first else "",
        blocked_path=next((part.blocked_path for part in own if part.blocked_path), None),
        parts=tuple(shown),
        danger=tuple(danger),
        default_to_no=bool(danger),
    )


def _one(hits: Iterator[Hit | None]) -> Hit | None:
    return next((hit for hit in hits if hit is not None), None)


def _shown_part(part: PartVerdict, marks: tuple[Span, ...]) -> CommandPart:
    if part.denied is not None:
        decided = f"deny rule {part.denied.rule}"
    elif part.asked is not None:
        decided = f"ask rule {part.asked.rule}"
    elif part.needs:
        decided = part.needs[0]
    elif part.rule is not None:
        decided = f"rule {part.rule}"
    else:
        decided = "accepted edit" if part.by_edits else "only looks"
    stopped = part.denied or part.asked or part.doubt or part.critical or part.protected
    allowed = part.allowed and not stopped
    return CommandPart(part.part.command.text, allowed, decided, ", ".join(part.effects), marks)
