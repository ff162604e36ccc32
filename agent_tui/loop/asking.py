"""Questions of the loop's own to the person: a budget that is used up, a call that fails again and again.

The model is told nothing of them. Where nobody sits at a screen, nobody is asked and the loop decides by itself.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, cast

from agent_tui.loop.approvals import Approver
from agent_tui.protocol.display import AskedQuestion, QuestionDisplay
from agent_tui.protocol.requests import Allow, PermissionRequest


class Asker(Protocol):
    """Asks the person something that has nothing to do with permissions. ``there`` tells whether there is a person."""

    there: bool

    async def ask(self, question: AskedQuestion, call_id: str = "") -> str | None:
        """Ask and wait; ``call_id`` names the tool call it is about.

        Returns:
            The chosen label, or what was typed instead; empty when the person turned the question down; None when
            nobody is there to be asked.
        """
        ...


class NobodyThere:
    """A program, or ``-p``: never asks."""

    there = False

    async def ask(self, question: AskedQuestion, call_id: str = "") -> str | None:
        """Say that nobody is there."""
        return None


class PersonAsked:
    """Asks at the desk, where permission requests are answered too.

    The request names no tool. Allowing it carries the answer in ``updated_input["answers"]``, by the question's text;
    denying it turns the question down.

    Args:
        desk: takes the request.
        new_id: makes its id.
        agent: the sub-agent on whose behalf it is asked, None for the main loop.
    """

    there = True

    def __init__(self, desk: Approver, new_id: Callable[[], str], agent: str | None = None) -> None:
        self._desk = desk
        self._new_id = new_id
        self._agent = agent

    async def ask(self, question: AskedQuestion, call_id: str = "") -> str | None:
        """Ask the person and wait; withdrawn when cancelled."""
        request = PermissionRequest(
            id=self._new_id(),
            tool_name="",
            tool_use_id=call_id,
            input={},
            display=QuestionDisplay((question,)),
            title=question.question,
            reason="",
            decided_by="other",
            agent=self._agent,
        )
        answer = await self._desk.decide(request)
        if not isinstance(answer, Allow):
            return ""
        answers: Any = (answer.updated_input or {}).get("answers")
        given = cast("dict[str, object]", answers) if isinstance(answers, dict) else {}
        return str(given.get(question.question) or "").strip()
