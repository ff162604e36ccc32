"""Which journal a session writes to: a new one, the newest here, one by id or title, or a copy of one."""

from __future__ import annotations

import uuid
from pathlib import Path

from agent_tui.engine.chosen import Book, Chosen, OnState
from agent_tui.engine.going_on import Source, forked, resumed
from agent_tui.engine.titles import given_title
from agent_tui.journal.catalogue import find, is_uuid, named, newest
from agent_tui.journal.entries import Origin
from agent_tui.journal.file import Journal
from agent_tui.journal.fold import Conversation
from agent_tui.journal.unsaved import UnsavedJournal, remove_folder, temporary_folder
from agent_tui.protocol.errors import SessionError, UsageError
from agent_tui.settings.options import SessionOptions
from agent_tui.settings.paths import Environment, journal


def choose(
    env: Environment,
    cwd: Path,
    options: SessionOptions,
    on_state: OnState,
    origin: Origin | None = None,
) -> Chosen:
    """Find and take the journal that is asked for. Blocks on files.

    Args:
        env: where the journals are.
        cwd: where the session works.
        options: what is asked for.
        on_state: told whether it can be written.
        origin: what opens it; a copy is its, not the original's. None leaves that.

    Raises:
        UsageError: the options exclude each other.
        SessionError: there is no such session, or another process holds it.
    """
    _check(options)
    path = _wanted(env, cwd, options)
    folder = None if options.persist else temporary_folder()
    try:
        if path is None:
            return new(env, cwd, options.session_id, on_state, title=options.title, folder=folder)
        source = Source(path, cwd, options, folder)
        return forked(source, on_state, origin) if options.fork else resumed(source, on_state)
    except SessionError:
        if folder is not None:
            remove_folder(folder)
        raise


def new(
    env: Environment,
    cwd: Path,
    session_id: str | None,
    on_state: OnState,
    *,
    title: str | None = None,
    folder: Path | None = None,
) -> Chosen:
    """Begin a session; nothing is on disk until its first line.

    ``folder`` is the temporary folder of one that is not to be saved.

    Raises:
        SessionError: the id is taken.
    """
    session_id = session_id or str(uuid.uuid4())
    conversation = Conversation(
        session_id=session_id, cwd=str(cwd), custom_title=given_title(title or "")
    )
    if folder is not None:
        book: Book = UnsavedJournal(folder / f"{session_id}.jsonl")
    else:
        book = Journal.create(journal(env, cwd, session_id), on_state=on_state)
    return Chosen(book, conversation, session_id, folder=folder)


def _check(options: SessionOptions) -> None:
    """Refuse what makes no sense, or not together."""
    goes_on = bool(options.resume or options.continue_newest)
    if options.resume and options.continue_newest:
        raise UsageError("--continue and --resume exclude each other")
    if options.session_id is not None and not is_uuid(options.session_id):
        raise UsageError(f"The session id must be a UUID, not {options.session_id!r}")
    if options.session_id is not None and goes_on and not options.fork:
        raise UsageError(
            "A session that goes on keeps its id; --session-id with --continue or --resume "
            "needs --fork-session"
        )
    if options.resume_at and not goes_on:
        raise UsageError("--resume-session-at goes with --resume or --continue")
    if options.drops_turn and not options.resume_at:
        raise UsageError("--resume-drops-turn goes with --resume-session-at")


def _wanted(env: Environment, cwd: Path, options: SessionOptions) -> Path | None:
    """Find the session that is to go on; None for a new one."""
    if options.resume:
        return _called(env, cwd, options.resume)
    if not options.continue_newest:
        return None
    found = newest(env, cwd, with_print=options.from_print)
    if found is None:
        raise SessionError(
            f"There is no session to continue in {cwd}. Start without --continue, "
            "or use --resume to pick one of another folder."
        )
    return found.path


def _called(env: Environment, cwd: Path, name: str) -> Path:
    """Find a session by its id or its exact title."""
    try:
        return find(env, name, cwd)
    except SessionError as error:
        if not is_uuid(name):
            return named(env, cwd, name)
        raise SessionError(
            f"{error} Use --resume without an id to see those there are, or start without it."
        ) from error
