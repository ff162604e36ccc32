"""What the scripts print: a row per measure, ours beside theirs and the ratio."""

from __future__ import annotations

import os
from dataclasses import dataclass, field


@dataclass
class Table:
    """A table that is printed row by row. ``theirs`` names what is measured beside ours."""

    title: str
    theirs: str
    rows: list[tuple[str, float, float | None]] = field(
        default_factory=list[tuple[str, float, float | None]]
    )

    def __post_init__(self) -> None:
        print(f"\n{self.title}")
        load, cores = os.getloadavg()[0], os.cpu_count() or 1
        if load > cores:
            print(f"load {load:.1f} on {cores} cores: only ratios mean anything")
        print(f"{'':44}{'agent-tui':>12}{self.theirs:>22}{'ratio':>9}   target")

    def row(self, name: str, ours: float, theirs: float | None = None, target: str = "") -> None:
        """Print a measure; without ``theirs`` there is no ratio."""
        self.rows.append((name, ours, theirs))
        beside = "" if theirs is None else _figure(theirs)
        ratio = f"{ours / theirs:.2f}" if theirs else ""
        print(f"{name:44}{_figure(ours):>12}{beside:>22}{ratio:>9}   {target}".rstrip(), flush=True)


def _figure(value: float) -> str:
    return f"{value:,.0f}" if value >= 1000 else f"{value:.3g}" if value >= 0.1 else f"{value:.3f}"
