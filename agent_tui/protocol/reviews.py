"""Changes of files as a person looks at them, takes them back, or goes back before them. Plain data, for queries.

A ``path`` is absolute, as the system gives it; ``shown`` is for people, relative to the project where it is inside.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from agent_tui.protocol.display import DiffDisplay
from agent_tui.protocol.file_states import ChangedBy

Scope: TypeAlias = Literal["prompt", "session"]
"""Since when: the newest prompt, or the session's beginning."""


@dataclass(frozen=True, slots=True)
class ChangedFile:
    """A file that is not as it was.

    Attributes:
        path, shown: where it is.
        what: what became of it.
        added, removed: lines.
        note: what the lines don't tell: a binary file, a content that is not kept, line ends.
        foreign: somebody else changed it since the agent did, or in between.
        seen: stands for what it is like now; goes with what is done about it.
    """

    path: str
    shown: str
    what: Literal["changed", "created", "removed"] = "changed"
    added: int = 0
    removed: int = 0
    note: str = ""
    foreign: bool = False
    seen: str = ""


@dataclass(frozen=True, slots=True)
class ChangeList:
    """Reply to ``Changes``: the files by path. ``prompt`` and ``since`` (ISO 8601) say what it is counted from."""

    files: tuple[ChangedFile, ...] = ()
    prompt: str = ""
    since: str = ""
    kept: bool = True


@dataclass(frozen=True, slots=True)
class HunkOrigin:
    """Who made a hunk last, as far as is known: in which turn of its prompt (0: unknown), and when (ISO 8601)."""

    by: ChangedBy = "tool"
    turn: int = 0
    at: str = ""


@dataclass(frozen=True, slots=True)
class FileChange:
    """Reply to ``ChangeOf``: a file's change whole. ``lines`` counts the file's lines now."""

    file: ChangedFile
    display: DiffDisplay
    origins: tuple[HunkOrigin, ...] = ()
    lines: int = 0


@dataclass(frozen=True, slots=True)
class TakenBack:
    """Reply to ``TakeBack``; ``problem`` says why nothing was done, empty when it was."""

    problem: str = ""


@dataclass(frozen=True, slots=True)
class RewindPoint:
    """A moment to go back to: before a prompt, or before somebody went back (``rewind``), which takes that back.

    ``files`` counts the files changed from there to the next one; ``at`` is ISO 8601.
    """

    uuid: str
    kind: Literal["prompt", "rewind"]
    text: str
    at: str
    files: int = 0


@dataclass(frozen=True, slots=True)
class RewindPoints:
    """Reply to ``RewindList``, newest first. ``kept``: what files were is kept in this session."""

    points: tuple[RewindPoint, ...] = ()
    kept: bool = True


@dataclass(frozen=True, slots=True)
class RewindFile:
    """What would become of a file.

    Attributes:
        does: it is put back as it was, removed because it was not there, or made again.
        added, removed: lines, counted from now to then.
        foreign: why it is left alone unless that is wanted: somebody else changed it. Empty: only the agent did.
        problem: why it can't be put back at all.
        link: it is skipped because it is a link, or no regular file.
        seen: stands for what it is like now; goes with the wish to have it put back all the same.
    """

    path: str
    shown: str
    does: Literal["restore", "remove", "create"] = "restore"
    added: int = 0
    removed: int = 0
    foreign: str = ""
    problem: str = ""
    link: bool = False
    seen: str = ""


@dataclass(frozen=True, slots=True)
class RewindPlan:
    """Reply to ``PreviewRewind``.

    Attributes:
        files: those that are not as they were then.
        prompts: how many leave the conversation.
        conversation: it can go back; where only files were put back there is nothing to go back to.
        kept: what files were is kept in this session.
    """

    files: tuple[RewindFile, ...] = ()
    prompts: int = 0
    conversation: bool = True
    kept: bool = True


@dataclass(frozen=True, slots=True)
class Consent:
    """A file that somebody else changed is to be put back too, as it was when it was shown."""

    path: str
    seen: str


@dataclass(frozen=True, slots=True)
class Rewound:
    """Reply to ``Rewind``: which files were put back and which were not, as shown; ``prompt`` returns to the editor."""

    files: tuple[str, ...] = ()
    left: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    prompt: str = ""
    conversation: bool = False
