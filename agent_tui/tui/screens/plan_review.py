"""A plan, line by line, with comments under its lines; they are sent back as one answer."""

from __future__ import annotations

from textual import events
from textual.app import ComposeResult

from agent_tui.protocol.display import DiffDisplay, Hunk
from agent_tui.protocol.reviews import ChangedFile, FileChange
from agent_tui.tui.editor import KillRing
from agent_tui.tui.look import Look
from agent_tui.tui.panes.commentable import Commentable
from agent_tui.tui.panes.reviewbars import WRITING, Pairs, Reviewed, ReviewFoot
from agent_tui.tui.screens.help import Title
from agent_tui.tui.screens.overlay import Overlay
from agent_tui.view.remarks import Remarks

BEGINNING = "Not yet. My comments on the plan, by its lines:"
HINTS: Pairs = (
    ("up down", "line"),
    ("shift+up down", "several"),
    ("c", "comment"),
    ("w", "wrap"),
    ("esc", "back to the answers"),
)


class PlanReviewScreen(Overlay[str | None], inherit_bindings=False):
    """Shows a plan; gives the message that the comments make when they are to be sent, else None."""

    AUTO_FOCUS = ""

    def __init__(
        self, look: Look, plan: str, remarks: Remarks, kills: KillRing | None = None
    ) -> None:
        super().__init__()
        self._look = look
        self._plan = plan
        self._remarks = remarks
        self._pane = Commentable(look, remarks, kills, whole=True)
        self._pane.columns, self._pane.wrap = False, True
        self._foot = ReviewFoot(look, Reviewed(remarks))

    def compose(self) -> ComposeResult:
        """Title, lines, foot."""
        yield Title(self._look, "The plan, line by line")
        yield self._pane
        yield self._foot

    def on_mount(self) -> None:
        """Show the plan."""
        self._pane.take_keyboard()
        self._pane.show(plan_lines(self._plan))
        self._show()

    def on_commentable_wrote(self, event: Commentable.Wrote) -> None:
        """A comment is begun, kept or left."""
        self._foot.word = (event.word, "muted")
        self._show()

    def on_key(self, event: events.Key) -> None:
        """Move, comment, send, leave."""
        key, char, pane = event.key, event.character or "", self._pane
        if pane.writing:
            if key in ("escape", "ctrl+c"):
                event.stop()
                pane.leave_comment()
            return
        step = {"up": -1, "down": 1, "pageup": -10, "pagedown": 10, "k": -1, "j": 1}.get(key)
        if key in ("escape", "ctrl+c", "ctrl+d") or char == "q":
            if not pane.let_go():
                self.answer(None)
        elif step is not None:
            pane.move(step)
        elif key in ("shift+up", "shift+down"):
            pane.move(-1 if key == "shift+up" else 1, keep=True)
        elif key in ("home", "end"):
            pane.move(-1 << 30 if key == "home" else 1 << 30)
        elif char == "c":
            pane.comment()
        elif char == "w":
            pane.wrap = not pane.wrap
            pane.redraw()
        elif char == "R":
            self._send()
        else:
            return
        event.stop()

    def _send(self) -> None:
        if len(self._remarks):
            self.answer(self._remarks.message(BEGINNING))
        else:
            self._foot.word = ("there is no comment yet: c writes one", "muted")
            self._foot.redraw()

    def _show(self) -> None:
        self._foot.writing = self._pane.writing
        self._foot.hints = WRITING if self._pane.writing else HINTS
        self._pane.redraw()
        self._foot.redraw()

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """Scroll."""
        self._pane.scroll(3)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """Scroll."""
        self._pane.scroll(-3)


def plan_lines(plan: str) -> FileChange:
    """Give a plan as lines that nothing was changed of."""
    lines = plan.splitlines()
    hunk = Hunk(1, len(lines), 1, len(lines), tuple(f" {line}" for line in lines))
    return FileChange(ChangedFile("plan", ""), DiffDisplay("plan.md", (hunk,)), lines=len(lines))
