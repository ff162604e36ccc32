"""What a folder brings, in words, for the question whether it is trusted; the same in every front end."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from agent_tui.protocol.queries import FolderOffer
from agent_tui.protocol.trust import Brought, BroughtKind
from agent_tui.view.clean import exact

TITLE: Final = "Do you trust this folder?"

DOES: Final[Mapping[BroughtKind, tuple[str, str]]] = {
    "hook": ("runs a command", "run a command"),
    "server": ("runs a program", "run a program"),
    "rule": ("skips questions", "skip questions"),
    "folder": ("is worked in too", "are worked in too"),
    "mode": ("is started in", "are started in"),
    "setting": ("changes sessions", "change sessions"),
    "agent": ("works by its text", "work by their text"),
    "import": ("goes to the model", "go to the model"),
    "memory": ("read by the model", "read by the model"),
}
"""What one of a kind does, and what several do."""


def listed(offer: FolderOffer) -> tuple[tuple[Brought, ...], int]:
    """Give what the person must see of a folder, and how many things they agreed to before wait for the answer too."""
    shown = tuple(item for item in offer.items if item.new or not offer.changed)
    return shown, sum(item.acts for item in offer.items) - sum(item.acts for item in shown)


def one_row(text: str) -> str:
    """Make a text safe to show on one row; nothing of it is hidden."""
    return exact(text).replace("\n", "\u2424").replace("\t", " ")


def thing(item: Brought) -> str:
    """Say one thing whole: what it is known by, and what it does."""
    return "  ".join(filter(None, (one_row(item.name), one_row(item.what))))
