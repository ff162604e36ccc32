"""Which panel a request is shown in: one for permissions, one for questions with choices, one for trust in a folder."""

from __future__ import annotations

from collections.abc import Iterator

from agent_tui.protocol.display import QuestionDisplay
from agent_tui.protocol.requests import PermissionRequest
from agent_tui.tui.editor import KillRing
from agent_tui.tui.look import Look
from agent_tui.tui.panels.panel import Panel
from agent_tui.tui.panels.permission import PermissionPanel
from agent_tui.tui.panels.questions import QuestionPanel
from agent_tui.tui.panels.trust import TrustPanel, TrustRequest


class Panels:
    """The panels of a screen, of which at most one is open."""

    def __init__(self, look: Look, kills: KillRing | None = None) -> None:
        self._permission = PermissionPanel(look, kills)
        self._questions = QuestionPanel(look, kills)
        self._trust = TrustPanel(look, kills)
        self.current: Panel = self._permission

    def know_tools(self, names: tuple[str, ...]) -> None:
        """Take the tools there are: a rule for another one is refused."""
        self._permission.tools = names

    def __iter__(self) -> Iterator[Panel]:
        return iter((self._permission, self._questions, self._trust))

    def show(self, request: PermissionRequest) -> None:
        """Open the panel that fits the request; the other one is closed."""
        fits: Panel = self._permission
        if isinstance(request.display, QuestionDisplay):
            fits = self._questions
        elif isinstance(request, TrustRequest):
            fits = self._trust
        if fits is not self.current:
            self.current.close()
            fits.limit = self.current.limit
            self.current = fits
        fits.show(request)
