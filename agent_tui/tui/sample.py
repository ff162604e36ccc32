"""A little of everything, to judge a theme by."""

from __future__ import annotations

from agent_tui.protocol.display import CommandDisplay, DiffDisplay, FileDisplay, Hunk
from agent_tui.view.blocks import (
    AnswerBlock,
    Block,
    NoticeBlock,
    PromptBlock,
    ResultBlock,
    ThoughtBlock,
    ToolBlock,
)

_HUNK = Hunk(
    41,
    3,
    41,
    4,
    (
        "     def refresh(self) -> Token:",
        "-        if self.token is None:",
        "+        if self.expired(early=30):  # half a minute",
        "+            self.seen = True",
        "         return self.token",
    ),
    "class Session · refresh",
)
_CODE = '```python\nclass Clock:\n    """Tells the time."""\n\n    def late(self, by: int = 30) -> str:\n        return f"late by {by}"  # seconds\n```'


def sample() -> tuple[Block, ...]:
    """Give the blocks."""
    return (
        PromptBlock("sample-1", "The refresh tests fail. Find out why and fix it."),
        ThoughtBlock("sample-2", "The clock may be off.", seconds=3),
        ToolBlock(
            "sample-3",
            "Read",
            {"file_path": "src/session.py"},
            "done",
            FileDisplay("src/session.py", 1, 140, 140),
            looked=True,
        ),
        ToolBlock(
            "sample-4",
            "Edit",
            {"file_path": "src/session.py"},
            "done",
            DiffDisplay("src/session.py", (_HUNK,), added=2, removed=1),
        ),
        ToolBlock(
            "sample-5",
            "Bash",
            {"command": "pytest -q"},
            "failed",
            CommandDisplay(
                "pytest -q", exit_code=1, duration_ms=2100, head=("1 failed, 14 passed",)
            ),
        ),
        AnswerBlock("sample-6", f"It **ignored** the expiry in `refresh()`:\n\n{_CODE}"),
        NoticeBlock("sample-7", "warning", "The window is 80 % full."),
        ResultBlock("sample-8", 4, 8100, 0.0312, 41_000),
    )
