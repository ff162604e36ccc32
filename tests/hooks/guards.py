"""An engine with real shell hooks in a folder, and what it was heard to say."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from agent_tui.hooks.command import Place
from agent_tui.hooks.configured import CallbackHook, Registered, read_hooks
from agent_tui.hooks.engine import HookEngine, Surroundings
from agent_tui.hooks.matcher import read_matcher
from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.hooks import HookEvent, HookOutcome
from agent_tui.settings.layers import SourcedHooks
from agent_tui.settings.schema import HookFailures

FILE = "/home/someone/.claude/settings.json"


@dataclass
class Guards:
    """Hooks of one test. ``said`` are the notices, ``told`` the messages about hooks."""

    folder: Path
    failures: HookFailures | None = None
    shown: bool = False
    registered: list[Registered] = field(default_factory=list[Registered])
    said: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    told: list[tuple[str, JsonObject]] = field(default_factory=list[tuple[str, JsonObject]])
    covered: list[tuple[str, str, JsonObject]] = field(
        default_factory=list[tuple[str, str, JsonObject]]
    )
    variables: Mapping[str, str] = field(default_factory=dict[str, str])
    fits: bool = True

    def script(self, name: str, text: str) -> str:
        path = self.folder / name
        path.write_text(f"#!/bin/sh\n{text}\n")
        path.chmod(0o755)
        return str(path)

    def command(
        self, event: HookEvent, command: str, *, matcher: str | None = None, **more: Any
    ) -> Guards:
        """Add a hook as a settings file names it."""
        handler = {"type": "command", "command": command, **more}
        group: JsonObject = {"hooks": [handler]}
        if matcher is not None:
            group["matcher"] = matcher
        found = read_hooks([SourcedHooks({event: [group]}, "user", FILE)])
        assert found.problems == ()
        self.registered.extend(found.hooks)
        return self

    def callback(
        self, event: HookEvent, callback: Any, *, matcher: str | None = None, **more: Any
    ) -> Guards:
        """Add a function of the program."""
        hook = CallbackHook(callback, **more)
        self.registered.append(Registered(event, hook, read_matcher(matcher)))
        return self

    def engine(self) -> HookEngine:
        """Make what fires them."""
        return HookEngine(self.registered, self._around(), failures=self.failures, shown=self.shown)

    async def fire(self, event: HookEvent, match: str = "", **fields: Any) -> HookOutcome:
        """Fire one event."""
        return await self.engine().fire(event, fields, match=match)

    async def bash(self, command: str = "ls") -> HookOutcome:
        """Fire PreToolUse for a shell line."""
        return await self.fire(
            "PreToolUse",
            "Bash",
            tool_name="Bash",
            tool_input={"command": command},
            tool_use_id="toolu_1",
        )

    @property
    def notices(self) -> list[str]:
        return [text for text, _ in self.said]

    def place(self) -> Place:
        variables = {"PATH": os.environ["PATH"], **self.variables}
        return Place(str(self.folder), str(self.folder), variables, "/bin/bash")

    def _around(self) -> Surroundings:
        async def say(text: str, level: str) -> None:
            self.said.append((text, level))

        async def tell(subtype: str, data: JsonObject) -> None:
            self.told.append((subtype, data))

        def covers(rule: str, tool: str, given: JsonObject) -> bool:
            self.covered.append((rule, tool, given))
            return self.fits

        return Surroundings(
            common=lambda: {"session_id": "s", "cwd": str(self.folder)},
            place=self.place,
            spill=lambda: self.folder / "spill",
            covers=covers,
            say=say,
            tell=tell,
            aliases={"Agent": ("Task",)},
        )
