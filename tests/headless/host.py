"""A program at the other end of the control channel, in this process: it sends lines and hears records."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import anyio

from agent_tui.headless.output import Output
from agent_tui.headless.stdin import InputLines
from agent_tui.headless.stream import Stream
from agent_tui.protocol.content import JsonObject
from agent_tui.settings.options import Options, PermissionOptions
from agent_tui.settings.paths import Environment
from tests.fakes.api_server import ApiServer


class Heard(Output):
    """An output whose records go to the host at once."""

    def __init__(self) -> None:
        super().__init__()
        self.send, self.receive = anyio.create_memory_object_stream[JsonObject](math.inf)

    def record(self, record: JsonObject) -> None:
        self.send.send_nowait(json.loads(json.dumps(record)))


@dataclass
class Host:
    """Talks to one stream; ``heard`` holds every record until now."""

    output: Heard
    pipe: int
    heard: list[JsonObject] = field(default_factory=list[JsonObject])

    def raw(self, data: bytes) -> None:
        """Send bytes as they are."""
        os.write(self.pipe, data)

    def send(self, **record: Any) -> None:
        """Send a line."""
        self.raw(json.dumps(record).encode() + b"\n")

    def say(self, content: Any, **more: Any) -> None:
        """Send a prompt."""
        message = {"role": "user", "content": content}
        self.send(type="user", message=message, parent_tool_use_id=None, **more)

    def answer(self, request: JsonObject, **response: Any) -> None:
        """Answer a request of the program's."""
        inner = {"subtype": "success", "request_id": request["request_id"], "response": response}
        self.send(type="control_response", response=inner)

    def refuse(self, request: JsonObject, error: str) -> None:
        """Say no to a request."""
        inner = {"subtype": "error", "request_id": request["request_id"], "error": error}
        self.send(type="control_response", response=inner)

    async def ask(self, subtype: str, **fields: Any) -> JsonObject:
        """Send a request and give the answer to it."""
        request_id = f"host_{len(self.heard)}_{subtype}"
        request = {"subtype": subtype, **fields}
        self.send(type="control_request", request_id=request_id, request=request)

        def is_answer(record: JsonObject) -> bool:
            answers = record["type"] == "control_response"
            return answers and bool(record["response"]["request_id"] == request_id)

        return (await self.hear(is_answer))["response"]

    async def request(self, subtype: str) -> JsonObject:
        """Wait for a request of the program's."""
        return await self.hear(
            lambda r: r["type"] == "control_request" and r["request"]["subtype"] == subtype
        )

    async def result(self) -> JsonObject:
        """Wait for the next result."""
        return await self.hear(lambda r: r["type"] == "result")

    async def hear(self, wanted: Callable[[JsonObject], bool]) -> JsonObject:
        """Wait for a record."""
        while True:
            record = await self.output.receive.receive()
            self.heard.append(record)
            if wanted(record):
                return record

    def close(self) -> None:
        """Close the program's standard input."""
        if self.pipe >= 0:
            os.close(self.pipe)
            self.pipe = -1

    def kinds(self, *types: str) -> list[JsonObject]:
        """The records of these types."""
        return [record for record in self.heard if record["type"] in types]


@dataclass
class Place:
    """A machine: a home that is the project too, a server, options."""

    api: ApiServer
    folder: Path
    options: Options
    variables: dict[str, str] = field(default_factory=dict[str, str])

    @classmethod
    def at(cls, api: ApiServer, folder: Path) -> Place:
        return cls(api, folder, Options(str(folder)))

    @property
    def env(self) -> Environment:
        variables = {
            "PATH": os.environ["PATH"],
            "HOME": str(self.folder),
            "ANTHROPIC_BASE_URL": self.api.url,
            "ANTHROPIC_API_KEY": "sk-test-dummy",
            **self.variables,
        }
        return Environment(variables, self.folder)

    def asking(self) -> None:
        """Have the host asked for approvals."""
        self.options = replace(self.options, permissions=PermissionOptions(prompt_tool="stdio"))

    async def talk(self, body: Callable[[Host], Awaitable[None]], *, replay: bool = False) -> int:
        """Run a stream with ``body`` as its host; the input is closed at its end. Gives the exit code."""
        read, write = os.pipe()
        host = Host(Heard(), write)
        stream = Stream(self.options, self.env, InputLines(read), host.output, replay=replay)
        codes: list[int] = []

        async def serve() -> None:
            with host.output.send:
                codes.append(await stream.run())

        try:
            async with anyio.create_task_group() as group:
                group.start_soon(serve)
                await body(host)
                host.close()
                with host.output.receive:
                    async for record in host.output.receive:
                        host.heard.append(record)
        finally:
            host.close()
            os.close(read)
        self.heard = host.heard
        return codes[0]

    heard: list[JsonObject] = field(default_factory=list[JsonObject])
