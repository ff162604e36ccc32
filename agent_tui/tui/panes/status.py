"""The status bar: one row; what matters least goes first when it gets narrow."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from agent_tui.protocol.messages import PermissionMode, StatusChanged
from agent_tui.tui.facts import counted, short_model
from agent_tui.tui.lines import RIGHT_MARGIN, Line, Page, Span, make_line, spans_width
from agent_tui.tui.look import Look
from agent_tui.tui.panes.sheet import Sheet
from agent_tui.tui.theme import TextRole
from agent_tui.view import figures
from agent_tui.view.clean import clean

MODE_ROLES: dict[PermissionMode, TextRole] = {
    "default": "text",
    "acceptEdits": "accent",
    "plan": "special",
    "dontAsk": "warning",
    "bypassPermissions": "error",
    "auto": "warning",
}
MODE_WORDS: dict[PermissionMode, str] = {
    "acceptEdits": "edits in this folder are not asked",
    "plan": "reads only; ends with a plan to approve",
    "dontAsk": "what would be asked is refused",
    "bypassPermissions": "nothing is asked",
    "auto": "a small model lets calls run; you are asked about the rest",
}
GAUGE_WARNS, GAUGE_ALARMS = 0.75, 0.9
BUDGET_WARNS = 0.8


def mode_name(mode: PermissionMode) -> str:
    """Give a mode's word on the screen."""
    return "bypass" if mode == "bypassPermissions" else mode


@dataclass(frozen=True, slots=True)
class _Show:
    """Which parts there is room for."""

    labels: bool = True
    cache: bool = True
    budget: bool = True
    turn: bool = True
    branch: bool = True
    gauge: int = 8
    digits: int = 4


_LADDER = (
    _Show(),
    _Show(labels=False),
    _Show(labels=False, cache=False, budget=False, gauge=5),
    _Show(labels=False, cache=False, budget=False, turn=False, gauge=5),
    _Show(labels=False, cache=False, budget=False, turn=False, branch=False, gauge=5),
    _Show(labels=False, cache=False, budget=False, turn=False, branch=False, gauge=0, digits=2),
)
"""From everything to what always stays: model, mode, share of the window, cost (mock 13)."""


class StatusBar(Sheet):
    """Model, mode, turn, window, cache, cost, branch; at the right what waits, and the help key."""

    def __init__(self, look: Look) -> None:
        super().__init__(look, id="status")
        self.status: StatusChanged | None = None
        self.model = ""
        self.queued: int = 0
        self.behind: int = 0
        self.paused: bool = False
        tasks = look.habits.keys.label("screen:tasks") or "/tasks"
        self.tooltip = (
            "model, permission mode, turns of this prompt, how full the model's window is, "
            "share of all prompts read from its cache, cost of this session, branch; "
            f"prompts that wait, what runs in the background ({tasks})"
        )

    def show(
        self, status: StatusChanged | None, queued: int, behind: int = 0, *, paused: bool = False
    ) -> None:
        """Take new values; draws only when they differ.

        ``behind`` counts what runs in the background; ``paused``: the person is asked what becomes of the budget.
        """
        new = (status, queued, behind, paused)
        if new != (self.status, self.queued, self.behind, self.paused):
            self.status, self.queued, self.behind, self.paused = new
            self.redraw()

    def draw(self, page: Page) -> Sequence[Line]:
        """Take the first rung of the ladder that fits."""
        room = page.width - 1 - RIGHT_MARGIN
        left: list[Span] = []
        right: list[Span] = []
        for show in _LADDER:
            left, right = self._left(page, show), self._right(page, show)
            if spans_width(left) + 3 + spans_width(right) <= room:
                break
        return [make_line(page, left, column=1, facts=right)]

    def _left(self, page: Page, show: _Show) -> list[Span]:
        theme, status = page.theme, self.status
        text, muted = theme.style("text"), theme.style("muted")
        if status is None:
            return (
                [(clean(short_model(self.model)), text), ("  starting", muted)]
                if self.model
                else [("starting", muted)]
            )
        parts: list[list[Span]] = [
            [(clean(short_model(status.model)), text)],
            [(mode_name(status.mode), theme.style(MODE_ROLES[status.mode]))],
        ]
        if show.turn:
            parts.append([(f"turn {status.turns}", muted)])
        parts.append(_gauge(page, status, show))
        if show.cache:
            share = page.glyphs.dash if status.cache_share is None else f"{status.cache_share:.0%}"
            parts.append([("cache ", muted), (share, text)])
        parts.append(_cost(page, status, show, paused=self.paused))
        if show.branch and status.branch:
            parts.append([(clean(status.branch), muted)])
        if status.demo and status.model != "demo":
            parts.append([("demo", theme.style("accent"))])
        out = list(parts[0])
        for part in parts[1:]:
            out += [("  ", text), *part]
        return out

    def _right(self, page: Page, show: _Show) -> list[Span]:
        theme = page.theme
        accent, gap = theme.style("accent"), ("  ", theme.style("text"))
        out: list[Span] = []
        if self.queued:
            words = f"{self.queued} queued" if show.labels else f"{self.queued}q"
            out += [(words, accent), gap]
        if self.behind and show.gauge:
            words = counted(self.behind, "task") if show.labels else f"{self.behind}t"
            out += [(words, accent), gap]
        if out and show.gauge:
            out.append((" ", gap[1]))
        key = self.look.habits.keys.label("empty:help") or "/help"
        out.append((key, theme.style("accent", bold=True)))
        if show.labels:
            out.append((" help", theme.style("muted")))
        return out


