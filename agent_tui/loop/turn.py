"""The loop: model, tools, again, until the model calls no tool, a limit is reached or it is interrupted.

``run`` is one prompt from its request to its result. Each stop reason has one destination (reference/loop.md
section 6); what happens there is a method of its own.
"""

from __future__ import annotations

import enum
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

import anyio

from agent_tui.journal.fold import Conversation, OpenCall
from agent_tui.loop.answer import Answer, CallSeen, Preview
from agent_tui.loop.compact import Compactor
from agent_tui.loop.hooks import Hooks
from agent_tui.loop.limits import Limit, LimitReached
from agent_tui.loop.record import Recorder
from agent_tui.loop.requests import SessionRequests
from agent_tui.loop.tool_call import BROKEN, CUT, STOPPED_BEFORE, Batch
from agent_tui.model.client import ModelClient, ModelResponse
from agent_tui.protocol.content import JsonObject, ToolUseBlock
from agent_tui.protocol.errors import ModelError
from agent_tui.protocol.messages import ResultMessage, ResultSubtype
from agent_tui.protocol.ops import Prompt
from agent_tui.protocol.usage import Usage

MAX_CONTINUATIONS = 3
"""How often in a row an answer that was cut is asked to go on."""

MAX_PAUSES = 20
"""How often a run goes on after a pause that the server asked for."""

CLEAN_UP_SECONDS = 2.0
"""How long an interrupted run may take to leave a valid history."""

GO_ON = (
    "Your answer was cut off by the output limit. Go on exactly where it stopped, without repeating "
    "what you have said; put large content into several smaller steps."
)
EMPTY = "Your answer was empty. Answer the last message, or say that you are done."
BROKE_OFF = "Your answer broke off because the connection failed. Go on where it stopped."


class Destination(enum.Enum):
    """Where a response leads."""

    TOOLS = "tools"
    DONE = "done"
    GO_ON = "go on"
    TRUNCATED = "truncated"
    OVERFLOW = "overflow"
    REFUSED = "refused"
    EMPTY = "empty"
    BROKEN = "broken"
    UNKNOWN = "unknown"


_BY_STOP_REASON = {
    "end_turn": Destination.DONE,
    "stop_sequence": Destination.DONE,
    "tool_use": Destination.TOOLS,
    "pause_turn": Destination.GO_ON,
    "max_tokens": Destination.TRUNCATED,
    "model_context_window_exceeded": Destination.OVERFLOW,
    "refusal": Destination.REFUSED,
}


def destination(response: ModelResponse, calls: int) -> Destination:
    """Say where a response with this many tool calls leads."""
    if response.cut is not None:
        return Destination.TOOLS if calls else Destination.BROKEN
    known = _BY_STOP_REASON.get(response.stop_reason or "end_turn", Destination.UNKNOWN)
    if known not in (Destination.DONE, Destination.TOOLS, Destination.GO_ON):
        return known
    if calls:
        return Destination.TOOLS  # some servers call it end_turn all the same
    if not response.blocks:
        return Destination.EMPTY
    return Destination.DONE if known is Destination.TOOLS else known


@dataclass(frozen=True, slots=True)
class Deps:
    """What a run needs. ``steering`` gives prompts to be joined after the tools of a turn.

    ``renew_context`` puts environment and memory files into a window that lost them to a compaction.
    """

    client: ModelClient
    requests: SessionRequests
    batch: Callable[[], Batch]
    preview: Preview
    hooks: Hooks
    limits: tuple[Limit, ...]
    record: Recorder
    compactor: Compactor
    phase: Callable[[str], Awaitable[None]]
    steering: Callable[[], Awaitable[list[Prompt]]]
    renew_context: Callable[[], Awaitable[None]]
    partial: bool


