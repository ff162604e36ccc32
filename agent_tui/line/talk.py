"""One session at a line terminal: a prompt is read, what comes of it is said, questions are asked, and again."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass

import anyio

from agent_tui.line.asking import Question, question_of
from agent_tui.line.reading import Reading
from agent_tui.line.speaker import Speaker
from agent_tui.link.base import EngineLost, EngineUp, Incoming, Link, OpenFailed
from agent_tui.protocol.masking import Masker
from agent_tui.protocol.messages import Message, ResultMessage
from agent_tui.protocol.ops import Answer, Interrupt, Prompt
from agent_tui.protocol.queries import MessagePage, Page
from agent_tui.protocol.records import from_record
from agent_tui.protocol.requests import Deny, PermissionAnswer, PermissionRequest
from agent_tui.view.clean import clean
from agent_tui.view.shell_lines import shell_line
from agent_tui.view.status import Status
from agent_tui.view.transcript import Transcript

RECALLED = 60
"""Messages of a resumed session that are asked for; the last prompt and what came of it are said."""
LEAVE_WITHIN = 2.0
"""Seconds in which a second interrupt leaves."""
HELP = (
    "Type what you want done and press Enter. A backslash before Enter, or Alt+Enter, begins a new line.",
    "@ and Tab complete a file, / and Tab a command. Up and Down bring back what you typed before.",
    "! and a line runs it in the shell, at once; the model is shown what came of it with your next prompt.",
    "Ctrl+C stops what runs; twice leaves. Ctrl+D leaves. While something is asked, write a word and Enter.",
    "Commands of this mode: /help, /exit, /status. All others are the session's own; /context, /cost, /compact, /clear, ...",
)
LEAVING = ("exit", "quit")


@dataclass(frozen=True, slots=True)
class Ended:
    """How the talk ended: the exit code, and what is to be said on standard error."""

    code: int = 0
    error: str = ""


class Talk:
    """Holds one session's conversation.

    Args:
        link: the session.
        reading: where lines come from.
        say: writes a line.
        keep: keeps a prompt for the history, with the session's id.
        has_past: the session may have messages from before.
        masker: hides secrets in what is said.
    """

    def __init__(
        self,
        link: Link,
        reading: Reading,
        say: Callable[[str], None],
        keep: Callable[[str, str], None],
        *,
        has_past: bool,
        masker: Masker | None = None,
    ) -> None:
        self._masker = masker or Masker()
        self.status = Status()
        self._link = link
        self._reading = reading
        self._say = say
        self._keep = keep
        self._speaker = Speaker(say)
        self._transcript = Transcript(self._masker)
        self._held: list[Message] | None = [] if has_past else None
        self._moved = anyio.Event()
        self._up = False
        self._waiting: set[str | None] = set()
        self._reads = False
        self._ended: Ended | None = None
        self._interrupted = 0.0

    @property
    def session_id(self) -> str:
        """The session's id, empty before it is known."""
        return self.status.session.session_id if self.status.session else ""

    def interrupt(self, now: float) -> None:
        """Take Ctrl+C while nothing is read: stop what runs; a second one soon after leaves."""
        if now - self._interrupted < LEAVE_WITHIN:
            self._end(Ended(130))
        self._interrupted = now
        self._link.send(Interrupt())

    def leave(self, code: int) -> None:
        """End the talk from outside."""
        self._end(Ended(code))

    async def run(self, first: str = "") -> Ended:
        """Talk until the person leaves or there is no session any more."""
        async with anyio.create_task_group() as group:
            group.start_soon(self._listen)
            await self._until(lambda: self._up)
            await self._recall()
            if first and self._ended is None:
                self._send(first)
            group.start_soon(self._turns)
            await self._until(lambda: False)
            group.cancel_scope.cancel()
        return self._ended or Ended()

    # What is heard --------------------------------------------------------------------------------------------------

    async def _listen(self) -> None:
        async for incoming in self._link.messages():
            self._take(incoming)
        self._end(Ended())

    def _take(self, incoming: Incoming) -> None:
        match incoming:
            case EngineUp():
                self._up = True
            case EngineLost(reason, restarting, unsent):
                self._waiting.clear()
                self._say(f"Error: the engine has stopped ({clean(reason)}).")
                for prompt in unsent:
                    self._say(f"Not begun: {clean(prompt.text)}")
                if not restarting:
                    self._end(Ended(1, "the engine could not be kept running"))
            case OpenFailed(error):
                self._end(Ended(1, error))
            case _:
                self._message(incoming)
        self._wake()

    def _message(self, message: Message) -> None:
        self.status = self.status.apply(message)
        if isinstance(message, ResultMessage):
            self._waiting -= {message.user_message_uuid, *(message.user_message_uuids or ())}
        if isinstance(message, PermissionRequest) and self._reads:
            self._say(f"(A question waits: {clean(message.title)} Press Enter to hear it.)")
        if self._held is not None:
            self._held.append(message)
        else:
            self._speaker.changed(self._transcript.apply(message))

    async def _recall(self) -> None:
        """Say the end of what was said before, then what came meanwhile."""
        if self._held is None or self._ended is not None:
            return
        reply = await self._link.ask(Page(count=RECALLED))
        if isinstance(reply, MessagePage):
            past = Transcript(self._masker)
            for record in reply.records:
                message = _read(record)
                if message is not None:
                    past.apply(message)
                    self._transcript.apply(message)
            blocks = past.blocks
            prompts = [at for at, block in enumerate(blocks) if block.kind == "prompt"]
            if prompts:
                if prompts[-1] or reply.more:
                    self._say("(Earlier messages are left out.)")
                self._speaker.recall(blocks[prompts[-1] :])
        held, self._held = self._held, None
        for message in held:
            self._speaker.changed(self._transcript.apply(message))

    # What is read ---------------------------------------------------------------------------------------------------

    async def _turns(self) -> None:
        while self._ended is None:
            requests = self.status.requests
            if requests:
                await self._ask(requests[0])
            elif self.status.busy or self._waiting:
                await self._until(lambda: bool(self.status.requests) or not self._at_work)
            else:
                await self._read()

    @property
    def _at_work(self) -> bool:
        return self.status.busy or bool(self._waiting)

    async def _read(self) -> None:
        self._reads = True
        try:
            text = await self._reading.prompt("> ")
        except EOFError:
            self._end(Ended())
            return
        except KeyboardInterrupt:
            self._again()
            return
        finally:
            self._reads = False
        if text.strip():
            self._keep(text, self.session_id)
            self._typed(text)

    def _again(self) -> None:
        """Take Ctrl+C at the prompt: once it only clears."""
        now = time.monotonic()
        if now - self._interrupted < LEAVE_WITHIN:
            self._end(Ended())
            return
        self._interrupted = now
        self._say("(Ctrl+C again leaves.)")

    def _typed(self, text: str) -> None:
        name = text.strip().removeprefix("/").casefold() if text.startswith("/") else ""
        if name in LEAVING:
            self._end(Ended())
        elif name == "help":
            for line in HELP:
                self._say(line)
        elif name == "status":
            self._say(self._standing())
        elif shell_line(text) == "":
            self._say("After ! comes a line for the shell.")
        else:
            self._send(shell_line(text) or text, shell=shell_line(text) is not None)

    def _send(self, text: str, *, shell: bool = False) -> None:
        prompt = Prompt(text, str(uuid.uuid4()), shell=shell)
        self._waiting.add(prompt.uuid)
        self._link.send(prompt)

    async def _ask(self, request: PermissionRequest) -> None:
        """Ask until it is answered, or answered elsewhere."""
        question = question_of(request)
        lines = question.lines()
        while self._ended is None and request in self.status.requests:
            for line in lines:
                self._say(line)
            said = await self._answer(request, question.prompt)
            if said is None:
                continue
            given = said if isinstance(said, Deny) else await self._given(request, question, said)
            if not isinstance(given, str):
                self._link.send(Answer(request.id, given))
                await self._until(lambda: request not in self.status.requests)
                return
            lines = [given] if given else question.lines()

    async def _given(
        self, request: PermissionRequest, question: Question, said: str
    ) -> PermissionAnswer | str:
        """Take what was said; where that is to change the call first, have it changed."""
        text = question.to_edit(said)
        if text is None:
            return question.take(said)
        changed = await self._answer(request, "change: ", text)
        if changed is None or isinstance(changed, Deny):
            return "Nothing was changed."
        return question.edited(changed)

    async def _answer(
        self, request: PermissionRequest, prompt: str, text: str = ""
    ) -> str | Deny | None:
        """Read a line for a question, beginning with ``text``; None when the question is over before there is one."""
        found: list[str | Deny] = []

        async def read() -> None:
            try:
                found.append(await self._reading.answer(prompt, text))
            except (EOFError, KeyboardInterrupt):
                found.append(Deny(interrupt=True))
            self._wake()

        async with anyio.create_task_group() as group:
            group.start_soon(read)
            await self._until(lambda: bool(found) or request not in self.status.requests)
            group.cancel_scope.cancel()
        return found[0] if found else None

    def _standing(self) -> str:
        """Say where the session stands, in a sentence."""
        status = self.status.session
        if status is None:
            return "The session is not open yet."
        share = self.status.context_share
        full = "" if share is None else f", context {share:.0%} full"
        cost = "" if status.total_cost_usd is None else f", ${status.total_cost_usd:.4f} so far"
        return (
            f"Model {clean(status.model)}, mode {status.mode}{full}{cost}, in {clean(status.cwd)}."
        )

    # Waiting --------------------------------------------------------------------------------------------------------

    def _end(self, ended: Ended) -> None:
        self._ended = self._ended or ended
        self._wake()

    def _wake(self) -> None:
        moved, self._moved = self._moved, anyio.Event()
        moved.set()

    async def _until(self, met: Callable[[], bool]) -> None:
        """Wait until it holds, or the talk has ended."""
        while self._ended is None and not met():
            await self._moved.wait()


def _read(record: dict[str, object]) -> Message | None:
    try:
        return from_record(record)
    except (ValueError, KeyError):
        return None
