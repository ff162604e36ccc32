"""Jupyter notebooks: their cells, and changes of one cell that leave every other byte of the file alone.

Where each cell stands in the text is found by reading the JSON piece by piece; what is written anew takes over the
indentation around it.
"""

from __future__ import annotations

import json
import re
import uuid
from dataclasses import dataclass
from functools import cached_property
from json.decoder import JSONDecoder
from typing import Any, Literal, TypeAlias, cast

from agent_tui.protocol.content import JsonObject

CellType: TypeAlias = Literal["code", "markdown"]

_BLANK = re.compile(r"[ \t\r\n]*")
_BY_PLACE = re.compile(r"cell-(\d{1,9})")


class NotebookError(ValueError):
    """It is no notebook, or the cell is not there; the text is for the model."""


@dataclass(frozen=True)
class Cell:
    """A cell and where it stands in the text: from ``start`` up to ``end``."""

    id: str
    data: JsonObject
    start: int
    end: int

    @property
    def type(self) -> str:
        """``code``, ``markdown`` or ``raw``."""
        return str(self.data.get("cell_type") or "code")

    @property
    def source(self) -> str:
        """Its text."""
        return joined(self.data.get("source"))


@dataclass(frozen=True)
class Notebook:
    """A notebook's text, read."""

    text: str
    data: JsonObject
    cells: tuple[Cell, ...]
    array: tuple[int, int]
    """Where the list of cells stands, its brackets included."""

    @classmethod
    def read(cls, text: str) -> Notebook:
        """Read a notebook.

        Raises:
            NotebookError: it is none.
        """
        try:
            data: Any = json.loads(text)
        except ValueError as error:
            raise NotebookError(f"it is no notebook: it is no valid JSON ({error})") from None
        except RecursionError:
            raise NotebookError("it is no notebook: it is nested too deep") from None
        found: Any = cast("JsonObject", data).get("cells") if isinstance(data, dict) else None
        if not isinstance(found, list):
            raise NotebookError("it is no notebook of version 4: it has no list of cells")
        entries = cast("list[JsonObject]", found)
        if not all(isinstance(one, dict) for one in entries):
            raise NotebookError("it is no notebook: a cell of it is no object")
        start = _value_of(text, "cells")
        spans, end = _elements(text, start)
        cells = tuple(
            Cell(_id_of(one, number), one, *spans[number]) for number, one in enumerate(entries)
        )
        return cls(text, cast("JsonObject", data), cells, (start, end))

    @property
    def language(self) -> str:
        """The language of its code cells."""
        metadata = self.data.get("metadata")
        about: JsonObject = cast("JsonObject", metadata) if isinstance(metadata, dict) else {}
        for part, name in (("language_info", "name"), ("kernelspec", "language")):
            entry = about.get(part)
            said = cast("JsonObject", entry).get(name) if isinstance(entry, dict) else None
            if said:
                return str(said)
        return "python"

    def find(self, cell_id: str) -> Cell:
        """Give a cell by its id or, for one without, its place (``cell-0``).

        Raises:
            NotebookError: there is none; the text lists those there are.
        """
        for cell in self.cells:
            if cell.id == cell_id:
                return cell
        if (found := _BY_PLACE.fullmatch(cell_id)) and int(found[1]) < len(self.cells):
            return self.cells[int(found[1])]
        ids = ", ".join(cell.id for cell in self.cells[:50]) or "none"
        raise NotebookError(f"it has no cell {cell_id!r}; its cells are: {ids}")

    def replaced(self, cell: Cell, source: str, cell_type: CellType | None) -> str:
        """Give the text with another source in a cell; outputs that belong to the old one go."""
        data = dict(cell.data)
        kind = cell_type or cell.type
        as_list = not isinstance(data.get("source"), str)
        data["source"] = _lines(source) if as_list else source
        if kind != cell.type:
            data["cell_type"] = kind
        if kind == "code":
            data["execution_count"] = None
            data["outputs"] = []
        else:
            data.pop("execution_count", None)
            data.pop("outputs", None)
        return self.text[: cell.start] + self._written(data, cell.start) + self.text[cell.end :]

    def inserted(
        self, after: Cell | None, source: str, cell_type: CellType, new_id: str | None = None
    ) -> tuple[str, str]:
        """Give the text with a new cell after another one (None: at the beginning), and the new cell's id."""
        data: JsonObject = {"cell_type": cell_type}
        if cell_type == "code":
            data["execution_count"] = None
        if self._has_ids:
            data["id"] = new_id or uuid.uuid4().hex[:8]
        data["metadata"] = {}
        if cell_type == "code":
            data["outputs"] = []
        data["source"] = _lines(source)
        number = 0 if after is None else self.cells.index(after) + 1
        name = str(data.get("id") or f"cell-{number}")
        start, end = self.array
        if not self.cells:
            outer = self._indent_at(start)
            inner = f"\n{outer}{self._unit}" if self._unit else ""
            closing = f"\n{outer}" if self._unit else ""
            body = self._dumped(data, outer + self._unit)
            return f"{self.text[:start]}[{inner}{body}{closing}]{self.text[end:]}", name
        first = self.cells[0]
        body = self._written(data, first.start)
        if after is None:
            return (
                f"{self.text[: first.start]}{body}{self._between}{self.text[first.start :]}",
                name,
            )
        return f"{self.text[: after.end]}{self._between}{body}{self.text[after.end :]}", name

    def deleted(self, cell: Cell) -> str:
        """Give the text without a cell."""
        number = self.cells.index(cell)
        if number + 1 < len(self.cells):
            return self.text[: cell.start] + self.text[self.cells[number + 1].start :]
        if number:
            return self.text[: self.cells[number - 1].end] + self.text[cell.end :]
        start, end = self.array
        return f"{self.text[:start]}[]{self.text[end:]}"

    # How it is written ----------------------------------------------------------------------------------------------

    @property
    def _has_ids(self) -> bool:
        version = (self.data.get("nbformat"), self.data.get("nbformat_minor"))
        new = all(isinstance(part, int) for part in version) and version >= (4, 5)
        return new or any("id" in cell.data for cell in self.cells)

    @cached_property
    def _unit(self) -> str:
        """What one level is indented by; empty when all stands in one line."""
        found = re.match(r"\{[ \t]*\r?\n([ \t]+)", self.text.lstrip())
        return found[1] if found else ""

    @property
    def _tight(self) -> bool:
        """Whether no blanks follow commas and colons."""
        return any(sign in self.text for sign in ('":"', '":[', '":{', '":4'))

    @property
    def _between(self) -> str:
        """What stands between two cells: the comma and blanks."""
        first = self.cells[0]
        if len(self.cells) > 1:
            return self.text[first.end : self.cells[1].start]
        blanks = self.text[self.array[0] + 1 : first.start]
        return f",{blanks}" if self._unit or self._tight else ", "

    @cached_property
    def _ascii(self) -> bool:
        return self.text.isascii() and "\\u" in self.text

    def _indent_at(self, place: int) -> str:
        line = self.text[self.text.rfind("\n", 0, place) + 1 : place]
        return line[: len(line) - len(line.lstrip())]

    def _written(self, data: JsonObject, place: int) -> str:
        return self._dumped(data, self._indent_at(place))

    def _dumped(self, data: JsonObject, indent: str) -> str:
        if not self._unit:
            separators = (",", ":") if self._tight else (", ", ": ")
            return json.dumps(data, ensure_ascii=self._ascii, separators=separators)
        text = json.dumps(data, ensure_ascii=self._ascii, indent=self._unit)
        return text.replace("\n", f"\n{indent}")


