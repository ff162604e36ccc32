"""Changes to stored sessions: a title, a tag, a copy, the end."""

from __future__ import annotations

import shutil
import unicodedata
import uuid
from collections.abc import Sequence
from datetime import UTC, datetime

from agent_tui.journal.branch import branch
from agent_tui.journal.entries import UnknownEntry, iso
from agent_tui.journal.file import Journal, Reading, add_lines
from agent_tui.journal.peek import peek_lines
from agent_tui.journal.rewind import counting, cut
from agent_tui.protocol.content import JsonObject
from agent_tui.sdk.session_files import need_uuid, needed_file
from agent_tui.sdk.session_types import ForkSessionResult

_UNSEEN = ("Cc", "Cf", "Cn", "Co", "Cs")
"""Kinds of characters that can't be seen: controls, marks of direction, private and unassigned ones."""


def rename_session(session_id: str, title: str, directory: str | None = None) -> None:
    """Give a session a title; it may be in use.

    Raises:
        ValueError: the id is no UUID, or the title is blank.
        FileNotFoundError: there is no such session.
    """
    need_uuid(session_id)
    line = title_line(session_id, title)
    add_lines(needed_file(session_id, directory), UnknownEntry(line))


def tag_session(session_id: str, tag: str | None, directory: str | None = None) -> None:
    """Give a session a tag, or (None) take it away; it may be in use.

    Raises:
        ValueError: the id is no UUID, or nothing of the tag can be seen.
        FileNotFoundError: there is no such session.
    """
    need_uuid(session_id)
    line = tag_line(session_id, tag)
    add_lines(needed_file(session_id, directory), UnknownEntry(line))


def delete_session(session_id: str, directory: str | None = None) -> None:
    """Remove a session for good, with its sub-agents' journals and its long outputs.

    Raises:
        ValueError: the id is no UUID.
        FileNotFoundError: there is no such session.
        SessionError: it is in use.
    """
    path = needed_file(session_id, directory)
    held = Journal.open(path)
    try:
        path.unlink()
        shutil.rmtree(path.with_suffix(""), ignore_errors=True)
    finally:
        held.close()


def fork_session(
    session_id: str,
    directory: str | None = None,
    up_to_message_id: str | None = None,
    title: str | None = None,
) -> ForkSessionResult:
    """Copy a session, beside it, under a new id and with new names for its lines; it may be in use.

    Args:
        session_id: which.
        directory: of which project; None looks in all.
        up_to_message_id: the last line that is copied; None copies all.
        title: the copy's; None is the original's with "(fork)" behind it.

    Raises:
        ValueError: an id is no UUID or no line of the session, or nothing was said in it.
        FileNotFoundError: there is no such session.
    """
    path = needed_file(session_id, directory)
    new_id, lines = copied(list(Reading(path).lines()), session_id, up_to_message_id, title)
    copy = Journal.create(path.with_name(f"{new_id}.jsonl"))
    copy.append(*map(UnknownEntry, lines))
    failed = copy.unsaved
    copy.close()
    if failed is not None:
        raise OSError(f"The copy of session {session_id} can't be written: {failed}.")
    return ForkSessionResult(new_id)


def copied(
    lines: Sequence[JsonObject], session_id: str, up_to: str | None, title: str | None
) -> tuple[str, list[JsonObject]]:
    """Give the new id and the lines of a session's copy.

    Raises:
        ValueError: ``up_to`` is no UUID or no line of it, or nothing was said.
    """
    lines = counting(lines)
    known = peek_lines(lines)
    if up_to is not None:
        need_uuid(up_to, "message id")
        parts = cut(lines, up_to)
        if parts is None:
            raise ValueError(f"Session {session_id} has no message {up_to}.")
        lines = parts[0]
    if not any(line.get("type") in ("user", "assistant") for line in lines):
        raise ValueError(f"Nothing was said in session {session_id}, so there is nothing to copy.")
    old = (known.name or known.first_prompt if known is not None else "") or "Session"
    new_id = str(uuid.uuid4())
    copy = list(
        branch(
            lines,
            parent=session_id,
            session_id=new_id,
            new_id=_new_id,
            timestamp=_now(),
        )
    )
    named = title.strip() if title is not None else ""
    return new_id, [*copy, title_line(new_id, named or f"{old} (fork)")]


def title_line(session_id: str, title: str) -> JsonObject:
    """Make the line that gives a session its title.

    Raises:
        ValueError: it is blank.
    """
    title = title.strip()
    if not title:
        raise ValueError("The title is blank.")
    return _line("custom-title", "customTitle", title, session_id)


def tag_line(session_id: str, tag: str | None) -> JsonObject:
    """Make the line that gives a session its tag, or (None) takes it away.

    Raises:
        ValueError: nothing of the tag can be seen.
    """
    seen = "" if tag is None else visible(tag)
    if tag is not None and not seen:
        raise ValueError("Nothing of the tag can be seen.")
    return _line("tag", "tag", seen, session_id)


def visible(text: str) -> str:
    """Give what can be seen of a text, in its plainest form of characters, without blanks at its ends."""
    for _ in range(10):  # what is left may combine anew
        plain = "".join(
            char
            for char in unicodedata.normalize("NFKC", text)
            if unicodedata.category(char) not in _UNSEEN
        )
        if plain == text:
            break
        text = plain
    return text.strip()


def _line(kind: str, field: str, text: str, session_id: str) -> JsonObject:
    return {
        "type": kind,
        field: text,
        "uuid": _new_id(),
        "sessionId": session_id,
        "timestamp": _now(),
    }


def _new_id() -> str:
    return str(uuid.uuid4())


def _now() -> str:
    return iso(datetime.now(UTC))
