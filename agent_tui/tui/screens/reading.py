"""Files to be read before a decision: their text as it is, one below the other."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from textual import events
from textual.app import ComposeResult

from agent_tui.settings.plain import read_plain
from agent_tui.tui.facts import short_path
from agent_tui.tui.lines import Line, Page, blank_line, make_line
from agent_tui.tui.look import Look
from agent_tui.tui.panes.sheet import Sheet
from agent_tui.tui.screens.help import Hints, Title
from agent_tui.tui.screens.overlay import Overlay
from agent_tui.tui.wrapping import wrap_code
from agent_tui.view.clean import exact

MOST_LINES = 5_000
"""Of all files together; what is left out is said."""


@dataclass(frozen=True, slots=True)
class FileText:
    """A file's lines, or why there are none."""

    path: str
    lines: tuple[str, ...] = ()
    trouble: str = ""


def read_files(paths: Sequence[str]) -> tuple[FileText, ...]:
    """Read them as far as they can be shown. Blocks on files."""
    left = MOST_LINES
    found: list[FileText] = []
    for path in paths:
        try:
            lines = read_plain(Path(path)).decode("utf-8", "replace").splitlines()
        except OSError as error:
            found.append(FileText(path, trouble=f"can't be read: {error.strerror or error}"))
            continue
        more = max(0, len(lines) - left)
        trouble = f"{more:,} more lines are not shown" if more else ""
        found.append(FileText(path, tuple(lines[:left]), trouble))
        left = max(0, left - len(lines))
    return tuple(found)


class _Body(Sheet):
    def __init__(self, look: Look) -> None:
        super().__init__(look, id="reading-body")
        self.fills = True
        self.files: tuple[FileText, ...] | None = None

    def draw(self, page: Page) -> Sequence[Line]:
        theme = page.theme
        if self.files is None:
            return [make_line(page, [("reading", theme.style("muted"))])]
        rows: list[Line] = []
        for file in self.files:
            rows += [blank_line(page)] if rows else []
            name = exact(short_path(page, file.path)).replace("\n", "\u2424")
            rows.append(make_line(page, [(name, theme.style("strong", bold=True))]))
            for line in file.lines:
                for row in wrap_code([(exact(line), theme.style("text"))], page.text_width):
                    rows.append(make_line(page, row.spans))
            if file.trouble:
                rows.append(make_line(page, [(file.trouble, theme.style("warning"))]))
        return rows


class ReadingScreen(Overlay[None], inherit_bindings=False):
    """Shows files; nothing in them is interpreted."""

    AUTO_FOCUS = ""

    def __init__(self, look: Look, title: str, paths: Sequence[str]) -> None:
        super().__init__()
        self._look = look
        self._title = title
        self._paths = tuple(paths)
        self._body = _Body(look)

    def compose(self) -> ComposeResult:
        """Title, files, hints."""
        yield Title(self._look, self._title, id="reading-title")
        yield self._body
        yield Hints(self._look, (("up down", "scroll"), ("esc", "back")))

    def on_mount(self) -> None:
        """Read them beside the screen."""
        self.run_worker(self._read, group="reading")

    async def _read(self) -> None:
        self._body.files = await asyncio.to_thread(read_files, self._paths)
        self._body.redraw()

    def on_key(self, event: events.Key) -> None:
        """Scroll, or go back."""
        page = max(1, self._body.size.height - 1)
        steps = {"up": -1, "down": 1, "pageup": -page, "pagedown": page, "space": page, "home": -MOST_LINES * 99, "end": MOST_LINES * 99}  # fmt: skip
        step = steps.get(event.key)
        if step is not None:
            event.stop()
            self._body.scroll(step)
        elif event.key in ("escape", "ctrl+c", "ctrl+d", "q"):
            event.stop()
            self.answer()

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """Scroll."""
        self._body.scroll(3)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """Scroll."""
        self._body.scroll(-3)
