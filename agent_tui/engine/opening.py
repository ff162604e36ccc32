"""The only place that wires real things together: options in, a session ready to be talked to out.

It only constructs; what is built does its own work elsewhere. Nothing here opens a connection, and the API package
is loaded by a task of the session, after the front end has been told that it can begin.
"""

from __future__ import annotations

import logging
import uuid
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TypeVar, cast

import anyio
import anyio.to_thread

from agent_tui import __version__
from agent_tui.context.system_prompt import system_prompt
from agent_tui.context.window import CompactPolicy
from agent_tui.engine.answering import Answering
from agent_tui.engine.beginning import Beginning
from agent_tui.engine.chosen import origin_of
from agent_tui.engine.command import CommandContext, names
from agent_tui.engine.completion import FileIndex
from agent_tui.engine.controls import Controls, Held, check_mode
from agent_tui.engine.extras import NO_EXTRAS, Extras
from agent_tui.engine.foundation import Foundation, lay
from agent_tui.engine.helping import Helping, HelpingParts
from agent_tui.engine.hooking import SessionHooks, SessionParts
from agent_tui.engine.init import Init
from agent_tui.engine.instructions import Instructions
from agent_tui.engine.mentions import Mentions
from agent_tui.engine.mirror import end as end_mirror
from agent_tui.engine.place import git_branch
from agent_tui.engine.prompt_tool import decider
from agent_tui.engine.runner import PromptRunner, command_in
from agent_tui.engine.saving import SavingNotice
from agent_tui.engine.serving import Serving
from agent_tui.engine.sessions import choose
from agent_tui.engine.standing import PlanNote, ShelfNote, Standing
from agent_tui.engine.usage_report import UsageReport
from agent_tui.journal.entries import Stamp
from agent_tui.journal.replay import ToolDisplay
from agent_tui.loop.approvals import Approver, DenyAll, Desk
from agent_tui.loop.asking import Asker, NobodyThere, PersonAsked
from agent_tui.loop.command_output import CommandOutput
from agent_tui.loop.compact import Compactor
from agent_tui.loop.hub import Hub
from agent_tui.loop.limits import Budget, Limit, TurnLimit, spent_usd
from agent_tui.loop.modes import SessionModes
from agent_tui.loop.policy import Policy, Surroundings
from agent_tui.loop.queue import PromptQueue
from agent_tui.loop.record import Recorder
from agent_tui.loop.requests import FixedParts, SessionRequests
from agent_tui.loop.session import Parts, Session
from agent_tui.loop.shelf import Shelf
from agent_tui.loop.side_record import BUDGET
from agent_tui.loop.status import Fixed, PhaseName, Status
from agent_tui.loop.structured import structured_output
from agent_tui.loop.task_board import TaskBoard
from agent_tui.loop.tool_call import Batch, Workplace
from agent_tui.loop.toolbox import Toolbox
from agent_tui.loop.turn import Deps
from agent_tui.permissions.resolver import RealResolver
from agent_tui.protocol.agents import AgentDefinition
from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.display import Display
from agent_tui.protocol.messages import PermissionMode
from agent_tui.protocol.ops import SetMode
from agent_tui.protocol.requests import PermissionRuleValue, PermissionUpdate
from agent_tui.settings.options import Options
from agent_tui.settings.paths import Environment, root
from agent_tui.tools.base import InvalidInputError, ToolSet
from agent_tui.tools.plan_mode import plan_rules

T = TypeVar("T")
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class OpenSession:
    """A session that is being served, and what answers to queries need of it."""

    session: Session
    base: Foundation
    held: Held
    files: FileIndex
    serving: Serving
    helping: Helping
    usage: UsageReport

    @property
    def journal_path(self) -> Path:
        """Where its journal is."""
        return self.held.path

    @property
    def running(self) -> bool:
        """Whether a run is going."""
        return self.session.busy

    async def settled(self) -> None:
        """Wait, after a result, until nothing in the background will bring another; see ``Helping.settled``."""
        await self.helping.settled(self.base.env)

    @property
    def tool_display(self) -> ToolDisplay:
        """How a call looks before it has run."""
        return partial(preview, self.base.tools, self.base.cwd)


