"""The loop: model, tools, again, until the model calls no tool, a limit is reached or it is interrupted.

``run`` is one prompt from its request to its result. What can happen on the way has parts of its own beside: answers
that are not whole (``unfinished``), calls that keep failing (``calls``), limits, stop hooks (``stopping``), an answer
that must fit a schema (``structured``), another model when one is overloaded (``fallback``).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Literal

import anyio

from agent_tui.loop.answer import Answer, CallSeen, Preview
from agent_tui.loop.asking import Asker, NobodyThere
from agent_tui.loop.calls import Calls
from agent_tui.loop.compact import Compactor
from agent_tui.loop.destinations import Destination, destination
from agent_tui.loop.fallback import falls_back
from agent_tui.loop.hooks import Hooks
from agent_tui.loop.limits import Limit, LimitReached
from agent_tui.loop.progress import Ending, Progress, failed
from agent_tui.loop.put_off import waiting
from agent_tui.loop.record import Recorder
from agent_tui.loop.requests import SessionRequests
from agent_tui.loop.stopping import Stopping
from agent_tui.loop.structured import NUDGE, STRUCTURED_OUTPUT, StructuredOutput
from agent_tui.loop.tool_call import BROKEN, STOPPED_BEFORE, Batch
from agent_tui.loop.unfinished import Unfinished
from agent_tui.model.client import ModelClient, ModelResponse
from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.errors import ModelError
from agent_tui.protocol.messages import ResultMessage
from agent_tui.protocol.ops import Prompt

CLEAN_UP_SECONDS = 2.0
"""How long an interrupted run may take to leave a valid history."""

TakeIn = Callable[[Prompt], Awaitable[None]]
"""Puts a prompt that joins a run into the conversation."""


@dataclass(frozen=True, slots=True)
class Deps:
    """What a run needs. ``steering`` gives prompts to be joined after the tools of a turn.

    ``renew_context`` puts environment and memory files into a window that lost them to a compaction. ``asker`` reaches
    the person. ``structured`` is the tool whose input must be the answer, where one is wanted.
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
    asker: Asker = field(default_factory=NobodyThere)
    structured: StructuredOutput | None = None


