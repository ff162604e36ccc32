"""The head of a Markdown file: YAML between two lines of dashes, read leniently, each field with its line.

A head that is no valid YAML as a whole (most often a colon in a description) is read field by field, so that one odd
value costs neither the other fields nor the file.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any, cast

import yaml

DASHES = re.compile(r"-{3}\s*")
KEY = re.compile(r"(?P<key>[A-Za-z_][\w-]*)\s*:(?P<value>\s.*|)")
QUOTES = "\"'"


class HeadError(ValueError):
    """A head can't be read; ``line`` is the line in the file, from 1."""

    def __init__(self, line: int, text: str) -> None:
        super().__init__(text)
        self.line = line


@dataclass(frozen=True, slots=True)
class Document:
    """A file: its head's fields, the line each stands in (from 1), and the text below."""

    fields: dict[str, Any] = field(default_factory=dict[str, Any])
    lines: dict[str, int] = field(default_factory=dict[str, int])
    body: str = ""

    def line(self, name: str) -> int:
        """Give the line a field stands in; 1 where it is missing."""
        return self.lines.get(name, 1)


@dataclass(slots=True)
class _Section:
    """One field as it is written: where it begins, its name, the rest of that line, the lines that go on."""

    line: int
    key: str
    value: str
    more: list[str] = field(default_factory=list[str])

    @property
    def text(self) -> str:
        return "\n".join([f"{self.key}:{self.value}", *self.more])


def read_document(text: str) -> Document:
    """Read a file's text; without a head there are no fields.

    Raises:
        HeadError: the head never ends, or a field of it can't be read.
    """
    rows = text.removeprefix("\ufeff").splitlines()
    if not rows or not DASHES.fullmatch(rows[0]):
        return Document(body=text.strip())
    end = next((i for i, row in enumerate(rows[1:], 1) if DASHES.fullmatch(row)), None)
    if end is None:
        raise HeadError(1, "its head has no closing line of dashes")
    sections = _sections(rows[1:end])
    whole = _load("\n".join(rows[1:end]))
    if isinstance(whole, dict):
        fields = {str(key): value for key, value in cast("dict[Any, Any]", whole).items()}
    else:
        fields = {section.key: _value(section) for section in sections}
    lines = {section.key: section.line for section in sections}
    return Document(
        fields,
        lines,
        "\n".join(rows[end + 1 :]).strip(),
    )


def _sections(rows: list[str]) -> list[_Section]:
    """Part a head at the names that begin in the first column."""
    found: list[_Section] = []
    for number, row in enumerate(rows, 2):
        named = KEY.fullmatch(row)
        if named is not None:
            found.append(_Section(number, named["key"], named["value"]))
        elif found:
            found[-1].more.append(row)
        elif row.strip() and not row.lstrip().startswith("#"):
            raise HeadError(number, f"{row.strip()[:60]!r} is no field")
    return found


def _value(section: _Section) -> Any:
    """Read one field; a line that YAML can't read is taken as plain text."""
    read = _load(section.text)
    if isinstance(read, dict):
        return cast("dict[Any, Any]", read).get(section.key)
    if any(row.strip() for row in section.more):
        raise HeadError(section.line, f"{section.key} can't be read")
    text = section.value.strip()
    quoted = len(text) > 1 and text[0] in QUOTES and text[-1] == text[0]
    return text[1:-1] if quoted else text


def _load(text: str) -> Any:
    try:
        return yaml.safe_load(text)
    except (yaml.YAMLError, ValueError, RecursionError):
        return None
