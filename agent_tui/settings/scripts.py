"""Which of a project's own files a command runs: those are as much of a hook or a server as the command itself."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterable, Iterator
from pathlib import Path

_SIGNS = ";&|<>()"
_PARTS = re.compile("[=:,]")
_CODE = re.compile("-[a-z]*[ce]")
_PROJECT = re.compile(r"\$\{?(?:CLAUDE_PROJECT_DIR|AGENT_TUI_PROJECT_DIR|PWD)\}?")

_RUN = (
    "sh bash dash zsh ksh fish source exec eval env xargs sudo python python3 pypy uv uvx pipx node npx bun deno tsx ts-node "
    "ruby perl php lua awk gawk make just pwsh osascript Rscript julia java dotnet go cargo"
)
RUNNERS = frozenset(_RUN.split())
"""Programs that run the files they are given."""
_END = ".sh .bash .zsh .py .pyz .js .mjs .cjs .ts .mts .rb .pl .php .lua .awk .ps1 .jar .exe .r .jl"
ENDINGS = frozenset(_END.split())
"""How names of programs end."""


def scripts_in(words: Iterable[str], project: Path) -> tuple[Path, ...]:
    """Find the project's own scripts that a command runs, so that a change of one is seen. Blocks on files.

    A file that is named is one when it can be run, looks like a program, or is given to one that runs what it is given;
    what a command only reads or writes changes every day. ``words`` may be whole shell lines.
    """
    found: dict[Path, None] = {}
    words = tuple(words)
    for line in (*words, " ".join(words)):
        for word, given in _named(_PROJECT.sub(lambda _: str(project), line)):
            path = project / word
            named = word.strip("./") and _is_file(path) and _inside(path, project)
            if named and (given or _is_script(path)):
                found[path] = None
    return tuple(found)


def _named(line: str) -> Iterator[tuple[str, bool]]:
    """Give the words of a line that may be files, and whether each is given to a program that runs files."""
    yield line, False
    first, given, into, code = True, False, False, False
    for token in _tokens(line):
        if code:  # what stands behind ``sh -c``
            yield from _named(token)
            given = code = False
            continue
        if token.strip(_SIGNS) == "":
            into = ">" in token
            if not into and "<" not in token:
                first, given = True, False
            continue
        for word in () if into else (token, *_PARTS.split(token)[1:]):
            yield word, given
        runs = token.rpartition("/")[2] in RUNNERS or (first and token == ".")
        code = given and _CODE.fullmatch(token) is not None
        first, given, into = False, given or (runs and not into), False


def _tokens(line: str) -> list[str]:
    lexer = shlex.shlex(line, posix=True, punctuation_chars=_SIGNS)
    lexer.whitespace_split, lexer.commenters = True, ""
    try:
        return list(lexer)
    except ValueError:  # a quote that does not end
        return line.split()


def _is_script(path: Path) -> bool:
    if path.suffix.casefold() in ENDINGS or os.access(path, os.X_OK):
        return True
    try:
        with path.open("rb") as file:
            return file.read(2) == b"#!"
    except OSError:
        return True


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def _inside(path: Path, project: Path) -> bool:
    return path.resolve().is_relative_to(project.resolve())
