"""What was said in a session, from its stored lines, whoever wrote them: the chain of parents, newest end first.

In our own journals every line follows the one before. Others keep each of several calls of one response, and each of
their results, on a branch of its own, of which the conversation goes on from one: the others are put back beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, cast

from agent_tui.journal.entries import content_blocks
from agent_tui.journal.rewind import CHAINED, counting
from agent_tui.protocol.content import JsonObject
from agent_tui.sdk.session_types import SessionMessage


def messages(lines: Sequence[JsonObject]) -> list[SessionMessage]:
    """Give what was said in a session, oldest first."""
    return _said(counting(lines), _is_main)


def side_messages(
    lines: Sequence[JsonObject], parent_tool_use_id: str | None, parent_agent_id: str | None
) -> list[SessionMessage]:
    """Give what was said in a sub-agent's journal."""
    said = _said(counting(lines), lambda line: True)
    for message in said:
        message.parent_tool_use_id = parent_tool_use_id
        message.parent_agent_id = parent_agent_id
    return said


def part(found: list[SessionMessage], limit: int | None, offset: int = 0) -> list[SessionMessage]:
    """Give ``limit`` messages (None or less than 1: all) after the first ``offset``."""
    start = max(0, offset)
    return found[start : start + limit] if limit is not None and limit > 0 else found[start:]


def _said(
    lines: Iterable[JsonObject], belongs: Callable[[JsonObject], bool]
) -> list[SessionMessage]:
    known: dict[str, JsonObject] = {}
    for line in lines:
        if isinstance(line.get("uuid"), str) and line.get("type") in CHAINED and belongs(line):
            known[line["uuid"]] = line
    chain = _chain(known)
    return [_message(line) for line in _whole(chain, known) if _is_visible(line)]


def _is_main(line: JsonObject) -> bool:
    return not (line.get("isSidechain") or line.get("teamName"))


def _is_visible(line: JsonObject) -> bool:
    return line.get("type") in ("user", "assistant") and not line.get("isMeta")


def _chain(known: dict[str, JsonObject]) -> list[JsonObject]:
    """Follow the parents from the newest line that none follows, and before which something was said."""
    followed = {line.get("parentUuid") for line in known.values()}
    for uuid in reversed(known):
        if uuid in followed:
            continue
        walked = _walk(uuid, known)
        if any(line.get("type") in ("user", "assistant") for line in walked):
            return walked[::-1]
    return []


def _walk(uuid: str, known: dict[str, JsonObject]) -> list[JsonObject]:
    """Give the lines from one to the beginning of its chain; a chain that bites its tail ends there."""
    walked: dict[str, JsonObject] = {}
    at: Any = uuid
    while isinstance(at, str) and at in known and at not in walked:
        walked[at] = known[at]
        at = known[at].get("parentUuid")
    return list(walked.values())


def _whole(chain: list[JsonObject], known: dict[str, JsonObject]) -> list[JsonObject]:
    """Put the calls and results of other branches behind those of their response that are on the chain."""
    on_chain = {line["uuid"] for line in chain}
    others = [line for uuid, line in known.items() if uuid not in on_chain]
    if not others:
        return chain
    groups = _siblings(chain, others)
    out: list[JsonObject] = []
    for index, line in enumerate(chain):
        out.append(line)
        response = _response(line)
        following = _response(chain[index + 1]) if index + 1 < len(chain) else ""
        if response and response != following:
            out.extend(groups.pop(response, []))
    return out


def _siblings(chain: list[JsonObject], others: list[JsonObject]) -> dict[str, list[JsonObject]]:
    """Give by response what stands beside the chain: its further calls, then the results of all its calls."""
    calls: dict[str, str] = {}
    for line in chain:
        for call in _calls(line):
            calls[call] = _response(line)
    answered = {call for line in chain for call in _results(line)}
    found: dict[str, list[JsonObject]] = {}
    for line in others:
        response = _response(line)
        if response in calls.values() and (new := [c for c in _calls(line) if c not in calls]):
            calls |= dict.fromkeys(new, response)
            found.setdefault(response, []).append(line)
    for line in others:
        response = next((calls[c] for c in _results(line) if c in calls and c not in answered), "")
        if response:
            answered.update(_results(line))
            found.setdefault(response, []).append(line)
    return found


def _response(line: JsonObject) -> str:
    message = line.get("message")
    if line.get("type") != "assistant" or not isinstance(message, dict):
        return ""
    return str(cast("JsonObject", message).get("id") or "")


def _calls(line: JsonObject) -> list[str]:
    return _ids(line, "assistant", "tool_use", "id")


def _results(line: JsonObject) -> list[str]:
    return _ids(line, "user", "tool_result", "tool_use_id")


def _ids(line: JsonObject, kind: str, block_kind: str, field: str) -> list[str]:
    message = line.get("message")
    if line.get("type") != kind or not isinstance(message, dict):
        return []
    blocks = content_blocks(cast("JsonObject", message))
    return [str(block.get(field)) for block in blocks if block.get("type") == block_kind]


def _message(line: JsonObject) -> SessionMessage:
    session_id = line.get("sessionId")
    return SessionMessage(
        "user" if line["type"] == "user" else "assistant",
        line["uuid"],
        session_id if isinstance(session_id, str) else "",
        line.get("message"),
    )
