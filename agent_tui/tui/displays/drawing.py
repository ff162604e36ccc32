"""Finds the renderer of a display. What a renderer gives: the head's argument and facts, and body rows."""

from __future__ import annotations

import pkgutil
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module
from typing import Protocol, cast

from agent_tui.protocol.display import (
    CommandDisplay,
    DiffDisplay,
    Display,
    FileDisplay,
    UnknownDisplay,
)
from agent_tui.tui import displays
from agent_tui.tui.lines import Line, Page, Span
from agent_tui.tui.output import last_state
from agent_tui.view.clean import clean_fields, exact


@dataclass(frozen=True, slots=True)
class Options:
    """How much of a display is drawn, and how.

    Attributes:
        expanded: everything; else what matters, with a row that says how much more there is.
        running: the call still runs: the newest output counts.
        failed: the call failed: its end counts.
        side_by_side: a diff in two columns.
        wrap: long rows of a diff go on in further rows instead of being cut.
        chosen: which hunks (0-based) are chosen: heads get a checkbox; None: no checkboxes.
        current: the hunk under the cursor, drawn stronger.
        only: draw this hunk alone.
        max_rows: at most so many body rows when not expanded; None: the renderer's own measure.
    """

    expanded: bool = False
    running: bool = False
    failed: bool = False
    side_by_side: bool = False
    wrap: bool = False
    chosen: frozenset[int] | None = None
    current: int | None = None
    only: int | None = None
    max_rows: int | None = None


@dataclass(frozen=True, slots=True)
class Head:
    """What a card's head says: the argument after the tool's name, and facts for the right edge, first to last."""

    argument: tuple[Span, ...] = ()
    facts: tuple[tuple[Span, ...], ...] = ()


class Renderer(Protocol):
    """A module of this package that draws one kind."""

    def head(self, display: Display, page: Page) -> Head:
        """Say it in one row."""
        ...

    def body(self, display: Display, page: Page, options: Options) -> Sequence[Line]:
        """Draw what stands below the head; rows may be made when they are asked for."""
        ...


def render_head(display: Display, page: Page) -> Head:
    """Give the head of any display."""
    return _renderer(_kind(display)).head(_safe(display), page)


def render_display(display: Display, page: Page, options: Options = Options()) -> Sequence[Line]:
    """Give the body rows of any display, at the page's text edge, each as wide as the page.

    The sequence may be lazy: a row is made when it is indexed, and its length costs nothing.
    """
    return _renderer(_kind(display)).body(_safe(display), page, options)


def _safe(display: Display) -> Display:
    """Clean every text of a display; of lines that were written over, what was left standing.

    What is to be run or written is left whole.
    """
    if isinstance(display, DiffDisplay | FileDisplay):
        return clean_fields(display, exact)
    if isinstance(display, CommandDisplay):
        display = replace(display, command=exact(display.command))
        head = tuple(last_state(line) for line in display.head)
        tail = tuple(last_state(line) for line in display.tail)
        if (head, tail) != (display.head, display.tail):
            display = replace(display, head=head, tail=tail)
    return clean_fields(display)


def _kind(display: Display) -> str:
    return "unknown" if isinstance(display, UnknownDisplay) else display.kind


@cache
def _renderer(kind: str) -> Renderer:
    known = {module.name for module in pkgutil.iter_modules(displays.__path__)} - {"drawing"}
    name = kind if kind in known else "unknown"
    return cast("Renderer", import_module(f"{displays.__name__}.{name}"))
