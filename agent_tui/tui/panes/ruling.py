"""The permission rules in force, by what they do: a list of which one rule is chosen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from agent_tui.protocol.explanations import ExplainedRule, PermissionsInForce
from agent_tui.protocol.requests import RuleBehavior
from agent_tui.tui.facts import counted, short_path
from agent_tui.tui.lines import Line, Page, Span, blank_line, join_facts, make_line
from agent_tui.tui.look import Look
from agent_tui.tui.panes.completion import chosen_line
from agent_tui.tui.panes.sheet import Sheet
from agent_tui.tui.theme import Background
from agent_tui.tui.wrapping import wrap_prose
from agent_tui.view.clean import clean, exact
from agent_tui.view.decisions import short_source

SECTIONS: tuple[tuple[RuleBehavior, str, str], ...] = (
    ("deny", "Deny", "whatever else says"),
    ("ask", "Ask", "in every mode"),
    ("allow", "Allow", "without asking"),
)
WHERE = {
    "managed": "decreed by an administrator",
    "flag": "given on the command line",
    "session": "until this session ends",
    "local": "yours, for this project",
    "project": "the project's, shared with it",
    "user": "yours, everywhere",
}
"""Where a rule of a kind comes from, in words."""


@dataclass(frozen=True, slots=True)
class _Placed:
    """A drawn row of a rule: its place among the rows, and the rule's among those shown."""

    row: int
    at: int


class Ruling(Sheet, can_focus=True):
    """Shows the rules that hold, where they stand, what was left out, and the working folders."""

    def __init__(self, look: Look, *, id: str | None = None) -> None:
        super().__init__(look, id=id)
        self.fills = True
        self.state: PermissionsInForce | None = None
        self.failed = ""
        self.needle = ""
        self.at = 0
        self.removing: ExplainedRule | None = None
        self._placed: list[_Placed] = []

    @property
    def found(self) -> tuple[ExplainedRule, ...]:
        """The rules that fit what is searched for, as they stand on the screen."""
        rules = () if self.state is None else self.state.rules
        wanted = self.needle.casefold()
        return tuple(
            rule
            for behavior, _, _ in SECTIONS
            for rule in rules
            if rule.behavior == behavior
            and wanted in f"{behavior} {rule.text} {rule.source} {rule.origin}".casefold()
        )

    @property
    def current(self) -> ExplainedRule | None:
        """The chosen rule, None when there is none."""
        found = self.found
        return found[min(self.at, len(found) - 1)] if found else None

    def show(self, state: PermissionsInForce | None, failed: str = "") -> None:
        """Show another state; without one, why there is none."""
        self.state, self.failed, self.removing = state, failed, None
        self.redraw()

    def search(self, needle: str) -> None:
        """Show only the rules that hold this text."""
        self.needle, self.at, self.removing = needle, 0, None
        self.redraw()

    def move(self, by: int) -> None:
        """Choose another rule; where there is none, scroll."""
        found = self.found
        self.removing = None
        if not found:
            self.scroll(by)
            return
        self.choose(min(self.at, len(found) - 1) + by)

    def choose(self, at: int) -> None:
        """Choose the rule at a place, and bring it into sight."""
        last = len(self.found) - 1
        self.at = max(0, min(at, last))
        self.redraw()
        row = next((placed.row for placed in self._placed if placed.at == self.at), 0)
        first = 0 if self.at == 0 else row
        if self.at == last:
            row = len(self.rows())
        below = self.top + max(1, self.size.height) - 2
        self.scroll(min(0, first - self.top) or max(0, row - below))

    def clicked(self, y: int) -> bool:
        """Choose the rule drawn at a row of the pane; False where there is none."""
        found = [placed.at for placed in self._placed if placed.row == y + self.top]
        if found:
            self.removing = None
            self.choose(found[0])
        return bool(found)

    def draw(self, page: Page) -> Sequence[Line]:
        """Make the rows."""
        self._placed = []
        muted = page.theme.style("muted")
        if self.state is None:
            return [make_line(page, [(clean(self.failed) or "looking", muted)])]
        rows: list[Line] = []
        found = self.found
        for behavior, title, what in SECTIONS:
            mine = [(at, rule) for at, rule in enumerate(found) if rule.behavior == behavior]
            if not mine:
                continue
            rows += [blank_line(page)] if rows else []
            rows.append(_section(page, title, f"{counted(len(mine), 'rule')}, {what}"))
            for at, rule in mine:
                self._placed.append(_Placed(len(rows), at))
                rows += self._rule(page, rule, chosen=rule is self.current)
        if not rows:
            words = "nothing found" if self.needle else "There are no rules yet: a adds one."
            rows.append(make_line(page, [(words, muted)]))
        if not self.needle:
            rows += _folders(page, self.state.folders)
            rows += _problems(page, self.state.problems)
        return rows

    def _rule(self, page: Page, rule: ExplainedRule, *, chosen: bool) -> list[Line]:
        theme = page.theme
        on: Background = "select" if chosen else "bg"
        muted = theme.style("muted", on)
        text = exact(rule.text).replace("\n", " ")
        spans: list[Span] = [(text, theme.style("strong" if chosen else "text", on))]
        facts: list[list[Span]] = []
        if rule.left:
            facts.append([(rule.left, theme.style("accent", on))])
        place = _place(page, rule)
        facts.append([(place if page.width >= 70 else rule.origin, muted)])
        rows = [chosen_line(page, spans, chosen=chosen, facts=join_facts(facts, ("   ", muted)))]
        if chosen:
            rows.append(self._detail(page, rule))
        return rows

    def _detail(self, page: Page, rule: ExplainedRule) -> Line:
        """Say of the chosen rule whose it is, and what can be done about it."""
        theme = page.theme
        if self.removing == rule:
            place = _place(page, rule)
            words = [
                ("d again removes it", theme.style("warning")),
                (f" from {place}", theme.style("muted")),
            ]
            return make_line(page, words, column=5)
        said = WHERE.get(rule.origin, rule.origin)
        if rule.removable is None and rule.origin in ("user", "project", "local"):
            said += "; it is removed in its file"
        return make_line(page, [(said, theme.style("muted"))], column=5)


def _place(page: Page, rule: ExplainedRule) -> str:
    """Write where a rule stands: a file of the project from its root, others from the home folder."""
    place = short_source(rule.source, page.home)
    return clean(place.removeprefix(f"{page.cwd}/") if page.cwd else place)


def _section(page: Page, title: str, said: str) -> Line:
    theme = page.theme
    spans = [(title, theme.style("strong", bold=True)), (f"  {said}", theme.style("muted"))]
    return make_line(page, spans)


def _folders(page: Page, folders: Sequence[str]) -> list[Line]:
    if not folders:
        return []
    text = page.theme.style("text")
    shown = [clean(short_path(page, folder)) for folder in folders]
    said = counted(len(folders), "folder")
    rows = [blank_line(page), _section(page, "Working folders", said)]
    first = clean(short_source(folders[0], page.home))
    return [*rows, *(make_line(page, [(one, text)]) for one in (first, *shown[1:]))]


def _problems(page: Page, problems: Sequence[str]) -> list[Line]:
    if not problems:
        return []
    theme = page.theme
    rows = [blank_line(page), _section(page, "Left out", counted(len(problems), "notice"))]
    for problem in problems:
        lead: list[Span] = [
            (" ", theme.style("text")),
            (page.glyphs.danger, theme.style("warning")),
        ]
        for row in wrap_prose([(clean(problem), theme.style("muted"))], page.prose_width):
            rows.append(make_line(page, row.spans, lead=lead, glue=row.glue))
            lead = []
    return rows