class Run:
    """One prompt until its result.

    Args:
        deps: what it needs.
        prompt_uuid: names the prompt, which is in the conversation already.
        origin: who spoke it, where it was not the person.
        take_in: puts prompts that join into the conversation; None writes them as they are.
    """

    def __init__(
        self,
        deps: Deps,
        prompt_uuid: str,
        *,
        origin: JsonObject | None = None,
        take_in: TakeIn | None = None,
    ) -> None:
        self._deps = deps
        self._record = deps.record
        self._take_in = take_in or self._write_prompt
        self._at = Progress(prompt_uuid, deps.record.conversation.total_cost_usd, origin)
        self._calls = Calls(deps.record, deps.batch, deps.asker, deps.phase)
        self._unfinished = Unfinished(deps.record, self._calls, deps.compactor)
        self._stopping = Stopping(deps.hooks, deps.record)
        self._streaming: Answer | None = None

    async def run(self) -> ResultMessage:
        """Loop to the end.

        When cancelled, the history is left valid, the result is said, and the cancellation goes on.
        """
        try:
            return await self._end(await self._loop())
        except anyio.get_cancelled_exc_class():
            with anyio.move_on_after(CLEAN_UP_SECONDS, shield=True):
                await self._interrupted()
            raise

    async def _loop(self) -> Ending:
        deps = self._deps
        deps.requests.begin_prompt()
        if deps.structured is not None:
            deps.structured.begin()
        while True:
            if (reached := await self._limit()) is not None:
                return reached
            for call in waiting(self._record.conversation):
                if (ending := await self._decide(call)) is not None:
                    return ending
            await deps.compactor.if_needed()
            await deps.renew_context()
            try:
                response, answer = await self._ask()
            except ModelError as error:
                if await self._unfinished.recover(error):
                    continue
                return await self._failed(error)
            if (reached := await self._limit(answer.calls)) is not None:
                return reached
            ending = await self._follow(response, answer)
            if ending is None and answer.calls:
                ending = await self._after_tools(answer.calls)
            if ending is not None:
                return ending

    # Asking ---------------------------------------------------------------------------------------------------------

    async def _ask(self) -> tuple[ModelResponse, Answer]:
        deps, record = self._deps, self._record
        while True:
            await deps.phase("requesting")
            if deps.partial:
                await record.system("status", status="requesting")
            request = deps.requests.main(record.conversation)
            answer = Answer(record, request, deps.preview, partial=deps.partial)
            self._streaming = answer
            try:
                response = await answer.ask(deps.client)
            except ModelError as error:
                self._streaming = None
                if await falls_back(error, deps.requests, record):
                    continue
                raise
            self._streaming = None
            price = deps.requests.price(request.model, response.usage)
            record.response(response, price, request.model)
            self._at.responded(response, answer.text)
            return response, answer

    # Following a response -------------------------------------------------------------------------------------------

    async def _follow(self, response: ModelResponse, answer: Answer) -> Ending | None:
        """Do what the response leads to; None when the model is to be asked again."""
        where = destination(response, len(answer.calls))
        if where in (Destination.TOOLS, Destination.DONE, Destination.GO_ON):
            self._unfinished.finished()
        match where:
            case Destination.TOOLS:
                return await self._tools(response, answer)
            case Destination.DONE:
                return await self._done()
            case Destination.GO_ON:
                return self._unfinished.paused()
            case Destination.TRUNCATED:
                return await self._unfinished.truncated(answer)
            case Destination.OVERFLOW:
                return await self._unfinished.overflow(answer)
            case Destination.REFUSED:
                return await self._refused(response, answer)
            case Destination.EMPTY:
                return None if await self._unfinished.empty() else await self._done()
            case Destination.BROKEN:
                return await self._unfinished.broken(response)
            case Destination.UNKNOWN:
                await self._calls.refuse(answer.calls, BROKEN)
                return failed(
                    f"The model stopped for a reason this version does not know "
                    f"({response.stop_reason}); its answer may be incomplete. Say 'go on' to continue."
                )

    async def _tools(self, response: ModelResponse, answer: Answer) -> Ending | None:
        if response.cut is not None:
            await self._record.notice(
                f"The answer broke off ({response.cut}); what was complete is used.", "warning"
            )
        return await self._calls.run(answer.calls)

    async def _decide(self, call: CallSeen) -> Ending | None:
        """Have a call decided that a hook put off when a run ended."""
        return await self._calls.decide(call) or await self._answered((call,))

    async def _done(self) -> Ending | None:
        """The model calls no tool: it is done, unless an answer of another form is wanted, or a hook has more to do."""
        structured = self._deps.structured
        if structured is None:
            return await self._stopping.stop(Ending(text=self._at.text))
        ending = structured.missed()
        if ending is None:
            await self._record.nudge(NUDGE)
        return ending

    async def _refused(self, response: ModelResponse, answer: Answer) -> Ending:
        """The model declined. The refused exchange leaves the conversation, so that the next prompt works."""
        await self._calls.refuse(answer.calls, BROKEN)
        details = response.stop_details or {}
        why = str(details.get("explanation") or "").strip()
        category = str(details.get("category") or "").strip()
        text = "The model refused to go on with this." + (f" It says: {why}" if why else "")
        if category:
            text += f" (category: {category})"
        await self._record.notice(text, "warning", stop_details=details)
        await self._record.retract(response.message_id, "refusal")
        self._record.withdraw_prompt(self._at.prompt_uuid)
        return Ending(text=text, is_error=True)

    # Between two requests -------------------------------------------------------------------------------------------

    async def _after_tools(self, calls: tuple[CallSeen, ...]) -> Ending | None:
        """Count the turn; what was sent meanwhile joins it, unless it was the last: then it waits for its own."""
        ending = await self._answered(calls)
        if ending is not None:
            return ending
        self._at.tool_turns += 1
        for limit in self._deps.limits:
            reached = limit.after_tools(self._at.tool_turns)
            if reached is not None:
                return _limited(reached)
        for prompt in await self._deps.steering():
            self._record.serve_too(prompt.uuid)
            await self._take_in(prompt)
        return None

    async def _answered(self, calls: tuple[CallSeen, ...]) -> Ending | None:
        """Say whether one of the calls was the answer in the form that is wanted."""
        structured = self._deps.structured
        tries = [call for call in calls if call.block.name == STRUCTURED_OUTPUT]
        if len(tries) < len(calls):
            self._stopping.worked()
        if structured is None or not tries:
            return None
        if not structured.answered:
            return structured.missed()
        structured.answered = False  # should a hook want another one
        return await self._stopping.stop(structured.ending())

    async def _write_prompt(self, prompt: Prompt) -> None:
        content = prompt.text if prompt.content is None else list(prompt.content)
        await self._record.prompt(content, prompt.uuid, steers=True, origin=prompt.origin)

    async def _limit(self, calls: tuple[CallSeen, ...] = ()) -> Ending | None:
        """Say whether a limit ends the run before the next request, or before these calls are run."""
        for limit in self._deps.limits:
            reached = limit.before_going_on()
            if reached is None:
                continue
            if self._deps.asker.there:
                await self._deps.phase("asking")
                if await limit.extended(self._deps.asker):
                    continue
            limit.holds()
            await self._calls.refuse_at_the_end(calls, f"Not run: {reached.text}.")
            return _limited(reached)
        return None

    # Ends -----------------------------------------------------------------------------------------------------------

    async def _failed(self, error: ModelError) -> Ending:
        """The API failed for good: say so as an answer would be said, and end."""
        text = str(error)
        await self._record.api_error(text, error.kind)
        said, self._at.stop_reason = self._at.text, "stop_sequence"
        self._at.responses += 1
        fields: JsonObject = {
            "error": error.kind,
            "error_details": text,
            "last_assistant_message": said,
        }
        await self._deps.hooks.fire("StopFailure", fields, match=error.kind)
        terminal = "prompt_too_long" if error.prompt_too_long else "api_error"
        return Ending(text=text, terminal=terminal, is_error=True, status=error.status)

    async def _interrupted(self) -> None:
        record, streaming = self._record, self._streaming
        unanswered = record.conversation.open_tool_uses
        in_tools = streaming is None and (self._calls.running or bool(unanswered))
        during: Literal["streaming", "tools"] = "tools" if in_tools else "streaming"
        if streaming is not None:
            self._at.stop_reason = None
            self._pay(streaming)
        await self._calls.refuse(map(CallSeen.of, unanswered), STOPPED_BEFORE)
        await record.interrupted(during)
        if streaming is not None:
            await streaming.end_stream()
        await self._end(failed("The person interrupted the run.", f"aborted_{during}"))

    def _pay(self, answer: Answer) -> None:
        """Count what an interrupted response had used by then."""
        response = answer.so_far()
        if response is not None:
            price = self._deps.requests.price(answer.asked_model, response.usage)
            self._record.response(response, price, answer.asked_model, "other")

    async def _end(self, ending: Ending) -> ResultMessage:
        if ending.terminal == "model_error" and ending.errors:
            await self._record.notice(ending.errors[0], "warning")
        record = self._record
        result = self._at.result(
            ending, record.conversation, tuple(self._calls.denials), record.serving
        )
        return await record.result(result)


def _limited(reached: LimitReached) -> Ending:
    return Ending(reached.subtype, terminal=reached.terminal_reason, errors=(reached.text,))
