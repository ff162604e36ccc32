"""Opens real sessions in a test: the whole engine, against the strict server, without a screen."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from agent_tui.engine.extras import Extras
from agent_tui.engine.opening import OpenSession, with_session
from agent_tui.loop.approvals import Approver
from agent_tui.protocol.content import TextBlock, ToolResultBlock, ToolUseBlock
from agent_tui.protocol.messages import (
    AssistantMessage,
    Message,
    ResultMessage,
    StreamEvent,
    SystemMessage,
    UserMessage,
)
from agent_tui.protocol.ops import Op, Prompt
from agent_tui.protocol.requests import Allow, PermissionAnswer, PermissionRequest
from agent_tui.settings.options import Options, PermissionOptions, SessionOptions
from agent_tui.settings.paths import Environment
from tests.fakes.api_server import ApiRequest, ApiServer
from tests.fakes.api_server.rules import as_int


def refused(api: ApiServer) -> list[str | None]:
    """What the server refused; a request that we broke off ourselves while sending it does not count."""
    return [request.refused for request in api.refused if not request.disconnected]


def whole_prefix(request: ApiRequest) -> int:
    """Tokens the cache holds after this request: what it read and what it wrote."""
    usage = request.usage or {}
    return sum(
        as_int(usage.get(name)) or 0
        for name in ("cache_creation_input_tokens", "cache_read_input_tokens")
    )


def _allow(request: PermissionRequest) -> PermissionAnswer:
    return Allow()


def texts_of(message: Mapping[str, Any]) -> list[str]:
    """The texts of a message as it was sent."""
    return [str(block["text"]) for block in message["content"] if block["type"] == "text"]


class Answers:
    """A person who answers every question with what ``answer`` gives; remembers what was asked."""

    def __init__(self, answer: Callable[[PermissionRequest], PermissionAnswer] = _allow) -> None:
        self._answer = answer
        self.asked: list[PermissionRequest] = []

    async def decide(self, request: PermissionRequest) -> PermissionAnswer:
        self.asked.append(request)
        return self._answer(request)


@dataclass
class Place:
    """A machine: a home, a project, a server; options of the sessions opened there."""

    api: ApiServer
    home: Path
    project: Path
    options: Options
    variables: dict[str, str] = field(default_factory=dict[str, str])

    @classmethod
    def at(cls, folder: Path, api: ApiServer) -> Place:
        home, project = folder / "home", folder / "project"
        home.mkdir()
        project.mkdir()
        return cls(api, home, project, Options(cwd=str(project), interactive=True))

    @property
    def env(self) -> Environment:
        variables = {
            "PATH": "/usr/bin:/bin",
            "HOME": str(self.home),
            "ANTHROPIC_BASE_URL": self.api.url,
            "ANTHROPIC_API_KEY": "sk-test-dummy",
            **self.variables,
        }
        return Environment(variables, self.home)

    def write(self, name: str, text: str) -> Path:
        path = self.project / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def mode(self, mode: Any) -> Place:
        """The same place, with sessions that start in ``mode``."""
        permissions = PermissionOptions(mode=mode, allow_bypass=mode == "bypassPermissions")
        variables = {**self.variables, "IS_SANDBOX": "1"}
        return replace(
            self, options=replace(self.options, permissions=permissions), variables=variables
        )

    def resuming(self, session_id: str) -> Place:
        """The same place, with sessions that go on with this one."""
        return replace(
            self, options=replace(self.options, session=SessionOptions(resume=session_id))
        )

    async def talk(
        self,
        *prompts: str,
        approver: Approver | None = None,
        during: Callable[[Message, Callable[[Op], None]], None] | None = None,
    ) -> Talk:
        """Open a session, send the prompts one after another, read to the last one's result.

        ``during`` sees every message as it is said and may send ops.
        """
        talk = Talk()

        async def body(opened: OpenSession) -> None:
            talk.journal = opened.journal_path
            with opened.session.subscribe() as messages:
                for number, text in enumerate(prompts):
                    opened.session.send(Prompt(text, f"00000000-0000-4000-8000-{number:012d}"))
                    async for message in messages:
                        talk.heard.append(message)
                        if during is not None:
                            during(message, opened.session.send)
                        if isinstance(message, ResultMessage):
                            break

        await self.run(body, approver)
        return talk

    async def run(
        self, body: Callable[[OpenSession], Awaitable[None]], approver: Approver | None = None
    ) -> None:
        """Open a session and run ``body`` with it."""
        await with_session(
            self.options, self.env, body, extras=Extras(approver=approver or Answers())
        )


@dataclass
class Talk:
    """What was said in a session."""

    heard: list[Message] = field(default_factory=list[Message])
    journal: Path = Path()

    @property
    def results(self) -> list[ResultMessage]:
        return [m for m in self.heard if isinstance(m, ResultMessage)]

    @property
    def result(self) -> ResultMessage:
        return self.results[-1]

    @property
    def tool_results(self) -> list[ToolResultBlock]:
        return [
            block
            for message in self.heard
            if isinstance(message, UserMessage) and isinstance(message.content, tuple)
            for block in message.content
            if isinstance(block, ToolResultBlock)
        ]

    @property
    def calls(self) -> list[ToolUseBlock]:
        return [
            block
            for message in self.heard
            if isinstance(message, AssistantMessage)
            for block in message.content
            if isinstance(block, ToolUseBlock)
        ]

    @property
    def texts(self) -> list[str]:
        return [
            block.text
            for message in self.heard
            if isinstance(message, AssistantMessage)
            for block in message.content
            if isinstance(block, TextBlock)
        ]

    def system(self, subtype: str) -> list[SystemMessage]:
        return [m for m in self.heard if isinstance(m, SystemMessage) and m.subtype == subtype]

    @property
    def notices(self) -> list[str]:
        return [str(m.data["content"]) for m in self.system("informational")]

    @property
    def events(self) -> list[str]:
        return [str(m.event["type"]) for m in self.heard if isinstance(m, StreamEvent)]

    @property
    def session_id(self) -> str:
        return self.result.session_id
