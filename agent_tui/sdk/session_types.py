"""The types of stored sessions: what lists and readers give, and what a store of a program's own has to offer."""

from dataclasses import dataclass
from typing import Any, Literal, NotRequired, Protocol, Required, TypeAlias, TypedDict

SessionStoreFlushMode: TypeAlias = Literal["batched", "eager"]
"""When a store gets lines: once a turn (and when many wait), or as each is written."""


class SessionKey(TypedDict):
    """Names one journal in a store; ``subpath`` is a sub-agent's (``subagents/agent-<id>``), never empty."""

    project_key: str
    session_id: str
    subpath: NotRequired[str]


class SessionListSubkeysKey(TypedDict):
    """Names a session in a store."""

    project_key: str
    session_id: str


class SessionStoreEntry(TypedDict, total=False):
    """A journal's line: plain JSON, of which a store knows no more than this."""

    type: Required[str]
    uuid: str
    timestamp: str


class SessionStoreListEntry(TypedDict):
    """A session in a store's list; ``mtime`` in milliseconds since the epoch."""

    session_id: str
    mtime: int


class SessionSummaryEntry(TypedDict):
    """What a store keeps beside a session for lists. ``data`` is ours; ``mtime`` is the store's, as in its list."""

    session_id: str
    mtime: int
    data: dict[str, Any]


class SessionStore(Protocol):
    """A program's own place for copies of journals. The first two methods are needed, the others are optional.

    Any object with these methods will do. An optional method that isn't there, or is this class's own, counts as
    absent.
    """

    async def append(self, key: SessionKey, entries: list[SessionStoreEntry]) -> None:
        """Keep lines, in the order of the calls; they are on this machine's disk already.

        A line with a ``uuid`` that is there already replaces it (lines may be sent again); others are added.
        """
        ...

    async def load(self, key: SessionKey) -> list[SessionStoreEntry] | None:
        """Give all lines of a journal, equal to what was appended; None for a key that was never written."""
        ...

    async def list_sessions(self, project_key: str) -> list[SessionStoreListEntry]:
        """List a project's sessions in any order, sub-agents left out."""
        raise NotImplementedError

    async def list_session_summaries(self, project_key: str) -> list[SessionSummaryEntry]:
        """Give the summaries of a project's sessions, kept up to date in ``append`` by ``fold_session_summary``."""
        raise NotImplementedError

    async def delete(self, key: SessionKey) -> None:
        """Remove a session with its sub-agents, or (with a subpath) one sub-agent; what is not there is gone."""
        raise NotImplementedError

    async def list_subkeys(self, key: SessionListSubkeysKey) -> list[str]:
        """List the subpaths of a session."""
        raise NotImplementedError


@dataclass
class SDKSessionInfo:
    """A session as a list shows it.

    Attributes:
        summary: the best title there is.
        last_modified: milliseconds since the epoch, as is ``created_at``.
        file_size: bytes; None for one in a store.
        custom_title: the person's title, or a generated one.
    """

    session_id: str
    summary: str
    last_modified: int
    file_size: int | None = None
    custom_title: str | None = None
    first_prompt: str | None = None
    git_branch: str | None = None
    cwd: str | None = None
    tag: str | None = None
    created_at: int | None = None


@dataclass
class SessionMessage:
    """What was said in a stored session; ``message`` is the API's. The parents are those of a sub-agent."""

    type: Literal["user", "assistant"]
    uuid: str
    session_id: str
    message: Any
    parent_tool_use_id: str | None = None
    parent_agent_id: str | None = None


@dataclass
class ForkSessionResult:
    """The id of a session's copy."""

    session_id: str
