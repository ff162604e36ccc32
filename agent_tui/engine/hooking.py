"""The hooks of a session: which there are, what they are told of it, and the moments that belong to it as a whole."""

from __future__ import annotations

import secrets
import shutil
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import anyio

from agent_tui.context.request import reminder
from agent_tui.engine.chosen import How
from agent_tui.engine.extras import Extras
from agent_tui.engine.foundation import Foundation
from agent_tui.engine.hook_rules import HookRules, rule_book
from agent_tui.engine.nesting import HOOK_DEPTH, hook_depth
from agent_tui.engine.titles import given_title
from agent_tui.hooks.command import Place
from agent_tui.hooks.configured import CallbackHook, CommandHook, Configured, Registered, read_hooks
from agent_tui.hooks.engine import HookEngine, Surroundings
from agent_tui.hooks.events import EVENTS, NOT_FIRED
from agent_tui.hooks.matcher import read_matcher
from agent_tui.loop.approvals import Approver
from agent_tui.loop.policy import Policy
from agent_tui.loop.record import Recorder
from agent_tui.loop.requests import SessionRequests
from agent_tui.machine.environment import child_environment
from agent_tui.machine.processes import MARK, end_command
from agent_tui.permissions.resolver import RealResolver
from agent_tui.permissions.rule import OLD_NAMES
from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.hooks import NOTHING, HookEvent, HookOutcome
from agent_tui.protocol.ops import Prompt
from agent_tui.protocol.requests import PermissionAnswer, PermissionRequest


@dataclass(frozen=True, slots=True)
class SessionParts:
    """What hooks are told about. ``journal`` gives where the session is written; ``how`` it came to be."""

    base: Foundation
    record: Recorder
    policy: Policy
    requests: SessionRequests
    journal: Callable[[], Path]
    how: How


class SessionHooks:
    """Implements ``loop.hooks.Hooks`` for the session, and fires what concerns all of it.

    ``problems`` are sentences about hooks that were left out.
    """

    def __init__(self, parts: SessionParts, extras: Extras) -> None:
        found = configured(parts.base, extras)
        self.problems = found.problems
        self._parts = parts
        self._engine = HookEngine(
            found.hooks,
            _surroundings(parts),
            failures=parts.base.layers.settings.hook_failures,
            shown=parts.base.options.hook_events,
        )
        self._opened = anyio.Event()
        self._said_at_start = NOTHING

    async def fire(
        self, event: HookEvent, fields: JsonObject | None = None, *, match: str = ""
    ) -> HookOutcome:
        """Fire an event; see ``loop.hooks.Hooks``."""
        return await self._engine.fire(event, fields, match=match)

    def launch(
        self, event: HookEvent, fields: JsonObject | None = None, *, match: str = ""
    ) -> None:
        """Fire an event nobody waits for."""
        self._engine.launch(event, fields, match=match)

    async def serve(self) -> None:
        """Fire SessionStart, and run what nobody waits for, until cancelled."""
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(self._engine.serve)
            await self._begin(self._parts.how)
            self._opened.set()

    async def opened(self) -> None:
        """Wait until SessionStart hooks are through."""
        await self._opened.wait()

    async def introduce(self) -> None:
        """Put what SessionStart hooks said into the conversation, once; its first lines are written by now."""
        said, self._said_at_start = self._said_at_start, NOTHING
        record = self._parts.record
        for text in texts_of("SessionStart", said):
            record.reminder(text)
        if said.initial_prompt and not self._parts.base.options.interactive:
            await record.nudge(said.initial_prompt)
        self.entitle(said.title)

    def entitle(self, title: str) -> None:
        """Name the session as a hook wants it; a person's own name stays."""
        record, title = self._parts.record, given_title(title)
        if title and not record.conversation.custom_title:
            record.title(title, generated=True)

    async def clearing(self) -> None:
        """Tell hooks that the conversation ends here."""
        await self.fire("SessionEnd", {"reason": "clear"})

    async def cleared(self) -> None:
        """Tell hooks that a new conversation has begun."""
        await self._begin("clear")

    async def end(self) -> None:
        """Tell hooks that the session ends; their time is short."""
        interactive = self._parts.base.options.interactive
        await self.fire("SessionEnd", {"reason": "prompt_input_exit" if interactive else "other"})

    async def submitted(self, prompt: Prompt) -> HookOutcome:
        """Fire UserPromptSubmit for what the person, not some background work, says."""
        if prompt.origin is not None:
            return NOTHING
        fields = {"prompt": prompt.text, "prompt_id": prompt.uuid}
        return await self.fire("UserPromptSubmit", fields)

    async def expanding(self, name: str, args: str, text: str) -> HookOutcome:
        """Fire UserPromptExpansion for a slash command that is about to be run."""
        fields: JsonObject = {
            "expansion_type": "slash_command",
            "command_name": name,
            "command_args": args,
            "command_source": "builtin",
            "prompt": text,
        }
        return await self.fire("UserPromptExpansion", fields, match=name)

    def notifying(self, desk: Approver) -> Approver:
        """Give an approver that tells Notification hooks of each question before it asks the desk."""
        return _Notifying(desk, self._engine)

    async def _begin(self, source: str) -> None:
        """Fire SessionStart; what it says waits for the next prompt."""
        outcome = await self.fire(
            "SessionStart", {"source": source, "model": self._parts.requests.model}
        )
        self._said_at_start = replace(outcome, title="") if source == "clear" else outcome


