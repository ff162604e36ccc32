"""A session's parts without a session: a scripted model, tools made for the test, entries in a list."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import Any

import anyio
from anyio.lowlevel import checkpoint

from agent_tui.context.request import build_request
from agent_tui.context.window import CompactPolicy
from agent_tui.journal.entries import Entry, Stamp
from agent_tui.journal.fold import Conversation, fold
from agent_tui.loop.approvals import Approver
from agent_tui.loop.asking import Asker, NobodyThere
from agent_tui.loop.compact import Compactor
from agent_tui.loop.hooks import Hooks, NoHooks
from agent_tui.loop.limits import Budget, Limit, spent_usd
from agent_tui.loop.policy import Policy, Surroundings
from agent_tui.loop.record import Recorder
from agent_tui.loop.requests import FixedParts, SessionRequests
from agent_tui.loop.structured import StructuredOutput
from agent_tui.loop.tool_call import Batch, Workplace
from agent_tui.loop.turn import Deps, Run
from agent_tui.machine.world import real_ports
from agent_tui.model.client import ModelRequest
from agent_tui.model.prices import ModelTable
from agent_tui.model.thinking import Wishes
from agent_tui.permissions.resolver import RealResolver
from agent_tui.permissions.rules import RuleBook
from agent_tui.protocol.access import Access, NoAccess, WritePath
from agent_tui.protocol.content import (
    JsonObject,
    TextBlock,
    ToolResultBlock,
    ToolUseBlock,
)
from agent_tui.protocol.display import Display, TextDisplay
from agent_tui.protocol.messages import (
    AssistantMessage,
    Message,
    PermissionMode,
    ResultMessage,
    SystemMessage,
    UserMessage,
)
from agent_tui.protocol.ops import Prompt
from agent_tui.protocol.requests import Allow, PermissionAnswer, PermissionRequest
from agent_tui.settings.layers import SourcedRule
from agent_tui.settings.paths import Environment
from agent_tui.tools.base import AnyTool, InvalidInputError, ToolCall, ToolOutput, ToolSet
from tests.context.wire import complaints
from tests.fakes.model import ScriptedModel

MODEL = "claude-opus-4-8"
PROMPT_ID = "11111111-0000-4000-8000-000000000000"

Does = Callable[[JsonObject, ToolCall], Awaitable[ToolOutput]]


async def _done(args: JsonObject, call: ToolCall) -> ToolOutput:
    return ToolOutput("done")


class FakeTool:
    """Implements ``Tool``. Input with a key ``wrong`` is refused; ``ran`` are the inputs it was run with."""

    timeout_hint_ms: int | None = None

    def __init__(self, name: str, does: Does = _done, *, read_only: bool = False) -> None:
        self.name = name
        self.read_only = read_only
        self._does = does
        self.ran: list[JsonObject] = []

    def schema(self) -> JsonObject:
        return {"name": self.name, "description": "?", "input_schema": {"type": "object"}}

    def parse(self, raw: JsonObject) -> JsonObject:
        if "wrong" in raw:
            raise InvalidInputError(f"{self.name} takes no 'wrong'")
        return raw

    def access(self, args: JsonObject, cwd: Path) -> Access:
        return NoAccess() if self.read_only else WritePath(str(cwd / "file.txt"))

    def preview(self, args: JsonObject, cwd: Path) -> Display:
        return TextDisplay(title=self.name)

    async def proposal(self, args: JsonObject, call: ToolCall) -> Display:
        return self.preview(args, call.cwd)

    async def run(self, args: JsonObject, call: ToolCall) -> ToolOutput:
        self.ran.append(args)
        return await self._does(args, call)


class Moments:
    """Counts the moments at which the loop waits for somebody; cancels ``scope`` at the one numbered ``stop_at``."""

    def __init__(self, stop_at: int = 0) -> None:
        self.scope = anyio.CancelScope()
        self.passed = 0
        self._stop_at = stop_at

    async def __call__(self) -> None:
        self.passed += 1
        if self.passed == self._stop_at:
            self.scope.cancel()
        await checkpoint()

    @property
    def reached(self) -> bool:
        """Whether the moment to cancel at came."""
        return self.passed >= self._stop_at


class Person:
    """Implements ``Approver``: answers with ``answer``, remembers what was asked."""

    def __init__(
        self, answer: PermissionAnswer | None = None, moments: Moments | None = None
    ) -> None:
        self._answer = answer or Allow()
        self._moments = moments
        self.asked: list[PermissionRequest] = []

    async def decide(self, request: PermissionRequest) -> PermissionAnswer:
        self.asked.append(request)
        if self._moments is not None:
            await self._moments()
        return self._answer


@dataclass
class Entries:
    """Implements ``Sink`` with a list. ``log`` also tells when it was made durable."""

    entries: list[Entry] = field(default_factory=list[Entry])
    log: list[str] = field(default_factory=list[str])
    moments: Moments = field(default_factory=Moments)

    def append(self, *entries: Entry) -> None:
        self.entries.extend(entries)
        self.log.extend(type(entry).__name__ for entry in entries)

    async def sync(self) -> None:
        self.log.append("sync")
        await self.moments()


@dataclass
class Stage:
    """Everything a run needs, with what came of it."""

    folder: Path
    model: ScriptedModel = field(default_factory=ScriptedModel)
    tools: Sequence[AnyTool] = ()
    moments: Moments = field(default_factory=Moments)
    approver: Approver = field(default_factory=Person)
    hooks: Hooks = field(default_factory=NoHooks)
    mode: PermissionMode = "default"
    deny: tuple[str, ...] = ()
    limits: tuple[Limit, ...] = ()
    budget_usd: float | None = None
    asker: Asker = field(default_factory=NobodyThere)
    structured: StructuredOutput | None = None
    fallbacks: tuple[str, ...] = ()
    prices: dict[str, Any] = field(default_factory=dict[str, Any])
    system: str = "You are tested."
    compaction: CompactPolicy = field(default_factory=CompactPolicy)
    steering: list[Prompt] = field(default_factory=list[Prompt])
    partial: bool = False
    defers: bool = False
    said: list[Message] = field(default_factory=list[Message])
    phases: list[str] = field(default_factory=list[str])

    def __post_init__(self) -> None:
        ids = count(1)
        self.sink = Entries(moments=self.moments)
        stamp = Stamp(
            "session",
            str(self.folder),
            "0",
            lambda: datetime(2026, 1, 1, tzinfo=UTC),
            lambda: f"00000000-0000-4000-8000-{next(ids):012d}",
        )
        self.record = Recorder(self.sink, stamp, Conversation(session_id="session"), self._hear)
        answer = () if self.structured is None else (self.structured,)
        self.tool_set = ToolSet.of((*self.tools, *answer))
        self.requests = SessionRequests(
            FixedParts((self.system,), self.tool_set.schemas()),
            ModelTable.of(self.prices),
            Wishes(),
            MODEL,
            self.fallbacks,
        )
        self.budget = Budget(self.budget_usd, lambda: spent_usd(self.record.conversation))
        self.policy = Policy(
            self.mode,
            RuleBook.of([SourcedRule("deny", text, "flag") for text in self.deny]),
            Surroundings(self.folder, (), lambda: str(self.folder), self.folder),
            RealResolver(str(self.folder)),
        )
        ports = real_ports(Environment({}, self.folder), self.folder)
        self.place = Workplace(ports, self.folder, self.folder / "spill")
        self.compactor = Compactor(
            self.record, self.model, self.requests, self.hooks, self.compaction, self._phase
        )

    async def _hear(self, message: Message) -> None:
        self.said.append(message)
        await self.moments()

    async def _phase(self, phase: str) -> None:
        self.phases.append(phase)
        await self.moments()

    async def _renew_context(self) -> None:
        """These windows have no context to lose; it takes a moment to see."""
        await self.moments()

    async def _steering(self) -> list[Prompt]:
        await self.moments()
        taken, self.steering = self.steering, []
        return taken

    def batch(self) -> Batch:
        """Make what runs the calls of one response."""
        return Batch(
            self.record,
            self.tool_set,
            self.policy,
            self.approver,
            self.hooks,
            self.place,
            defers=self.defers,
        )

    def deps(self) -> Deps:
        """Make what a run needs."""
        return Deps(
            client=self.model,
            requests=self.requests,
            batch=self.batch,
            preview=self._preview,
            hooks=self.hooks,
            limits=(self.budget, *self.limits),
            record=self.record,
            compactor=self.compactor,
            phase=self._phase,
            steering=self._steering,
            renew_context=self._renew_context,
            partial=self.partial,
            asker=self.asker,
            structured=self.structured,
        )

    def _preview(self, block: ToolUseBlock) -> Display | None:
        tool = self.tool_set.by_name.get(block.name)
        try:
            return None if tool is None else tool.preview(tool.parse(block.input), self.folder)
        except InvalidInputError:
            return None

    async def run(self, prompt: str = "go", uuid: str = PROMPT_ID) -> ResultMessage:
        """Put the prompt into the conversation and run it to its result."""
        await self.record.prompt(prompt, uuid)
        return await self.run_only(uuid)

    async def run_only(self, uuid: str = PROMPT_ID) -> ResultMessage:
        """Run the prompt that is in the conversation already."""
        return await Run(self.deps(), uuid).run()

    def next_request(self) -> ModelRequest:
        """Build what would be asked next."""
        return build_request(
            self.record.conversation, (self.system,), self.tool_set.schemas(), MODEL, 1000
        )

    def require_valid(self) -> None:
        """Check that the history can be sent, no call waits but one put off, and the journal says the same."""
        assert complaints(self.next_request()) == []
        conversation = self.record.conversation
        assert conversation.open_tool_uses in ((), (conversation.put_off,))
        assert fold(self.sink.entries).lines == self.record.conversation.lines

    # What was said --------------------------------------------------------------------------------------------------

    def all(self, kind: type[Any]) -> list[Any]:
        """Give the messages of one class."""
        return [message for message in self.said if isinstance(message, kind)]

    @property
    def results(self) -> list[ResultMessage]:
        return [m for m in self.said if isinstance(m, ResultMessage)]

    @property
    def texts(self) -> list[str]:
        return [
            block.text
            for message in self.said
            if isinstance(message, AssistantMessage)
            for block in message.content
            if isinstance(block, TextBlock)
        ]

    @property
    def tool_results(self) -> list[ToolResultBlock]:
        return [
            block
            for message in self.said
            if isinstance(message, UserMessage) and isinstance(message.content, tuple)
            for block in message.content
            if isinstance(block, ToolResultBlock)
        ]

    def system_messages(self, subtype: str) -> list[JsonObject]:
        return [m.data for m in self.said if isinstance(m, SystemMessage) and m.subtype == subtype]

    @property
    def notices(self) -> list[str]:
        return [str(data["content"]) for data in self.system_messages("informational")]
