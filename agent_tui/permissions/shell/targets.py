"""Which files a word stands for: tilde, known variables and globs filled in, for every folder the shell may be in."""

from __future__ import annotations

import glob
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from agent_tui.permissions.places import Ground
from agent_tui.permissions.shell.words import Hole, Piece, Word

MAX_SPELLINGS: Final = 16
_Spelling: TypeAlias = tuple[tuple[str, bool], ...]
"""Stretches of text, and whether each is a glob."""


@dataclass(frozen=True, slots=True)
class Target:
    """A path that a word may stand for; ``glob`` is (folder, pattern) where it was one.

    The path is absolute but not normalised: behind a link ``x/..`` isn't where it seems to be.
    """

    path: str
    glob: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Scope:
    """Where words are read: the folders the shell may be in (None: anywhere) and what variables may hold."""

    ground: Ground
    cwds: tuple[str, ...] | None
    variables: Mapping[str, tuple[Word, ...] | None]

    def moved(self, folders: Sequence[Word]) -> Scope:
        """Give the scope after a change into each of ``folders`` (``git -C x``)."""
        scope = self
        for folder in folders:
            found = scope.targets(folder) if scope.cwds is not None else None
            cwds = None if found is None else tuple(target.path for target in found)
            scope = replace(scope, cwds=cwds)
        return scope

    def targets(self, word: Word) -> tuple[Target, ...] | None:
        """Give every path a word may stand for; None: that can't be told."""
        out: list[Target] = []
        for cwd in self.cwds or (None,):
            spellings = self._spellings(word.pieces, cwd, 0)
            if spellings is None:
                return None
            for spelling in spellings:
                found = self._paths(spelling, cwd)
                if found is None:
                    return None
                out.extend(found)
        return tuple(dict.fromkeys(out))

    def _paths(self, spelling: _Spelling, cwd: str | None) -> list[Target] | None:
        text = "".join(piece for piece, _ in spelling)
        if not text.startswith("/") and cwd is None:
            return None
        base = text if text.startswith("/") else f"{cwd}/{text}"
        if not any(is_glob for _, is_glob in spelling):
            return [Target(base)]
        pattern = "".join(piece if is_glob else glob.escape(piece) for piece, is_glob in spelling)
        pattern = pattern if text.startswith("/") else f"{glob.escape(str(cwd))}/{pattern}"
        found = self.ground.resolver.matches(pattern)
        if found is None:
            return None
        folder, _, name = base.rstrip("/").rpartition("/")
        origin = (folder or "/", name)
        return [Target(path, origin) for path in found] or [Target(base, origin)]

    def _spellings(
        self, pieces: tuple[Piece, ...], cwd: str | None, depth: int
    ) -> list[_Spelling] | None:
        out: list[_Spelling] = [()]
        for piece in pieces:
            choices = self._choices(piece, cwd, depth)
            if choices is None or len(choices) * len(out) > MAX_SPELLINGS:
                return None
            out = [(*before, *choice) for before in out for choice in choices]
        return out

    def _choices(self, piece: Piece, cwd: str | None, depth: int) -> list[_Spelling] | None:
        if isinstance(piece, str):
            return [((piece, False),)]
        if piece.kind == "glob":
            return [((piece.text, True),)]
        if piece.kind == "tilde":
            known = piece.text == "~" and "HOME" not in self.variables
            return [((self.ground.home, False),)] if known else None
        if piece.kind == "variable":
            return self._variable(piece, cwd, depth)
        return None

    def _variable(self, hole: Hole, cwd: str | None, depth: int) -> list[_Spelling] | None:
        if hole.text not in self.variables:
            if hole.text == "HOME":
                return [((self.ground.home, False),)]
            return [((cwd, False),)] if hole.text == "PWD" and cwd is not None else None
        values = self.variables[hole.text]
        if values is None or depth > 2:
            return None
        out: list[_Spelling] = []
        for value in values:
            spellings = self._spellings(value.pieces, cwd, depth + 1)
            if spellings is None:
                return None
            out.extend(spellings)
        odd = "IFS" in self.variables
        if not hole.quoted and any(odd or _may_split(spelling) for spelling in out):
            return None
        return out


def _may_split(spelling: _Spelling) -> bool:
    return any(is_glob or any(c in " \t\n*?[" for c in text) for text, is_glob in spelling)
