"""Answers that are not what they should be: cut off, empty, broken, paused, too long for the window.

Each is asked to go on a few times in a row at most; a tool call that was cut is never run.
"""

from __future__ import annotations

from agent_tui.loop.answer import Answer
from agent_tui.loop.calls import Calls
from agent_tui.loop.compact import Compactor
from agent_tui.loop.progress import Ending, failed
from agent_tui.loop.record import Recorder
from agent_tui.loop.tool_call import CUT
from agent_tui.model.client import ModelResponse
from agent_tui.protocol.errors import ModelError

MAX_CONTINUATIONS = 3
"""How often in a row an answer that was cut is asked to go on."""

MAX_PAUSES = 20
"""How often a run goes on after a pause that the server asked for."""

GO_ON = (
    "Your answer was cut off by the output limit. Go on exactly where it stopped, without repeating "
    "what you have said; put large content into several smaller steps."
)
EMPTY = "Your answer was empty. Answer the last message, or say that you are done."
BROKE_OFF = "Your answer broke off because the connection failed. Go on where it stopped."


class Unfinished:
    """Deals with such answers in one run. Methods give how the run ends, or None to ask again."""

    def __init__(self, record: Recorder, calls: Calls, compactor: Compactor) -> None:
        self._record = record
        self._calls = calls
        self._compactor = compactor
        self._in_a_row = 0
        self._pauses = 0
        self._recovered = False
        self._overflowed = False
        self._empty = False

    def finished(self) -> None:
        """Note an answer that was whole."""
        self._in_a_row = 0
        self._overflowed = self._empty = False

    async def recover(self, error: ModelError) -> bool:
        """Compact once a run when a request did not fit the window; tell whether to try again."""
        if not error.prompt_too_long or self._recovered:
            return False
        self._recovered = True
        return await self._compactor.compact("auto", refused=True)

    def paused(self) -> Ending | None:
        """The server's own tools need another request; a server that says so for ever is not believed."""
        self._pauses += 1
        if self._pauses <= MAX_PAUSES:
            return None
        return failed(f"The server paused the answer {MAX_PAUSES} times. Say 'go on' to continue.")

    async def truncated(self, answer: Answer) -> Ending | None:
        """The output limit cut the answer: its last call, if it ends with one, is not run."""
        limit = "The answer was cut off by the output limit."
        if not answer.calls:
            return await self._nudge(GO_ON, limit)
        whole, last = answer.calls, answer.calls[:0]
        if answer.ends_with_call:
            whole, last = answer.calls[:-1], answer.calls[-1:]
        ending = await self._calls.run(whole)
        await self._calls.refuse(last, CUT)
        if ending is not None:
            return ending
        self._in_a_row += 1
        if self._in_a_row >= MAX_CONTINUATIONS:
            return failed(
                f"{limit} It happened {MAX_CONTINUATIONS} times in a row; "
                "ask for the work in smaller parts."
            )
        await self._record.notice(f"{limit} The call in it was not run; asking again.", "warning")
        return None

    async def overflow(self, answer: Answer) -> Ending | None:
        """The window is full, says the server. By our count it may not be: then it is an answer that was cut."""
        if not self._compactor.crowded and not self._overflowed:
            self._overflowed = True
            return await self.truncated(answer)
        await self._calls.refuse(answer.calls, CUT)
        if not self._recovered:
            self._recovered = True
            if await self._compactor.compact("auto", refused=True):
                return await self._nudge(GO_ON, "The context window was full; it was compacted.")
        return failed(
            "The answer was cut off because the context window is full. "
            "Use /compact to summarise, or /clear to begin anew."
        )

    async def empty(self) -> bool:
        """Nothing was said: ask once; the second time in a row it is taken for the end. Tells whether it asked."""
        self._empty = not self._empty
        if self._empty:
            await self._record.notice(
                "The model gave an empty answer. Asking it to go on.", "warning"
            )
            await self._record.nudge(EMPTY)
        return self._empty

    async def broken(self, response: ModelResponse) -> Ending | None:
        """The connection broke in the middle of a text."""
        return await self._nudge(BROKE_OFF, response.cut or "The answer broke off.")

    async def _nudge(self, text: str, notice: str) -> Ending | None:
        self._in_a_row += 1
        if self._in_a_row > MAX_CONTINUATIONS:
            return failed(f"{notice} Say 'go on' to continue.")
        await self._record.notice(f"{notice} Asking the model to go on.", "warning")
        await self._record.nudge(text)
        return None
