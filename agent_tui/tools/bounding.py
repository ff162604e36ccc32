"""Results of a bounded size: what is too long to return stands in a file, and the model sees where and how it begins.

Our own tools bound what they give themselves; this is for tools whose results nobody knows: functions of a program,
tools of a server.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

from anyio import to_thread

from agent_tui.protocol.content import JsonObject, ToolData
from agent_tui.settings.private import write_private
from agent_tui.tools.base import ToolCall, ToolOutput
from agent_tui.tools.page import BYTES_PER_TOKEN
from agent_tui.tools.paths import shown
from agent_tui.tools.text import sendable

PREVIEW_CHARS = 2_000
"""So much of the beginning of a result that is too long is shown."""

MOST_CHARS = 500_000
"""No tool may ask for results longer than this."""

_PLAIN = re.compile(r"[A-Za-z0-9_-]{1,100}")


async def bounded(output: ToolOutput, call: ToolCall, max_chars: int | None) -> ToolOutput:
    """Give a result that is short enough to be returned.

    The text of one that isn't goes to a file in ``call.spill`` and is replaced by a preview; pictures stay. Data for
    programs gives way to the file's path and size where it is too long as well.

    Args:
        output: the result.
        call: the call it belongs to.
        max_chars: the tool's own limit in characters; None is the usual one, ``ToolLimits.result_tokens``.
    """
    limit = call.ports.limits.result_tokens * BYTES_PER_TOKEN if max_chars is None else max_chars
    limit = min(limit, MOST_CHARS)
    text = _text(output.content)
    if len(text) <= limit:
        return output
    path = await to_thread.run_sync(_keep, text, call)
    return replace(
        output,
        content=_preview(output.content, text, path),
        structured=_structured(output, text, path, limit),
    )


def _text(content: str | list[JsonObject]) -> str:
    if isinstance(content, str):
        return content
    return "\n".join(str(block.get("text", "")) for block in content if block["type"] == "text")


def _structured(output: ToolOutput, text: str, path: Path | None, limit: int) -> ToolData | None:
    data = output.structured
    if data is None or len(json.dumps(data, default=str)) <= limit:
        return data
    if isinstance(data, str):
        return f"{data[:PREVIEW_CHARS]} [...]"
    kept = {"persistedOutputPath": shown(str(path))} if path else {}
    return {**kept, "persistedOutputSize": len(text)}


def _preview(
    content: str | list[JsonObject], text: str, path: Path | None
) -> str | list[JsonObject]:
    where = (
        f"All of it is in {shown(str(path))} (look at it with Read or Grep)."
        if path
        else "It could not be kept in a file."
    )
    note = (
        f"[The result is too long to show: {len(text):,} characters. {where} It begins:]\n"
        f"{text[:PREVIEW_CHARS]}"
    )
    if isinstance(content, str):
        return note
    rest = [block for block in content if block["type"] != "text"]
    return [{"type": "text", "text": note}, *rest]


def _keep(text: str, call: ToolCall) -> Path | None:
    """Write the whole text; None where the disk says no."""
    name = call.id
    if not _PLAIN.fullmatch(name):  # the id is the model's and not to be trusted as a name
        name = sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:32]
    path = call.spill / f"{name}.txt"
    try:
        write_private(path, sendable(text))
    except OSError:
        return None
    return path
