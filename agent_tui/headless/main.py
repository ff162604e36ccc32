"""``agent-tui -p``: run one prompt in this process and print what came of it.

Standard output is for data only: the answer, one JSON object, or a record a line. Everything else goes to standard
error. SIGINT ends the run as interrupted (130), SIGTERM too (143); children are gone before we leave.
"""

from __future__ import annotations

import gc
import sys
import uuid
from dataclasses import dataclass, field
from functools import partial

import anyio

from agent_tui.engine.opening import OpenSession, with_session
from agent_tui.headless.ending import Work
from agent_tui.headless.front import Front
from agent_tui.headless.log import logged
from agent_tui.headless.output import Output
from agent_tui.headless.printers import PRINTERS, Printer
from agent_tui.headless.schema import check_schema
from agent_tui.headless.signals import Signals
from agent_tui.protocol.messages import Message, ResultMessage, UserMessage
from agent_tui.protocol.ops import Prompt
from agent_tui.settings.credentials import masker_of
from agent_tui.settings.options import Options
from agent_tui.settings.paths import Environment


@dataclass(slots=True)
class _Run:
    """One prompt at one session, printed as it goes."""

    prompt: Prompt
    printer: Printer
    output: Output
    signals: Signals = field(default_factory=Signals)
    answered: anyio.Event = field(default_factory=anyio.Event)

    async def __call__(self, options: Options, env: Environment) -> int:
        session = partial(with_session, options, env, self._talk)
        return self.signals.code(await self.signals.around(session))

    async def _talk(self, opened: OpenSession) -> int:
        async def ask() -> None:
            opened.session.send(self.prompt)
            await self.answered.wait()

        front = Front(self.output, self._hear, self.signals)
        await front.talk(opened, ask)
        self.output.write(self.printer.end)
        return front.outcome.code(lost=self.output.lost)

    def _hear(self, message: Message, work: Work) -> None:
        if isinstance(message, UserMessage) and message.uuid == self.prompt.uuid:
            return  # whoever sent the prompt knows it
        self.output.write(lambda: self.printer.message(message))
        if isinstance(message, ResultMessage):
            self.answered.set()


def main(
    options: Options, env: Environment, prompt: str, output_format: str, *, verbose: bool
) -> int:
    """Run ``prompt``, print in ``output_format`` (text, json, stream-json), give the exit code.

    Raises:
        AgentTuiError: the session could not be opened.
    """
    gc.enable()  # the command's entry has let it rest while all this was loaded
    check_schema(options.tools.schema)
    output = Output()
    make = PRINTERS[output_format]
    printer = make(sys.stdout, sys.stderr, verbose=verbose, masker=masker_of(env))
    run = _Run(Prompt(prompt, str(uuid.uuid4())), printer, output)
    with logged(env, keep=options.session.persist):
        return anyio.run(run, options, env)
