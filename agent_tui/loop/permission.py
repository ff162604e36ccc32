"""May a call run? The policy decides; where it wants a question, a hook may answer it, else the approver is asked."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from agent_tui.loop.approvals import Approver, DenyAll
from agent_tui.loop.auto_mode import SWITCH, AutoMode, Looked, not_allowed
from agent_tui.loop.decisions import answered_note, asked_note, settled_note, who
from agent_tui.loop.edited import CHANGED_TOO_OFTEN, MAX_ROUNDS, asks_anew, both_notes
from agent_tui.loop.hooks import Hooks
from agent_tui.loop.policy import Judged, Policy
from agent_tui.loop.record import Recorder
from agent_tui.loop.workplace import Workplace
from agent_tui.permissions.policy import Allowed, Decision, Denied, MustAsk
from agent_tui.protocol.access import AskUser, ReadPath, RunCommand, WritePath
from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.decisions import DecisionNote, short
from agent_tui.protocol.display import (
    CommandDisplay,
    DiffDisplay,
    Display,
    FileDisplay,
    PlanDisplay,
    QuestionDisplay,
    SearchDisplay,
    TextDisplay,
)
from agent_tui.protocol.hooks import NOTHING, HookOutcome
from agent_tui.protocol.requests import (
    Allow,
    Deny,
    HookDecision,
    PermissionAnswer,
    PermissionRequest,
    PermissionUpdate,
)
from agent_tui.protocol.updates import update_to_json
from agent_tui.tools.base import AnyTool, InvalidInputError, ToolCall, read_answer

DENIED_BY_PERSON = (
    "The person declined this call, so it was not run. Stop and wait: they will say how to go on."
)
DENIED_BY_HOOK = "A hook denied this call"
RETRY = "A hook lets you make this call once more, should it be needed."
ASKED_BY_HOOK = "A hook wants this call to be asked."

Apply: TypeAlias = Callable[[tuple[PermissionUpdate, ...]], Awaitable[None]]
"""Takes over the changes that go with an answer."""


@dataclass(frozen=True, slots=True)
class Granted:
    """The call may run, with this input; ``note`` is told to the model with its result."""

    args: Any
    given: JsonObject
    note: str = ""
    decision: DecisionNote | None = None


@dataclass(frozen=True, slots=True)
class Refused:
    """The call may not run. ``denial``: it is counted as one; ``interrupt``: the run ends too."""

    text: str
    denial: bool = True
    interrupt: bool = False
    decision: DecisionNote | None = None


@dataclass(frozen=True, slots=True)
class Asked:
    """One call that is judged: its tool, its input as it would run, and its surroundings."""

    tool: AnyTool
    args: Any
    given: JsonObject
    call: ToolCall


@dataclass(frozen=True, slots=True)
class _Anew:
    """A call as it was changed by the answer, which may have to be asked about; ``granted`` where not."""

    asked: Asked
    judged: Judged
    question: MustAsk
    granted: Granted


class Permission:
    """Decides calls one at a time."""

    def __init__(
        self,
        record: Recorder,
        policy: Policy,
        approver: Approver,
        hooks: Hooks,
        place: Workplace,
        apply: Apply | None = None,
        auto: AutoMode | None = None,
    ) -> None:
        self._record = record
        self._policy = policy
        self._approver = approver
        self._hooks = hooks
        self._place = place
        self._apply = apply
        self._auto = auto

    async def decide(self, asked: Asked, hook: HookOutcome) -> Granted | Refused:
        """Judge a call and perhaps ask; ``hook`` is what PreToolUse hooks said of it. Who decided is written."""
        answer = await self._decide(asked, hook)
        if answer.decision is not None:
            self._record.decided(answer.decision)
        return answer

    async def _decide(self, asked: Asked, hook: HookOutcome) -> Granted | Refused:
        access = self._place.access(asked.tool, asked.args)
        judged = Judged(
            access,
            asked.tool.name,
            asked.given,
            _decision(hook),
            asked.tool.read_only,
            self._place.mode,
        )
        note = DecisionNote(
            asked.call.id, mode=self._policy.mode_of(judged), agent_id=self._place.agent_id or ""
        )
        verdict, looked = await self._judge(judged)
        match verdict:
            case Allowed() as allowed:
                self._policy.used(judged)
                decision = settled_note(note, allowed, hook)
                return Granted(asked.args, asked.given, decision=decision)
            case Denied() as denied:
                return await self._refuse(asked, denied, settled_note(note, denied, hook))
            case MustAsk() as question:
                if isinstance(access, AskUser) and _answered(hook, question):
                    decision = settled_note(note, Allowed("hook"), hook)
                    return Granted(asked.args, asked.given, decision=decision)
                if looked is not None and looked.allows:
                    note = asked_note(note, question, hook)
                    decision = replace(note, by="classifier", reason=short(looked.text))
                    return Granted(asked.args, asked.given, decision=decision)
                shown = not_allowed(question, looked)
                note = asked_note(note, shown, hook)
                return await self._ask(asked, judged, question, note, looked=looked)

    async def _judge(self, judged: Judged) -> tuple[Decision, Looked | None]:
        """Judge a call; with it goes what auto mode says of it, where that is the mode and the policy wants a question.

        Looking takes a while. When rules or mode have changed meanwhile, what it came to counts for nothing.
        """
        verdict, mode = self._policy.judge(judged), self._policy.mode_of(judged)
        if self._auto is None or not isinstance(verdict, MustAsk):
            return verdict, None
        helper = self._place.agent_id is not None
        looked = await self._auto.look(judged, verdict, self._record, sub_agent=helper)
        again = self._policy.judge(judged)
        same = again == verdict and self._policy.mode_of(judged) == mode
        return again, looked if same else None

    async def _refuse(self, asked: Asked, denied: Denied, decision: DecisionNote) -> Refused:
        """Refuse what rules, the mode or a hook forbid.

        As documented, neither a hook's refusal is announced, nor that of a file tool by a rule for paths.
        """
        if denied.by == "hook":
            return Refused(f"{DENIED_BY_HOOK}: {denied.message}", decision=decision)
        access = self._place.access(asked.tool, asked.args)
        scoped = denied.rule is not None and denied.rule.content is not None
        if scoped and isinstance(access, ReadPath | WritePath):
            return Refused(denied.message, decision=decision)
        why = str(denied.rule) if denied.rule else denied.message
        await self._tell(asked, denied.message, denied.by, why)
        return Refused(denied.message, decision=decision)

    async def _tell(self, asked: Asked, message: str, by: str, why: str) -> None:
        """Say that a call was denied without anybody being asked."""
        await self._record.system(
            "permission_denied",
            tool_name=asked.tool.name,
            tool_use_id=asked.call.id,
            message=message,
            decision_reason=why,
            decision_reason_type=by,
        )

    async def _ask(
        self,
        asked: Asked,
        judged: Judged,
        question: MustAsk,
        note: DecisionNote,
        times: int = 1,
        looked: Looked | None = None,
    ) -> Granted | Refused:
        hook = await self._hooks.fire(
            "PermissionRequest",
            {
                "tool_name": asked.tool.name,
                "tool_input": asked.given,
                "permission_suggestions": [
                    update_to_json(update) for update in self._policy.proposed(question.suggestions)
                ],
            },
            match=asked.tool.name,
        )
        if hook.answer is None:
            try:
                display = await asked.tool.proposal(asked.args, asked.call)
            except InvalidInputError as error:  # there is nothing to ask
                return Refused(str(error), denial=False)
            shown = not_allowed(question, looked)
            answer, settled = await self._of_approver(asked, judged, shown, display)
            if settled is not None:
                note = settled_note(note, settled, hook)
            else:
                note = answered_note(note, answer, who(self._approver))
            if isinstance(answer, Deny) and isinstance(self._approver, DenyAll):
                why = shown.reason
                if looked is not None:
                    answer, why = await self._may_retry(asked, answer, looked), looked.text
                await self._tell(asked, answer.message, shown.decided_by, why)
        else:
            note = replace(answered_note(note, hook.answer, "hook"), hook=hook.source)
            answer = await self._of_hook(hook.answer)
        if isinstance(answer, Deny):
            text = answer.message or DENIED_BY_PERSON
            return Refused(text, interrupt=answer.interrupt, decision=note)
        changed = self._allowed(asked, judged, answer, note)
        if not isinstance(changed, _Anew):
            return changed
        if not asks_anew(question, changed.question):
            return changed.granted
        if times == MAX_ROUNDS:
            return Refused(CHANGED_TOO_OFTEN, denial=False)
        note = asked_note(note, changed.question, NOTHING)
        again = await self._ask(changed.asked, changed.judged, changed.question, note, times + 1)
        if isinstance(again, Refused) or again.decision is None:
            return again
        decision = replace(again.decision, edited=True)
        return replace(again, note=both_notes(answer.note, again.note), decision=decision)

    async def _may_retry(self, asked: Asked, answer: Deny, looked: Looked) -> Deny:
        """Tell hooks that nobody could be asked about what auto mode did not allow; one may let the model try again."""
        fields: JsonObject = {
            "tool_name": asked.tool.name,
            "tool_input": asked.given,
            "tool_use_id": asked.call.id,
            "reason": looked.text,
        }
        outcome = await self._hooks.fire("PermissionDenied", fields, match=asked.tool.name)
        return replace(answer, message=f"{answer.message} {RETRY}") if outcome.retry else answer

    async def _of_hook(self, answer: PermissionAnswer) -> PermissionAnswer:
        """Take a hook's answer in the person's stead."""
        if isinstance(answer, Deny):
            what = f": {answer.message}" if answer.message else "."
            return replace(answer, message=f"{DENIED_BY_HOOK}{what}")
        if answer.updated_permissions:
            if self._apply is None:
                self._policy.update(answer.updated_permissions)
            else:
                await self._apply(answer.updated_permissions)
        return answer

    async def _of_approver(
        self, asked: Asked, judged: Judged, question: MustAsk, display: Display
    ) -> tuple[PermissionAnswer, Allowed | Denied | None]:
        """Ask; with the answer goes what settled the question by itself, None where it was answered."""
        request = PermissionRequest(
            id=self._record.stamp.new_id(),
            tool_name=asked.tool.name,
            tool_use_id=asked.call.id,
            input=asked.given,
            display=display,
            title=_title(asked.tool.name, asked.tool.preview(asked.args, self._place.cwd)),
            reason=question.reason,
            decided_by=question.decided_by,
            rule=question.rule,
            rule_source=question.rule_source,
            cwd=judged.access.cwd
            if isinstance(judged.access, RunCommand)
            else str(self._place.cwd),
            parts=question.parts,
            danger=question.danger,
            suggestions=self._proposed(question, display),
            blocked_path=question.blocked_path,
            agent=self._place.agent,
            default_to_no=question.default_to_no,
            agent_id=self._place.agent_id,
        )
        self._policy.asked(request.id, judged)
        try:
            answer = await self._approver.decide(request)
        finally:
            settled = self._policy.closed(request.id)
        return answer, settled

    def _proposed(self, question: MustAsk, display: Display) -> tuple[PermissionUpdate, ...]:
        """Give what "always" would store; a plan may be carried out in auto where that is offered."""
        if isinstance(display, PlanDisplay) and self._auto is not None and self._auto.offered:
            return (SWITCH,)
        return self._policy.proposed(question.suggestions)

    def _allowed(
        self, asked: Asked, judged: Judged, answer: Allow, note: DecisionNote
    ) -> Granted | Refused | _Anew:
        """Take an allow; changed input is judged again."""
        if answer.updated_input is None or answer.updated_input == asked.given:
            note = replace(note, edited=False)
            return Granted(asked.args, asked.given, answer.note, note)
        try:
            args = read_answer(asked.tool, answer.updated_input)
        except InvalidInputError as error:
            return Refused(f"The changed input can't be used: {error}", denial=False)
        access = self._place.access(asked.tool, args)
        given = answer.updated_input
        rejudged = replace(judged, access=access, tool_input=given)
        verdict = self._policy.judge(rejudged)
        if isinstance(verdict, Denied):
            return Refused(verdict.message, decision=settled_note(note, verdict, NOTHING))
        granted = Granted(args, given, answer.note, note)
        if isinstance(verdict, MustAsk):
            changed = replace(asked, args=args, given=given)
            return _Anew(changed, rejudged, verdict, granted)
        return granted


def _decision(hook: HookOutcome) -> HookDecision:
    """Give what hooks said as the policy takes it. A call that could not be put off by now is asked."""
    behavior, reason = hook.behavior, hook.reason
    if behavior in ("ask", "defer"):
        source = f"[{hook.source}] " if hook.source else ""
        return HookDecision("ask", f"{source}{reason or ASKED_BY_HOOK}")
    return HookDecision(behavior, reason)


def _answered(hook: HookOutcome, question: MustAsk) -> bool:
    """Tell whether a hook has answered the model's question to the person: an allow with the answers in the input."""
    return (
        question.decided_by == "other"
        and hook.behavior == "allow"
        and hook.updated_input is not None
    )


def _title(tool_name: str, preview: Display) -> str:
    match preview:
        case CommandDisplay():
            return "Run this command?"
        case DiffDisplay(path=what) | FileDisplay(path=what) | SearchDisplay(pattern=what):
            return f"{tool_name} {what}?"
        case QuestionDisplay(questions=(first, *_)):
            return first.question
        case PlanDisplay():
            return "Carry out this plan?"
        case TextDisplay(title=what) if what:
            return f"{tool_name} {what}?"
        case _:
            return f"Run {tool_name}?"
