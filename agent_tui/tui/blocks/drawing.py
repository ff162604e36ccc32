"""Finds the renderer of a block, and says what a renderer gives and knows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Protocol, cast

from agent_tui.tui import blocks
from agent_tui.tui.lines import Line, Page
from agent_tui.view.blocks import Block


@dataclass(frozen=True, slots=True)
class View:
    """How a block is looked at.

    Attributes:
        expanded: all of it is shown.
        elapsed_ms: how long it has been running, or waiting for an answer, by now; None when it isn't.
        brief: what it shows stands elsewhere, newer: one row is enough.
        unified: a change of a file goes in one column, however wide the page is.
    """

    expanded: bool = False
    elapsed_ms: int | None = None
    brief: bool = False
    unified: bool = False


class Renderer(Protocol):
    """A module of this package that draws one kind of block."""

    def draw(self, block: Block, page: Page, view: View) -> Sequence[Line]:
        """Draw it, without the gap above it; rows may be made when they are asked for."""
        ...


def render_block(block: Block, page: Page, view: View = View()) -> Sequence[Line]:
    """Give the rows of any block, each as wide as the page."""
    return _renderer(block.kind).draw(block, page, view)


@cache
def _renderer(kind: str) -> Renderer:
    return cast("Renderer", import_module(f"{blocks.__name__}.{kind}"))
