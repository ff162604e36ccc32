"""An answer that must fit a JSON schema: the model gives it by calling a tool whose input is the answer.

The tool only checks; a call whose input fits ends the run. What comes instead (text, an answer that does not fit) is
told to the model a bounded number of times.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, cast

from agent_tui.loop.progress import Ending
from agent_tui.protocol.access import Access, NoAccess
from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.display import Display, TextDisplay
from agent_tui.protocol.errors import UsageError
from agent_tui.settings.paths import Environment
from agent_tui.tools.base import InvalidInputError, ToolCall, ToolOutput

STRUCTURED_OUTPUT = "StructuredOutput"
"""The tool's name. Sub-agents never have it: the answer is the main loop's."""

TRIES = 5
"""Answers that don't fit until the run ends; ``MAX_STRUCTURED_OUTPUT_RETRIES`` sets another number."""

VALUE = "value"
"""The property that holds an answer which is no object."""

NUDGE = (
    f"Give your final answer by calling the {STRUCTURED_OUTPUT} tool: its input must be the answer, in the form of "
    "the tool's input schema. Text alone is not taken as the answer."
)
DESCRIPTION = (
    "Gives your final answer, in the form the person asked for. Call it exactly once, at the very end, when you have "
    "found out everything you need; its input is the answer. Nothing can be said or done after it."
)
_SHOWN = 5
_UNUSABLE = "The JSON schema can't be used:"
_COMBINED = ("anyOf", "oneOf", "allOf", "$ref", "not", "if")
_NAMES = ("properties", "patternProperties", "dependentSchemas", "$defs", "definitions")
"""What holds schemas by names of the person's own."""

_DATA = ("enum", "const", "default", "examples")
"""What holds values, no schemas."""

_PROPERTY = re.compile(r"[a-zA-Z0-9_.-]{1,64}")
"""What the API takes for a name at the root of a tool's input."""


class StructuredOutput:
    """The tool. ``answer`` is the newest one that fitted, if ``answered``.

    Args:
        schema: what the answer must fit (draft 2020-12; ``format`` is not checked).
        tries: how often it may be missing or wrong in one run.

    Raises:
        UsageError: the schema can't be used; the text says what is wrong with it.
    """

    name = STRUCTURED_OUTPUT
    read_only = True
    timeout_hint_ms: int | None = None

    def __init__(self, schema: JsonObject, tries: int = TRIES) -> None:
        self._schema = schema
        self._check = _checker(schema)
        self._wraps = not _is_plain_object(schema)
        self._tries = tries
        self._failures = 0
        self.answered = False
        self.answer: Any = None

    def begin(self) -> None:
        """Begin a run: no answer yet."""
        self._failures = 0
        self.answered = False
        self.answer = None

    def missed(self) -> Ending | None:
        """Note that an answer was missing or did not fit; the run ends when that was once too often."""
        self._failures += 1
        if self._failures < self._tries:
            return None
        return Ending(
            "error_max_structured_output_retries",
            terminal="structured_output_retry_exhausted",
            errors=(f"No answer fitted the JSON schema in {self._tries} tries.",),
        )

    def ending(self) -> Ending:
        """Say how a run ends that has its answer."""
        return Ending(text=json.dumps(self.answer, ensure_ascii=False), structured=self.answer)

    # The tool -------------------------------------------------------------------------------------------------------

    def schema(self) -> JsonObject:
        """Give the definition; an answer that is no object is wrapped in one."""
        given: JsonObject = {key: v for key, v in self._schema.items() if key != "$schema"}
        if self._wraps:
            moved = cast("JsonObject", _moved(given))
            given = {"type": "object", "properties": {VALUE: moved}, "required": [VALUE]}
        return {"name": self.name, "description": DESCRIPTION, "input_schema": given}

    def parse(self, raw: JsonObject) -> Any:
        """Give the answer in ``raw``.

        Raises:
            InvalidInputError: it does not fit; the text names what is wrong, at most five faults.
        """
        if self._wraps and VALUE not in raw:
            raise InvalidInputError(f"The answer must stand in the property {VALUE!r}.")
        answer = raw[VALUE] if self._wraps else raw
        faults = self._check(answer)
        if faults:
            shown = "\n".join(f"- {fault}" for fault in faults[:_SHOWN])
            more = f"\nand {len(faults) - _SHOWN} more." if len(faults) > _SHOWN else ""
            raise InvalidInputError(f"The answer does not fit the schema:\n{shown}{more}")
        return answer

    def access(self, args: Any, cwd: Path) -> Access:
        """It touches nothing."""
        return NoAccess()

    def preview(self, args: Any, cwd: Path) -> Display:
        """Show the answer."""
        return TextDisplay("Answer", json.dumps(args, ensure_ascii=False, indent=2))

    async def proposal(self, args: Any, call: ToolCall) -> Display:
        """Show the answer."""
        return self.preview(args, call.cwd)

    async def run(self, args: Any, call: ToolCall) -> ToolOutput:
        """Take the answer."""
        self.answered, self.answer = True, args
        text = "The answer was taken."
        return ToolOutput(text, self.preview(args, call.cwd), structured=text)


