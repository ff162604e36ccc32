"""A plain async function as a tool: a name, a JSON schema, a handler."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeAlias

from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError, ValidationError

from agent_tui.protocol.access import Access, CallMcp, NoAccess
from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.display import Display, TextDisplay
from agent_tui.protocol.errors import UsageError
from agent_tui.tools.base import InvalidInputError, ToolCall, ToolOutput
from agent_tui.tools.bounding import bounded

Handler: TypeAlias = Callable[[JsonObject, ToolCall], Awaitable[ToolOutput | str]]
"""Does the work. Text is a result; what it raises becomes an error result, as with every tool."""

PROGRAM = "program"
"""Whose tool it is, in the question that is asked before it runs."""

EMPTY = "(no output)"


class FunctionTool:
    """Implements ``Tool`` with a handler.

    Args:
        name: what the model calls it.
        description: for the model.
        input_schema: JSON schema of the input, an object's.
        handler: does the work.
        read_only: it changes nothing: it runs unasked, and beside other calls that only look.
        max_chars: results longer than this are kept in a file; None is the usual limit.
        access: what it touches; by default nothing if ``read_only``, else something that must be allowed.
        always_load: its definition is in every request, whether or not tools are deferred.

    Raises:
        UsageError: the schema is none.
    """

    timeout_hint_ms: int | None = None

    def __init__(
        self,
        name: str,
        description: str,
        input_schema: JsonObject,
        handler: Handler,
        *,
        read_only: bool = False,
        max_chars: int | None = None,
        access: Access | None = None,
        always_load: bool = True,
    ) -> None:
        try:
            Draft202012Validator.check_schema(input_schema)
        except SchemaError as error:
            raise UsageError(
                f"The input schema of the tool {name} is none: {error.message}"
            ) from None
        self.name = name
        self.read_only = read_only
        self.always_load = always_load
        self._description = description
        self._schema: JsonObject = {"type": "object", **input_schema}
        self._validator: Any = Draft202012Validator(self._schema)
        self._handler = handler
        self._max_chars = max_chars
        self._access = access or (NoAccess() if read_only else CallMcp(PROGRAM, name))

    def schema(self) -> JsonObject:
        """Give the definition sent to the model."""
        return {
            "name": self.name,
            "description": self._description,
            "input_schema": self._schema,
        }

    def parse(self, raw: JsonObject) -> JsonObject:
        """Check the input against the schema.

        Raises:
            InvalidInputError: it does not fit; the text names the place.
        """
        faults = sorted(self._validator.iter_errors(raw), key=_place)
        if faults:
            told = "; ".join(f"{fault.json_path}: {fault.message}" for fault in faults[:5])
            raise InvalidInputError(f"{self.name} was not run: {told}")
        return raw

    def access(self, args: JsonObject, cwd: Path) -> Access:
        """Say what it touches."""
        return self._access

    def preview(self, args: JsonObject, cwd: Path) -> Display:
        """Show the input in short."""
        return TextDisplay(", ".join(f"{name}: {_short(value)}" for name, value in args.items()))

    async def proposal(self, args: JsonObject, call: ToolCall) -> Display:
        """Show the preview."""
        return self.preview(args, call.cwd)

    async def run(self, args: JsonObject, call: ToolCall) -> ToolOutput:
        """Call the function; its result is kept to a size."""
        given = await self._handler(args, call)
        output = given if isinstance(given, ToolOutput) else ToolOutput(given)
        if not output.content or (isinstance(output.content, str) and not output.content.strip()):
            output = ToolOutput(EMPTY, output.display, output.structured, output.is_error)
        return await bounded(output, call, self._max_chars)


def _place(fault: ValidationError) -> str:
    return fault.json_path


def _short(value: object) -> str:
    text = str(value)
    return text if len(text) <= 60 else f"{text[:59]}…"
