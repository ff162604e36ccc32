"""The lines that cross a link: JSON, one object a line.

To the engine: ``{"op": …}`` and ``{"ask": id, "query": …}``. From it: the records of messages as in stream-json,
and the link's own ``{"type": "link", …}``: ``up``, ``open_failed``, and replies; to one who only watches also ``here``,
``gap`` and ``bye``.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, TypeAlias, cast

from agent_tui.link.base import EngineUp, OpenFailed
from agent_tui.protocol.codec import from_json, to_json, union_from_json
from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.messages import Message
from agent_tui.protocol.ops import OPS, Op
from agent_tui.protocol.queries import QUERIES, REPLIES, Failed, Query, Reply
from agent_tui.protocol.records import from_record, to_record


@dataclass(frozen=True, slots=True)
class Ask:
    """A query and the id its reply will name."""

    id: int
    query: Query


@dataclass(frozen=True, slots=True)
class Answered:
    """A reply on its way back; ``data`` is read by whoever knows the query's class."""

    id: int
    data: JsonObject


@dataclass(frozen=True, slots=True)
class Here:
    """First of all, to one who wants to watch: which session this is, where, and whose.

    ``front`` is the process id of the front end that it belongs to; a new engine of the same one goes on with it.
    """

    session_id: str
    cwd: str
    title: str = ""
    front: int = 0


@dataclass(frozen=True, slots=True)
class Gap:
    """Who watches was too slow and has missed something: the last page is to be asked for again."""


@dataclass(frozen=True, slots=True)
class Bye:
    """The session has ended in order."""


Upward: TypeAlias = Op | Ask
Downward: TypeAlias = Message | EngineUp | OpenFailed | Answered | Here | Gap | Bye


def line(data: JsonObject) -> bytes:
    """Write one line. Lone surrogates (undecodable file names) travel as JSON escapes."""
    return json.dumps(data, separators=(",", ":")).encode("ascii") + b"\n"


def op_line(op: Op) -> bytes:
    """Write an op."""
    return line({"op": to_json(op)})


def ask_line(ask: Ask) -> bytes:
    """Write a query."""
    return line({"ask": ask.id, "query": to_json(ask.query)})


def read_upward(raw: bytes) -> Upward:
    """Read what a front end sent.

    Raises:
        ValueError: not a line of this protocol.
    """
    data: Any = json.loads(raw)
    if not isinstance(data, dict):
        raise ValueError("not an object")
    record = cast("JsonObject", data)
    if "op" in record:
        return union_from_json(OPS, record["op"])
    return Ask(int(record["ask"]), union_from_json(QUERIES, record["query"]))


def message_line(message: Message) -> bytes:
    """Write a message."""
    return line(to_record(message))


def up_line(*, restarted: bool) -> bytes:
    """Write that the engine takes ops."""
    return line({"type": "link", "event": "up", "restarted": restarted})


def failed_line(failed: OpenFailed) -> bytes:
    """Write that the session could not be opened."""
    return line(
        {"type": "link", "event": "open_failed", "error": failed.error, "kind": failed.kind}
    )


def reply_line(ask_id: int, reply: Reply) -> bytes:
    """Write a reply."""
    failed = isinstance(reply, Failed)
    return line(
        {"type": "link", "event": "reply", "id": ask_id, "failed": failed, "data": to_json(reply)}
    )


def here_line(here: Here) -> bytes:
    """Write which session this is."""
    return line({"type": "link", "event": "here", "data": to_json(here)})


def gap_line() -> bytes:
    """Write that something was missed."""
    return line({"type": "link", "event": "gap"})


def bye_line() -> bytes:
    """Write that the session has ended in order."""
    return line({"type": "link", "event": "bye"})


def read_downward(raw: bytes) -> Downward | None:
    """Read what the engine sent; None for a record of a type this version does not know.

    Raises:
        ValueError: not a line of this protocol.
    """
    data: Any = json.loads(raw)
    if not isinstance(data, dict):
        raise ValueError("not an object")
    record = cast("JsonObject", data)
    if record.get("type") != "link":
        return from_record(record)
    match record.get("event"):
        case "up":
            return EngineUp(bool(record.get("restarted")))
        case "open_failed":
            return OpenFailed(str(record.get("error")), str(record.get("kind")))
        case "reply":
            return Answered(int(record["id"]), record)
        case "here":
            return from_json(Here, record["data"])
        case "gap":
            return Gap()
        case "bye":
            return Bye()
        case _:
            return None


def read_reply(query: Query, record: JsonObject) -> Reply:
    """Read the reply to ``query`` out of its line.

    Raises:
        ValueError: it does not fit.
    """
    kind = Failed if record.get("failed") else REPLIES[type(query)]
    return from_json(cast("type[Reply]", kind), record["data"])
