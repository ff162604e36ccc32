"""The memory screen: the files whose text the model is told at a conversation's begin; one is opened in the own editor."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

from textual import events
from textual.app import ComposeResult

from agent_tui.link.base import Link
from agent_tui.protocol.memory_files import MemoryFiles, MemoryList, MemoryRow, MemoryScope
from agent_tui.tui.facts import counted, cut_path, short_path
from agent_tui.tui.lines import Line, Page, Span, blank_line, make_line
from agent_tui.tui.look import Look
from agent_tui.tui.panes.completion import chosen_line
from agent_tui.tui.panes.sheet import Sheet
from agent_tui.tui.screens.help import Hints, Title
from agent_tui.tui.screens.overlay import Overlay
from agent_tui.tui.wrapping import wrap_prose
from agent_tui.view.clean import exact

SCOPES: dict[MemoryScope, str] = {
    "managed": "the organisation's",
    "user": "yours, in every project",
    "project": "the project's, shared",
    "local": "yours, in this project",
}
COLUMN = 26
"""Where paths begin, if there is room for whose they are before them."""
COUNTS = "What you change counts from the next conversation on (/clear)."


class _Body(Sheet):
    def __init__(self, look: Look) -> None:
        super().__init__(look, id="memory-body", classes="scrolled-body")
        self.fills = True
        self.at = 0
        self.said: MemoryList | None = None

    @property
    def current(self) -> MemoryRow | None:
        """The chosen file."""
        return self.said.rows[self.at] if self.said and self.said.rows else None

    def move(self, by: int) -> None:
        """Choose another file."""
        if self.said and self.said.rows:
            self.at = max(0, min(self.at + by, len(self.said.rows) - 1))
            self.redraw()

    def draw(self, page: Page) -> Sequence[Line]:
        theme = page.theme
        if self.said is None:
            return [make_line(page, [("looking", theme.style("muted"))])]
        rows = [blank_line(page)]
        rows += [self._row(page, row, at == self.at) for at, row in enumerate(self.said.rows)]
        for note in self.said.notes:
            rows.append(blank_line(page))
            said = wrap_prose([(exact(note), theme.style("warning"))], page.prose_width)
            rows += [make_line(page, line.spans) for line in said]
        return rows

    def _row(self, page: Page, row: MemoryRow, chosen: bool) -> Line:
        theme = page.theme
        on = "select" if chosen else "bg"
        muted = theme.style("muted", on)
        wide = page.width >= 80
        facts = "not there yet" if row.lines is None else counted(row.lines, "line")
        whose = "imported" if row.imported_by else SCOPES[row.scope]
        room = page.text_width - (COLUMN if wide else 0) - len(facts) - 6
        path = cut_path(exact(short_path(page, row.path)), room, page.glyphs.cut)
        spans: list[Span] = [(whose.ljust(COLUMN), muted)] if wide else []
        spans.append((path, theme.style("muted" if row.lines is None else "strong", on)))
        return chosen_line(page, spans, chosen=chosen, facts=[(facts, muted)])


class MemoryScreen(Overlay[None], inherit_bindings=False):
    """Shows the files. ``edit`` opens one in the person's editor and waits for its end."""

    AUTO_FOCUS = ""

    def __init__(self, look: Look, link: Link, edit: Callable[[str], Awaitable[bool]]) -> None:
        super().__init__()
        self._look = look
        self._link = link
        self._edit = edit
        self._title = Title(look, "Memory", id="memory-title")
        self._title.below = "Told to the model at the begin of every conversation."
        self._body = _Body(look)

    def compose(self) -> ComposeResult:
        """Title, files, hints."""
        yield self._title
        yield self._body
        yield Hints(self._look, (("up down", "move"), ("enter", "edit it"), ("esc", "back")))

    def on_mount(self) -> None:
        """Ask which there are."""
        self.run_worker(self._ask, group="memory")

    async def _ask(self) -> None:
        reply = await self._link.ask(MemoryFiles())
        self._body.said = reply if isinstance(reply, MemoryList) else MemoryList()
        self._body.move(0)
        self._body.redraw()

    async def _open(self, path: str) -> None:
        if await self._edit(path):
            self._title.below = COUNTS
            self._title.redraw()
        await self._ask()

    def on_key(self, event: events.Key) -> None:
        """Choose, edit, or go back."""
        step = {"up": -1, "k": -1, "down": 1, "j": 1}.get(event.key)
        if step is not None:
            self._body.move(step)
        elif event.key in ("enter", "e"):
            row = self._body.current
            if row is not None:
                self.run_worker(self._open(row.path), group="memory", exclusive=True)
        elif event.key in ("escape", "q", "ctrl+c", "ctrl+d"):
            self.answer()
        else:
            return
        event.stop()

    def on_click(self, event: events.Click) -> None:
        """Choose the row that was clicked."""
        if event.widget is self._body:
            self._body.move(event.y - 1 - self._body.at)
