"""What lets the command of a part run unasked: it only looks where it may, or it is an edit the mode approves."""

from __future__ import annotations

from collections.abc import Sequence

from agent_tui.permissions.files import FileRules
from agent_tui.permissions.part import PartVerdict, is_process
from agent_tui.permissions.places import Ground
from agent_tui.permissions.shell.analysis import Analysis, Part
from agent_tui.permissions.shell.forms import SAFE_VARIABLES, innermost
from agent_tui.permissions.shell.git import looks_only, read_git
from agent_tui.permissions.shell.lookers import Look, look
from agent_tui.permissions.shell.showing import shown_variable
from agent_tui.permissions.shell.source import NAME
from agent_tui.permissions.shell.targets import Scope
from agent_tui.permissions.shell.touches import Changes, changes
from agent_tui.permissions.shell.words import Word
from agent_tui.permissions.shell.wrappers import program

NO_RULE = "No rule allows this."


class Leave:
    """Says of parts whether they only look, or only edit."""

    def __init__(self, analysis: Analysis, files: FileRules, ground: Ground) -> None:
        self._analysis = analysis
        self._files = files
        self._ground = ground

    def to_look(self, out: PartVerdict, scope: Scope) -> str | None:
        """Give None when the part only looks where it may; else say why it doesn't."""
        part = out.part
        unknown = NO_RULE
        opaque = part.runs.opaque or self._analysis.opaque
        if opaque:
            return f"What it runs can't be seen: {opaque}."
        if name := shown_variable(part, self._analysis):
            return f"It uses ${name}, which may hold a secret."
        exported = bool(part.words) and part.words[0].is_text("export")
        prefix = exported or (bool(part.words) and part.command.kind == "simple")
        for given in part.command.assignments:
            if not _harmless(given.name, prefix=prefix):
                return f"It sets {given.name}, which can change what programs do."
        if part.runs.wrapped or part.runs.exact_only:
            return unknown
        if part.command.kind == "declare":
            return None if _declares_harmless(part.words) else unknown
        if part.command.kind in ("group", "unset") or not part.words:
            return None
        words = innermost(part)
        if part.command.kind == "test" and words[0].is_text("[[", "(("):
            return None
        if words[0].is_text("git"):
            fed = "It is given further words by its input."
            return fed if part.runs.fed else self._git(words, scope, unknown)
        found = look(words) if words else None
        if found is None:
            return unknown
        if part.runs.fed and not found.fed:
            named = found.names_files
            return f"It {'reads files whose names' if named else 'is given words that'} come from its input."
        return self._paths(found, scope, out)

    def _paths(self, found: Look, scope: Scope, out: PartVerdict) -> str | None:
        for word in found.paths:
            if is_process(word) or word.is_text("-"):
                continue
            targets = scope.targets(word)
            if targets is None:
                return f"Which file {word.raw} is can't be told."
            for target in targets:
                if not word.literal and _as_option(target.path, scope):
                    return f"{word.raw} may be taken for an option."
                if found.enters and self._ground.resolver.is_dir(target.path):
                    return f"Links in the folder {word.raw} may lead anywhere."
                seen = self._files.read(target.path)
                if not seen.inside and seen.rule is None and target.path != "/dev/null":
                    out.block(target.path)
                    out.reads.append(target.path)
        return f"{out.reads[0]} is outside the working folders." if out.reads else None

    def _git(self, words: Sequence[Word], scope: Scope, unknown: str) -> str | None:
        call = read_git(words)
        named = looks_only(call)
        if named is None:
            return unknown
        scope = scope.moved(call.folders)
        if scope.cwds is None or not all(self._own_folder(cwd) for cwd in scope.cwds):
            return "It runs git in another repository, whose settings could run programs."
        for cwd in scope.cwds:
            if runs := self._ground.resolver.git_runs(cwd):
                return f"Git would run what this repository's own configuration names: {runs}."
        compares = bool(call.words) and call.words[0].is_text(
            "diff"
        )  # any files, outside a repository
        for word in named:
            outward = word.start.startswith(("/", "..")) or "/.." in word.start or not word.literal
            outward |= compares and "/" in word.start
            targets = scope.targets(word) if outward else ()
            if targets is None or any(not self._ground.is_inside(t.path) for t in targets):
                return f"{word.raw} may be outside the working folders."
        return None

    def git_at_home(self, words: Sequence[Word], scope: Scope) -> bool:
        """Tell whether git runs inside the working folders, and in no repository without a ``.git``.

        A clone may bring such a repository as plain files, with settings that name programs.
        """
        scope = scope.moved(read_git(words).folders)
        return scope.cwds is not None and all(
            self._ground.is_inside(cwd) and not self._in_bare(cwd) for cwd in scope.cwds
        )

    def _in_bare(self, cwd: str) -> bool:
        spot = self._ground.resolver.realpath(cwd)
        while spot != "/":
            if self._bare(spot):
                return True
            spot = spot.rpartition("/")[0] or "/"
        return False

    def _bare(self, spot: str) -> bool:
        resolver = self._ground.resolver
        return resolver.exists(f"{spot}/HEAD") and resolver.is_dir(f"{spot}/objects")

    def _own_folder(self, cwd: str) -> bool:
        """Tell whether a folder belongs to the working folders' own repositories."""
        resolver = self._ground.resolver
        if not self._ground.is_inside(cwd):
            return False
        roots = {resolver.realpath(folder) for folder in self._ground.working_dirs}
        spot = resolver.realpath(cwd)
        while spot not in roots and spot != "/":
            if self._bare(spot) or resolver.exists(f"{spot}/.git"):
                return False
            spot = spot.rpartition("/")[0] or "/"
        return True

    def is_edit(self, part: Part, scope: Scope) -> bool:
        """Tell whether it is a plain edit inside the working folders."""
        words, runs = innermost(part), part.runs
        if runs.wrapped or runs.exact_only or runs.opaque or runs.fed or not words:
            return False
        if any(given.name not in SAFE_VARIABLES for given in part.command.assignments):
            return False
        if not words[0].literal or words[0].value != program(words[0]):
            return False
        found = changes(words)
        return found is not None and found.known and self._edits_inside(words, found, scope)

    def _edits_inside(self, words: Sequence[Word], found: Changes, scope: Scope) -> bool:
        only_empty = words[0].is_text("rmdir")
        for touch in found.touches:
            moved = touch.does == "removes" and touch.word in found.sources
            targets = scope.targets(touch.word)
            if targets is None:
                return False
            for target in targets:
                if not self._ground.is_inside(target.path) or self._ground.protected(target.path):
                    return False
                if self._files.write(target.path).secret:
                    return False
                if touch.does == "removes" and not moved:
                    # a folder we made may hold by now what somebody else put there
                    full = self._ground.resolver.is_dir(target.path) and not only_empty
                    if full or not self._made(target.path):
                        return False
        return self._copies_inside(found, scope)

    def _copies_inside(self, found: Changes, scope: Scope) -> bool:
        """What is copied is inside, and no folder is copied over another: links in that one could lead out."""
        is_dir = self._ground.resolver.is_dir
        folders = False
        for word in found.sources:
            targets = scope.targets(word)
            if targets is None or not all(self._ground.is_inside(t.path) for t in targets):
                return False
            folders |= any(is_dir(target.path) for target in targets)
        written = [
            t
            for touch in found.touches
            if touch.does == "writes"
            for t in scope.targets(touch.word) or ()
        ]
        return not folders or sum(is_dir(target.path) for target in written) <= 1

    def _made(self, path: str) -> bool:
        return self._ground.resolver.realpath(path) in self._ground.made


def _as_option(path: str, scope: Scope) -> bool:
    """Tell whether a file that was filled in (by a glob, a variable) reads like an option."""
    return any(path.startswith(f"{cwd}/-") for cwd in scope.cwds or ())


def _declares_harmless(words: Sequence[Word]) -> bool:
    """``local x=1``, ``readonly y``: names that mean something to this line only."""
    if words and words[0].is_text("export"):
        return all(
            word.literal and word.start.partition("=")[0] in SAFE_VARIABLES for word in words[1:]
        )
    for word in words[1:]:
        if word.start.startswith("-"):
            if not word.is_text("-r", "-g"):
                return False
        else:
            name = word.start.partition("=")[0]
            if not NAME.fullmatch(name) or not _harmless(name, prefix=False):
                return False
    return True


def _harmless(name: str, *, prefix: bool) -> bool:
    """Tell whether giving a variable a value changes nothing but the line's own text."""
    if name in SAFE_VARIABLES:
        return True
    known = name.startswith("npm_") or name.endswith("_proxy")
    return not prefix and name == name.lower() and not known
