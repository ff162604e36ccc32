"""The moments a session can go back to, and what going back to one would change."""

from __future__ import annotations

from collections.abc import Sequence

from agent_tui.protocol.reviews import RewindFile, RewindPlan, RewindPoint
from agent_tui.tui.changerows import clock_of
from agent_tui.tui.facts import counted, cut_path
from agent_tui.tui.lines import Line, Page, Span, blank_line, cut, make_line, spans_width
from agent_tui.tui.look import Look
from agent_tui.tui.panes.completion import chosen_line
from agent_tui.tui.panes.sheet import Sheet
from agent_tui.tui.theme import Background
from agent_tui.tui.wrapping import wrap_prose
from agent_tui.view.clean import clean

DOES = {"restore": "put back", "remove": "removed", "create": "made again"}
BEFORE_BACK = "before you went back"
AFTER = "Take that going back back: everything becomes what it was before it."
PROMPT_ROWS = 8


class RewindList(Sheet, can_focus=True):
    """The moments, newest first; one is chosen."""

    def __init__(self, look: Look) -> None:
        super().__init__(look, id="rewind-list")
        self.fills = True
        self.points: tuple[RewindPoint, ...] = ()
        self.at = 0
        self.note = "reading the session"

    @property
    def current(self) -> RewindPoint | None:
        """The chosen one."""
        return self.points[self.at] if self.points else None

    def show(self, points: Sequence[RewindPoint], note: str) -> None:
        """Take the moments."""
        self.points, self.note = tuple(points), note
        self.at = min(self.at, max(len(points) - 1, 0))
        self.redraw()

    def choose(self, at: int) -> bool:
        """Choose another one; False when it is chosen already, or not there."""
        if not 0 <= at < len(self.points) or at == self.at:
            return False
        self.at = at
        self.redraw()
        height = max(self.size.height, 1)
        top = max(min(self.top, at + 1), at + 2 - height, 0)
        self.top = 0 if at == 0 else top
        self.refresh()
        return True

    def draw(self, page: Page) -> Sequence[Line]:
        """Make the rows."""
        muted = page.theme.style("muted")
        if not self.points:
            return [blank_line(page), make_line(page, [(self.note, muted)])]
        rows = [blank_line(page)]
        for at, point in enumerate(self.points):
            rows.append(self._point(page, point, chosen=at == self.at))
        return rows

    def _point(self, page: Page, point: RewindPoint, *, chosen: bool) -> Line:
        theme = page.theme
        on: Background = "select" if chosen else "bg"
        back = point.kind == "rewind"
        text = BEFORE_BACK if back else " ".join(clean(point.text).split())
        role = "muted" if back else "strong" if chosen else "text"
        files = f"{counted(point.files, 'file')}   " if point.files else ""
        facts: list[Span] = [(f"{files}{clock_of(point.at)}", theme.style("muted", on))]
        spans = [(text, theme.style(role, on, bold=chosen or None))]
        return chosen_line(page, spans, chosen=chosen, facts=facts)


class PlanSheet(Sheet, can_focus=True):
    """What would change.

    Attributes:
        also: files that others changed are to be put back, too.
    """

    def __init__(self, look: Look) -> None:
        super().__init__(look, id="rewind-plan")
        self.fills = True
        self.point: RewindPoint | None = None
        self.plan: RewindPlan | None = None
        self.note = ""
        self.also = False

    def show(self, point: RewindPoint | None, plan: RewindPlan | None, note: str = "") -> None:
        """Take a moment, and what going back to it would change once that is known."""
        if point != self.point:
            self.also = False
        self.point, self.plan, self.note = point, plan, note
        self.top = 0
        self.redraw()

    @property
    def foreign(self) -> tuple[RewindFile, ...]:
        """The files that others changed."""
        files = self.plan.files if self.plan is not None else ()
        return tuple(file for file in files if file.foreign and not file.problem)

    @property
    def changes_files(self) -> bool:
        """Whether any file would be put back."""
        files = self.plan.files if self.plan is not None else ()
        return any(not file.problem and (self.also or not file.foreign) for file in files)

    def draw(self, page: Page) -> Sequence[Line]:
        """Make the rows."""
        theme = page.theme
        muted, strong = theme.style("muted"), theme.style("strong", bold=True)
        rows = [blank_line(page)]
        if self.point is None:
            return rows
        rows += [*self._words(page, self.point), blank_line(page)]
        plan = self.plan
        if plan is None:
            return [*rows, make_line(page, [(self.note, muted)], column=1)]
        if plan.prompts:
            said = f"{counted(plan.prompts, 'prompt')} and what came of it leave the conversation"
            if plan.prompts > 1:
                said = said.replace("of it", "of them")
            rows += [make_line(page, [(said, muted)], column=1), blank_line(page)]
        alone = [file for file in plan.files if not file.foreign and not file.problem]
        rows += self._group(page, "Files that only the agent changed", alone)
        title = "Changed by others, too"
        wish = "are put back all the same" if self.also else "stay as they are"
        rows += self._group(page, f"{title}: {wish}", self.foreign)
        rows += self._group(page, "Can't be put back", [f for f in plan.files if f.problem])
        if not plan.files:
            none = (
                "No file would change."
                if plan.kept
                else "What files were is not kept in this session."
            )
            rows.append(make_line(page, [(none, strong if plan.kept else muted)], column=1))
        return rows

    def _words(self, page: Page, point: RewindPoint) -> list[Line]:
        """Give the prompt as it was typed, in its band."""
        text = AFTER if point.kind == "rewind" else clean(point.text).strip()
        style = page.theme.style("text", "surface")
        wrapped = wrap_prose([(text, style)], page.text_width)
        edge = [(" ", page.theme.style("text"))]
        shown = [make_line(page, row.spans, on="surface", column=1, lead=edge) for row in wrapped]
        return shown[:PROMPT_ROWS]

    def _group(self, page: Page, title: str, files: Sequence[RewindFile]) -> list[Line]:
        if not files:
            return []
        theme = page.theme
        head = make_line(page, [(title, theme.style("strong", bold=True))], column=1)
        return [head, *(self._file(page, file) for file in files), blank_line(page)]

    def _file(self, page: Page, file: RewindFile) -> Line:
        theme, glyphs = page.theme, page.glyphs
        muted = theme.style("muted")
        why = file.problem or file.foreign
        facts: list[Span] = [(f"{why or DOES[file.does]}", muted)]
        if not file.problem:
            if file.added:
                facts.append((f"   {glyphs.plus}{file.added}", theme.style("added")))
            if file.removed:
                gap = " " if file.added else "   "
                facts.append((f"{gap}{glyphs.minus}{file.removed}", theme.style("removed")))
        mark = glyphs.stopped if file.problem or (file.foreign and not self.also) else glyphs.done
        room = page.right - 3 - spans_width(facts) - 4
        name = cut_path(clean(file.shown), max(room, 8), glyphs.cut)
        lead = [(" ", muted), (cut(mark, 1, ""), theme.style("muted"))]
        return make_line(page, [(name, theme.style("text"))], lead=lead, facts=facts)
