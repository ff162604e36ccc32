"""A folder that brings something, for tests of the question about it."""

from __future__ import annotations

from dataclasses import replace

from agent_tui.protocol.queries import FolderOffer, FolderTrust
from agent_tui.protocol.trust import Brought
from agent_tui.tui.panels.pace import GRACE, TYPING_PAUSE
from tests.tui.scenes import CWD
from tests.tui.stage import Stage

OFFER = FolderOffer(
    ask=True,
    project=CWD,
    origin="github.com/example/tokenbox",
    seen="seen-1",
    items=(
        Brought("hook", "PreToolUse", "scripts/check.sh", "m1"),
        Brought("hook", "Stop", "scripts/notify.sh", "m2"),
        Brought("server", "db", "uvx tokenbox-db-server", "m3"),
        Brought("rule", "Bash(uv *)", "", "m4"),
        Brought("rule", "Bash(git status)", "", "m5"),
        Brought("rule", "Edit(src/**)", "", "m6"),
        Brought("memory", "AGENTS.md", "41 lines"),
        Brought("memory", "docs/STYLE.md", "88 lines"),
    ),
    files=("/nowhere/settings.json",),
)
CHANGED = replace(
    OFFER,
    changed=True,
    items=tuple(replace(one, new=one.mark in ("", "m2")) for one in OFFER.items),
)


def offering(offer: FolderOffer = OFFER) -> dict[type[FolderTrust], FolderOffer]:
    """Give the replies of an engine that found this."""
    return {FolderTrust: offer}


async def counts(on: Stage) -> None:
    """Let the question open, and its keys count."""
    await on.pass_time(TYPING_PAUSE)
    await on.pass_time(GRACE)
    assert on.main.panel.armed