async def with_session(
    options: Options,
    env: Environment,
    body: Callable[[OpenSession], Awaitable[T]],
    *,
    extras: Extras = NO_EXTRAS,
) -> T:
    """Open a session, run ``body`` with it, end it: runs are interrupted, children gone, the journal let go.

    Args:
        options: what was asked for.
        env: the variables and the home it sees.
        body: talks to the session; its end is the session's.
        extras: what a program brings itself: who answers permission requests, hooks, in-process servers, a mirror.

    Raises:
        AgentTuiError: it could not be opened; the text says why and what to do.
    """
    laying = partial(
        lay,
        options,
        env,
        answered=extras.approver is not None,
        servers=tuple(extras.servers),
    )
    base = await anyio.to_thread.run_sync(laying)
    try:
        builder = _Builder(base, extras)
        await builder.choose()
        try:
            return await builder.serve(body)
        finally:
            builder.held.close()
            with anyio.CancelScope(shield=True):
                await anyio.to_thread.run_sync(builder.held.chosen.clean_up)
    finally:
        with anyio.move_on_after(3, shield=True):
            await base.ports.shell.aclose()
            await base.client.aclose()
        if base.demo is not None:
            base.demo.close()


class _Builder:
    """Puts one session together, part by part, from the lowest up."""

    def __init__(self, base: Foundation, extras: Extras) -> None:
        self._base = base
        self._extras = extras
        self._hub = Hub()
        self._saving = SavingNotice()
        self._hooks: SessionHooks
        self.held: Held

    async def choose(self) -> None:
        """Take the journal that is asked for."""
        base = self._base
        chosen = await anyio.to_thread.run_sync(
            choose,
            base.env,
            base.cwd,
            base.options.session,
            self._saving.changed,
            origin_of(base.options),
        )
        self.held = Held(chosen, self._extras.mirror)
        conversation = chosen.conversation
        for path, seen in conversation.files_seen.items():
            base.ports.files.remember(path, seen)
        self._record = Recorder(
            self.held.sink(), self._stamp(chosen.session_id), conversation, self._hub.emit
        )
        self._serving = Serving.of(base, self._extras.servers, self._record)
        self._helping = Helping(self._record)

    async def serve(self, body: Callable[[OpenSession], Awaitable[T]]) -> T:
        """Build the rest, serve it, and run ``body`` beside."""
        session, files = self._session()
        opened = OpenSession(
            session, self._base, self.held, files, self._serving, self._helping, self._usage
        )
        results: list[T] = []
        async with anyio.create_task_group() as group:
            group.start_soon(session.serve)
            group.start_soon(self._hooks.serve)
            group.start_soon(files.serve)
            group.start_soon(self._saving.serve, self._record)
            group.start_soon(self._warm_up)
            group.start_soon(self._serving.serve)
            group.start_soon(self._helping.background.serve)
            if self._extras.mirror is not None:
                group.start_soon(self._extras.mirror.serve, self._mirror_failed)
            try:
                results.append(await body(opened))
            finally:
                with anyio.CancelScope(shield=True):
                    await session.end()
                    await self._helping.background.end()
                    await self._hooks.end()
                    await end_mirror(self._extras.mirror)
                group.cancel_scope.cancel()
        return results[0]

    def _agents(self) -> tuple[AgentDefinition, ...]:
        return self._base.kinds.definitions if "Agent" in self._base.tools.by_name else ()

    async def _mirror_failed(self, key: JsonObject | None, error: str) -> None:
        await self._record.system("mirror_error", key=key, error=error)

    async def _warm_up(self) -> None:
        """Load what the first request needs, and say what the settings left out."""
        lowered = self._base.lowered(self._usage.requests.model)
        left_out = (*self._base.rules.problems, *self._hooks.problems, *lowered)
        for text in (*self._base.layers.notices, *left_out, *self._base.kinds.notices):
            await self._record.system("informational", content=text, level="warning")
        if self.held.chosen.damaged:
            count = self.held.chosen.damaged
            lines = "1 damaged record was" if count == 1 else f"{count} damaged records were"
            await self._record.system(
                "informational", content=f"{lines} skipped in this session's file.", level="warning"
            )
        await self._base.client.warm_up()

    def _session(self) -> tuple[Session, FileIndex]:
        base, record = self._base, self._record
        modes = _modes(base)
        policy = self._policy(modes)
        model = base.model(base.options.model.model or record.conversation.model)
        self._structured = structured_output(base.options.tools.schema, base.env)
        if self._structured is not None:
            base.tools.renew((*base.tools.tools, self._structured))
        toolbox = Toolbox(base.tools, base.deferral, base.table)
        requests = self._requests(model, toolbox)
        self._hooks = SessionHooks(
            SessionParts(
                base, record, policy, requests, lambda: self.held.path, self.held.chosen.how
            ),
            self._extras,
        )
        status = self._status(policy, requests, modes)
        self._budget = self._cap(status)
        output = CommandOutput(record, screen=base.options.interactive)
        interactive = base.options.interactive and self._extras.approver is None
        controls = Controls(
            base,
            record,
            policy,
            requests,
            status,
            self.held,
            modes,
            self._stamp,
            self._saving.changed,
            self._budget,
            self._hooks,
            output,
        )
        self._apply = controls.apply
        desk = Desk(self._hub.emit, policy.settle, controls.apply) if interactive else None
        person = self._hooks.notifying(desk) if desk is not None else None
        told = decider(base.options.permissions.prompt_tool, base.tools, self._extras.approver)
        program = told and Answering(told, controls.apply)
        approver = program or person or DenyAll()
        self._asker = _asker(desk)
        phase = partial(_phase, status)
        compact_policy = CompactPolicy.of(
            base.env,
            enabled=base.layers.settings.auto_compact,
            window=base.layers.settings.auto_compact_window,
        )
        self._usage = UsageReport(
            lambda: record.conversation,
            requests,
            compact_policy,
            toolbox,
            base.memory,
            self._agents,
        )
        compactor = Compactor(record, base.client, requests, self._hooks, compact_policy, phase)
        queue = PromptQueue(
            record.say,
            lambda prompt: command_in(prompt) is not None,
            verbatim=base.options.prompts.verbatim,
        )
        init = Init(record, partial(self._init, policy, requests))
        shelf = Shelf(record, toolbox, lambda: requests.model)
        ports = replace(
            base.ports,
            tasks=TaskBoard(record, self._hooks),
            modes=SessionModes(policy, lambda mode: controls.set_mode(SetMode(mode))),
            shelf=shelf,
            background=self._helping.background,
        )
        agents = self._helping.agents(
            HelpingParts(
                base,
                self.held,
                self._hub.emit,
                ports,
                lambda: deps(),
                requests,
                policy,
                approver,
                controls.apply,
                partial(_asker, desk),
                self._hooks,
                compact_policy,
                self._budget,
                status.touch,
                self._spill,
                _now,
                preview,
                "bypassPermissions" in modes,
            )
        )
        place = Workplace(replace(ports, agents=agents), base.cwd, self._spill())
        standing = Standing(
            record,
            PlanNote(lambda: policy.mode, plan_rules(base.tools)),
            ShelfNote(shelf),
        )
        instructions = Instructions(base, self._hooks, lambda: record.conversation)
        beginning = Beginning(
            record,
            controls.begin,
            instructions.context,
            _now,
            standing.tell,
            instructions.written,
        )
        deps = partial(
            self._deps, policy, requests, compactor, approver, place, queue, phase, beginning
        )
        runner = PromptRunner(
            record,
            deps,
            CommandContext(record, compactor, policy, status, requests, controls, init, output),
            self._hooks,
            Mentions(base.tools, policy, place),
            self._helping.beginning(beginning),
            init,
            self._serving.ready,
        )
        background = self._helping.background
        parts = Parts(
            self._hub, record, status, queue, desk, runner, controls, runner.fail, background
        )
        session = Session(parts)
        self._helping.attach(session)
        return session, FileIndex(base.cwd)

    def _policy(self, modes: tuple[PermissionMode, ...]) -> Policy:
        base, conversation = self._base, self._record.conversation
        mode = check_mode(base.start_mode, modes)
        resumed = conversation.mode
        if base.options.permissions.mode is None and resumed in ("default", "acceptEdits"):
            mode = resumed
        policy = Policy(
            mode,
            base.rules,
            Surroundings(base.cwd, base.added_dirs, lambda: base.ports.shell.cwd, base.project),
            RealResolver(str(base.env.home), (str(root(base.env)),)),
        )
        policy.update((_reading_back(self._spill()),))
        policy.update(tuple(u for u in conversation.granted if u.type != "setMode"))
        return policy

    def _requests(self, model: str, toolbox: Toolbox) -> SessionRequests:
        base = self._base
        prompts = base.options.prompts
        fixed = FixedParts(
            system_prompt(prompts.system_prompt, prompts.append_system_prompt),
            toolbox.definitions,
        )
        fallbacks = tuple(map(base.model, base.fallbacks))
        return SessionRequests(fixed, base.table, base.wishes, model, fallbacks)

    def _status(
        self, policy: Policy, requests: SessionRequests, modes: tuple[PermissionMode, ...]
    ) -> Status:
        base = self._base
        fixed = Fixed(str(base.cwd), modes, base.demo is not None)
        status = Status(self._hub.emit, lambda: self._record.conversation, policy, fixed)
        status.model, status.window = requests.model, requests.window
        status.branch = git_branch(base.cwd) or ""
        return status

    def _deps(
        self,
        policy: Policy,
        requests: SessionRequests,
        compactor: Compactor,
        approver: Approver,
        place: Workplace,
        queue: PromptQueue,
        phase: Callable[[str], Awaitable[None]],
        beginning: Beginning,
    ) -> Deps:
        base, record = self._base, self._record
        return Deps(
            client=base.client,
            requests=requests,
            batch=lambda: Batch(
                record,
                base.tools,
                policy,
                approver,
                self._hooks,
                replace(place, spill=self._spill()),
                self._apply,
                defers=not base.options.interactive,
            ),
            preview=lambda block: preview(base.tools, base.cwd, block.name, block.input),
            hooks=self._hooks,
            limits=self._limits(),
            record=record,
            compactor=compactor,
            phase=phase,
            steering=queue.steering,
            renew_context=beginning.renew,
            partial=base.options.partial_messages,
            asker=self._asker,
            structured=self._structured,
        )

    def _limits(self) -> tuple[Limit, ...]:
        turns = self._base.options.limits.max_turns
        return (self._budget, TurnLimit(turns)) if turns else (self._budget,)

    def _cap(self, status: Status) -> Budget:
        """Give what the session may cost; the status shows it, and when the person moves it."""

        def changed() -> None:
            status.budget_usd = budget.usd
            status.touch()

        asked = self._base.options.limits.max_budget_usd

        def used_up() -> None:
            self._helping.background.end_agents(BUDGET)

        budget = Budget(asked, lambda: spent_usd(self._record.conversation), changed, used_up)
        status.budget_usd = budget.usd
        return budget

    def _init(self, policy: Policy, requests: SessionRequests) -> JsonObject:
        base = self._base
        return {
            "cwd": str(base.cwd),
            "tools": [tool.name for tool in base.tools.tools],
            "mcp_servers": self._serving.rows(),
            "model": requests.model,
            "permissionMode": policy.mode,
            "slash_commands": list(names()),
            "apiKeySource": base.key_source,
            "agent_tui_version": __version__,
            "claude_code_version": __version__,
            "output_style": "default",
            "agents": [kind.name for kind in self._agents()],
            "skills": [],
            "plugins": [],
        }

    def _spill(self) -> Path:
        path = self.held.path
        return path.parent / path.stem / "tool-results"

    def _stamp(self, session_id: str) -> Stamp:
        base = self._base
        return Stamp(
            session_id, str(base.cwd), __version__, _now, _new_id, git_branch(base.cwd) or ""
        )


