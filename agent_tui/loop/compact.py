"""Compaction: ask for a summary, cut the window there, go on. By hand, near the window's end, or when refused.

It never loops: a compaction makes at most three requests, one that failed is not tried again by itself before the
person's next prompt, and a window that cutting does not help is told to the person once instead of being cut again.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace

import anyio

from agent_tui.context.compaction import (
    MAX_ATTEMPTS,
    Trigger,
    boundary_entries,
    read_summary,
)
from agent_tui.context.window import (
    CompactPolicy,
    can_compact,
    fullness,
    kept_from,
    must_compact,
    refills,
)
from agent_tui.journal.lines import said_text
from agent_tui.loop.hooks import Hooks
from agent_tui.loop.record import Recorder
from agent_tui.loop.requests import SessionRequests
from agent_tui.model.client import ModelClient, ModelEvent, Retrying
from agent_tui.protocol.errors import ModelError, UsageError

TOO_LITTLE = "Not enough messages to compact."
DONE = "Compacted."
FAILED = (
    "The conversation could not be summarised ({why}). Nothing was lost. "
    "Use /clear to begin anew, or /compact to try again."
)


class Compactor:
    """Cuts the session's window."""

    def __init__(
        self,
        record: Recorder,
        client: ModelClient,
        requests: SessionRequests,
        hooks: Hooks,
        policy: CompactPolicy,
        phase: Callable[[str], Awaitable[None]],
    ) -> None:
        self._record = record
        self._client = client
        self._requests = requests
        self._hooks = hooks
        self._policy = policy
        self._phase = phase
        self._failed_at: str | None = None
        self._told_at: str | None = None
        self._underway = False
        self._why = ""

    async def if_needed(self) -> None:
        """Cut the window when the next request would come too near its end; say once a run that it can't be."""
        conversation, window = self._record.conversation, self._requests.window
        fixed = self._requests.fixed_tokens
        full = fullness(conversation, window, self._policy, fixed_tokens=fixed)
        if not full.over or not self._policy.auto or self._failed:
            return
        if must_compact(conversation, window, self._policy, fixed_tokens=fixed):
            await self.compact()
        elif self._told_at != conversation.last_prompt_uuid:
            self._told_at = conversation.last_prompt_uuid
            parts = self._requests.parts(conversation).sentence()
            await self._record.notice(
                f"The context window is nearly full and compacting does not help: {parts}.",
                "warning",
            )

    @property
    def crowded(self) -> bool:
        """Whether the window is nearly full by our own count."""
        conversation, requests = self._record.conversation, self._requests
        return fullness(
            conversation, requests.window, self._policy, fixed_tokens=requests.fixed_tokens
        ).over

    async def by_hand(self, instructions: str, say_init: Callable[[], Awaitable[None]]) -> str:
        """Compact because the person said so; give what is to be told them, empty where that has been said.

        ``say_init`` says the documented ``init`` when its moment has come.

        Raises:
            UsageError: nothing was cut; the text says why.
        """
        if not can_compact(self._record.conversation):
            await say_init()
            return TOO_LITTLE
        if not await self._compact("manual", instructions, before_cut=say_init):
            raise UsageError(FAILED.format(why=self._why))
        await self._record.command_stdout(DONE)
        return ""

    async def compact(self, trigger: Trigger = "auto", *, refused: bool = False) -> bool:
        """Summarise and cut; tell whether it was done. What went wrong is said, the history stays.

        ``refused``: the API would not take the window as it is, so only the unanswered prompt stays.
        """
        conversation = self._record.conversation
        if self._failed or refills(conversation):
            return False
        if not can_compact(conversation):
            return False
        return await self._compact(trigger, refused=refused)

    async def _compact(
        self,
        trigger: Trigger,
        instructions: str = "",
        *,
        refused: bool = False,
        before_cut: Callable[[], Awaitable[None]] | None = None,
    ) -> bool:
        conversation = self._record.conversation
        started = anyio.current_time()
        try:
            if trigger == "manual":
                await self._begun()
            summary, why = await self._summarised(trigger, instructions)
            after = () if summary is None else await self._context_again()
        except anyio.get_cancelled_exc_class():
            with anyio.CancelScope(shield=True):
                await self._ended(failed="interrupted")
            raise
        await self._ended(failed=why if summary is None else None)
        if before_cut is not None:
            await before_cut()
        if summary is None:
            self._failed_at = conversation.last_prompt_uuid
            self._why = why.rstrip(".")
            if trigger == "auto":  # who asked for it is told by the command
                await self._record.notice(FAILED.format(why=self._why), "warning")
            return False
        took = round((anyio.current_time() - started) * 1000)
        kept = kept_from(conversation, room=0) if refused else kept_from(conversation)
        await self._cut(summary, trigger, kept, took)
        for text in after:
            self._record.reminder(text)
        await self._hooks.fire(
            "PostCompact", {"trigger": trigger, "compact_summary": summary}, match=trigger
        )
        return True

    @property
    def _failed(self) -> bool:
        """Whether a compaction came to nothing since the newest prompt."""
        prompt = self._record.conversation.last_prompt_uuid
        return prompt is not None and self._failed_at == prompt

    async def _summarised(self, trigger: Trigger, instructions: str) -> tuple[str | None, str]:
        """Give the summary, or why there is none: perhaps because a hook keeps the window from being cut."""
        outcome = await self._hooks.fire(
            "PreCompact",
            {"trigger": trigger, "custom_instructions": instructions or None},
            match=trigger,
        )
        if outcome.blocked is not None:
            return None, f"a hook blocked it: {outcome.blocked}".rstrip(": ")
        if not self._underway:
            await self._begun()
        return await self._summary(instructions)

    async def _context_again(self) -> tuple[str, ...]:
        """Tell hooks that the window begins anew; give what they want the model to know."""
        outcome = await self._hooks.fire("SessionStart", {"source": "compact"}, match="compact")
        return outcome.additional_context

    async def _summary(self, instructions: str) -> tuple[str | None, str]:
        """Ask up to three times, each time with less; give the summary, or why there is none."""
        why = "the model gave an empty summary"
        for attempt in range(1, MAX_ATTEMPTS + 1):
            request = self._requests.summary(self._record.conversation, instructions, attempt)
            try:
                response = await self._client.respond(request, self._hear)
            except ModelError as error:
                why = str(error)
                if error.prompt_too_long:
                    continue
                return None, why
            price = self._requests.price(request.model, response.usage)
            self._record.response(response, price, request.model, "compact")
            if response.stop_reason == "refusal":  # what it says then is no summary
                why = "the model declined"
                continue
            found = read_summary(finished.block for finished in response.blocks)
            if found is not None and response.cut is None:
                return found, ""
        return None, why

    async def _hear(self, event: ModelEvent) -> None:
        if isinstance(event, Retrying):
            await self._record.retrying(event)

    async def _begun(self) -> None:
        await self._phase("compacting")
        self._underway = True
        await self._record.system("status", status="compacting")

    async def _ended(self, *, failed: str | None) -> None:
        if not self._underway:
            return
        self._underway = False
        if failed is None:
            await self._record.system("status", status=None, compact_result="success")
        else:
            await self._record.system(
                "status", status=None, compact_result="failed", compact_error=failed
            )

    async def _cut(
        self, summary: str, trigger: Trigger, kept: str | None, duration_ms: int
    ) -> None:
        record = self._record
        conversation = record.conversation
        going_on = trigger == "auto" and bool(conversation.turns)
        boundary, entry = boundary_entries(
            record.stamp,
            conversation,
            summary,
            trigger=trigger,
            kept_from=kept,
            pre_tokens=conversation.context_tokens,
            fixed_tokens=self._requests.fixed_tokens,
            duration_ms=duration_ms,
            going_on=going_on,
        )
        if trigger == "manual":  # said as plain text, as it is documented
            entry = replace(entry, message={"role": "user", "content": said_text(entry.blocks)})
        await record.cut(boundary, entry)
