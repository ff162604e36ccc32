"""The changed files as a tree: folders, names, comments, counts of lines."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from agent_tui.protocol.reviews import ChangedFile
from agent_tui.tui.facts import cut_path
from agent_tui.tui.lines import (
    FACT_GAP,
    TEXT_COLUMN,
    Line,
    Page,
    Span,
    blank_line,
    cut,
    join_facts,
    make_line,
    spans_width,
    width_of,
)
from agent_tui.tui.look import Look
from agent_tui.tui.panes.sheet import Sheet
from agent_tui.tui.theme import Background
from agent_tui.view.clean import clean
from agent_tui.view.remarks import Remarks

NAME_COLUMN = 5


class ChangedFiles(Sheet, can_focus=True):
    """Shows the files; one is chosen.

    Attributes:
        files: in the order they are shown.
        at: the chosen one.
        seen: paths that were marked as seen.
    """

    def __init__(self, look: Look, remarks: Remarks) -> None:
        super().__init__(look, id="review-files")
        self.fills = True
        self.files: tuple[ChangedFile, ...] = ()
        self.at = 0
        self.seen: Collection[str] = ()
        self.note = ""
        self._remarks = remarks
        self._places: dict[int, int] = {}

    @property
    def current(self) -> ChangedFile | None:
        """The chosen file."""
        return self.files[self.at] if self.files else None

    def show(self, files: Sequence[ChangedFile], note: str = "") -> None:
        """Take the files; the chosen one stays chosen if it is among them."""
        before = self.current.path if self.current else ""
        self.files, self.note = tuple(sorted(files, key=_order)), note
        paths = [file.path for file in self.files]
        self.at = paths.index(before) if before in paths else min(self.at, max(len(paths) - 1, 0))
        self.redraw()

    def choose(self, at: int) -> bool:
        """Choose another file; False when it is chosen already, or not there."""
        if not 0 <= at < len(self.files) or at == self.at:
            return False
        self.at = at
        self.redraw()
        self._follow()
        return True

    def file_at(self, row: int) -> int | None:
        """Give the file that is shown in a row of what is seen."""
        return next((at for at, place in self._places.items() if place == row + self.top), None)

    def draw(self, page: Page) -> Sequence[Line]:
        """Make the rows."""
        muted = page.theme.style("muted")
        rows = [blank_line(page)]
        if not self.files:
            return [*rows, make_line(page, [(cut(self.note, page.text_width), muted)])]
        folder = ""
        for at, file in enumerate(self.files):
            above, _, name = clean(file.shown).rpartition("/")
            if above != folder:
                folder = above
                rows += [self._folder(page, folder)] if folder else []
            self._places[at] = len(rows)
            rows.append(self._file(page, file, name, inside=bool(above), chosen=at == self.at))
        seen = sum(file.path in self.seen for file in self.files)
        said = f"seen {seen} of {len(self.files)}"
        return [*rows, blank_line(page), make_line(page, [(said, muted)])]

    def _folder(self, page: Page, folder: str) -> Line:
        shown = cut_path(folder, page.right - NAME_COLUMN, page.glyphs.cut)
        return make_line(page, [(f"{page.glyphs.open} {shown}", page.theme.style("muted"))])

    def _file(
        self, page: Page, file: ChangedFile, name: str, *, inside: bool, chosen: bool
    ) -> Line:
        theme = page.theme
        on: Background = "select" if chosen else "bg"
        facts = self._facts(page, file, on)
        column = NAME_COLUMN if inside else TEXT_COLUMN
        room = page.right - column - spans_width(facts) - len(FACT_GAP)
        shown = cut_path(name, max(room, 4), page.glyphs.cut)
        role = "strong" if chosen else "muted" if file.path in self.seen else "text"
        mark = page.glyphs.prompt if chosen else " "
        blank = " " * (column - 1 - width_of(mark))
        lead = [(" ", theme.style("text")), (f"{mark}{blank}", theme.style("accent", on))]
        style = theme.style(role, on, bold=chosen or None)
        return make_line(page, [(shown, style)], lead=lead, column=column, on=on, facts=facts)

    def _facts(self, page: Page, file: ChangedFile, on: Background) -> list[Span]:
        theme = page.theme
        said = len(self._remarks.of(file.path))
        remarks = [(f"{said}{page.glyphs.comment}", theme.style("accent", on))] if said else []
        glyphs = page.glyphs
        lines: list[Span] = []
        if file.added:
            lines.append((f"{glyphs.plus}{file.added}", theme.style("added", on)))
        if file.removed:
            gap = " " if lines else ""
            lines.append((f"{gap}{glyphs.minus}{file.removed}", theme.style("removed", on)))
        if not lines:
            words = {"created": "new", "removed": "gone", "changed": "changed"}
            lines.append((words[file.what], theme.style("muted", on)))
        return join_facts([remarks, lines], (FACT_GAP, theme.style("text", on)))

    def _follow(self) -> None:
        row, height = self._places.get(self.at, 0), self.size.height
        if not height:
            return
        top = max(min(self.top, row), row + 1 - height, 0)
        if self.at == 0:
            top = 0
        if top != self.top:
            self.top = top
            self.refresh()


def _order(file: ChangedFile) -> tuple[bool, str]:
    """Folders come first, then the files that stand in none."""
    return "/" not in file.shown, file.shown
