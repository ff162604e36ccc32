"""Goes back to a moment of the session: with the files that the agent changed since, with the conversation, or both.

Files that others changed since are told of and left alone unless the person wants them put back, too. Nothing is lost by
going back: what files are is kept before, lines stay in the journal, and going back is itself a moment to go back to.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

import anyio
from anyio import to_thread

from agent_tui.context.request import reminder
from agent_tui.engine.compared import Compared
from agent_tui.engine.past import Past
from agent_tui.engine.reviewing import OFF, replaced, wanted_of
from agent_tui.journal.entries import FileChangedEntry, LastPromptEntry, RewoundEntry
from agent_tui.journal.file_changes import touched
from agent_tui.journal.points import Point, Points
from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.errors import PortError, UsageError
from agent_tui.protocol.reviews import (
    Consent,
    RewindFile,
    RewindPlan,
    RewindPoint,
    RewindPoints,
    Rewound,
)

UNKNOWN = "There is no such moment in this session."
UNSAVED = "The conversation can't go back while the session can't be saved."
LINK = "a link, or no regular file, stands there"
MOST_TEXT = 2_000
"""So many characters of a prompt are told in a list."""


class Rewinding:
    """One session's.

    Args:
        past: its journal and what is kept of files.
        standing: writes what the conversation does not say any more when it went back: mode and model.
        changed: called when the conversation is another one.
    """

    def __init__(
        self, past: Past, standing: Callable[[], None], changed: Callable[[], None]
    ) -> None:
        self._past = past
        self._standing = standing
        self._changed = changed

    # What there is --------------------------------------------------------------------------------------------------

    def listed(self) -> RewindPoints:
        """Give the moments, newest first. Blocks.

        Raises:
            JournalError: the journal can't be read.
        """
        found = self._past.points()
        ends = [*(point.at for point in found.points[1:]), len(found.changes)]
        rows = [
            RewindPoint(
                point.uuid,
                point.kind,
                point.text[:MOST_TEXT],
                point.timestamp,
                _count(found.changes[point.at : end]),
            )
            for point, end in zip(found.points, ends, strict=False)
        ]
        return RewindPoints(tuple(reversed(rows)), self._past.history is not None)

    def plan(self, uuid: str) -> RewindPlan:
        """Say what going back to a moment would change. Blocks.

        Raises:
            JournalError: the journal can't be read.
            UsageError: there is no such moment.
        """
        found, point = self._find(uuid)
        rows = tuple(_row(one) for one in self._files(found, point))
        later = found.points[found.points.index(point) :]
        prompts = sum(one.kind == "prompt" for one in later)
        return RewindPlan(rows, prompts, bool(point.to), self._past.history is not None)

    def _find(self, uuid: str) -> tuple[Points, Point]:
        found = self._past.points()
        point = found.find(uuid)
        if point is None:
            raise UsageError(UNKNOWN)
        return found, point

    def _files(self, found: Points, point: Point) -> list[Compared]:
        return [one for one in self._past.compared(found, point) if not one.same]

    # Going back -----------------------------------------------------------------------------------------------------

    async def rewind(
        self, uuid: str, *, files: bool, conversation: bool, also: Iterable[Consent] = ()
    ) -> Rewound:
        """Go back. Nothing else may run meanwhile.

        Args:
            uuid: names the moment.
            files: put the files back.
            conversation: go on from there; what was said since is left behind.
            also: files that others changed and that are to be put back all the same.

        Raises:
            JournalError: the journal can't be read.
            UsageError: there is no such moment, or the session can't be saved.
        """
        found, point = await to_thread.run_sync(self._find, uuid)
        if conversation and self._past.unsaved:
            raise UsageError(UNSAVED)
        group, done = self._past.record.stamp.new_id(), Rewound()
        with anyio.CancelScope(shield=True):  # half of it is none that anybody wants
            ones = await to_thread.run_sync(self._files, found, point)
            if files:
                done = await self._put_back(ones, frozenset(also), group)
            if conversation and point.to:
                await self._go_back(point, group)
                done = replace(done, prompt=point.text, conversation=True)
            if done.files or done.conversation:
                await self._say(done, ones)
        return done

    async def _put_back(
        self, ones: Sequence[Compared], also: frozenset[Consent], group: str
    ) -> Rewound:
        history = self._past.history
        done: list[str] = []
        left: list[str] = []
        problems: list[str] = []
        for one in ones:
            row, wanted = _row(one), wanted_of(one)
            if history is None or isinstance(wanted, str) or row.problem:
                problems.append(f"{one.shown}: {row.problem or OFF}")
            elif row.foreign and Consent(row.path, row.seen) not in also:
                left.append(one.shown)
            else:
                try:
                    await replaced(history, one, *wanted, by="rewind", group=group)
                except PortError as error:
                    problems.append(f"{one.shown}: {error}")
                else:
                    done.append(one.shown)
        return Rewound(tuple(done), tuple(left), tuple(problems))

    async def _go_back(self, point: Point, group: str) -> None:
        record = self._past.record
        entry = RewoundEntry(
            record.stamp.header(point.to, uuid=group), point.to, record.conversation.head or ""
        )
        record.write(entry)
        while True:
            before = record.conversation
            folded = await to_thread.run_sync(self._past.refolded, entry)
            if record.conversation is before:  # sub-agents in the background may write, too
                break
        record.refold(folded)
        if record.conversation.last_prompt:  # lists of sessions show the newest one
            text = record.conversation.last_prompt[:MOST_TEXT]
            record.write(LastPromptEntry(record.header(), text))
        self._standing()
        if self._past.history is not None:
            self._past.history.keep_anew()
        self._changed()

    async def _say(self, done: Rewound, ones: Sequence[Compared]) -> None:
        """Tell the person, and the model as far as it could be wrong about files by now."""
        record = self._past.record
        if not done.conversation:
            names = ", ".join(done.files)
            text = f"The user put these files back to what they were some prompts ago: {names}."
            record.reminder(reminder(text))
        elif still := [one.shown for one in ones if one.shown not in done.files]:
            text = "The user went back to this moment of the conversation. These files are not as they were then"
            record.reminder(
                reminder(f"{text}: {', '.join(still)}. Read them before you rely on them.")
            )
        await record.notice(words_of(done))
        if done.conversation:
            await record.system("rewound")

    # For programs ---------------------------------------------------------------------------------------------------

    async def files_for_program(self, uuid: str, *, dry_run: bool) -> JsonObject:
        """Put files back for a program; gives the documented answer."""
        if self._past.history is None:
            return {
                "canRewind": False,
                "error": f"{OFF} Ask for file checkpoints when it is opened.",
            }
        try:
            plan = await to_thread.run_sync(self.plan, uuid)
        except UsageError as error:
            return {"canRewind": False, "error": str(error)}
        rows = [row for row in plan.files if not (row.problem or row.foreign)]
        if not dry_run:
            done = await self.rewind(uuid, files=True, conversation=False)
            rows = [row for row in rows if row.shown in done.files]
        answer: JsonObject = {
            "canRewind": True,
            "filesChanged": [row.path for row in rows],
            "insertions": sum(row.added for row in rows),
            "deletions": sum(row.removed for row in rows),
        }
        links = [row.path for row in plan.files if row.link]
        others = [row.path for row in plan.files if row.foreign and not row.problem]
        failed = [
            f"{row.path}: {row.problem}" for row in plan.files if row.problem and not row.link
        ]
        further: JsonObject = {
            "skippedLinks": links,
            "changedByOthers": others,
            "notRestored": failed,
        }
        return answer | {key: value for key, value in further.items() if value}


def words_of(done: Rewound) -> str:
    """Say in a few sentences what was done."""
    out: list[str] = []
    if done.conversation:
        out.append("The conversation went back.")
    if done.files:
        out.append(f"Put back: {', '.join(done.files)}.")
    if done.left:
        out.append(f"Left as it is, because others changed it, too: {', '.join(done.left)}.")
    out += [f"Not put back: {problem}." for problem in done.problems]
    return " ".join(out) or "There was nothing to put back."


def _row(one: Compared) -> RewindFile:
    row, then, now = one.row, one.touch.before, one.now.state
    link = now.what in ("link", "other") or (then.what == "link" and now.what != "absent")
    wanted = wanted_of(one)
    problem = LINK if link else wanted if isinstance(wanted, str) else ""
    does = "remove" if then.what == "absent" else "create" if now.what == "absent" else "restore"
    return RewindFile(
        row.path, row.shown, does, row.removed, row.added, one.foreign, problem, link, row.seen
    )


def _count(changes: Sequence[FileChangedEntry]) -> int:
    """Count the files that these changes made another, as far as the journal tells."""
    return sum(
        one.last.after is not None and not one.before.holds_same(one.last.after)
        for one in touched(changes).values()
    )
