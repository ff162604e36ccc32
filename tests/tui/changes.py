"""Changed files as the review shows them."""

from __future__ import annotations

from agent_tui.protocol.display import DiffDisplay, Hunk
from agent_tui.protocol.reviews import ChangedFile, ChangeList, FileChange, HunkOrigin

TICK = Hunk(
    118,
    3,
    118,
    4,
    (
        "     async def tick(self) -> None:",
        "-        token = self.session.token",
        "+        token = self.session.refresh()",
        "+        self.next_at = token.expires_at - EARLY",
        "         await self.client.get(token)",
    ),
    "class Scheduler · tick",
)
RUN = Hunk(
    131,
    3,
    132,
    3,
    ("         while True:", "-            await sleep(60)", "+            await sleep(delay)", ""),
    "class Scheduler · run",
)
FILES = (
    ChangedFile("/w/src/auth.py", "src/auth.py", added=2, removed=1, seen="1"),
    ChangedFile("/w/src/scheduler.py", "src/scheduler.py", added=3, removed=2, seen="2"),
    ChangedFile("/w/CHANGELOG.md", "CHANGELOG.md", "created", added=1, seen="3"),
)
CHANGES = ChangeList(FILES, "", "2026-11-30T14:00:00.000Z")
SCHEDULER = FileChange(
    FILES[1],
    DiffDisplay("src/scheduler.py", (TICK, RUN), 3, 2),
    (HunkOrigin("tool", 3, ""), HunkOrigin("command", 4, "")),
    218,
)


def change_of(path: str) -> FileChange:
    """Give the change of one of the files."""
    if path == SCHEDULER.file.path:
        return SCHEDULER
    file = next(file for file in FILES if file.path == path)
    hunk = Hunk(1, 1, 1, 2, (f" first of {file.shown}", "+second"), "")
    return FileChange(file, DiffDisplay(file.shown, (hunk,), 1, 0), (HunkOrigin(),), 2)
