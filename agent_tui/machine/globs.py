"""Globs and ignore rules as ripgrep reads them, for searching where there is no ripgrep."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache


class GlobError(ValueError):
    """A pattern that can't be understood."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One line of an ignore file, or one glob of a search. ``keeps``: it began with ``!``."""

    regex: re.Pattern[str]
    keeps: bool
    folders_only: bool

    def matches(self, path: str, *, is_folder: bool) -> bool:
        """Whether the rule speaks of ``path``, relative to where the rule stands."""
        return (is_folder or not self.folders_only) and self.regex.fullmatch(path) is not None


def parse_rule(line: str) -> Rule | None:
    """Read a line as git does; None for a blank line or a comment.

    Raises:
        GlobError: its pattern is broken.
    """
    line = line.rstrip("\r\n")
    if line.startswith("#"):
        return None
    while line.endswith(" ") and not line.endswith("\\ "):
        line = line[:-1]
    if not line:
        return None
    keeps = line.startswith("!")
    line = line[1:] if keeps else line
    if line[:2] in ("\\!", "\\#"):
        line = line[1:]
    anchored = line.startswith("/")
    folders_only = line.endswith("/")
    glob = line.strip("/") if anchored else line.rstrip("/")
    if not anchored and "/" not in glob:
        glob = f"**/{glob}"
    if glob.endswith("/**"):
        glob = f"{glob}/*"
    return Rule(compile_glob(glob), keeps, folders_only)


def parse_rules(text: str) -> tuple[Rule, ...]:
    """Read an ignore file; lines that can't be understood are passed over."""
    rules: list[Rule] = []
    for line in text.split("\n"):
        try:
            rule = parse_rule(line)
        except GlobError:
            continue
        if rule is not None:
            rules.append(rule)
    return tuple(rules)


def verdict(rules: tuple[Rule, ...], path: str, *, is_folder: bool) -> bool | None:
    """Whether the last rule that speaks of ``path`` names it (True) or keeps it (False); None if none does."""
    for rule in reversed(rules):
        if rule.matches(path, is_folder=is_folder):
            return not rule.keeps
    return None


@lru_cache(maxsize=2_048)
def compile_glob(glob: str) -> re.Pattern[str]:
    """Turn a glob for whole relative paths into a regular expression; ``*`` and ``?`` stop at ``/``.

    Raises:
        GlobError: a bracket or a brace is not closed.
    """
    return re.compile(_Translation(glob).run(), re.DOTALL)


class _Translation:
    def __init__(self, glob: str) -> None:
        self._glob = glob
        self._at = 0
        self._depth = 0

    def run(self) -> str:
        out: list[str] = []
        while self._at < len(self._glob):
            out.append(self._next())
        if self._depth:
            raise GlobError(f"unclosed brace in glob {self._glob!r}")
        return "".join(out)

    def _next(self) -> str:
        char = self._glob[self._at]
        match char:
            case "*":
                return self._stars()
            case "[":
                return self._set()
            case "\\" if self._at + 1 < len(self._glob):
                self._at += 2
                return re.escape(self._glob[self._at - 1])
            case _:
                self._at += 1
        match char:
            case "?":
                return "[^/]"
            case "{":
                self._depth += 1
                return "(?:"
            case "}" if self._depth:
                self._depth -= 1
                return ")"
            case "}":
                raise GlobError(f"unopened brace in glob {self._glob!r}")
            case "," if self._depth:
                return "|"
            case _:
                return re.escape(char)

    def _stars(self) -> str:
        start = self._at
        while self._at < len(self._glob) and self._glob[self._at] == "*":
            self._at += 1
        begins = start == 0 or self._glob[start - 1] == "/"
        ends = self._at == len(self._glob)
        if self._at - start == 2 and begins and (ends or self._glob[self._at] == "/"):
            if ends:
                return ".*"
            self._at += 1
            return "(?:.*/)?"
        return "[^/]*"

    def _set(self) -> str:
        end = self._at + 1
        if end < len(self._glob) and self._glob[end] in "!^":
            end += 1
        end = self._glob.find("]", end + 1)  # a bracket that comes first stands for itself
        if end < 0:
            raise GlobError(f"unclosed character class in glob {self._glob!r}")
        body = self._glob[self._at + 1 : end]
        self._at = end + 1
        negated = body[0] in "!^"
        body = body[1:] if negated else body
        body = re.sub(r"([\\\[\]^&~|])", r"\\\1", body)
        try:
            re.compile(f"[{body}]")
        except re.error as error:
            raise GlobError(f"invalid range in glob {self._glob!r}") from error
        return f"[^/{body}]" if negated else f"(?!/)[{body}]"