def _reading_back(spill: Path) -> PermissionUpdate:
    """Let the model read what was too long to return; the sessions themselves stay closed to it."""
    outputs = spill.parent.parent / "*" / spill.name / "**"
    rule = PermissionRuleValue("Read", f"/{outputs}")
    return PermissionUpdate("addRules", (rule,), "allow", destination="session")


def preview(tools: ToolSet, cwd: Path, name: str, tool_input: JsonObject) -> Display | None:
    """Show a call before it has run; None for an unknown tool or input that can't be read."""
    tool = tools.named(name)
    if tool is None:
        return None
    try:
        return tool.preview(tool.parse(tool_input), cwd)
    except InvalidInputError:
        return None


def _modes(base: Foundation) -> tuple[PermissionMode, ...]:
    """Give the modes that can be switched to; bypassPermissions only where it was allowed at the start.

    dontAsk can be switched to by programs; others have it only where they began in it.
    """
    usual: tuple[PermissionMode, ...] = ("default", "acceptEdits", "plan")
    allowed = base.options.permissions.allow_bypass and not base.layers.settings.disable_bypass
    if base.options.permissions.mode == "dontAsk" or base.options.origin == "sdk":
        usual = (*usual, "dontAsk")
    return (*usual, "bypassPermissions") if allowed else usual


def _asker(desk: Desk | None, agent: str | None = None) -> Asker:
    """Give what asks the person, on behalf of a sub-agent where one is named."""
    return NobodyThere() if desk is None else PersonAsked(desk, _new_id, agent)


async def _phase(status: Status, phase: str) -> None:
    status.phase(cast("PhaseName", phase))


def _now() -> datetime:
    return datetime.now(UTC).astimezone()


def _new_id() -> str:
    return str(uuid.uuid4())
