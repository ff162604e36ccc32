"""Runs what a person sends: a slash command of the engine, or a prompt with the files it mentions."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import anyio

from agent_tui.engine.command import CommandContext, command, unknown
from agent_tui.engine.mentions import Mentions
from agent_tui.engine.titles import title_of_prompt
from agent_tui.loop.hooks import Hooks
from agent_tui.loop.record import Recorder
from agent_tui.loop.turn import Deps, Run
from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.errors import UsageError
from agent_tui.protocol.messages import ResultMessage
from agent_tui.protocol.ops import Prompt
from agent_tui.protocol.usage import Usage

COMMAND = re.compile(r"/([A-Za-z][\w-]*)(?:\s+(.*))?$", re.DOTALL)
"""A path such as ``/etc/hosts`` is no command: a second slash follows its first word."""


@dataclass(frozen=True, slots=True)
class Init:
    """What ``system/init`` tells, apart from what the conversation knows."""

    data: Callable[[], JsonObject]


class PromptRunner:
    """Runs one prompt at a time; the session sees to that."""

    def __init__(
        self,
        record: Recorder,
        deps: Callable[[], Deps],
        commands: CommandContext,
        hooks: Hooks,
        mentions: Mentions,
        begin: Callable[[], Awaitable[None]],
        init: Init,
    ) -> None:
        self._record = record
        self._deps = deps
        self._commands = commands
        self._hooks = hooks
        self._mentions = mentions
        self._begin = begin
        self._init = init

    async def __call__(self, prompt: Prompt) -> None:
        """Run it to its result."""
        found = COMMAND.match(prompt.text.strip())
        if found is not None:
            await self._command(found[1], found[2] or "", prompt)
        else:
            await self._prompt(prompt)

    async def _prompt(self, prompt: Prompt) -> None:
        try:
            goes = await self._prepare(prompt)
        except anyio.get_cancelled_exc_class():
            with anyio.CancelScope(shield=True):
                await self._done(prompt, aborted=True)
            raise
        if goes:
            await Run(self._deps(), prompt.uuid).run()

    async def _prepare(self, prompt: Prompt) -> bool:
        """Put the prompt and what it mentions into the conversation; False when a hook keeps it out."""
        await self._say_init()
        verdict = await self._hooks.fire("UserPromptSubmit", {"prompt": prompt.text})
        if verdict.blocked is not None:
            await self._record.notice(verdict.blocked, "warning", prevent_continuation=True)
            await self._done(prompt, result=verdict.blocked)
            return False
        await self._begin()
        await self._record.prompt(prompt.text, prompt.uuid)
        self._title(prompt.text)
        for text in (*await self._mentions.read(prompt.text), *verdict.additional_context):
            self._record.reminder(text)
        return True

    async def _command(self, name: str, args: str, prompt: Prompt) -> None:
        found = command(name.lower())
        started = anyio.current_time()
        if found is None:
            await self._record.command_output(unknown(name), "warning")
            await self._done(prompt, is_error=True, result=unknown(name))
            return
        try:
            await found.run(args, self._commands)
        except UsageError as error:
            await self._record.command_output(str(error), "warning")
        except anyio.get_cancelled_exc_class():
            with anyio.CancelScope(shield=True):
                await self._done(prompt, started=started, aborted=True)
            raise
        await self._done(prompt, started=started)

    async def fail(self, error: BaseException, prompt: Prompt) -> None:
        """Say the result of a run that broke for a reason of our own."""
        text = str(error) or type(error).__name__
        await self._record.notice(f"The run failed: {text}", "error")
        await self._done(prompt, is_error=True, errors=(text,))

    async def _say_init(self) -> None:
        await self._record.system("init", **self._init.data())

    def _title(self, text: str) -> None:
        """Name the session after its first prompt; a person's own title stays."""
        if not self._record.conversation.title:
            self._record.title(title_of_prompt(text), generated=True)

    async def _done(
        self,
        prompt: Prompt,
        *,
        started: float | None = None,
        result: str = "",
        is_error: bool = False,
        aborted: bool = False,
        errors: tuple[str, ...] | None = None,
    ) -> None:
        """Say the result of something that was no run of the model."""
        conversation = self._record.conversation
        ms = 0 if started is None else round((anyio.current_time() - started) * 1000)
        if aborted:
            errors = ("The person interrupted the command.",)
        message = ResultMessage(
            subtype="error_during_execution" if errors else "success",
            duration_ms=ms,
            duration_api_ms=0,
            is_error=is_error or errors is not None,
            num_turns=0,
            session_id=self._record.session_id,
            total_cost_usd=conversation.total_cost_usd,
            usage=Usage().to_api(),
            model_usage={n: used.to_json() for n, used in conversation.model_usage.items()},
            result=None if errors else result,
            errors=errors,
            terminal_reason="aborted_streaming" if aborted else None,
            user_message_uuid=prompt.uuid,
        )
        await self._record.result(message)
