"""A tiny app that holds one conversation, and sample blocks to fill it with."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable

from textual.app import App, ComposeResult
from textual.pilot import Pilot

from agent_tui.protocol.display import CommandDisplay, DiffDisplay, FileDisplay, Hunk, SearchDisplay
from agent_tui.settings.paths import themes
from agent_tui.tui.glyphs import GLYPHS, Glyphs
from agent_tui.tui.lines import Line, Page
from agent_tui.tui.look import Look
from agent_tui.tui.panes.conversation import Conversation
from agent_tui.tui.theme import Theme, load_themes
from agent_tui.view.blocks import (
    AnswerBlock,
    Block,
    NoticeBlock,
    PromptBlock,
    ResultBlock,
    ThoughtBlock,
    ToolBlock,
)

THEMES: dict[str, Theme] = load_themes([themes()])[0]


def page(width: int = 80, theme: str = "dark", glyphs: Glyphs = GLYPHS) -> Page:
    """A page of the shipped themes, in the project /w."""
    return Page(THEMES[theme], width, glyphs, "/w", "/h")


def texts(lines: Iterable[Line]) -> list[str]:
    """What rows show, without blanks at the end."""
    return [line.strip.text.rstrip() for line in lines]


class Clock:
    """A monotonic clock that stands still until it is set."""

    def __init__(self) -> None:
        self.time = 1000.0

    def __call__(self) -> float:
        return self.time


class ConversationHost(App[None]):
    """Shows a conversation and nothing else."""

    CSS = "Screen { background: $role-bg; overflow: hidden; }"

    def __init__(
        self, blocks: Iterable[Block] = (), theme: str = "dark", glyphs: Glyphs = GLYPHS
    ) -> None:
        super().__init__(ansi_color=THEMES[theme].native)
        for known in THEMES.values():
            self.register_theme(known.to_screen())
        self.theme = theme
        self.clock = Clock()
        self.look = Look(THEMES[theme], glyphs, "/w", "/h")
        self.conversation = Conversation(self.look, self.clock)
        self.conversation.extend(blocks)
        self.asked_older = 0
        self.links: list[str] = []
        self.copied: list[str] = []

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """The roles must be known before a theme is set."""
        return THEMES["dark"].variables()

    def compose(self) -> ComposeResult:
        """Only the conversation."""
        yield self.conversation

    def on_conversation_older_wanted(self) -> None:
        """Count."""
        self.asked_older += 1

    def on_conversation_link_clicked(self, event: Conversation.LinkClicked) -> None:
        """Note."""
        self.links.append(event.url)

    def on_conversation_copy_wanted(self, event: Conversation.CopyWanted) -> None:
        """Note."""
        self.copied.append(event.text)

    def rows(self) -> list[str]:
        """What the window shows, row by row, with what is painted over it but the scroll bar."""
        pane = self.conversation
        strips = pane.render_lines(pane.size.region)
        return [strip.crop(0, pane.size.width - 1).text.rstrip() for strip in strips]

    def bar(self) -> list[bool]:
        """On which rows the scroll bar is."""
        pane = self.conversation
        return [strip.text.endswith("│") for strip in pane.render_lines(pane.size.region)]


HUNK = Hunk(
    41,
    4,
    41,
    5,
    (
        "     def refresh(self) -> Token:",
        "-        if self._token is None:",
        "+        if self.expired(early=30):",
        "             self._token = self._fetch()",
        "+            self._renewed_at = now()",
        "         return self._token",
    ),
    "class Session · refresh",
)

ANSWER = """httpx 0.28 no longer retries a 401, so two callers now see `refresh()` hand back an **expired** token:

| Caller | Gets today | Should get | Tests |
|---|---|---|--:|
| `Client.get` | the cached token | a new one after expiry | 2 |
| `Scheduler.tick` | the cached token | a new one, 30 s early | 1 |

A guard in `refresh()` repairs both:

```python
if self.expired(early=30):
    self._token = self._fetch()
```"""


def read(block_id: str, path: str, last: int | None = None) -> ToolBlock:
    """A finished Read."""
    first = None if last is None else 1
    return ToolBlock(
        block_id,
        "Read",
        {"file_path": path},
        "done",
        FileDisplay(path, first, last),
        "text",
        looked=True,
        elapsed_ms=40,
    )


def grep(block_id: str) -> ToolBlock:
    """A finished Grep."""
    display = SearchDisplay("refresh", matches=14, files=5, lines=("a.py:1:refresh",))
    return ToolBlock(
        block_id, "Grep", {"pattern": "refresh"}, "done", display, "x", looked=True, elapsed_ms=40
    )


def failed_tests(block_id: str) -> ToolBlock:
    """A Bash that failed."""
    display = CommandDisplay(
        "uv run pytest tests/test_auth.py -q",
        exit_code=1,
        head=(
            "FAILED tests/test_auth.py::test_refresh_after_expiry - AssertionError: 'old' == 'new'",
        ),
        tail=("======= 3 failed, 12 passed in 2.11s =======",),
        hidden_lines=48,
    )
    return ToolBlock(block_id, "Bash", {}, "failed", display, "x", elapsed_ms=2300)


def edit(block_id: str) -> ToolBlock:
    """A finished Edit."""
    display = DiffDisplay("/w/src/auth.py", (HUNK,), 2, 1)
    return ToolBlock(block_id, "Edit", {}, "done", display, "x")


def scene() -> list[Block]:
    """A whole run: prompt, thought, calls, answer, result."""
    return [
        PromptBlock(
            "p", "The refresh-token tests fail since the httpx bump. Find out why and fix it."
        ),
        ThoughtBlock("th", "hm", 6.0),
        failed_tests("b1"),
        read("r1", "/w/src/auth.py", 220),
        read("r2", "/w/tests/test_auth.py"),
        grep("g1"),
        AnswerBlock("a1", ANSWER),
        edit("e1"),
        ToolBlock(
            "b2",
            "Bash",
            {},
            "done",
            CommandDisplay("uv run pytest -q", exit_code=0, tail=("15 passed in 3.8s",)),
            "x",
            elapsed_ms=3900,
        ),
        AnswerBlock("a2", "The refresh path ignored expiry. **All 15 tests pass now.**"),
        ResultBlock("res", 4, 8100, 0.0312, 41000),
    ]


def history(count: int, start: int = 0) -> list[Block]:
    """Notices that say their number."""
    return [NoticeBlock(f"n{n}", "info", f"line {n}") for n in range(start, start + count)]


async def settled(pilot: Pilot[None], done: Callable[[], bool] = lambda: True) -> None:
    """Wait until everything was drawn, and what is waited for has come."""
    await pilot.pause()
    limit = time.monotonic() + 5
    while not done():
        assert time.monotonic() < limit, "it never came"
        await pilot.pause(0.01)
