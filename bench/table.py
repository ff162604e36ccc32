"""What the scripts print: a row per measure, ours beside theirs and the ratio."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Row:
    """A measure; ``theirs`` is what stands beside it, if anything does."""

    name: str
    ours: float
    theirs: float | None
    target: str


@dataclass
class Table:
    """A table that is printed row by row. ``theirs`` names what is measured beside ours."""

    title: str
    theirs: str
    rows: list[Row] = field(default_factory=list[Row])

    def __post_init__(self) -> None:
        MADE.append(self)
        print(f"\n{self.title}")
        load, cores = os.getloadavg()[0], os.cpu_count() or 1
        if load > cores:
            print(f"load {load:.1f} on {cores} cores: only ratios mean anything")
        print(f"{'':44}{'agent-tui':>12}{self.theirs:>22}{'ratio':>9}   target")

    def row(self, name: str, ours: float, theirs: float | None = None, target: str = "") -> None:
        """Print a measure; without ``theirs`` there is no ratio."""
        self.rows.append(Row(name, ours, theirs, target))
        beside = "" if theirs is None else figure(theirs)
        ratio = f"{ours / theirs:.2f}" if theirs else ""
        print(f"{name:44}{figure(ours):>12}{beside:>22}{ratio:>9}   {target}".rstrip(), flush=True)

    def figures(self) -> dict[str, Any]:
        """Give what was measured as plain data."""
        rows = [
            {"name": r.name, "agent-tui": r.ours, "beside": r.theirs, "target": r.target}
            for r in self.rows
        ]
        return {"title": self.title, "beside": self.theirs, "rows": rows}


MADE: list[Table] = []
"""Every table of this process, in order."""


def figure(value: float) -> str:
    """Write a figure as short as it can be read."""
    return f"{value:,.0f}" if value >= 1000 else f"{value:.3g}" if value >= 0.1 else f"{value:.3f}"