def kept_back(verdict: HookOutcome) -> str | None:
    """Say why hooks keep a prompt back; None when they don't."""
    why = verdict.stop if verdict.blocked is None else verdict.blocked
    return None if why is None else f"A hook kept this prompt back: {why}".rstrip(": ")


def texts_of(event: HookEvent, outcome: HookOutcome) -> tuple[str, ...]:
    """Give what hooks add to the conversation, as the model is told it."""
    return tuple(reminder(f"A {event} hook adds: {text}") for text in outcome.additional_context)


def configured(base: Foundation, extras: Extras) -> Configured:
    """Collect the hooks of settings files and of the program."""
    settings = base.layers
    files = settings.hooks
    if settings.settings.disable_hooks:
        files = tuple(file for file in files if file.source == "managed")
    found = read_hooks(files)
    problems = [*found.problems]
    for one in found.hooks:
        rule = one.hook.rule if isinstance(one.hook, CommandHook) else None
        if isinstance(one.hook, CommandHook) and rule and rule_book(rule, "").problems:
            problems.append(
                f"{one.hook.path}: the if {rule!r} of a {one.event} hook is no rule; the hook is run every time."
            )
    callbacks, more = _callbacks(extras)
    return Configured((*found.hooks, *callbacks), (*problems, *more))


def _callbacks(extras: Extras) -> tuple[list[Registered], list[str]]:
    hooks: list[Registered] = []
    problems: list[str] = []
    for event, groups in extras.hooks.items():
        if event in NOT_FIRED:
            problems.append(f"The program's {event} hooks never run: there is no such moment here.")
            continue
        for group in groups:
            try:
                matcher = read_matcher(group.matcher, bars_only=EVENTS[event].bars_only)
            except ValueError as error:
                problems.append(f"A {event} hook of the program never runs: {error}")
                continue
            hooks.extend(
                Registered(event, CallbackHook(one, group.timeout_s, group.on_failure), matcher)
                for one in group.callbacks
            )
    return hooks, problems


def _surroundings(parts: SessionParts) -> Surroundings:
    base, record = parts.base, parts.record
    shell = base.ports.shell
    rules = HookRules(
        base.tools,
        (base.cwd, *base.added_dirs),
        lambda: shell.cwd,
        RealResolver(str(base.env.home)),
    )
    bash = shutil.which("bash", path=base.env.get("PATH") or None) or "/bin/sh"

    def effort() -> str | None:
        return parts.requests.effort

    def common() -> JsonObject:
        level, prompt = effort(), record.conversation.last_prompt_uuid
        return {
            "session_id": record.session_id,
            "transcript_path": str(parts.journal()),
            "cwd": shell.cwd,
            "permission_mode": parts.policy.mode,
            **({"prompt_id": prompt} if prompt else {}),
            **({"effort": {"level": level}} if level else {}),
        }

    def place() -> Place:
        project, level = str(base.project), effort()
        mark = secrets.token_hex(8)
        more = {"CLAUDE_PROJECT_DIR": project, "AGENT_TUI_PROJECT_DIR": project, MARK: mark}
        more[HOOK_DEPTH] = str(hook_depth(base.env) + 1)
        if level:
            more["CLAUDE_EFFORT"] = level
        variables = child_environment(base.env, more)
        return Place(shell.cwd, project, variables, bash, partial(end_command, mark))

    async def say(text: str, level: str) -> None:
        if (
            record.conversation.head is None
        ):  # nothing is written of a session in which nothing was said
            await record.system("informational", content=text, level=level)
        else:
            await record.notice(text, level)

    async def tell(subtype: str, data: JsonObject) -> None:
        await record.system(subtype, **data)

    return Surroundings(
        common=common,
        place=place,
        spill=lambda: parts.journal().with_suffix("") / "tool-results",
        covers=rules.covers,
        say=say,
        tell=tell,
        aliases=_old_names(),
    )


def _old_names() -> dict[str, tuple[str, ...]]:
    """Give the names tools had before, by the name they have."""
    found: dict[str, tuple[str, ...]] = {}
    for old, new in OLD_NAMES.items():
        found[new] = (*found.get(new, ()), old)
    return found


class _Notifying:
    """Tells hooks that a person is asked; nobody waits for them."""

    def __init__(self, desk: Approver, engine: HookEngine) -> None:
        self._desk = desk
        self._engine = engine

    async def decide(self, request: PermissionRequest) -> PermissionAnswer:
        """Tell, and ask."""
        self._engine.launch(
            "Notification",
            {
                "message": request.title,
                "title": "Permission needed",
                "notification_type": "permission_prompt",
            },
        )
        return await self._desk.decide(request)
