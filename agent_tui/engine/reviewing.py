"""Looks at what the agent changed, and takes single changes back: for the review screen, and as text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import anyio.to_thread

from agent_tui.context.request import reminder
from agent_tui.engine.compared import NOT_KEPT, Compared
from agent_tui.engine.past import Past
from agent_tui.journal.file_changes import touched
from agent_tui.journal.points import Edit, Point, Points
from agent_tui.loop.file_history import FileHistory
from agent_tui.machine.file_states import put_back
from agent_tui.machine.files import digest_of
from agent_tui.protocol.display import Hunk
from agent_tui.protocol.errors import PortError
from agent_tui.protocol.file_states import ABSENT, ChangedBy, FileState
from agent_tui.protocol.queries import ChangeOf, Failed, TakeBack
from agent_tui.protocol.reviews import (
    ChangeList,
    FileChange,
    HunkOrigin,
    Scope,
    TakenBack,
)
from agent_tui.tools.paths import absolute, shown

NOT_CHANGED = "This file is as it was."
CHANGED_SINCE = "The file has changed since this was shown; look at it again."
OFF = "What files were is not kept in this session."


class Reviewing:
    """One session's changes."""

    def __init__(self, past: Past) -> None:
        self._past = past

    def listed(self, scope: Scope) -> ChangeList:
        """Give the files that are not as they were. Blocks."""
        found, since = self._read(scope)
        rows = [one.row for one in self._past.compared(found, since) if not one.same]
        start = since or next(iter(found.points), None)
        return ChangeList(
            tuple(rows),
            since.text if since else "",
            start.timestamp if start else "",
            self._past.history is not None,
        )

    def text(self, scope: Scope) -> str:
        """Give all changes as a unified diff. Blocks."""
        found, since = self._read(scope)
        parts = [_unified(one) for one in self._past.compared(found, since) if not one.same]
        return "\n".join(parts)

    def _read(self, scope: Scope) -> tuple[Points, Point | None]:
        found = self._past.points()
        return found, found.last_prompt if scope == "prompt" else None

    def _one(self, path: str, scope: Scope) -> tuple[Compared, Points] | None:
        found, since = self._read(scope)
        changes = [change for change in found.since(since) if change.path == path]
        history = self._past.history
        if not changes or history is None:
            return None
        one = Compared.of(touched(changes)[path], history.kept, self._past.cwd)
        return (one, found) if not one.same else None

    def change(self, query: ChangeOf) -> FileChange | Failed:
        """Give what was changed of one file. Blocks."""
        known = self._one(query.path, query.scope)
        if known is None:
            return Failed(NOT_CHANGED)
        one, found = known
        display = one.display(query.context)
        edits = [e for e in found.edits if _real(e.display.path, self._past.cwd) == query.path]
        origins = tuple(_origin(hunk, edits, one) for hunk in display.hunks)
        lines = len(one.texts[1].lines) if one.texts else 0
        return FileChange(one.row, display, origins, lines)

    async def take_back(self, query: TakeBack) -> TakenBack:
        """Take back a file's change or one hunk of it; the model is told. No run may go meanwhile."""
        history = self._past.history
        if history is None:
            return TakenBack(OFF)
        known = await anyio.to_thread.run_sync(self._one, query.path, query.scope)
        if known is None:
            return TakenBack(NOT_CHANGED)
        one = known[0]
        if one.seen != query.seen:
            return TakenBack(CHANGED_SINCE)
        work = await anyio.to_thread.run_sync(_wanted, one, query.hunk, query.context)
        if isinstance(work, str):
            return TakenBack(work)
        try:
            await replaced(history, one, *work, by="review")
        except PortError as error:
            return TakenBack(str(error))
        what = "your change of" if query.hunk is None else "a part of your change of"
        told = "" if query.hunk is None else _taken(one, query.hunk, query.context)
        self._tell(f"The user took back {what} {one.shown}.{told}")
        return TakenBack()

    def _tell(self, text: str) -> None:
        """Let the model know with the next request."""
        if self._past.record.conversation.head is not None:
            self._past.record.reminder(reminder(text))


async def replaced(
    history: FileHistory,
    one: Compared,
    wanted: FileState,
    data: bytes | None,
    *,
    by: ChangedBy,
    group: str = "",
) -> None:
    """Make a file something else, keeping what is there.

    Raises:
        PortError: it is not as it was looked at any more, or can't be written.
    """
    now = one.now.state
    put = partial(put_back, one.touch.path, wanted, data, now=now)
    await history.replacing(one.touch.path, one.now, wanted, put, by=by, group=group)


def wanted_of(one: Compared) -> tuple[FileState, bytes | None] | str:
    """Give the state a file is to have again, and its bytes; or why that can't be.

    Its mode is the one it has now unless the agent changed it, too.
    """
    then, now = one.touch.before, one.now.state
    if not one.is_kept:
        return NOT_KEPT
    if then.what == "file" and now.what == "file" and not one.touch.changed_mode:
        then = replace(then, mode=now.mode)
    return then, one.before


def _wanted(one: Compared, hunk: int | None, context: int) -> tuple[FileState, bytes | None] | str:
    if hunk is None:
        return wanted_of(one)
    data = one.without(hunk, context)
    if data is None:
        return "This hunk can't be taken back by itself."
    if not data and one.touch.before.what == "absent":
        return ABSENT, None
    state = FileState(
        "file", digest_of(data), one.now.state.mode or one.touch.before.mode, len(data)
    )
    return state, data


def _taken(one: Compared, number: int, context: int) -> str:
    """Say which lines were taken back."""
    hunk = one.hunks(context)[number]
    lines = "\n".join(line for line in hunk.lines if line[:1] in "+-")
    return f" These lines are no longer so:\n{lines}"


def _origin(hunk: Hunk, edits: list[Edit], one: Compared) -> HunkOrigin:
    """Tell who made a hunk: the newest call that told of one of its lines, else the file's last change."""
    mine = _marked(hunk)
    for edit in reversed(edits):
        if any(mine & _marked(other) for other in edit.display.hunks) or edit.display.created:
            return HunkOrigin("tool", edit.turn, edit.timestamp)
    last = one.touch.last
    return HunkOrigin(last.by, last.turn, last.header.timestamp)


def _marked(hunk: Hunk) -> set[str]:
    return {line for line in hunk.lines if line[:1] in ("+", "-") and line[1:].strip()}


def _real(path: str, cwd: Path) -> str:
    return str(Path(absolute(path, cwd)).resolve())


def _unified(one: Compared) -> str:
    return "\n".join(_unified_lines(one))


def _unified_lines(one: Compared) -> Iterator[str]:
    name, row = shown(one.shown), one.row
    yield f"--- {'/dev/null' if row.what == 'created' else f'a/{name}'}"
    yield f"+++ {'/dev/null' if row.what == 'removed' else f'b/{name}'}"
    if row.foreign:
        yield f"# {one.foreign}"
    if row.note:
        yield f"# {row.note}"
    for hunk in one.hunks():
        spans = f"-{_span(hunk.old_start, hunk.old_lines)} +{_span(hunk.new_start, hunk.new_lines)}"
        yield f"@@ {spans} @@ {hunk.heading}".rstrip()
        yield from hunk.lines


def _span(start: int, count: int) -> str:
    return str(start) if count == 1 else f"{start},{count}"
