"""A pane that shows rows and nothing else: no markup, no layout inside, drawn line by line."""

from __future__ import annotations

from collections.abc import Sequence

from rich.segment import Segment
from textual.geometry import Size
from textual.strip import Strip
from textual.widget import Widget

from agent_tui.tui.lines import Line, Page
from agent_tui.tui.look import Look


class Sheet(Widget):
    """Shows what ``draw`` gives; as high as there are rows, up to ``max_rows``, then it scrolls by ``top``.

    ``fills``: its height is given from outside and its rows don't count for it.
    """

    DEFAULT_CSS = "Sheet { height: auto; }"

    ALLOW_SELECT = False

    def __init__(self, look: Look, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self.look = look
        self.top = 0
        self.max_rows: int | None = None
        self.fills = False
        self._rows: Sequence[Line] | None = None
        self._rows_width = 0

    def draw(self, page: Page) -> Sequence[Line]:
        """Make the rows."""
        raise NotImplementedError

    def rows(self, width: int | None = None) -> Sequence[Line]:
        """Give the rows at a width, made anew only when something changed."""
        width = self.size.width if width is None else width
        if self._rows is None or self._rows_width != width:
            self._rows = self.draw(self.look.page(width)) if width > 0 else ()
            self._rows_width = width
        return self._rows

    def redraw(self) -> None:
        """Something shown has changed; lays out again only when the height is to be another."""
        self._rows = None
        if self.size.width == 0:
            self.refresh(layout=True)
            return
        rows, height = self.rows(), self.size.height
        self.top = max(0, min(self.top, len(rows) - height))
        self.refresh(layout=not self.fills and self._shown(rows) != height)

    def scroll(self, by: int) -> None:
        """Move what is seen by some rows."""
        top = max(0, min(self.top + by, len(self.rows()) - self.size.height))
        if top != self.top:
            self.top = top
            self.refresh()

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """As many rows as there are."""
        return self._shown(self.rows(width))

    def render_line(self, y: int) -> Strip:
        """Give one row."""
        rows, at = self.rows(), y + self.top
        if at < len(rows):
            return rows[at].strip
        return Strip([Segment(" " * self.size.width, self.look.theme.style("text"))])

    def _shown(self, rows: Sequence[Line]) -> int:
        return len(rows) if self.max_rows is None else min(len(rows), self.max_rows)