def structured_output(schema: JsonObject | None, env: Environment) -> StructuredOutput | None:
    """Make the tool for an asked schema, None without one.

    Raises:
        UsageError: the schema can't be used.
    """
    if schema is None:
        return None
    asked = env.get("MAX_STRUCTURED_OUTPUT_RETRIES")
    tries = int(asked) if asked.isascii() and asked.isdigit() and int(asked) > 0 else TRIES
    return StructuredOutput(schema, tries)


def _checker(schema: JsonObject) -> Callable[[Any], list[str]]:
    """Make the check: it lists what is wrong with an answer. Nothing outside the schema is ever fetched.

    Door: jsonschema, loaded only where a schema is given.

    Raises:
        UsageError: the schema can't be used.
    """
    import jsonschema
    import referencing
    from referencing.exceptions import Unresolvable
    from referencing.jsonschema import DRAFT202012

    try:
        json.dumps(schema, allow_nan=False)
        jsonschema.Draft202012Validator.check_schema(schema)
    except jsonschema.SchemaError as error:
        raise UsageError(f"{_UNUSABLE} {error.message} (at {error.json_path}).") from None
    except RecursionError:
        raise UsageError(f"{_UNUSABLE} it is nested too deep.") from None
    except ValueError:
        raise UsageError(f"{_UNUSABLE} it holds a number that JSON does not know.") from None
    alone: referencing.Registry[Any] = referencing.Registry()
    resolver = alone.resolver_with_root(DRAFT202012.create_resource(schema))
    for ref in _refs(schema):
        try:
            resolver.lookup(ref)
        except Unresolvable:
            raise UsageError(
                f"{_UNUSABLE} what {ref!r} names is not in it; put it under $defs."
            ) from None
    validator: Any = jsonschema.Draft202012Validator(schema, registry=alone)

    def faults(answer: Any) -> list[str]:
        try:
            found = list(validator.iter_errors(answer))
        except RecursionError:
            return ["it is nested too deep"]
        except (ArithmeticError, ValueError):  # jsonschema divides what can't be divided
            return ["it holds a number that can't be checked"]
        except Unresolvable as error:  # one that only the place it stands at makes lead nowhere
            return [f"the schema's reference {error.ref!r} leads nowhere, so nothing fits"]
        return [f"{error.json_path}: {error.message[:300]}" for error in found]

    return faults


def _is_plain_object(schema: JsonObject) -> bool:
    """Whether the API takes a schema as a tool's input: an object of plain names, not combined of several at the top."""
    if schema.get("type") != "object" or any(key in schema for key in _COMBINED):
        return False
    properties: Any = schema.get("properties") or {}
    return all(_PROPERTY.fullmatch(name) for name in cast("JsonObject", properties))


def _refs(node: Any, *, named: bool = False) -> Iterator[str]:
    """Give the references in a schema, or in schemas that stand under names."""
    if isinstance(node, list):
        for item in cast("list[Any]", node):
            yield from _refs(item)
    if not isinstance(node, dict):
        return
    for key, value in cast("JsonObject", node).items():
        if not named and key in ("$ref", "$dynamicRef") and isinstance(value, str):
            yield value
        elif named or key not in _DATA:
            yield from _refs(value, named=not named and key in _NAMES)


def _moved(node: Any, *, named: bool = False) -> Any:
    """Give a schema with its references pointing into the wrapping object's property."""
    if isinstance(node, list):
        return [_moved(item) for item in cast("list[Any]", node)]
    if not isinstance(node, dict):
        return node
    out: JsonObject = {}
    for key, value in cast("JsonObject", node).items():
        if not named and key == "$ref" and isinstance(value, str):
            inside = value == "#" or value.startswith("#/")
            out[key] = f"#/properties/{VALUE}{value[1:]}" if inside else value
        elif not named and key in _DATA:
            out[key] = value
        else:
            out[key] = _moved(value, named=not named and key in _NAMES)
    return out
