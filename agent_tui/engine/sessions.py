"""Which journal a session writes to: a new one, the newest here, or one by id; and what is in it already."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from agent_tui.journal.catalogue import find, newest
from agent_tui.journal.file import Journal, Reading
from agent_tui.journal.fold import Conversation, fold
from agent_tui.protocol.errors import SessionError
from agent_tui.settings.options import SessionOptions
from agent_tui.settings.paths import Environment, journal


@dataclass(frozen=True, slots=True)
class Chosen:
    """A session's journal, held for writing, and its fold; ``resumed`` when it was there before."""

    journal: Journal
    conversation: Conversation
    session_id: str
    resumed: bool
    damaged: int = 0


def choose(
    env: Environment, cwd: Path, options: SessionOptions, on_state: Callable[[str | None], None]
) -> Chosen:
    """Find and take the journal that is asked for. Blocks on files.

    Raises:
        SessionError: there is no such session, or another process holds it.
    """
    if options.resume:
        return _take(find(env, options.resume, cwd), on_state)
    if options.continue_newest:
        found = newest(env, cwd, with_print=options.from_print)
        if found is None:
            raise SessionError(
                f"There is no session to continue in {cwd}. Start without --continue, "
                "or use --resume to pick one of another folder."
            )
        return _take(found.path, on_state)
    return new(env, cwd, options.session_id, on_state)


def new(
    env: Environment, cwd: Path, session_id: str | None, on_state: Callable[[str | None], None]
) -> Chosen:
    """Begin a session; nothing is on disk until its first line.

    Raises:
        SessionError: the id is taken.
    """
    session_id = session_id or str(uuid.uuid4())
    taken = Journal.create(journal(env, cwd, session_id), on_state=on_state)
    return Chosen(taken, Conversation(session_id=session_id, cwd=str(cwd)), session_id, False)


def _take(path: Path, on_state: Callable[[str | None], None]) -> Chosen:
    held = Journal.open(path, on_state=on_state)
    reading = Reading(path)
    conversation = fold(reading)
    return Chosen(held, conversation, path.stem, True, reading.damaged)
