"""``!`` lines: what the person runs in the session's shell themselves, unasked, while no run goes.

Line and output are written as the ecosystem's transcripts have them, so the model sees both with the next prompt.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace

import anyio

from agent_tui.loop.policy import Policy
from agent_tui.loop.record import Recorder
from agent_tui.loop.stopped import stopped_output
from agent_tui.loop.workplace import Workplace
from agent_tui.protocol.display import CommandDisplay, Display
from agent_tui.protocol.messages import ToolProgress
from agent_tui.tools.base import InvalidInputError, ToolCall, ToolOutput
from agent_tui.tools.builtin.bash import TOOL

NAME = "Shell"
"""What such a call is named in progress."""


class ShellLines:
    """Runs them.

    Args:
        record: the session's writer.
        policy: what may be read and where.
        workplace: where calls run by now.
        phase: says what the session is at.
    """

    def __init__(
        self,
        record: Recorder,
        policy: Policy,
        workplace: Callable[[], Workplace],
        phase: Callable[[str], Awaitable[None]],
    ) -> None:
        self._record = record
        self._policy = policy
        self._workplace = workplace
        self._phase = phase

    async def run(self, line: str) -> None:
        """Run a line to its end; an interrupt ends it, and what was seen until then is kept."""
        place = self._workplace()
        shown = CommandDisplay(line, cwd=place.ports.shell.cwd)
        call_id = await self._record.shell_line(line, shown)
        await self._phase("tools")
        begun = anyio.current_time()
        newest: Display = shown

        def passed() -> int:
            return round((anyio.current_time() - begun) * 1000)

        async def progress(display: Display) -> None:
            nonlocal newest
            newest = display
            await self._record.say(ToolProgress(call_id, NAME, passed(), display))

        await self._record.say(ToolProgress(call_id, NAME, 0))
        try:
            output = await self._output(line, call_id, place, progress)
        except anyio.get_cancelled_exc_class():
            with anyio.CancelScope(shield=True):
                await self._told(stopped_output(newest, ran=True), passed())
            raise
        await self._told(output, passed())

    async def _output(
        self,
        line: str,
        call_id: str,
        place: Workplace,
        progress: Callable[[Display], Awaitable[None]],
    ) -> ToolOutput:
        """Run it as the tool does, but outside of a sandbox and with the longest time there is."""
        call = ToolCall(
            id=call_id,
            cwd=place.cwd,
            ports=place.ports,
            progress=progress,
            may_read=self._policy.may_read,
            spill=place.spill,
            working_dirs=self._policy.working_dirs,
        )
        longest = place.ports.limits.shell_max_timeout_ms
        asked = {"command": line, "timeout": longest, "dangerouslyDisableSandbox": True}
        try:
            return await TOOL.run(TOOL.parse(asked), call)
        except InvalidInputError as error:
            return ToolOutput(str(error), CommandDisplay(line), is_error=True)

    async def _told(self, output: ToolOutput, took: int) -> None:
        display = output.display
        if isinstance(display, CommandDisplay) and display.duration_ms is None:
            display = replace(display, duration_ms=took)
        text = output.content if isinstance(output.content, str) else ""
        await self._record.shell_output(text, display, took)
