"""The mode ``auto``: what would be asked is looked at by a classifier first, which may let it run.

The policy decides as ever. Only where it wants a question that the mode alone is the reason for, the classifier is
heard; no answer of it but a clear yes counts. After some calls that it did not allow nothing is shown to it any more
until the next prompt: then either it does not understand the work, or somebody is trying what gets through.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from agent_tui.loop.classifier import Classifier, Opinion, Shown
from agent_tui.loop.limits import dollars
from agent_tui.loop.policy import Judged, Policy
from agent_tui.loop.record import Recorder
from agent_tui.permissions.person import needs_a_person
from agent_tui.permissions.policy import MustAsk
from agent_tui.protocol.access import RunCommand
from agent_tui.protocol.messages import PermissionMode
from agent_tui.protocol.requests import PermissionUpdate

AUTO: Final[PermissionMode] = "auto"

IN_A_ROW: Final = 3
IN_ALL: Final = 20
"""So many calls of a run that were not allowed end the looking."""

SWITCH: Final = PermissionUpdate("setMode", mode=AUTO)
"""What goes with an answer that changes to ``auto``."""

LEAST_USD: Final = 0.0001
"""A smaller amount is not told exactly."""

TOO_LONG: Final = "the call is too long to be looked at"
USED_UP: Final = "the budget is used up"
WORDS: Final = {"block": "blocked", "unsure": "unsure", "failed": "not looked at"}


@dataclass(frozen=True, slots=True)
class Looked:
    """What auto mode says of a call. ``text`` tells it to a person, with its cost."""

    allows: bool
    text: str


@dataclass(slots=True)
class _Run:
    """What is known in one run. ``allowed`` are the texts that were allowed, with the reason."""

    id: str
    allowed: dict[str, str] = field(default_factory=dict[str, str])
    in_a_row: int = 0
    in_all: int = 0
    over: bool = False


class AutoMode:
    """Looks at calls for a session and its sub-agents.

    Args:
        record: the session's own writer; a run is told by the prompt it answers.
        policy: has the mode, and says what only a person may approve.
        classifier: gives opinions.
        over_budget: whether nothing more may be spent.
        phase: told what the session is at.
        offered: the session may change to ``auto``.
    """

    def __init__(
        self,
        record: Recorder,
        policy: Policy,
        classifier: Classifier,
        over_budget: Callable[[], bool],
        phase: Callable[[str], Awaitable[None]],
        *,
        offered: bool = False,
    ) -> None:
        self.offered = offered
        self._record = record
        self._policy = policy
        self._classifier = classifier
        self._over_budget = over_budget
        self._phase = phase
        self._run = _Run("")

    async def look(
        self, call: Judged, question: MustAsk, record: Recorder, *, sub_agent: bool = False
    ) -> Looked | None:
        """Have a call looked at that would be asked; None where that is not for a classifier.

        Args:
            call: the call.
            question: why it would be asked.
            record: the writer of the run that makes it.
            sub_agent: a sub-agent makes it.
        """
        if self._policy.mode_of(call) != AUTO:
            return None
        ground, run = self._policy.ground(call), self._now()
        if run.over or needs_a_person(call.access, call.tool_input, question, ground):
            return None
        shown = Shown(
            tool=call.tool_name,
            given=_as_it_runs(call),
            shell_folder=ground.cwd,
            working_folders=ground.working_dirs,
            person_said=self._record.conversation.person_said,
            why=question.reason,
            sub_agent=sub_agent,
        )
        text = shown.text()
        if text is None:
            return Looked(False, f"auto: {WORDS['failed']}, {TOO_LONG}")
        if text in run.allowed:
            return Looked(True, f"auto: allowed as before, {run.allowed[text]}")
        if self._over_budget():
            return Looked(False, f"auto: {WORDS['failed']}, {USED_UP}")
        opinion = await self._opinion(text, record, sub_agent=sub_agent)
        await self._count(run, text, opinion)
        return Looked(opinion.allows, told(opinion))

    async def _opinion(self, text: str, record: Recorder, *, sub_agent: bool) -> Opinion:
        if sub_agent:
            return await self._classifier.opinion(text, record)
        await self._phase("checking")
        opinion = await self._classifier.opinion(text, record)
        await self._phase("tools")
        return opinion

    def _now(self) -> _Run:
        """Give what is known in the run at hand; the next prompt begins anew."""
        serving = self._record.serving
        current = serving[0] if serving else ""
        if self._run.id != current:
            self._run = _Run(current)
        return self._run

    async def _count(self, run: _Run, text: str, opinion: Opinion) -> None:
        if opinion.allows:
            run.in_a_row = 0
            run.allowed[text] = opinion.reason
            return
        run.in_a_row += 1
        run.in_all += 1
        if not run.over and (run.in_a_row >= IN_A_ROW or run.in_all >= IN_ALL):
            run.over = True
            row = run.in_a_row >= IN_A_ROW
            how = f"{run.in_a_row} calls in a row" if row else f"{run.in_all} calls"
            await self._record.notice(
                f"auto: {how} were not allowed, so every further one is asked until your next prompt.",
                "warning",
            )


def told(opinion: Opinion) -> str:
    """Tell an opinion to a person: ``auto: allowed, only runs the project's tests · $0.0003``."""
    word = "allowed" if opinion.allows else WORDS[opinion.said]
    return f"auto: {word}, {opinion.reason}{_cost(opinion.cost_usd)}"


def _cost(usd: float | None) -> str:
    if usd is None:
        return " · cost unknown"
    if not usd:
        return ""
    return f" · {dollars(usd)}" if usd >= LEAST_USD else f" · under {dollars(LEAST_USD)}"


def not_allowed(question: MustAsk, looked: Looked | None) -> MustAsk:
    """Give the question as it is asked when auto mode looked and did not allow the call; None: it did not look.

    The first line of its reason is what auto mode says.
    """
    if looked is None:
        return question
    reason = f"{looked.text}.\n{question.reason}"
    return replace(question, reason=reason, decided_by="classifier")


def _as_it_runs(call: Judged) -> Mapping[str, Any]:
    """Give a call's input; of a command without what the model says of it, which isn't what runs."""
    if not isinstance(call.access, RunCommand):
        return call.tool_input
    return {name: value for name, value in call.tool_input.items() if name != "description"}