def _gauge(page: Page, status: StatusChanged, show: _Show) -> list[Span]:
    """Draw how full the window is; it warns by colour and by a mark."""
    theme = page.theme
    muted = theme.style("muted")
    share = status.context_tokens / status.context_window if status.context_window else 0.0
    role: TextRole = "accent"
    mark, number = "", theme.style("text")
    if share >= GAUGE_WARNS:
        role = "error" if share >= GAUGE_ALARMS else "warning"
        mark, number = "!!" if share >= GAUGE_ALARMS else "!", theme.style(role)
    out: list[Span] = [("context ", muted)] if show.labels else []
    if show.gauge:
        rounded = 0.5 if show.gauge < 8 else 0.0  # a short gauge would lag too far behind
        filled = min(show.gauge, max(1 if share else 0, int(share * show.gauge + rounded)))
        out += [
            (page.glyphs.heavy * filled, theme.style(role)),
            (page.glyphs.rule * (show.gauge - filled), theme.style("line")),
            (" ", muted),
        ]
    out.append((f"{share:.0%}{mark}", number))
    if show.labels and status.context_window:
        out.append((f" of {figures.window(status.context_window)}", muted))
    return out


def _cost(page: Page, status: StatusChanged, show: _Show, *, paused: bool) -> list[Span]:
    theme = page.theme
    text, muted = theme.style("text"), theme.style("muted")
    budget = status.budget_usd
    counted = budget is not None and status.spent_usd is not None
    spent = status.spent_usd if counted else status.total_cost_usd
    said = figures.money(spent, digits=show.digits)
    if paused and budget:
        words = f"paused at {_cap(budget)}" if show.budget else f"{said}!!"
        ask: list[Span] = [("  raise it?", muted)] if show.labels else []
        return [(words, theme.style("error", bold=True)), *ask]
    if budget and spent is not None and spent >= budget:
        words = f"stopped at {_cap(budget)}" if show.budget else f"{said}!!"
        return [(words, theme.style("error", bold=True))]
    if budget and spent is not None and spent >= BUDGET_WARNS * budget:
        warning = theme.style("warning")
        tail = f" of {figures.limit(budget)}!" if show.budget else "!"
        return [(said, theme.style("warning", bold=True)), (tail, warning)]
    if budget and show.budget:
        return [(said, text), (f" of {figures.limit(budget)}", muted)]
    return [(said, text)]


def _cap(budget: float) -> str:
    """Give the budget that is reached: ``$5.00``."""
    return figures.money(budget, digits=2 if budget >= 0.01 else 4)
