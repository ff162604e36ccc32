"""What leads from the conversation to screens and files of its own: a block's raw form, its export, context, cost."""

from __future__ import annotations

import asyncio
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.looking import Raw, RawLines, Spending, Spent
from agent_tui.protocol.queries import ContextUsage, Data, Failed, Reply
from agent_tui.settings.private import write_private
from agent_tui.view.blocks import Block, ToolBlock

if TYPE_CHECKING:
    from agent_tui.tui.screens.main import MainScreen

MOST_FILES = 1_000
"""Numbers that are tried for a file's name."""


def show_raw(screen: MainScreen) -> None:
    """Show what the session's file has of the block."""
    block = screen.conversation.cursor
    if block is None:
        return
    from agent_tui.tui.screens.detail import DetailScreen  # door: rarely wanted

    async def read() -> RawLines | str:
        reply = await screen.link.ask(Raw(source_id(block)))
        if isinstance(reply, RawLines):
            return reply
        return _why(reply)

    title = block.name if isinstance(block, ToolBlock) else block.kind.capitalize()
    detail = DetailScreen(screen.backstage.look, f"{title}: raw", read, screen.doing.copy)
    screen.app.push_screen(detail)  # pyright: ignore[reportUnknownMemberType]


def source_id(block: Block) -> str:
    """Give the id by which the journal knows what a block came from: blocks of one response are numbered behind it."""
    name, sign, number = block.id.rstrip("<").rpartition("/")
    return name if sign and number.isdecimal() else block.id.rstrip("<")


def show_context(screen: MainScreen) -> None:
    """Show what fills the window."""
    from agent_tui.tui.screens.context import ContextScreen  # door: rarely wanted

    async def read() -> JsonObject | str:
        reply = await screen.link.ask(ContextUsage())
        return reply.data if isinstance(reply, Data) else _why(reply)

    shown = ContextScreen(
        screen.backstage.look,
        read,
        partial(screen.send_prompt, "/compact"),
        partial(show_cost, screen),
    )
    screen.app.push_screen(shown)  # pyright: ignore[reportUnknownMemberType]


def show_cost(screen: MainScreen) -> None:
    """Show what was spent."""
    from agent_tui.tui.screens.cost import CostScreen  # door: rarely wanted

    async def read() -> Spent | str:
        reply = await screen.link.ask(Spending())
        return reply if isinstance(reply, Spent) else _why(reply)

    session = screen.pump.status.session
    budget = session.budget_usd if session is not None else None
    shown = CostScreen(screen.backstage.look, read, budget, partial(show_context, screen))
    screen.app.push_screen(shown)  # pyright: ignore[reportUnknownMemberType]


def _why(reply: Reply) -> str:
    return reply.error if isinstance(reply, Failed) else "There is no answer."


def export_block(screen: MainScreen) -> None:
    """Write the block into a file in the working folder, and say where."""
    block = screen.conversation.cursor
    if block is not None:
        screen.run_worker(partial(_export, screen, block), group="export")


async def _export(screen: MainScreen, block: Block) -> None:
    folder = Path(screen.options.cwd)
    try:
        path = await asyncio.to_thread(write_block, folder, block)
    except OSError as error:
        screen.say_hint(f"not exported: {error.strerror or error}")
    else:
        screen.say_hint(f"exported to {path.name}")


def write_block(folder: Path, block: Block) -> Path:
    """Write a block as markdown into a new file that only its owner can read; give its path.

    Raises:
        OSError: it can't be written.
    """
    from agent_tui.view.exporting import export  # door: rarely wanted

    kind = block.name.lower() if isinstance(block, ToolBlock) else block.kind
    kind = "".join(char for char in kind if char.isalnum()) or "block"
    for number in range(1, MOST_FILES):
        path = folder / f"export-{kind}-{number}.md"
        if not path.exists():
            write_private(path, export([block], "md", f"{kind.capitalize()} {number}"))
            return path
    raise FileExistsError(17, "there are too many exports in this folder", str(folder))
