"""Runs what a person sends: a slash command of the engine, or a prompt with the files it mentions."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from dataclasses import replace

import anyio

from agent_tui.engine.command import CommandContext, command, unknown
from agent_tui.engine.fitting import fitted
from agent_tui.engine.hooking import SessionHooks, kept_back, texts_of
from agent_tui.engine.init import Init
from agent_tui.engine.mentions import Mentions
from agent_tui.engine.shell_lines import ShellLines
from agent_tui.engine.titles import title_of_prompt
from agent_tui.loop.record import Recorder
from agent_tui.loop.turn import Deps, Run
from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.errors import UsageError
from agent_tui.protocol.messages import ResultMessage
from agent_tui.protocol.ops import Prompt
from agent_tui.protocol.usage import Usage

COMMAND = re.compile(r"/([A-Za-z][\w-]*)(?:\s+(.*))?$", re.DOTALL)
"""A path such as ``/etc/hosts`` is no command: a second slash follows its first word."""

BLOCKED = {"prompt_submit_outcome": "blocked"}
"""What the notice of a prompt that a hook kept back tells programs."""

SAY_INIT_THEMSELVES = frozenset({"clear", "compact", "new", "reset"})
"""Commands whose ``init`` comes in the middle of what they say."""


def command_in(prompt: Prompt) -> tuple[str, str] | None:
    """Give the name and the arguments of the slash command a prompt is, None if it is none."""
    found = None if prompt.verbatim or prompt.shell else COMMAND.match(prompt.text.strip())
    return None if found is None else (found[1], found[2] or "")


class PromptRunner:
    """Runs one prompt at a time; the session sees to that."""

    def __init__(
        self,
        record: Recorder,
        deps: Callable[[], Deps],
        commands: CommandContext,
        hooks: SessionHooks,
        mentions: Mentions,
        begin: Callable[[], Awaitable[None]],
        init: Init,
        ready: Callable[[], Awaitable[tuple[str, ...]]],
        shell: ShellLines,
        *,
        fits_pictures: bool = False,
    ) -> None:
        self._record = record
        self._deps = deps
        self._commands = commands
        self._hooks = hooks
        self._mentions = mentions
        self._begin = begin
        self._init = init
        self._ready = ready
        self._shell = shell
        self._fits_pictures = fits_pictures
        self._context: tuple[str, ...] = ()

    async def __call__(self, prompt: Prompt) -> None:
        """Run it to its result."""
        limited = self._commands.policy.limited
        limited.end_task()  # what was allowed for a task while none ran
        self._init.expect()
        self._record.serve(prompt.uuid)
        try:
            found = command_in(prompt)
            if prompt.shell:
                await self._shell_line(prompt)
            elif found is not None:
                await self._command(*found, prompt)
            else:
                await self._prompt(prompt)
        finally:
            limited.end_task()
            self._record.serve()

    async def _prompt(self, prompt: Prompt) -> None:
        try:
            goes = await self._prepare(prompt)
        except anyio.get_cancelled_exc_class():
            with anyio.CancelScope(shield=True):
                await self._done(prompt, aborted=True)
            raise
        if goes:
            await Run(self._deps(), prompt.uuid, origin=prompt.origin, take_in=self._take_in).run()

    async def _shell_line(self, prompt: Prompt) -> None:
        """Run a line of the person's; it is no run of the model, but what comes of it is in the window."""
        started = anyio.current_time()
        try:
            await self._init.say()
            await self._begin()
            await self._shell.run(prompt.text)
        except anyio.get_cancelled_exc_class():
            with anyio.CancelScope(shield=True):
                await self._done(prompt, started=started, aborted=True)
            raise
        await self._done(prompt, started=started)

    async def _prepare(self, prompt: Prompt) -> bool:
        """Put the prompt and what it mentions into the conversation; False when a hook keeps it out."""
        await self._hooks.opened()
        verdict = await self._hooks.submitted(prompt)
        told = await self._ready()
        await self._init.say()
        await self._begin()
        await self._hooks.introduce()
        why = kept_back(verdict)
        if why is not None:
            await self._record.notice(
                why, "warning", prevent_continuation=True, prompt_uuid=prompt.uuid, **BLOCKED
            )
            await self._done(prompt, result=why)
            return False
        self._hooks.entitle(verdict.title)
        added, self._context = self._context, ()
        await self._write(prompt, (*told, *added, *texts_of("UserPromptSubmit", verdict)))
        if prompt.origin is None:
            self._title(prompt.text)
        return True

    async def _take_in(self, prompt: Prompt) -> None:
        """Put a prompt that joins the run into the conversation, unless a hook keeps it out."""
        verdict = await self._hooks.submitted(prompt)
        why = kept_back(verdict)
        if why is not None:
            await self._record.notice(why, "warning", **BLOCKED)
        else:
            await self._write(prompt, texts_of("UserPromptSubmit", verdict), steers=True)

    async def _write(
        self, prompt: Prompt, context: tuple[str, ...], *, steers: bool = False
    ) -> None:
        content = prompt.text if prompt.content is None else list(prompt.content)
        if prompt.content is not None and self._fits_pictures:
            content = await fitted(prompt.content)
        await self._record.prompt(content, prompt.uuid, steers=steers, origin=prompt.origin)
        mentioned = () if prompt.verbatim else await self._mentions.read(prompt.text)
        for text in (*mentioned, *context):
            self._record.reminder(text)

    async def _command(self, name: str, args: str, prompt: Prompt) -> None:
        started, output = anyio.current_time(), self._commands.output
        output.begin()
        wrong, then = False, None
        try:
            if name.lower() not in SAY_INIT_THEMSELVES:
                await self._init.say()
                if self._record.conversation.head is None:
                    self._commands.wiring.begin()
            then = await self._carry_out(name, args, prompt)
            await self._init.say()
        except UsageError as error:
            wrong = True
            await self._init.say()
            await output(str(error), "warning")
        except anyio.get_cancelled_exc_class():
            with anyio.CancelScope(shield=True):
                await self._done(prompt, started=started, aborted=True)
            raise
        finally:
            text = output.end()
        if then is not None:
            await self._prompt(replace(prompt, text=then, content=None))
            return
        await self._done(prompt, started=started, result=text, is_error=wrong)

    async def _carry_out(self, name: str, args: str, prompt: Prompt) -> str | None:
        """Run a command, unless a hook keeps it back; give the prompt to go on with, None for none."""
        found = command(name.lower())
        if found is None:
            raise UsageError(unknown(name))
        verdict = await self._hooks.expanding(name.lower(), args, prompt.text)
        why = kept_back(verdict)
        if why is not None:
            await self._commands.output(why, "warning")
            return None
        self._context = (*self._context, *texts_of("UserPromptExpansion", verdict))
        return await found.run(args, self._commands)

    async def fail(self, error: BaseException, prompt: Prompt) -> None:
        """Say the result of a run that broke for a reason of our own."""
        text = str(error) or type(error).__name__
        await self._record.notice(f"The run failed: {text}", "error")
        await self._done(prompt, is_error=True, errors=(text,))

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
        usage: JsonObject = {n: used.to_json() for n, used in conversation.model_usage.items()}
        message = ResultMessage(
            subtype="error_during_execution" if errors else "success",
            duration_ms=ms,
            duration_api_ms=0,
            is_error=is_error or errors is not None,
            num_turns=0,
            session_id=self._record.session_id,
            total_cost_usd=conversation.total_cost_usd,
            usage=Usage().to_api(),
            model_usage=usage,
            result=None if errors else result,
            errors=errors,
            terminal_reason="aborted_streaming" if aborted else None,
            user_message_uuid=prompt.uuid,
            user_message_uuids=(prompt.uuid,),
            origin=prompt.origin,
        )
        await self._record.result(message)
