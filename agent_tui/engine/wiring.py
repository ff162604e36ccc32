"""The only place that wires real things together: every part of one session, made when it is first asked for.

A part is a property; what it needs it names, so there is no order to keep. Nothing works here: what is built does its
own work elsewhere.
"""

from __future__ import annotations

import uuid
from dataclasses import replace
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import cast

from agent_tui import __version__
from agent_tui.context.system_prompt import system_prompt
from agent_tui.context.window import CompactPolicy
from agent_tui.engine.answering import Answering
from agent_tui.engine.asides import Asides
from agent_tui.engine.auto import classifier_model, offers_auto
from agent_tui.engine.beginning import Beginning
from agent_tui.engine.command import CommandContext, names
from agent_tui.engine.completion import FileIndex
from agent_tui.engine.controls import Controls, Held, check_mode
from agent_tui.engine.explaining import Explaining
from agent_tui.engine.exporting import Exporting
from agent_tui.engine.extras import Extras
from agent_tui.engine.foundation import Foundation
from agent_tui.engine.helping import Helping, HelpingParts
from agent_tui.engine.hindsight import Hindsight
from agent_tui.engine.hooking import SessionHooks, SessionParts, configured
from agent_tui.engine.init import Init
from agent_tui.engine.instructions import Instructions
from agent_tui.engine.mentions import Mentions
from agent_tui.engine.past import Past, keeps_files
from agent_tui.engine.place import git_branch
from agent_tui.engine.preferring import Preferring
from agent_tui.engine.premises import Premises
from agent_tui.engine.prompt_tool import decider
from agent_tui.engine.reviewing import Reviewing
from agent_tui.engine.rewinding import Rewinding
from agent_tui.engine.runner import PromptRunner, command_in
from agent_tui.engine.saving import SavingNotice
from agent_tui.engine.serving import Serving
from agent_tui.engine.shell_lines import ShellLines
from agent_tui.engine.standing import PlanNote, ShelfNote, Standing
from agent_tui.engine.usage_report import UsageReport
from agent_tui.journal.entries import Stamp
from agent_tui.journal.kept_files import kept_folder
from agent_tui.loop.approvals import Approver, DenyAll, Desk
from agent_tui.loop.asking import Asker, NobodyThere, PersonAsked
from agent_tui.loop.auto_mode import AutoMode
from agent_tui.loop.classifier import Classifier
from agent_tui.loop.command_output import CommandOutput
from agent_tui.loop.compact import Compactor
from agent_tui.loop.file_history import FileHistory
from agent_tui.loop.hub import Hub
from agent_tui.loop.keeping import keeping
from agent_tui.loop.limited_rules import left_for_later
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
from agent_tui.loop.structured import StructuredOutput, structured_output
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
from agent_tui.protocol.ports import Ports
from agent_tui.protocol.requests import PermissionRuleValue, PermissionUpdate
from agent_tui.settings.bypass import bypass_refused
from agent_tui.settings.credentials import masker_of
from agent_tui.settings.paths import root
from agent_tui.tools.base import InvalidInputError, ToolSet
from agent_tui.tools.plan_mode import plan_rules


