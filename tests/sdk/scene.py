"""What the drivers of scenarios work with: a folder, a scripted server, and a recorder of all that is seen."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from agent_tui.sdk import (
    ClaudeAgentOptions,
    ClaudeSDKClient,
    HookMatcher,
    PermissionResult,
    PermissionResultAllow,
    query,
)
from tests.fakes.api_server import ApiServer, Reply, Rule, reply, tool
from tests.fakes.api_server.script import ReplySource
from tests.sdk.lines import Recorder
from tests.sdk.place import Place

Driver = Callable[["Scene"], Awaitable[None]]
SCENARIOS: dict[str, Driver] = {}
"""The drivers by the names of their scenarios; ``scenes_*.py`` list theirs here."""

Answer = Callable[[str, dict[str, Any]], PermissionResult]
Hooks = dict[str, list[HookMatcher]]


@dataclass
class Scene:
    """One scenario being played."""

    place: Place
    outside: Path
    seen: Recorder = field(default_factory=Recorder)
    retries: str | None = None

    @property
    def api(self) -> ApiServer:
        return self.place.api

    @property
    def folder(self) -> str:
        return str(self.place.folder)

    def replies(self, *replies: ReplySource, rules: tuple[Rule, ...] = ()) -> None:
        """Script the server; when nothing is left it goes on answering."""
        self.api.script.default = "exhausted"
        self.api.enqueue(*replies)
        for rule in rules:
            self.api.add_rule(rule.when, rule.reply, times=rule.times)

    def put(self, name: str, text: str = "alpha\nbeta\ngamma\n") -> str:
        """Write a file; give its path."""
        return str(self.place.write(name, text))

    def options(self, **wanted: Any) -> ClaudeAgentOptions:
        env = {"IS_SANDBOX": "1", **wanted.pop("env", {})}
        if self.retries is not None:
            env["CLAUDE_CODE_MAX_RETRIES"] = self.retries
        return self.place.options(env=env, **wanted)

    def client(self, **wanted: Any) -> ClaudeSDKClient:
        return ClaudeSDKClient(self.options(**wanted))

    async def one(self, prompt: str = "go", **wanted: Any) -> None:
        """Hold one conversation of one prompt with a client."""
        async with self.client(**wanted) as client:
            await self.turn(client, prompt)

    async def turn(self, client: ClaudeSDKClient, prompt: str) -> None:
        """Send a prompt and read to its result."""
        await client.query(prompt)
        async for message in client.receive_response():
            self.seen.take(message)

    async def ask(self, prompt: str | AsyncIterator[dict[str, Any]], **wanted: Any) -> None:
        """Hold a conversation with ``query``."""
        async for message in query(prompt=prompt, options=self.options(**wanted)):
            self.seen.take(message)

    def asking(self, answer: Answer | None = None) -> Any:
        """Give a callback that notes what it is asked and answers so; without an answer it allows."""

        async def can_use_tool(name: str, given: dict[str, Any], context: Any) -> PermissionResult:
            what = given.get("command") or given.get("file_path") or ""
            self.seen.asked.append([name, self._shown(str(what))])
            return answer(name, given) if answer else PermissionResultAllow()

        return can_use_tool

    def _shown(self, what: str) -> str:
        return what.replace(self.folder, "<cwd>").replace(str(self.outside), "/outside")

    def hook(
        self, event: str, output: dict[str, Any] | None = None, *, once: bool = False
    ) -> Hooks:
        """Give a hook that notes that it ran and answers ``output``, perhaps only the first time."""
        used: list[bool] = []

        async def call(given: Any, tool_use_id: str | None, context: Any) -> Any:
            self.seen.hooks.append(f"{event} {given.get('tool_name')}")
            used.append(True)
            return (output or {}) if not once or len(used) == 1 else {}

        return {event: [HookMatcher(hooks=[call])]}

    def specific(self, event: str, **said: Any) -> Hooks:
        """Give a hook that answers with ``hookSpecificOutput``."""
        return self.hook(event, {"hookSpecificOutput": {"hookEventName": event, **said}})


def scenario(driver: Driver) -> Driver:
    """List a driver by its name; an underline at its end keeps it apart from what the server offers."""
    SCENARIOS[driver.__name__.rstrip("_")] = driver
    return driver


def shell(command: str, **more: Any) -> Reply:
    """Reply with one shell command."""
    return reply(tool("Bash", command=command, **more))
