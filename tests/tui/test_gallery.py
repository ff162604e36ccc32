"""Pictures of every block and display at four widths, and in every theme."""

from __future__ import annotations

import pkgutil
import time
from collections.abc import Callable, Iterator

import pytest

from agent_tui.tui import blocks as renderers
from agent_tui.tui import displays as display_renderers
from agent_tui.tui.panes.conversation import Conversation
from agent_tui.tui.theme import Uncoloured
from agent_tui.view.blocks import Block, ToolBlock
from tests.tui import gallery
from tests.tui.host import Host
from tests.tui.look import THEMES, look, page

PAGES: dict[str, Callable[[], list[Block]]] = {
    "states": gallery.states,
    "displays": gallery.displays,
    "texts": gallery.texts,
    "unfolded": gallery.unfolded,
}
WIDTHS = (160, 120, 80, 50)


@pytest.fixture(autouse=True)
def in_utc(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Times of day are shown as in the pictures on any machine."""
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


def everything() -> tuple[Block, ...]:
    """All pages, one below the other."""
    return tuple(block for made in PAGES.values() for block in made())


def unfold(pane: Conversation) -> None:
    """Unfold the blocks that are there to be seen so."""
    for block in gallery.unfolded():
        entry = pane.entries.get(block.id)
        assert entry is not None
        pane.entries.set_expanded(entry, expanded=True)


def rows_at(width: int) -> int:
    """How many rows all of it takes."""
    pane = Conversation(look(), lambda: 0.0)
    pane.entries.resize(page(width), 1)
    pane.extend(everything())
    unfold(pane)
    reel = pane.entries.reel
    return sum(reel.measure(at) for at in range(len(reel.parts)))


class Gallery(Host):
    """Shows all of it, in a terminal that is high enough."""

    CSS = "Screen { background: $role-bg; overflow: hidden; } Conversation { height: 1fr; }"

    def __init__(self, theme: str) -> None:
        self.pane = Conversation(look(theme), lambda: 0.0)
        super().__init__(look(theme), self.pane)
        if theme == "no-colour":
            self._filters = [Uncoloured()]

    def on_mount(self) -> None:
        """Show it."""
        self.pane.extend(everything())
        unfold(self.pane)


@pytest.mark.parametrize(
    ("theme", "width"),
    [*(("dark", width) for width in WIDTHS), *((name, 120) for name in THEMES if name != "dark")],
)
def test_every_block_and_display(theme: str, width: int, snap_compare: Callable[..., bool]) -> None:
    assert snap_compare(Gallery(theme), terminal_size=(width, rows_at(width)))


def test_every_kind_is_in_a_picture() -> None:
    shown = everything()
    kinds = {module.name for module in pkgutil.iter_modules(renderers.__path__)} - {"drawing"}
    assert {block.kind for block in shown} == kinds
    displays = {module.name for module in pkgutil.iter_modules(display_renderers.__path__)}
    drawn = {
        block.display.kind
        for block in shown
        if isinstance(block, ToolBlock) and block.display is not None
    }
    assert displays - {"drawing", "unknown"} <= drawn
    assert "chart" in drawn  # a kind that nobody knows