class Wiring:
    """The parts of one session.

    Args:
        base: what it stands on.
        extras: what a program brings itself.
        held: the journal it writes to.
        saving: notes when the journal can't be written.
    """

    def __init__(self, base: Foundation, extras: Extras, held: Held, saving: SavingNotice) -> None:
        self.base = base
        self.extras = extras
        self.held = held
        self.saving = saving
        self.hub = Hub()

    # What is written and said -----------------------------------------------------------------------------------------

    @cached_property
    def record(self) -> Recorder:
        """Writes and says; knows again which files were read before."""
        chosen = self.held.chosen
        for path, seen in chosen.conversation.files_seen.items():
            self.base.ports.files.remember(path, seen)
        stamp = self.stamp(chosen.session_id)
        return Recorder(self.held.sink(), stamp, chosen.conversation, self.hub.emit)

    def stamp(self, session_id: str) -> Stamp:
        """Give what makes the headers of a journal's lines."""
        cwd = self.base.cwd
        return Stamp(session_id, str(cwd), __version__, _now, _new_id, git_branch(cwd) or "")

    def spill(self) -> Path:
        """Say where output goes that is too long to return; ``/clear`` moves it."""
        path = self.held.path
        return path.parent / path.stem / "tool-results"

    @cached_property
    def output(self) -> CommandOutput:
        """Says what slash commands give."""
        return CommandOutput(self.record, screen=self.base.options.interactive)

    @cached_property
    def status(self) -> Status:
        """What the status bar shows."""
        fixed = Fixed(str(self.base.cwd), self.modes, self.base.demo is not None)
        status = Status(self.hub.emit, lambda: self.record.conversation, self.policy, fixed)
        status.model, status.window = self.requests.model, self.requests.window
        status.branch = git_branch(self.base.cwd) or ""
        return status

    async def phase(self, phase: str) -> None:
        """Say what the session is at."""
        self.status.phase(cast("PhaseName", phase))

    @cached_property
    def init(self) -> Init:
        """Says ``system/init``."""
        return Init(self.record, self._init)

    def _init(self) -> JsonObject:
        base = self.base
        return {
            "cwd": str(base.cwd),
            "tools": [tool.name for tool in base.tools.tools],
            "mcp_servers": self.serving.rows(),
            "model": self.requests.model,
            "permissionMode": self.policy.mode,
            "slash_commands": list(names()),
            "apiKeySource": base.key_source,
            "agent_tui_version": __version__,
            "claude_code_version": __version__,
            "output_style": "default",
            "agents": [kind.name for kind in self.agent_kinds()],
            "skills": [],
            "plugins": [],
        }

    # Who is asked -----------------------------------------------------------------------------------------------------

    @cached_property
    def modes(self) -> tuple[PermissionMode, ...]:
        """The modes that can be switched to; bypassPermissions and auto only where they were allowed at the start.

        dontAsk can be switched to by programs; others have it only where they began in it.
        """
        options, settings = self.base.options, self.base.layers.settings
        modes: tuple[PermissionMode, ...] = ("default", "acceptEdits", "plan")
        if options.permissions.mode == "dontAsk" or options.origin == "sdk":
            modes = (*modes, "dontAsk")
        bypass = options.permissions.allow_bypass and not settings.disable_bypass
        if bypass and not bypass_refused(self.base.env):
            modes = (*modes, "bypassPermissions")
        return (*modes, "auto") if offers_auto(options, settings) else modes

    @cached_property
    def policy(self) -> Policy:
        """Mode, rules and folders in force."""
        base, conversation = self.base, self.record.conversation
        mode = check_mode(base.start_mode, self.modes)
        resumed = conversation.mode
        if base.options.permissions.mode is None and resumed in ("default", "acceptEdits"):
            mode = resumed
        policy = Policy(
            mode,
            base.rules,
            Surroundings(base.cwd, base.added_dirs, lambda: base.ports.shell.cwd, base.project),
            RealResolver(str(base.env.home), (str(root(base.env)),), steering=base.scripts),
        )
        base.sandboxing.rules.follow(lambda: policy.rules, base.scripts)
        policy.update((_reading_back(self.spill()),))
        granted = left_for_later(conversation.granted)
        policy.update(tuple(update for update in granted if update.type != "setMode"))
        return policy

    @cached_property
    def desk(self) -> Desk | None:
        """Where a person answers; None where there is none, or a program answers."""
        if not self.base.options.interactive or self.extras.approver is not None:
            return None
        desk = Desk(self.hub.emit, self.policy.settle, self.controls.apply)
        self.controls.reconsider = desk.reconsider
        return desk

    @cached_property
    def auto(self) -> AutoMode:
        """Looks at what would be asked, in the mode of that name."""
        base = self.base
        classifier = Classifier(base.client, classifier_model(base), base.table)
        return AutoMode(
            self.record,
            self.policy,
            classifier,
            lambda: self.budget.reached,
            self.phase,
            offered="auto" in self.modes,
        )

    @cached_property
    def approver(self) -> Approver:
        """Who answers permission requests."""
        asked_tool = self.base.options.permissions.prompt_tool
        program = decider(asked_tool, self.base.tools, self.extras.approver)
        if program is not None:
            return Answering(program, self.controls.apply)
        return self.hooks.notifying(self.desk) if self.desk is not None else DenyAll()

    def asker(self, agent: str | None = None) -> Asker:
        """Give what asks the person the loop's own questions, on behalf of a sub-agent where one is named."""
        return NobodyThere() if self.desk is None else PersonAsked(self.desk, _new_id, agent)

    @cached_property
    def hooks(self) -> SessionHooks:
        """The hooks of the session."""
        how = self.held.chosen.how
        parts = SessionParts(
            self.base, self.record, self.policy, self.requests, lambda: self.held.path, how
        )
        return SessionHooks(parts, self.extras)

    @cached_property
    def explaining(self) -> Explaining:
        """Tells of the permissions, and changes them."""
        return Explaining(self.base, self.policy, self.controls.apply)

    # What the model is asked ------------------------------------------------------------------------------------------

    @cached_property
    def structured(self) -> StructuredOutput | None:
        """The tool whose input must be the answer, where a schema is asked for; then it is one of the tools."""
        tools = self.base.tools
        tool = structured_output(self.base.options.tools.schema, self.base.env)
        if tool is not None:
            tools.renew((*tools.tools, tool))
        return tool

    @cached_property
    def toolbox(self) -> Toolbox:
        """What requests tell of the tools, that for a structured answer included."""
        _ = self.structured
        return Toolbox(self.base.tools, self.base.deferral, self.base.table)

    @cached_property
    def requests(self) -> SessionRequests:
        """Makes the requests of the main conversation."""
        base, prompts = self.base, self.base.options.prompts
        model = base.model(base.options.model.model or self.record.conversation.model)
        system = system_prompt(prompts.system_prompt, prompts.append_system_prompt)
        fixed = FixedParts(system, self.toolbox.definitions)
        fallbacks = tuple(map(base.model, base.fallbacks))
        return SessionRequests(fixed, base.table, base.wishes, model, fallbacks)

    @cached_property
    def compaction(self) -> CompactPolicy:
        """When the window is cut."""
        settings = self.base.layers.settings
        return CompactPolicy.of(
            self.base.env, enabled=settings.auto_compact, window=settings.auto_compact_window
        )

    @cached_property
    def compactor(self) -> Compactor:
        """Cuts the window."""
        client = self.base.client
        return Compactor(
            self.record, client, self.requests, self.hooks, self.compaction, self.phase
        )

    @cached_property
    def usage(self) -> UsageReport:
        """Reports what fills the window."""
        return UsageReport(
            lambda: self.record.conversation,
            self.requests,
            self.compaction,
            self.toolbox,
            self.base.memory,
            self.agent_kinds,
        )

    @cached_property
    def budget(self) -> Budget:
        """What the session may cost; the status shows it, and when the person moves it."""

        def changed() -> None:
            self.status.budget_usd = budget.usd
            self.status.touch()

        def used_up() -> None:
            self.helping.background.end_agents(BUDGET)

        asked = self.base.options.limits.max_budget_usd
        budget = Budget(asked, lambda: spent_usd(self.record.conversation), changed, used_up)
        self.status.budget_usd = budget.usd
        if asked is not None:
            self.status.spent = lambda: budget.spent
        return budget

    @property
    def limits(self) -> tuple[Limit, ...]:
        """What ends a run."""
        turns = self.base.options.limits.max_turns
        return (self.budget, TurnLimit(turns)) if turns else (self.budget,)

    # Where calls run --------------------------------------------------------------------------------------------------

    @cached_property
    def serving(self) -> Serving:
        """The MCP servers."""
        return Serving.of(self.base, self.extras.servers, self.record)

    @cached_property
    def helping(self) -> Helping:
        """Sub-agents and work in the background."""
        return Helping(self.record)

    def agent_kinds(self) -> tuple[AgentDefinition, ...]:
        """Give the kinds of sub-agents that can be asked for."""
        return self.base.kinds.definitions if "Agent" in self.base.tools.by_name else ()

    @cached_property
    def shelf(self) -> Shelf:
        """The tools that are known by name only."""
        return Shelf(self.record, self.toolbox, lambda: self.requests.model)

    @cached_property
    def ports(self) -> Ports:
        """The world and the session as tools reach them, but for sub-agents."""
        return replace(
            self.keeps(self.base.ports),
            tasks=TaskBoard(self.record, self.hooks),
            modes=SessionModes(self.policy, lambda mode: self.controls.set_mode(SetMode(mode))),
            shelf=self.shelf,
            background=self.helping.background,
        )

    @cached_property
    def history(self) -> FileHistory | None:
        """Keeps what files were before they are changed; None where that is not wanted."""
        if not keeps_files(self.base.options, self.base.env):
            return None
        return FileHistory(self.record, lambda: kept_folder(self.held.path))

    def keeps(self, ports: Ports) -> Ports:
        """Give a world in which what files were is kept."""
        return keeping(ports, self.history, self.policy.about_to_change)

    @cached_property
    def place(self) -> Workplace:
        """Where the calls of the main conversation run."""
        parts = HelpingParts(
            self.base,
            self.held,
            self.hub.emit,
            self.ports,
            self.deps,
            self.requests,
            self.policy,
            self.approver,
            self.controls.apply,
            self.asker,
            self.hooks,
            self.compaction,
            self.budget,
            self.status.touch,
            self.spill,
            _now,
            preview,
            "bypassPermissions" in self.modes,
            self.auto,
            self.keeps,
        )
        ports = replace(self.ports, agents=self.helping.agents(parts))
        return Workplace(ports, self.base.cwd, self.spill())

    def persons_place(self) -> Workplace:
        """Where lines of the person's own run: what they change is not the agent's to take back."""
        ports = replace(self.place.ports, shell=self.base.ports.shell)
        return replace(self.place, ports=ports, spill=self.spill())

    def batch(self) -> Batch:
        """Make what runs the calls of one response."""
        return Batch(
            self.record,
            self.base.tools,
            self.policy,
            self.approver,
            self.hooks,
            replace(self.place, spill=self.spill()),
            self.controls.apply,
            defers=not self.base.options.interactive,
            auto=self.auto,
        )

    # What runs --------------------------------------------------------------------------------------------------------

    def deps(self) -> Deps:
        """Give what a run needs."""
        base = self.base
        return Deps(
            client=base.client,
            requests=self.requests,
            batch=self.batch,
            preview=lambda block: preview(base.tools, base.cwd, block.name, block.input),
            hooks=self.hooks,
            limits=self.limits,
            record=self.record,
            compactor=self.compactor,
            phase=self.phase,
            steering=self.queue.steering,
            renew_context=self.beginning.renew,
            partial=base.options.partial_messages,
            asker=self.asker(),
            structured=self.structured,
        )

    @cached_property
    def controls(self) -> Controls:
        """What ops and commands change."""
        return Controls(
            self.base,
            self.record,
            self.policy,
            self.requests,
            self.status,
            self.held,
            self.modes,
            self.stamp,
            self.saving.changed,
            self.budget,
            self.hooks,
            self.output,
        )

    @cached_property
    def queue(self) -> PromptQueue:
        """Prompts that wait."""
        return PromptQueue(
            self.record.say,
            lambda prompt: prompt.shell or command_in(prompt) is not None,
            verbatim=self.base.options.prompts.verbatim,
        )

    @cached_property
    def beginning(self) -> Beginning:
        """What is written before a prompt."""
        standing = Standing(
            self.record,
            PlanNote(lambda: self.policy.mode, plan_rules(self.base.tools)),
            ShelfNote(self.shelf),
        )
        read = Instructions(self.base, self.hooks, lambda: self.record.conversation)
        return Beginning(
            self.record, self.controls.begin, read.context, _now, standing.tell, read.written
        )

    @cached_property
    def reviewing(self) -> Reviewing:
        """Looks at what was changed of files."""
        return Reviewing(self.past)

    @cached_property
    def rewinding(self) -> Rewinding:
        """Goes back to earlier moments."""
        return Rewinding(self.past, self.controls.stand_again, self.status.touch)

    @cached_property
    def past(self) -> Past:
        """What the two go by."""
        return Past(self.held, self.record, self.history, self.base.cwd)

    @cached_property
    def hindsight(self) -> Hindsight:
        """Answers queries about both."""
        return Hindsight(self.reviewing, self.rewinding, self.session.alone)

    @cached_property
    def exporting(self) -> Exporting:
        """Writes the session as a document."""
        return Exporting(
            self.past.entries,
            lambda: self.record.conversation,
            lambda name, given: preview(self.base.tools, self.base.cwd, name, given),
            masker_of(self.base.env),
            self.base.cwd,
            Path(self.base.env.home),
        )

    @cached_property
    def premises(self) -> Premises:
        """What commands look at."""
        return Premises(
            self.base,
            self.serving,
            Preferring(self.base),
            Asides(self.record, self.requests, self.base.client),
            lambda: configured(self.base, self.extras),
            self.agent_kinds,
            lambda: self.held.path,
        )

    @cached_property
    def runner(self) -> PromptRunner:
        """Runs prompts and slash commands."""
        context = CommandContext(
            self.record,
            self.compactor,
            self.policy,
            self.status,
            self.requests,
            self.controls,
            self.init,
            self.output,
            self.explaining,
            self.reviewing,
            self.rewinding,
            exporting=self.exporting,
            premises=self.premises,
        )
        return PromptRunner(
            self.record,
            self.deps,
            context,
            self.hooks,
            Mentions(self.base.tools, self.policy, self.place),
            self.helping.beginning(self.beginning),
            self.init,
            self.serving.ready,
            ShellLines(
                self.record,
                self.policy,
                self.persons_place,
                self.phase,
            ),
            fits_pictures=self.base.options.interactive,
        )

    @cached_property
    def session(self) -> Session:
        """The session itself."""
        parts = Parts(
            self.hub,
            self.record,
            self.status,
            self.queue,
            self.desk,
            self.runner,
            self.controls,
            self.runner.fail,
            self.helping.background,
        )
        session = Session(parts)
        self.helping.attach(session)
        return session

    @cached_property
    def files(self) -> FileIndex:
        """The project's files, for completion."""
        return FileIndex(self.base.cwd, lambda: self.record.conversation.files_seen)


def preview(tools: ToolSet, cwd: Path, name: str, tool_input: JsonObject) -> Display | None:
    """Show a call before it has run; None for an unknown tool or input that can't be read."""
    tool = tools.named(name)
    if tool is None:
        return None
    try:
        return tool.preview(tool.parse(tool_input), cwd)
    except InvalidInputError:
        return None


def _reading_back(spill: Path) -> PermissionUpdate:
    """Let the model read what was too long to return; the sessions themselves stay closed to it."""
    outputs = spill.parent.parent / "*" / spill.name / "**"
    rule = PermissionRuleValue("Read", f"/{outputs}")
    return PermissionUpdate("addRules", (rule,), "allow", destination="session")


def _now() -> datetime:
    return datetime.now(UTC).astimezone()


def _new_id() -> str:
    return str(uuid.uuid4())