def joined(source: Any) -> str:
    """Give the text of a source, which may be a list of lines."""
    if isinstance(source, list):
        return "".join(str(line) for line in cast("list[Any]", source))
    return source if isinstance(source, str) else ""


def _lines(source: str) -> list[str]:
    return re.findall(r"[^\n]*\n|[^\n]+", source)


def _id_of(cell: JsonObject, number: int) -> str:
    own = cell.get("id")
    return own if isinstance(own, str) and own else f"cell-{number}"


# Where things stand -------------------------------------------------------------------------------------------------


def _skip(text: str, at: int) -> int:
    found = _BLANK.match(text, at)
    return found.end() if found else at


def _value_of(text: str, wanted: str) -> int:
    """Find where the value of a key of the outermost object begins; the last one, as ``json`` takes it."""
    decode = JSONDecoder().raw_decode
    place = -1
    at = _skip(text, _skip(text, 0) + 1)
    while text[at] != "}":
        key, at = decode(text, at)
        at = _skip(text, _skip(text, at) + 1)
        if key == wanted:
            place = at
        _, at = decode(text, at)
        at = _skip(text, at)
        if text[at] == ",":
            at = _skip(text, at + 1)
    return place


def _elements(text: str, start: int) -> tuple[list[tuple[int, int]], int]:
    """Find where the elements of an array stand, and where it ends."""
    decode = JSONDecoder().raw_decode
    spans: list[tuple[int, int]] = []
    at = _skip(text, start + 1)
    while text[at] != "]":
        _, end = decode(text, at)
        spans.append((at, end))
        at = _skip(text, end)
        if text[at] == ",":
            at = _skip(text, at + 1)
    return spans, at + 1
