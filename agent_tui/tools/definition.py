"""What the built-in tools share: their text, schema and parsing, made from a few class attributes."""

from __future__ import annotations

from functools import cached_property
from importlib import resources
from pathlib import Path
from typing import ClassVar, Generic, TypeVar

from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.display import Display
from agent_tui.tools.arguments import Arguments, input_schema, parse_arguments
from agent_tui.tools.base import ToolCall, ToolOutput
from agent_tui.tools.registry import module_of

A = TypeVar("A", bound=Arguments)


class BuiltinTool(Generic[A]):
    """Base of the built-in tools. The prompt text is the ``.md`` file beside the tool's module.

    ``aliases`` are names the tool had before: calls by them reach it too.
    """

    name: str
    aliases: ClassVar[tuple[str, ...]] = ()
    arguments: type[A]
    read_only: bool = False
    timeout_hint_ms: int | None = None
    prompts: ClassVar[str] = "agent_tui.tools.builtin"

    def schema(self) -> JsonObject:
        """Give the definition sent to the model; the same bytes every time."""
        return {
            "name": self.name,
            "description": self._prompt,
            "input_schema": input_schema(self.arguments),
        }

    def parse(self, raw: JsonObject) -> A:
        """Check and read the input; see ``parse_arguments``."""
        return parse_arguments(self.name, self.arguments, raw)

    def preview(self, args: A, cwd: Path) -> Display:
        """Say how the call looks before it has run."""
        raise NotImplementedError

    async def proposal(self, args: A, call: ToolCall) -> Display:
        """Show what would change; for a tool that changes nothing, the preview."""
        return self.preview(args, call.cwd)

    @cached_property
    def _prompt(self) -> str:
        file = resources.files(self.prompts) / f"{module_of(self.name)}.md"
        return file.read_text("utf-8").strip()


def failed(text: str, display: Display | None = None) -> ToolOutput:
    """Make the output of a call that failed, for the model to read."""
    return ToolOutput(text, display, structured=f"Error: {text}", is_error=True)
