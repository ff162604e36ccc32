"""A sheet of parts: rows cut out of several screens, one below the other (states of calls, modes, the status bar)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from pictures import scripts
from pictures.camera import answerable, typed, wait
from pictures.grid import Cell, Grid
from pictures.states import MODEL, QUEUE, STREAMING, Picture, sent, times
from tests.fakes.api_server import reply


@dataclass(frozen=True, slots=True)
class Strip:
    """The rows of a picture that a pattern fits, ``above`` blank rows before them."""

    picture: Picture
    pattern: str
    above: int = 0


@dataclass(frozen=True, slots=True)
class Sheet:
    """A picture made of others' rows, ``width`` columns wide."""

    name: str
    title: str
    strips: tuple[Strip, ...]
    width: int = 120

    @property
    def pictures(self) -> tuple[Picture, ...]:
        """The pictures to take, each once."""
        return tuple({strip.picture.name: strip.picture for strip in self.strips}.values())

    def of(self, grids: Mapping[str, Grid]) -> Grid:
        """Put the sheet together.

        Args:
            grids: what each picture showed, by its name.

        Raises:
            ValueError: a strip finds no row.
        """
        rows: list[tuple[Cell, ...]] = []
        paper = grids[self.strips[0].picture.name].paper
        blank = (Cell(paper=paper),) * self.width
        for strip in self.strips:
            grid = grids[strip.picture.name]
            found = [
                row
                for row, line in zip(grid.rows, grid.lines, strict=True)
                if re.search(strip.pattern, line)
            ]
            if not found:
                raise ValueError(f"{strip.picture.name} has no row like {strip.pattern!r}")
            rows += [blank] * strip.above
            rows += [_as_wide(row, blank) for row in found]
        return Grid((*rows, blank))


def _as_wide(row: Sequence[Cell], blank: Sequence[Cell]) -> tuple[Cell, ...]:
    return (*row, *blank[len(row) :])


def _mode(name: str, *arguments: str) -> Picture:
    steps = (wait(name), wait("sonnet"), typed("draft"))
    return Picture(f"mode-{name}", "", (), steps, (120, 12), arguments=arguments)


def _spent(name: str, read: int, said: int, end: str = "1 turn") -> Picture:
    """The status bar after a prompt of so many tokens, where an answer costs 100 dollars per million."""
    return Picture(
        f"spent-{name}",
        "",
        (reply("Done.", usage=scripts.usage(read, 400, 100, said)),),
        (*sent("go"), wait(end)),
        (120, 14),
        settings={
            "autoCompactEnabled": False,
            "prices": {MODEL: {"window": 200_000, "input": 2, "output": 100}},
        },
        times=times("14:02", "41 s"),
    )


STATES = Picture(
    "parts-states",
    "",
    scripts.every_state(),
    (*sent("go"), wait("No, and say why"), answerable()),
    (120, 70),
    settings={
        "permissions": {
            "allow": ["Bash(uv run *)", "Edit(src/**)"],
            "deny": ["Bash(git push *)"],
        }
    },
    before=STREAMING.before,
    rules=STREAMING.rules,
    times=times("14:02", "2.3 s", waiting="0:08"),
)
_BAR = r"^ sonnet-5-5  "
_HEAD = r"^ [○◐◆●✗⊘] (?:Bash|Read|Edit|Agent)  "

PARTS = Sheet(
    "13-parts",
    "States of calls, modes, the status bar at five widths, and how gauge and budget warn",
    (
        Strip(STATES, _HEAD),
        Strip(STREAMING, r"^ ◐ Bash"),
        Strip(_mode("default"), r"^─+$|^ › draft", above=1),
        Strip(_mode("plan", "--permission-mode", "plan"), r"^── plan|^ › draft"),
        Strip(
            _mode("acceptEdits", "--permission-mode", "acceptEdits"), r"^── acceptEdits|^ › draft"
        ),
        Strip(QUEUE, _BAR, above=1),
        *(
            Strip(replace(QUEUE, name=f"status-{width}", size=(width, 40)), _BAR)
            for width in (100, 80, 60, 40)
        ),
        Strip(_spent("much", 155_000, 500), _BAR, above=1),
        Strip(_spent("nearly-all", 187_000, 500), _BAR),
        Strip(_spent("near-the-budget", 60_000, 42_000), _BAR),
        Strip(_spent("over-the-budget", 60_000, 51_000, "Raise it?"), _BAR),
    ),
)
