"""What leads from the main screen to the review and the rewind screen, and what comes of them there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_tui.protocol import ops
from agent_tui.protocol.display import PlanDisplay
from agent_tui.protocol.requests import Deny, PermissionRequest
from agent_tui.view.clean import clean, exact
from agent_tui.view.remarks import Remarks

if TYPE_CHECKING:
    from agent_tui.protocol.reviews import Rewound
    from agent_tui.tui.panes.reviewbars import Reviewed
    from agent_tui.tui.screens.main import MainScreen


NOT_UP = "the engine is still starting"


class GoingBack:
    """One main screen's. Comments that were not sent are kept as long as it is there."""

    def __init__(self, screen: MainScreen) -> None:
        self._screen = screen
        self._reviewed: Reviewed | None = None
        self._plans: dict[str, Remarks] = {}

    def show_review(self) -> None:
        """Open the review screen."""
        from agent_tui.tui.panes.reviewbars import Reviewed  # door: the review
        from agent_tui.tui.screens.review import ReviewScreen  # door: the review

        screen, stage = self._screen, self._screen.backstage
        if not screen.is_up:
            screen.say_hint(NOT_UP)
            return
        self._reviewed = self._reviewed or Reviewed()
        review = ReviewScreen(stage.look, screen.link, self._reviewed, stage.kills)
        screen.app.push_screen(review, self._reviewed_all)  # pyright: ignore[reportUnknownMemberType]

    def _reviewed_all(self, message: str | None) -> None:
        """Send the comments as any prompt is sent; they are in the history, too."""
        if message is not None:
            self._screen.keep(message)
            self._screen.send_prompt(message)
        elif self._reviewed is not None and len(self._reviewed.remarks):
            count = len(self._reviewed.remarks)
            self._screen.say_hint(f"{count} comment{'s' * (count > 1)} kept, /diff goes on")

    def comment_plan(self, request: PermissionRequest) -> None:
        """Open a plan for comments on its lines; they are the answer, so that planning goes on."""
        from agent_tui.tui.screens.plan_review import PlanReviewScreen  # door: comments on a plan

        screen, display = self._screen, request.display
        if not isinstance(display, PlanDisplay):
            return
        remarks = self._plans.setdefault(request.id, Remarks())
        stage = screen.backstage
        review = PlanReviewScreen(stage.look, exact(display.plan), remarks, stage.kills)

        def answered(message: str | None) -> None:
            still_open = any(one.id == request.id for one in screen.pump.status.requests)
            if message is not None and still_open:
                screen.link.send(ops.Answer(request.id, Deny(message)))

        screen.app.push_screen(review, answered)  # pyright: ignore[reportUnknownMemberType]

    def show_rewind(self) -> None:
        """Open the rewind screen."""
        from agent_tui.tui.screens.rewind import RewindScreen  # door: going back

        screen = self._screen
        if not screen.is_up or screen.pump.status.busy:
            screen.say_hint("stop the run first: esc" if screen.is_up else NOT_UP)
            return
        screen.say_hint("")
        rewind = RewindScreen(screen.backstage.look, screen.link)
        screen.app.push_screen(rewind, self._rewound)  # pyright: ignore[reportUnknownMemberType]

    def _rewound(self, done: Rewound | None) -> None:
        """Bring the prompt back into the editor; what is typed there is put aside."""
        screen = self._screen
        screen.conversation.redraw()
        if done is None or not done.prompt:
            return
        if screen.prompt.editor.text:
            screen.stash()
        screen.prompt.set_value(clean(done.prompt))
        screen.focus_prompt()
