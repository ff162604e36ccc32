"""Which folders the shell may be in, from part to part of a line."""

from __future__ import annotations

import os.path
from collections.abc import Sequence

from agent_tui.permissions.places import Ground
from agent_tui.permissions.shell.analysis import Analysis, Part
from agent_tui.permissions.shell.lookers import look
from agent_tui.permissions.shell.targets import Scope
from agent_tui.permissions.shell.words import Word
from agent_tui.permissions.shell.wrappers import program

MAX_FOLDERS = 8
MAX_ROUNDS = 3


class Folders:
    """Follows ``cd``. It may fail, so the old folders stay possible; ``now`` None: anywhere."""

    def __init__(self, analysis: Analysis, ground: Ground) -> None:
        self.now: tuple[str, ...] | None = (ground.cwd,)
        self._settled = False
        if analysis.repeats or any(not part.visible for part in analysis.parts):
            self._settle(analysis, ground)

    def _settle(self, analysis: Analysis, ground: Ground) -> None:
        """Loops, functions and texts run in another order: go round until no folder is new."""
        for _ in range(MAX_ROUNDS):
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
            if name == "cd":
                self._change(view.words, scope)
            elif name in ("pushd", "popd") or (name in ("env", "sudo") and _moves(view.words)):
                self.now = None

    def _change(self, words: Sequence[Word], scope: Scope) -> None:
        found = look(words)
        targets = scope.targets(found.paths[0]) if found is not None and found.paths else None
        if targets is None or self.now is None or "CDPATH" in scope.variables:
            self.now = None
            return
        # behind a link, ``cd x/..`` may mean either folder
        new = [spot for t in targets for spot in (t.path, os.path.normpath(t.path))]
        self.now = tuple(dict.fromkeys((*self.now, *new)))
        if len(self.now) > MAX_FOLDERS:
            self.now = None


def _moves(words: Sequence[Word]) -> bool:
    return any(word.start.startswith(("-C", "--chdir", "-D")) for word in words[1:])
