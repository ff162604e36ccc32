"""A folder, the real world, and tools to call in it."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from agent_tui.machine.world import real_ports
from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.display import Display
from agent_tui.protocol.ports import Ports, ToolLimits
from agent_tui.settings.paths import Environment
from agent_tui.tools.base import AnyTool, ToolCall, ToolOutput


@dataclass
class Place:
    """Runs tools in ``folder``; ``seen`` are the displays that progress told of."""

    folder: Path
    ports: Ports
    spill: Path
    forbidden: set[str] = field(default_factory=set[str])
    seen: list[Display] = field(default_factory=list[Display])
    others: list[Place] = field(default_factory=list["Place"])

    @classmethod
    def at(cls, folder: Path, limits: ToolLimits | None = None) -> Place:
        """Make one with the test's own environment."""
        ports = real_ports(Environment.of_process(), folder)
        ports = ports if limits is None else replace(ports, limits=limits)
        return cls(folder, ports, folder.parent / "spill")

    def another(self, folder: Path | None = None, limits: ToolLimits | None = None) -> Place:
        """Give a place with ports of its own, made from the environment as it is now."""
        self.others.append(Place.at(folder or self.folder, limits))
        return self.others[-1]

    async def close(self) -> None:
        """End what was started here."""
        for place in (self, *self.others):
            await place.ports.shell.aclose()

    def call(self, call_id: str = "t1") -> ToolCall:
        """Give a call's surroundings."""
        return ToolCall(
            call_id,
            self.folder,
            self.ports,
            self._progress,
            lambda path: path not in self.forbidden,
            self.spill,
            (self.folder,),
        )

    async def run(self, tool: AnyTool, **raw: Any) -> ToolOutput:
        """Parse, run, and check what must hold of every output."""
        args = tool.parse(raw)
        output = await tool.run(args, self.call())
        require_sendable(output)
        return output

    async def text(self, tool: AnyTool, **raw: Any) -> str:
        """Run and give the text for the model."""
        content = (await self.run(tool, **raw)).content
        assert isinstance(content, str)
        return content

    async def _progress(self, display: Display) -> None:
        self.seen.append(display)


def require_sendable(output: ToolOutput) -> None:
    """Check that an output can go into a request: valid UTF-8, not blank, plain data."""
    body: JsonObject = {"content": output.content, "structured": output.structured}
    json.dumps(body, ensure_ascii=False).encode()
    if isinstance(output.content, str):
        assert output.content.strip()
    if output.is_error:
        assert isinstance(output.structured, str)
    repr(output.display).encode()