@dataclass(slots=True)
class _Progress:
    """Counters of one run."""

    prompt_uuid: str
    started: float
    responses: int = 0
    tool_turns: int = 0
    continuations: int = 0
    pauses: int = 0
    api_ms: int = 0
    usage: Usage = field(default_factory=Usage)
    cost_before: float | None = 0.0
    stop_reason: str | None = None
    text: str = ""
    recovered: bool = False
    stop_blocked: bool = False
    denials: list[JsonObject] = field(default_factory=list[JsonObject])


class Run:
    """One prompt until its result."""

    def __init__(self, deps: Deps, prompt_uuid: str) -> None:
        self._deps = deps
        self._record = deps.record
        self._at = _Progress(
            prompt_uuid, anyio.current_time(), cost_before=deps.record.conversation.total_cost_usd
        )
        self._streaming = False

    async def run(self) -> ResultMessage:
        """Loop to the end; the prompt is in the conversation already.

        When cancelled, the history is left valid, the result is said, and the cancellation goes on.
        """
        try:
            return await self._loop()
        except anyio.get_cancelled_exc_class():
            with anyio.move_on_after(CLEAN_UP_SECONDS, shield=True):
                await self._interrupted()
            raise

    async def _loop(self) -> ResultMessage:
        reached = self._spent_already()
        while reached is None:
            await self._deps.compactor.if_needed()
            await self._deps.renew_context()
            try:
                response, answer = await self._ask()
            except ModelError as error:
                if not await self._recover(error):
                    return await self._failed(error)
                continue
            reached = self._limit_after_response()
            if reached is not None:
                await self._deps.batch().refuse(answer.calls, f"Not run: {reached.text}.")
                break
            result = await self._follow(response, answer)
            if result is not None:
                return result
            reached = self._limit_after_tools(bool(answer.calls))
        return await self._limited(reached)

    # Asking ---------------------------------------------------------------------------------------------------------

    async def _ask(self) -> tuple[ModelResponse, Answer]:
        await self._deps.phase("requesting")
        request = self._deps.requests.main(self._record.conversation)
        answer = Answer(self._record, request, self._deps.preview, partial=self._deps.partial)
        self._streaming = True
        response = await answer.ask(self._deps.client)
        self._streaming = False
        self._record.response(
            response, self._deps.requests.price(request.model, response.usage), request.model
        )
        at = self._at
        at.responses += 1
        at.api_ms += response.duration_ms
        at.usage += response.usage
        at.stop_reason = response.stop_reason
        at.text = answer.text
        return response, answer

    async def _recover(self, error: ModelError) -> bool:
        """Compact once when the request did not fit; tell whether to try again."""
        if not error.prompt_too_long or self._at.recovered:
            return False
        self._at.recovered = True
        return await self._deps.compactor.compact("auto", refused=True)

    # Following a response -------------------------------------------------------------------------------------------

    async def _follow(self, response: ModelResponse, answer: Answer) -> ResultMessage | None:
        """Do what the response leads to; a result ends the run."""
        where = destination(response, len(answer.calls))
        if where in (Destination.TOOLS, Destination.DONE, Destination.GO_ON):
            self._at.continuations = 0
        match where:
            case Destination.TOOLS:
                return await self._tools(response, answer)
            case Destination.DONE:
                return await self._stop()
            case Destination.GO_ON:
                return await self._paused()
            case Destination.TRUNCATED:
                return await self._truncated(answer)
            case Destination.OVERFLOW:
                return await self._overflow(answer)
            case Destination.REFUSED:
                return await self._refused(response, answer)
            case Destination.EMPTY:
                return await self._nudge(EMPTY, "The model gave an empty answer.", limit=1)
            case Destination.BROKEN:
                return await self._nudge(BROKE_OFF, response.cut or "The answer broke off.")
            case Destination.UNKNOWN:
                await self._deps.batch().refuse(answer.calls, BROKEN)
                return await self._cut_short(
                    f"The model stopped for a reason this version does not know "
                    f"({response.stop_reason}); its answer may be incomplete. Say 'go on' to continue."
                )

    async def _paused(self) -> ResultMessage | None:
        """The server's own tools need another request; a server that says so for ever is not believed."""
        self._at.pauses += 1
        if self._at.pauses <= MAX_PAUSES:
            return None
        return await self._cut_short(
            f"The server paused the answer {MAX_PAUSES} times. Say 'go on' to continue."
        )

    async def _tools(self, response: ModelResponse, answer: Answer) -> ResultMessage | None:
        if response.cut is not None:
            await self._record.notice(
                f"The answer broke off ({response.cut}); what was complete is used.", "warning"
            )
        self._at.tool_turns += 1
        if not await self._run_calls(answer.calls):
            return await self._declined()
        for prompt in await self._deps.steering():
            await self._record.prompt(prompt.text, prompt.uuid, steers=True)
        return None

    async def _run_calls(self, calls: tuple[CallSeen, ...]) -> bool:
        """Run calls; tell whether to go on: an answer to a question may have ended the run."""
        await self._deps.phase("tools")
        outcome = await self._deps.batch().run(calls)
        self._at.denials.extend(outcome.denials)
        return not outcome.interrupt

    async def _declined(self) -> ResultMessage:
        await self._record.interrupted("tools")
        return await self._result(
            "error_during_execution",
            terminal="aborted_tools",
            errors=("The person declined a call and stopped the run.",),
        )

    async def _truncated(self, answer: Answer) -> ResultMessage | None:
        """The output limit cut the answer: its last call, if it ends with one, is not run."""
        limit = "The answer was cut off by the output limit."
        if not answer.calls:
            return await self._nudge(GO_ON, limit)
        whole, last = answer.calls[:-1], answer.calls[-1]
        if not answer.ends_with_call:
            whole, last = answer.calls, None
        self._at.tool_turns += 1
        goes_on = await self._run_calls(whole) if whole else True
        await self._deps.batch().refuse(_some(last), CUT)
        if not goes_on:
            return await self._declined()
        self._at.continuations += 1
        if self._at.continuations >= MAX_CONTINUATIONS:
            return await self._cut_short(
                f"{limit} It happened {MAX_CONTINUATIONS} times in a row; "
                "ask for the work in smaller parts."
            )
        await self._record.notice(f"{limit} The call in it was not run; asking again.", "warning")
        return None

    async def _overflow(self, answer: Answer) -> ResultMessage | None:
        """The window is full: what was said stays, calls are not run, older history is summarised."""
        await self._deps.batch().refuse(answer.calls, CUT)
        if not self._at.recovered:
            self._at.recovered = True
            if await self._deps.compactor.compact("auto", refused=True):
                return await self._nudge(GO_ON, "The context window was full; it was compacted.")
        return await self._cut_short(
            "The answer was cut off because the context window is full. "
            "Use /compact to summarise, or /clear to begin anew."
        )

    async def _refused(self, response: ModelResponse, answer: Answer) -> ResultMessage:
        """The model declined. The refused exchange leaves the conversation, so that the next prompt works."""
        await self._deps.batch().refuse(answer.calls, BROKEN)
        details = response.stop_details or {}
        why = str(details.get("explanation") or "").strip()
        category = str(details.get("category") or "").strip()
        text = "The model refused to go on with this." + (f" It says: {why}" if why else "")
        if category:
            text += f" (category: {category})"
        await self._record.notice(text, "warning", stop_details=details)
        await self._record.retract(response.message_id, "refusal")
        self._record.withdraw_prompt(self._at.prompt_uuid)
        return await self._result("success", is_error=True, text=text)

    async def _nudge(
        self, text: str, notice: str, *, limit: int = MAX_CONTINUATIONS
    ) -> ResultMessage | None:
        """Ask the model to go on, a few times in a row at most."""
        self._at.continuations += 1
        if self._at.continuations > limit:
            if text is EMPTY:
                return await self._result("success", text=self._at.text)
            return await self._cut_short(f"{notice} Say 'go on' to continue.")
        await self._record.notice(f"{notice} Asking the model to go on.", "warning")
        await self._record.nudge(text)
        return None

    async def _stop(self) -> ResultMessage | None:
        outcome = await self._deps.hooks.fire(
            "Stop",
            {
                "stop_hook_active": self._at.stop_blocked,
                "last_assistant_message": self._at.text,
            },
        )
        if outcome.blocked is None:
            return await self._result("success", text=self._at.text)
        self._at.stop_blocked = True
        await self._record.nudge(outcome.blocked)
        return None

    # Limits ---------------------------------------------------------------------------------------------------------

    def _spent_already(self) -> LimitReached | None:
        return self._limit_after_response()

    def _limit_after_response(self) -> LimitReached | None:
        spent = spent_usd(self._record.conversation)
        reached = (limit.after_response(self._at.tool_turns, spent) for limit in self._deps.limits)
        return next((limit for limit in reached if limit is not None), None)

    def _limit_after_tools(self, had_tools: bool) -> LimitReached | None:
        if not had_tools:
            return None
        reached = (limit.after_tools(self._at.tool_turns) for limit in self._deps.limits)
        return next((limit for limit in reached if limit is not None), None)

    async def _limited(self, reached: LimitReached) -> ResultMessage:
        return await self._result(
            reached.subtype, terminal=reached.terminal_reason, errors=(reached.text,)
        )

    # Results --------------------------------------------------------------------------------------------------------

    async def _failed(self, error: ModelError) -> ResultMessage:
        """The API failed for good: say so as an answer would be said, and end."""
        await self._record.api_error(str(error), error.kind)
        self._at.stop_reason = "stop_sequence"
        self._at.responses += 1
        return await self._result(
            "success",
            is_error=True,
            text=str(error),
            terminal="prompt_too_long" if error.prompt_too_long else "api_error",
            status=error.status,
        )

    async def _cut_short(self, text: str) -> ResultMessage:
        await self._record.notice(text, "warning")
        return await self._result("error_during_execution", terminal="model_error", errors=(text,))

    async def _interrupted(self) -> None:
        during = "tools"
        if self._streaming:
            during = "streaming"
            self._at.stop_reason = None
        waiting = self._record.conversation.open_tool_uses
        await self._deps.batch().refuse(map(_seen, waiting), STOPPED_BEFORE)
        await self._record.interrupted(during)
        await self._result(
            "error_during_execution",
            terminal=f"aborted_{during}",
            errors=("The person interrupted the run.",),
        )

    async def _result(
        self,
        subtype: ResultSubtype,
        *,
        text: str | None = None,
        is_error: bool | None = None,
        terminal: str = "completed",
        errors: tuple[str, ...] | None = None,
        status: int | None = None,
    ) -> ResultMessage:
        at, conversation = self._at, self._record.conversation
        total, before = conversation.total_cost_usd, at.cost_before
        result = ResultMessage(
            subtype=subtype,
            duration_ms=round((anyio.current_time() - at.started) * 1000),
            duration_api_ms=at.api_ms,
            is_error=subtype != "success" if is_error is None else is_error,
            num_turns=at.responses,
            session_id=self._record.session_id,
            stop_reason=at.stop_reason,
            total_cost_usd=total,
            usage=at.usage.to_api(),
            result=text if subtype == "success" else None,
            model_usage={name: used.to_json() for name, used in conversation.model_usage.items()},
            permission_denials=tuple(at.denials),
            errors=errors,
            api_error_status=status,
            terminal_reason=terminal,
            user_message_uuid=at.prompt_uuid,
            cost_usd=None if total is None or before is None else total - before,
        )
        return await self._record.result(result)


def spent_usd(conversation: Conversation) -> float:
    """Add up what is known to have been spent; responses of unknown price count as nothing."""
    return sum(used.cost_usd or 0.0 for used in conversation.model_usage.values())


def _seen(call: OpenCall) -> CallSeen:
    return CallSeen(
        ToolUseBlock(call.raw_id, call.name, call.input), call.unparsed, call.assistant_uuid
    )


def _some(call: CallSeen | None) -> tuple[CallSeen, ...]:
    return () if call is None else (call,)
