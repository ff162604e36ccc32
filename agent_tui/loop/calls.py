"""The calls of a run's responses: which of them are run, held back because they keep failing, or refused.

``tool_call.Batch`` runs them; this decides, and keeps what the whole run must know of them.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass

from agent_tui.journal.fold import Conversation
from agent_tui.loop import put_off
from agent_tui.loop.answer import CallSeen
from agent_tui.loop.asking import Asker
from agent_tui.loop.progress import Ending, failed
from agent_tui.loop.record import Recorder
from agent_tui.loop.repeats import Repeats, Verdict
from agent_tui.loop.structured import STRUCTURED_OUTPUT
from agent_tui.loop.tool_call import Batch
from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.display import AskedQuestion, Choice
from agent_tui.tools.base import ToolOutput

HELD_BACK = (
    "Not run: this same call has been tried {count} times and failed the same way each time. Use another approach, "
    "or say what is in the way."
)
TOO_OFTEN = (
    "Not run: the same call was made again and again although it always failed the same way."
)

TRY = Choice("Try it again", "It may work this time.")
OTHERWISE = Choice("Use another approach", "The call is not run; the model is told why.")
STOP = Choice("Stop the run", "The model waits for your next prompt.")


@dataclass(frozen=True, slots=True)
class _Result:
    is_error: bool
    text: str


TELLING = ("command", "file_path", "notebook_path", "path", "pattern", "url", "query", "prompt")
"""Arguments that say best what a call is about, best first."""


class Calls:
    """Runs the calls of one run's responses. ``denials`` are all calls that were not permitted."""

    def __init__(
        self,
        record: Recorder,
        batch: Callable[[], Batch],
        asker: Asker,
        phase: Callable[[str], Awaitable[None]],
    ) -> None:
        self._record = record
        self._batch = batch
        self._asker = asker
        self._phase = phase
        self._repeats = Repeats()
        self.denials: list[JsonObject] = []
        self.running = False

    async def run(self, calls: tuple[CallSeen, ...]) -> Ending | None:
        """Run them in order; every one has a result after that. Tells how the run ends, if it does."""
        self.running = True
        if any(self._verdict(call) is Verdict.END for call in calls):
            await self.refuse(calls, TOO_OFTEN)
            await self._record.notice(TOO_OFTEN.removeprefix("Not run: ").capitalize(), "warning")
            return failed(TOO_OFTEN, "malformed_tool_use_exhausted")
        ready: list[CallSeen] = []
        for number, call in enumerate(calls):
            if self._verdict(call) is Verdict.RUN:
                ready.append(call)
                continue
            ending = await self._run(tuple(ready))
            ready = []
            if ending is not None:
                await self.refuse(calls[number:], _reason(ending))
                return ending
            answer = await self._ask(call)
            if answer == TRY.label:
                self._forgive(call)
                ready.append(call)
                continue
            text = HELD_BACK.format(count=self._count(call))
            await self.refuse((call,), f"{text} {_said(answer)}".rstrip())
            self._repeats.held_back(*_same(call))
            if answer in ("", STOP.label):
                await self.refuse(calls[number + 1 :], "Not run: the person stopped the run.")
                await self._record.interrupted("tools")
                return failed("The person stopped the run.", "aborted_tools")
        ending = await self._run(tuple(ready))
        self.running = False
        return ending

    async def decide(self, call: CallSeen) -> Ending | None:
        """Have a call decided that a hook put off before, and perhaps run."""
        if self._batch().lacks(call):
            return put_off.unavailable(call)
        return await self.run((call,))

    async def refuse(self, calls: Iterable[CallSeen], why: str) -> None:
        """Answer calls that will not be run."""
        await self._batch().refuse(calls, why)

    async def refuse_at_the_end(self, calls: Iterable[CallSeen], why: str) -> None:
        """Answer calls because the run ends right here: a program is told by the result alone, as documented."""
        if self._asker.there:
            await self.refuse(calls, why)
            return
        for call in calls:
            output = ToolOutput(why, is_error=True, structured=f"Error: {why}")
            self._record.tool_result(call.block.id, output, call.line_uuid, None)

    async def _run(self, calls: tuple[CallSeen, ...]) -> Ending | None:
        if not calls:
            return None
        await self._phase("tools")
        batch = self._batch()
        outcome = await batch.run(calls)
        self.denials.extend(outcome.denials)
        self._learn(batch, calls)
        if outcome.put_off is not None:
            return put_off.ended(outcome.put_off)
        if outcome.interrupt:
            await self._record.interrupted("tools")
            return failed("The person declined a call and stopped the run.", "aborted_tools")
        if outcome.stop is not None:
            return Ending(terminal="hook_stopped")
        return None

    async def _ask(self, call: CallSeen) -> str | None:
        if not self._asker.there:
            return None
        count, name = self._count(call), call.block.name
        await self._phase("asking")
        return await self._asker.ask(
            AskedQuestion(
                f"{name} has failed {count} times in the same way and is about to be tried again: "
                f"{_about(call)}",
                "Repeated call",
                (TRY, OTHERWISE, STOP),
            ),
            call.block.id,
        )

    # Repeats --------------------------------------------------------------------------------------------------------

    def _learn(self, batch: Batch, calls: tuple[CallSeen, ...]) -> None:
        """Note how each call went."""
        results = _results(self._record.conversation, {call.block.id for call in calls})
        for call in calls:
            result = results.get(call.block.id)
            if result is None:
                continue
            if result.is_error:
                self._repeats.failed(*_same(call)[:2], result.text, call.unparsed)
            elif batch.only_looks(call):
                self._forgive(call)
            else:
                self._repeats.changed()

    def _verdict(self, call: CallSeen) -> Verdict:
        if call.block.name == STRUCTURED_OUTPUT:
            return Verdict.RUN  # how often it may fail is its own affair
        return self._repeats.verdict(*_same(call))

    def _count(self, call: CallSeen) -> int:
        return self._repeats.count(*_same(call))

    def _forgive(self, call: CallSeen) -> None:
        self._repeats.forgive(*_same(call))


def _same(call: CallSeen) -> tuple[str, JsonObject, str | None]:
    """Give what makes two calls the same."""
    return call.block.name, call.block.input, call.unparsed


def _said(answer: str | None) -> str:
    """Give what the person typed instead of choosing."""
    chosen = (None, "", OTHERWISE.label, STOP.label)
    return "" if answer in chosen else f"The person says: {answer}"


def _reason(ending: Ending) -> str:
    return f"Not run: {(ending.errors or ('a hook stopped the run.',))[0]}"


def _about(call: CallSeen) -> str:
    """Say what a call is about: the argument that tells most, else its whole input."""
    given = call.block.input
    telling = (given.get(key) for key in TELLING)
    said = next((value for value in telling if isinstance(value, str) and value.strip()), None)
    return (said or call.unparsed or json.dumps(given, ensure_ascii=False))[:500]


def _results(conversation: Conversation, ids: set[str]) -> dict[str, _Result]:
    """Find the results of the newest response's calls."""
    found: dict[str, _Result] = {}
    for index in range(len(conversation.lines) - 1, -1, -1):
        line = conversation.lines[index]
        if line.role == "assistant":
            break
        for block in line.blocks:
            if block["type"] == "tool_result" and block["tool_use_id"] in ids:
                content = block.get("content")
                text = content if isinstance(content, str) else json.dumps(content, default=str)
                found[block["tool_use_id"]] = _Result(bool(block.get("is_error")), text)
    return found
