"""``agent-tui -p``: run one prompt in this process and print what came of it.

Standard output is for data only: the answer, one JSON object, or a record a line. Everything else goes to standard
error. SIGINT ends the run as interrupted (130), SIGTERM too (143); children are gone before we leave.
"""

from __future__ import annotations

import contextlib
import gc
import io
import os
import signal
import sys
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field

import anyio

from agent_tui.engine.opening import OpenSession, with_session
from agent_tui.headless.printers import PRINTERS, Printer
from agent_tui.protocol.messages import ResultMessage, UserMessage
from agent_tui.protocol.ops import Interrupt, Prompt
from agent_tui.settings.options import Options
from agent_tui.settings.paths import Environment

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@dataclass(slots=True)
class _Outcome:
    result: ResultMessage | None = None
    signal: int | None = None
    pipe_broken: bool = False
    unprinted: bool = False

    def code(self) -> int:
        if self.signal is not None:
            return 128 + self.signal
        if self.unprinted:
            return 1
        return 0 if self.result is not None and not self.result.is_error else 1


@dataclass(slots=True)
class _Run:
    """One prompt at one session, printed as it goes."""

    printer: Printer
    prompt: str
    outcome: _Outcome = field(default_factory=_Outcome)

    async def __call__(self, opened: OpenSession) -> int:
        prompt = Prompt(self.prompt, str(uuid.uuid4()))
        with opened.session.subscribe() as messages:
            async with anyio.create_task_group() as group:
                group.start_soon(self._watch_signals, opened.session.send)
                opened.session.send(prompt)
                async for message in messages:
                    if isinstance(message, UserMessage) and message.uuid == prompt.uuid:
                        continue  # whoever sent the prompt knows it
                    self._print(lambda m=message: self.printer.message(m))
                    if isinstance(message, ResultMessage):
                        self.outcome.result = message
                        break
                    if self.outcome.pipe_broken:
                        break
                group.cancel_scope.cancel()
        self._print(self.printer.end)
        return self.outcome.code()

    async def _watch_signals(self, send: Callable[[Interrupt], None]) -> None:
        with anyio.open_signal_receiver(*SIGNALS) as signals:
            async for number in signals:
                self.outcome.signal = int(number)
                send(Interrupt())

    def _print(self, write: Callable[[], None]) -> None:
        if self.outcome.pipe_broken:
            return
        try:
            write()
            sys.stdout.flush()
        except OSError as error:
            # The reader left, or there is no room. Give the interpreter a standard output it can close quietly.
            self.outcome.pipe_broken = True
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            if not isinstance(error, BrokenPipeError):
                self.outcome.unprinted = True
                with contextlib.suppress(OSError):
                    sys.stderr.write(f"agent-tui: the answer can't be printed: {error.strerror}\n")


def main(
    options: Options, env: Environment, prompt: str, output_format: str, *, verbose: bool
) -> int:
    """Run ``prompt``, print in ``output_format`` (text, json, stream-json), give the exit code.

    Raises:
        AgentTuiError: the session could not be opened.
    """
    gc.enable()  # the command's entry has let it rest while all this was loaded
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    run = _Run(PRINTERS[output_format](sys.stdout, sys.stderr, verbose=verbose), prompt)
    return anyio.run(with_session, options, env, run)
