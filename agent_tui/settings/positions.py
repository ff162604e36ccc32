"""On which line of a settings file each value stands, so that a person is sent to the value and not only to the file."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeAlias

Steps: TypeAlias = tuple[str | int, ...]
"""The way to a value: keys of objects and places in lists, from the outermost."""

MAX_DEPTH = 12
"""Values deeper than this are told by what they are in; no setting is as deep."""

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{},:]|[^\s\[\]{},:"]+', re.DOTALL)


class Written:
    """A settings file as it is written: its name, and where in it things stand.

    Args:
        name: what a person knows the file by.
        text: what is in it, JSON that can be read; "" where the settings stand in no file, and no line is known.
    """

    def __init__(self, name: str, text: str = "") -> None:
        self.name = name
        self._text = text

    def line(self, *steps: str | int) -> int:
        """Give the line of a value, from 1; that of what it is in when it isn't there, 0 when nothing is known."""
        for length in range(len(steps), -1, -1):
            if steps[:length] in self._scan.lines:
                return self._scan.lines[steps[:length]]
        return 0

    def at(self, *steps: str | int) -> str:
        """Name the place of a value: ``file:line``, or the file alone."""
        return place(self.name, self.line(*steps))

    @property
    def twice(self) -> tuple[str, int] | None:
        """The first key that stands twice in one object, and the line of its second time."""
        return self._scan.twice

    @cached_property
    def _scan(self) -> _Scan:
        return _scanned(self._text)


def place(name: str, line: int) -> str:
    """Name a place: ``file:line``, the file alone where the line isn't known."""
    return f"{name}:{line}" if line else name


@dataclass(slots=True)
class _Scan:
    lines: dict[Steps, int] = field(default_factory=dict[Steps, int])
    twice: tuple[str, int] | None = None


@dataclass(slots=True)
class _Open:
    """An object or a list whose end has not come yet; ``step`` is the key or place of the next value."""

    steps: Steps
    keys: set[str] | None
    step: str | int | None

    @property
    def wants_key(self) -> bool:
        return self.keys is not None and self.step is None


def _scanned(text: str) -> _Scan:
    scan = _Scan()
    open_: list[_Open] = []
    for token, line in _tokens(text):
        top = open_[-1] if open_ else None
        if token in "]}":
            del open_[-1:]
        elif token == ",":
            if top is not None:
                top.step = top.step + 1 if isinstance(top.step, int) else None
        elif token == ":":
            continue
        elif top is not None and top.keys is not None and top.wants_key:
            top.step = _key(token)
            if top.step in top.keys and scan.twice is None:
                scan.twice = (top.step, line)
            top.keys.add(top.step)
        else:
            steps = () if top is None or top.step is None else (*top.steps, top.step)[:MAX_DEPTH]
            scan.lines.setdefault(steps, line)
            if token in "[{":
                open_.append(_Open(steps, set(), None) if token == "{" else _Open(steps, None, 0))
    return scan


def _tokens(text: str) -> Iterator[tuple[str, int]]:
    line, at = 1, 0
    for found in _TOKEN.finditer(text):
        line += text.count("\n", at, found.start())
        at = found.start()
        yield found[0], line


def _key(token: str) -> str:
    try:
        return str(json.loads(token))
    except ValueError:
        return token
