"""The working line: what is going on, for how long, what it cost so far, and how to stop it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from textual.timer import Timer

from agent_tui.tui.lines import Line, Page, Span, blank_line, join_facts, make_line, spans_width
from agent_tui.tui.look import Look
from agent_tui.tui.panes.sheet import Sheet
from agent_tui.view import figures
from agent_tui.view.clean import clean
from agent_tui.view.status import Status

_WORDS = {"checking": "Checking", "compacting": "Compacting", "asking": "Waiting for you"}


class WorkingLine(Sheet):
    """Shown while a run goes. The time is all that moves: one redraw a second, none when nothing runs.

    ``now`` is a monotonic clock in seconds. Without ``hints`` no keys are named.
    """

    DEFAULT_CSS = "WorkingLine { height: auto; display: none; } WorkingLine.-on { display: block; }"

    def __init__(self, look: Look, now: Callable[[], float]) -> None:
        super().__init__(look, id="working")
        self._now = now
        self._status = Status()
        self._since = 0.0
        self._retry_at = 0.0
        self._timer: Timer | None = None
        self.low = False
        self.hints = True

    def show(self, status: Status) -> None:
        """Take what goes on; starts and stops the clock."""
        before, self._status = self._status, status
        if status.retry is not None and status.retry != before.retry:
            self._retry_at = self._now() + status.retry.delay_ms / 1000
        if status.busy and not before.busy:
            self._since = self._now()
            self._timer = self.set_interval(self.look.tick, self.redraw)
        elif not status.busy and self._timer is not None:
            self._timer.stop()
            self._timer = None
        self.set_class(status.busy, "-on")
        if (status.session, status.retry, status.compacting) != (
            before.session,
            before.retry,
            before.compacting,
        ):
            self.redraw()

    def draw(self, page: Page) -> Sequence[Line]:
        """Make the row, and a blank one above it."""
        status, session = self._status, self._status.session
        if session is None or not session.busy:
            return ()
        theme = page.theme
        muted, gap = theme.style("muted"), ("   ", theme.style("muted"))
        left: list[Span] = [
            (self._word(), theme.style("strong", bold=True)),
            ("  ", muted),
            (figures.clock(self._now() - self._since), theme.style("text")),
        ]
        if status.retry is not None:
            retry = status.retry
            words = f"attempt {retry.attempt} of {retry.attempts}   {retry.why}"
            left += [gap, (clean(words), theme.style("warning"))]
        elif session.turns:
            turn = f"turn {session.turns}"
            facts = [
                f"{turn} of this prompt" if page.width >= 80 else turn,
                f"{figures.tokens(session.run_tokens)} tok",
                figures.money(session.run_cost_usd),
            ]
            for fact in facts:
                left += [gap, (fact, muted)]
        lead = [(" ", muted), (page.glyphs.running, theme.style("accent"))]
        row = make_line(page, left, lead=lead, facts=self._keys(page, spans_width(left)))
        return [row] if self.low else [blank_line(page), row]

    def _keys(self, page: Page, used: int) -> list[Span]:
        if not self.hints:
            return []
        theme = page.theme
        key, muted = theme.style("accent", bold=True), theme.style("muted")
        hints = (
            ("esc", "stop"),
            ("enter", "queue"),
            (self.look.habits.keys.label("screen:detail"), "detail"),
        )
        for count in (3, 2, 1):
            facts = join_facts(
                [[(name, key), (f" {what}", muted)] for name, what in hints[:count]], ("   ", muted)
            )
            if used + 3 + spans_width(facts) <= page.text_width:
                return facts
        return [("esc", key)]

    def _word(self) -> str:
        status, session = self._status, self._status.session
        if status.retry is not None:
            left = max(0, round(self._retry_at - self._now()))
            return f"Retrying in {left} s" if left else "Retrying"
        if status.compacting:
            return _WORDS["compacting"]
        return _WORDS.get(session.phase if session else "", "Working")
