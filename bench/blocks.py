"""A conversation of 20,000 blocks, and a change of 2,000 lines: CPU per key, page, new block, search and first frame.

Measured in this process without a terminal, beside the same with 200 blocks: what is drawn must not depend on how much
there is.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

from textual.app import App, ComposeResult
from textual.pilot import Pilot

from agent_tui.protocol.display import CommandDisplay, DiffDisplay, FileDisplay, Hunk
from agent_tui.settings.paths import Environment
from agent_tui.tui.main import make_look
from agent_tui.tui.panes.conversation import Conversation
from agent_tui.tui.panes.field import Field
from agent_tui.view.blocks import (
    Added,
    AnswerBlock,
    Block,
    PromptBlock,
    ResultBlock,
    ThoughtBlock,
    ToolBlock,
)
from bench.table import Table

MANY, FEW = 20_000, 200
TIMES = 15
DIFF_LINES = 2_000
ANSWER = """Some words about **number {n}**, and `code` in them, long enough to need more than one row of the page
that they are drawn on, so that there is something to break.

```python
def number_{n}(self) -> int:
    return {n}
```
"""
TARGETS = {
    "CPU per key, ms": "<= 15",
    "CPU per page up, ms": "<= 50",
    "CPU per new block, ms": "<= 35",
    "CPU of a search, ms": "",
    "CPU of the next place, ms": "",
}


def blocks(count: int) -> list[Block]:
    """Make blocks of each kind in turn."""
    made: list[Block] = []
    for n in range(count):
        ident = str(n)
        match n % 6:
            case 0:
                made.append(PromptBlock(ident, f"prompt {n}: do this, then that"))
            case 1:
                made.append(ThoughtBlock(ident, "hm " * 40, 2.0))
            case 2:
                display = CommandDisplay(f"make {n}", exit_code=0, tail=("line",) * 20)
                made.append(ToolBlock(ident, "Bash", {}, "done", display, "line\n" * 20))
            case 3:
                read = FileDisplay(f"src/file_{n}.py", 1, 200, 200)
                made.append(ToolBlock(ident, "Read", {}, "done", read, "text " * 200, looked=True))
            case 4:
                made.append(AnswerBlock(ident, ANSWER.format(n=n)))
            case _:
                made.append(ResultBlock(ident, 3, 8000, 0.03, 4000))
    return made


def change() -> ToolBlock:
    """Make a call that changed many lines of a source file."""
    source = Path(__file__).read_text("utf-8").split("\n")
    lines: list[str] = []
    while len(lines) < DIFF_LINES:
        line = source[len(lines) % len(source)]
        lines += [f"-{line}", f"+{line}  # changed"] if len(lines) % 4 else [f" {line}", f" {line}"]
    hunk = Hunk(1, DIFF_LINES, 1, DIFF_LINES, tuple(lines[:DIFF_LINES]))
    display = DiffDisplay("src/big.py", (hunk,), DIFF_LINES // 2, DIFF_LINES // 2)
    return ToolBlock("change", "Edit", {}, "done", display, "ok")


class Screen(App[None]):
    """A conversation and a field, as on the main screen."""

    CSS = "Screen { background: $role-bg; overflow: hidden; } Conversation { height: 1fr; }"

    def __init__(self) -> None:
        self.look = make_look(Environment({"COLORTERM": "truecolor"}, Path.home()), "/w", "dark")
        super().__init__()
        for theme in self.look.themes.values():
            self.register_theme(theme.to_screen())
        self.theme = self.look.theme.name
        self.conversation = Conversation(self.look)
        self.field = Field(self.look)

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """Give the roles' colours."""
        return self.look.theme.variables()

    def compose(self) -> ComposeResult:
        """Give the two."""
        yield self.conversation
        yield self.field

    def on_mount(self) -> None:
        """Type into the field."""
        self.field.focus()


async def cpu(pilot: Pilot[None], act: Callable[[int], Awaitable[None]], times: int) -> float:
    """Do something some times; give the CPU milliseconds of one time until it was drawn."""
    spent = 0.0
    for number in range(times):
        await pilot.pause()
        begun = time.process_time()
        await act(number)
        await pilot.pause()
        spent += time.process_time() - begun
    return 1000 * spent / times


async def figures(count: int) -> dict[str, float]:
    """Measure with so many blocks."""
    app = Screen()
    async with app.run_test(size=(120, 40)) as pilot:
        pane = app.conversation
        pane.extend(blocks(count))
        await pilot.pause()

        async def key(_: int) -> None:
            await pilot.press("a")

        async def page(_: int) -> None:
            pane.page(-1)

        async def fresh(number: int) -> None:
            pane.follow()
            pane.apply([Added(AnswerBlock(f"new {number}", ANSWER.format(n=number)))])
            await pilot.pause(0.05)

        async def search(number: int) -> None:
            pane.find(f"number {number + 4}")

        async def place(_: int) -> None:
            pane.find_next(-1)

        found = [await cpu(pilot, act, TIMES) for act in (key, page, fresh)]
        found.append(await cpu(pilot, search, 3))
        pane.find("number")
        found.append(await cpu(pilot, place, TIMES))
    return dict(zip(TARGETS, found, strict=True))


async def first_frame(width: int, *, expanded: bool) -> float:
    """Give the CPU milliseconds until a big change is drawn that has come into an empty conversation."""
    app = Screen()
    async with app.run_test(size=(width, 40)) as pilot:
        block = change()

        async def show(_: int) -> None:
            app.conversation.apply([Added(block)])
            if expanded:
                app.conversation.toggle(block.id)
            await pilot.pause(0.05)

        return await cpu(pilot, show, 1)


def main() -> None:
    """Measure and print."""
    os.environ["TEXTUAL_ANIMATIONS"] = "none"
    many, few = asyncio.run(figures(MANY)), asyncio.run(figures(FEW))
    table = Table(f"A conversation of {MANY:,} blocks", f"{FEW} blocks")
    for name, target in TARGETS.items():
        table.row(name, many[name], few[name], target)
    table = Table(f"First frame of a change of {DIFF_LINES:,} lines", "folded")
    for width, how in ((120, "one column"), (160, "side by side")):
        whole = asyncio.run(first_frame(width, expanded=True))
        folded = asyncio.run(first_frame(width, expanded=False))
        table.row(f"CPU, {how}, ms", whole, folded, "<= 100")


if __name__ == "__main__":
    main()
