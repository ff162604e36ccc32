"""A line with everything it surely or perhaps runs: its commands, and those in texts handed to shells."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from agent_tui.permissions.shell.computing import array_in_text, given_texts, makes_arrays
from agent_tui.permissions.shell.find import RUNS, may_be, unread
from agent_tui.permissions.shell.looker import plain_test
from agent_tui.permissions.shell.parse import MAX_COMMANDS, parse_line
from agent_tui.permissions.shell.steering import steers
from agent_tui.permissions.shell.syntax import Command, ShellLine
from agent_tui.permissions.shell.turning import may_turn
from agent_tui.permissions.shell.values import holds_only_numbers
from agent_tui.permissions.shell.words import Word
from agent_tui.permissions.shell.wrappers import MADE, Unwrapped, program, unwrap

MAX_DEPTH: Final = 6


@dataclass(frozen=True, slots=True)
class Part:
    """One simple command.

    Attributes:
        command: as written.
        runs: the command itself and what it runs as a wrapper.
        inside: the index of the part that hands this one to a shell as text, None for a part of the line itself.
        visible: its positions are positions in the line.
    """

    command: Command
    runs: Unwrapped
    inside: int | None = None
    visible: bool = True

    @property
    def words(self) -> tuple[Word, ...]:
        """The command's words as written."""
        return self.command.words


@dataclass(frozen=True, slots=True)
class Analysis:
    """Everything a line runs. ``problem``: why it isn't understood; ``opaque``: why it may run more than is seen."""

    text: str
    parts: tuple[Part, ...] = ()
    problem: str = ""
    opaque: str = ""
    variables: Mapping[str, tuple[Word, ...] | None] = field(
        default_factory=dict[str, "tuple[Word, ...] | None"]
    )
    structured: bool = False
    repeats: bool = False


@dataclass(frozen=True, slots=True)
class _Text:
    text: str
    depth: int = 0
    inside: int | None = None


def analyse(text: str) -> Analysis:
    """Take a line apart; never raises."""
    parts: list[Part] = []
    lines: list[ShellLine] = []
    waiting = [_Text(text)]
    problem = ""
    while waiting:
        job = waiting.pop(0)
        line = parse_line(job.text)
        lines.append(line)
        problem = problem or line.problem
        if job.depth >= MAX_DEPTH or len(parts) + len(line.commands) > MAX_COMMANDS:
            problem = problem or "it has too many parts"
            break
        for command in line.commands:
            runs = unwrap(command.words) if command.words else Unwrapped()
            _settings(command, runs)
            parts.append(Part(command, runs, job.inside, job.depth == 0))
            here = len(parts) - 1
            waiting += [_Text(script, job.depth + 1, here) for script in runs.scripts]
        waiting += [_Text(script, job.depth + 1, job.inside) for script in line.scripts]
    variables = _merged(lines, parts)
    for part in parts:
        _find_unread(part, variables)
    return Analysis(
        text,
        tuple(parts),
        problem or _steered(lines),
        next(filter(None, (line.opaque for line in lines)), "")
        or _computes(lines, variables)
        or _declares(parts, variables)
        or _tests(parts, variables),
        variables,
        any(line.structured for line in lines),
        any(line.repeats for line in lines),
    )


def _steered(lines: list[ShellLine]) -> str:
    name = next((name for line in lines for name in sorted(line.sets) if steers(name)), None)
    return f"it sets {name} by the way, which can change what programs do" if name else ""


def _find_unread(part: Part, variables: Mapping[str, tuple[Word, ...] | None]) -> None:
    """``find $x``: a word that becomes several may bring ``-exec`` and a program along."""
    for view in part.runs.views:
        if view.words and program(view.words[0]) == "find":
            for word in unread(view.words):
                if word.splits and may_be(word, RUNS) and may_turn(word, variables):
                    part.runs.hide("what 'find' runs is made at run time")


_NAMES_PROGRAM = re.compile(
    r"\w*(?:PAGER|EDITOR|VISUAL|COMMAND|SHELL|_SSH|ASKPASS|BROWSER|LESSOPEN|LESSCLOSE)|(?:BASH_)?ENV|LD_\w+|PS4"
    r"|BASH_(?:CMDS|ALIASES)"
)
"""Variables whose value is run."""


def _settings(command: Command, runs: Unwrapped) -> None:
    """Settings may name programs: ``PAGER='rm x' man y``."""
    for given in command.assignments:
        if given.name.islower() and not command.words:
            continue
        runs.texts.append(given.raw)
        value = None if given.value is None else given.value.value
        known = value is not None and not MADE.search(value)
        if not known and _NAMES_PROGRAM.fullmatch(given.name):
            runs.hide(f"what ${given.name} makes run is told at run time")


def _merged(lines: list[ShellLine], parts: list[Part]) -> dict[str, tuple[Word, ...] | None]:
    out: dict[str, tuple[Word, ...] | None] = {}
    for line in lines:
        for name, values in line.variables.items():
            known = out.get(name, ())
            out[name] = None if known is None or values is None else (*known, *values)
    for part in parts:
        for view in part.runs.views:
            if view.words and view.words[0].is_text(*_READERS):
                out.update({word.start: None for word in view.words[1:] if word.literal})
    return out


_READERS: Final = (
    "read",
    "mapfile",
    "readarray",
    "getopts",
    "printf",
    "declare",
    "export",
    "unset",
)
"""Commands that give values to the variables their words name."""


def _computes(lines: list[ShellLine], variables: Mapping[str, tuple[Word, ...] | None]) -> str:
    for line in lines:
        for name in line.arithmetic:
            if name in variables and not holds_only_numbers(variables[name]):
                return f"it computes with ${name}, whose value could be run"
    return ""


def _declares(parts: list[Part], variables: Mapping[str, tuple[Word, ...] | None]) -> str:
    """``declare a='($(rm x))'`` runs ``rm`` when ``a`` is an array."""
    for part in parts:
        if part.command.kind != "declare":
            continue
        arrays = makes_arrays(part.words)
        given = [(one.name, one.value) for one in part.command.assignments]
        for name, value in (*given, *given_texts(part.words).items()):
            is_array = arrays or (name in variables and variables[name] is None)
            if is_array and array_in_text(value):
                return f"the value of ${name} could be run"
    return ""


_ELEMENT = re.compile(r"\[.*(?:\$\(|`)", re.DOTALL)


def _tests(parts: list[Part], variables: Mapping[str, tuple[Word, ...] | None]) -> str:
    """``x=-v; test $x 'a[$(rm y)]'`` runs ``rm``."""
    texts = [word.raw for values in variables.values() for word in values or ()]
    texts += [word.raw for part in parts for word in part.words]
    if not any(map(_ELEMENT.search, texts)):
        return ""
    for part in parts:
        for view in part.runs.views:
            tests = bool(view.words) and program(view.words[0]) in ("test", "[")
            if tests and not plain_test(view.words[1:]):
                return "a test that may look into variables"
    return ""
