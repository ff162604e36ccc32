"""``--json-schema`` is checked before anything is run: one that can't be used is an exit code, not a result."""

from __future__ import annotations

from agent_tui.loop.structured import StructuredOutput
from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.errors import SettingsError, UsageError


def check_schema(schema: JsonObject | None) -> None:
    """Refuse a schema that can't be used.

    Raises:
        SettingsError: the text says what is wrong with it.
    """
    if schema is None:
        return
    try:
        StructuredOutput(schema)
    except UsageError as error:
        raise SettingsError(f"--json-schema: {error}") from error
