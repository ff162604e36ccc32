"""Journals of sub-agents: files beside their session's, in the folder of its name, each with a note on whose it is.

Their lines are marked as a side chain, which the session's own reading leaves out; ``read_side`` reads them as what
they are.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from agent_tui.journal.codec import from_line
from agent_tui.journal.entries import Entry
from agent_tui.journal.file import Reading
from agent_tui.protocol.content import JsonObject
from agent_tui.settings.private import write_private

FOLDER = "subagents"
PREFIX = "agent-"


@dataclass(frozen=True, slots=True)
class SideMeta:
    """Whose journal it is: the call that began it, and the sub-agent that made that call (empty: the session)."""

    tool_use_id: str
    agent_type: str
    description: str
    parent_agent_id: str = ""

    def to_json(self) -> JsonObject:
        """Give the note as it is stored."""
        parent = {"parentAgentId": self.parent_agent_id} if self.parent_agent_id else {}
        return {
            "toolUseId": self.tool_use_id,
            "agentType": self.agent_type,
            "description": self.description,
            **parent,
        }


def side_folder(journal: Path) -> Path:
    """Where the sub-agents' journals of a session are; it may not be there."""
    return journal.with_suffix("") / FOLDER


def side_journal(journal: Path, agent_id: str) -> Path:
    """The journal of one sub-agent."""
    return side_folder(journal) / f"{PREFIX}{agent_id}.jsonl"


def side_agents(journal: Path) -> tuple[str, ...]:
    """Name the sub-agents that have a journal, in order of their names."""
    found = side_folder(journal).glob(f"{PREFIX}*.jsonl")
    return tuple(sorted(path.stem.removeprefix(PREFIX) for path in found))


def read_side(path: Path) -> Iterator[Entry]:
    """Read the entries of a sub-agent's journal.

    Raises:
        JournalError: it can't be read.
    """
    for line in Reading(path).lines():
        yield from_line({**line, "isSidechain": False})


def write_meta(path: Path, meta: SideMeta) -> None:
    """Write the note beside a sub-agent's journal.

    Raises:
        OSError: it can't be written.
    """
    write_private(_meta_path(path), json.dumps(meta.to_json()))


def read_meta(path: Path) -> SideMeta | None:
    """Read the note beside a sub-agent's journal; None where there is none that can be read."""
    try:
        raw: object = json.loads(_meta_path(path).read_text("utf-8"))
    except (OSError, ValueError):
        return None
    if not isinstance(raw, dict):
        return None
    data = cast("dict[str, Any]", raw)
    return SideMeta(
        str(data.get("toolUseId") or ""),
        str(data.get("agentType") or ""),
        str(data.get("description") or ""),
        str(data.get("parentAgentId") or ""),
    )


def _meta_path(path: Path) -> Path:
    return path.with_suffix(".meta.json")
