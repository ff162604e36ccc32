"""A front end's questions and their replies: asked by id, answered once, never journaled.

A query class names its reply class in ``reply``; ``Failed`` may come instead of any reply.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from agent_tui.protocol.asides import Aside, AsideAnswer
from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.explanations import Explanation, PermissionsInForce
from agent_tui.protocol.looking import Find, Found, Inside, Raw, RawLines, Spending, Spent
from agent_tui.protocol.memory_files import MemoryFiles, MemoryList
from agent_tui.protocol.picking import Removed, RemoveSession, Renamed, RenameSession
from agent_tui.protocol.preferences import PreferenceList, Preferences, SetPreference
from agent_tui.protocol.requests import PermissionRuleValue, PermissionUpdate
from agent_tui.protocol.reviews import (
    ChangeList,
    Consent,
    FileChange,
    RewindPlan,
    RewindPoints,
    Rewound,
    Scope,
    TakenBack,
)
from agent_tui.protocol.trust import Brought


@dataclass(frozen=True, slots=True)
class Sessions:
    """Which sessions are there? ``search`` looks in titles and in what was said."""

    cwd: str
    all_projects: bool = False
    search: str = ""
    limit: int = 200
    kind: Literal["sessions"] = "sessions"


@dataclass(frozen=True, slots=True)
class SessionRow:
    """A session as the picker shows it. ``modified`` is seconds since the epoch, ``size`` bytes.

    ``excerpt`` is the newest of the ``places`` where the search was found, empty without a search; cost None when unknown.
    ``context_tokens`` filled the window at the end, 0 unknown; ``resend_usd`` is what sending them anew costs when none of
    them is cached any more, None while they are or where the price isn't known.
    """

    session_id: str
    title: str
    first_prompt: str
    cwd: str
    modified: float
    size: int
    branch: str = ""
    cost_usd: float | None = None
    excerpt: str = ""
    prompts: int | None = None
    places: int = 0
    model: str = ""
    context_tokens: int = 0
    resend_usd: float | None = None


@dataclass(frozen=True, slots=True)
class SessionList:
    """Reply to ``Sessions``, newest first; ``more`` were left out."""

    rows: tuple[SessionRow, ...] = ()
    more: int = 0


@dataclass(frozen=True, slots=True)
class Page:
    """The ``count`` messages before the one with uuid ``before`` (None: the last ones) of this session.

    ``session_id`` names another session (the picker's preview); None means the open one.
    """

    before: str | None = None
    count: int = 200
    session_id: str | None = None
    cwd: str | None = None
    kind: Literal["page"] = "page"


@dataclass(frozen=True, slots=True)
class MessagePage:
    """Reply to ``Page``: stream-json records of messages, oldest first; ``more`` when older ones exist."""

    records: tuple[dict[str, object], ...] = ()
    more: bool = False


@dataclass(frozen=True, slots=True)
class Complete:
    """What could the person mean? ``what`` is ``file`` (after ``@``) or ``command`` (after ``/``).

    ``recent`` are paths that they have mentioned before, the last one first.
    """

    what: Literal["file", "command"]
    text: str
    limit: int = 20
    recent: tuple[str, ...] = ()
    kind: Literal["complete"] = "complete"


@dataclass(frozen=True, slots=True)
class Completion:
    """One proposal: what is put in, what is shown beside it, and which characters of ``text`` matched."""

    text: str
    hint: str = ""
    matched: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Completions:
    """Reply to ``Complete``, best first; ``partial`` while the folder is still being listed."""

    items: tuple[Completion, ...] = ()
    partial: bool = False


@dataclass(frozen=True, slots=True)
class TestServer:
    """Can this server be talked to? Makes one small call (welcome screen)."""

    base_url: str
    api_key: str = ""
    kind: Literal["test_server"] = "test_server"


@dataclass(frozen=True, slots=True)
class ServerTested:
    """Reply to ``TestServer``: whether it answered, and what was found or went wrong, in a sentence."""

    ok: bool
    text: str
    models: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FolderTrust:
    """Must the person be asked about the folder before a session is opened with these ``settings.options.Options``?"""

    options: JsonObject = field(default_factory=dict[str, Any])
    kind: Literal["folder_trust"] = "folder_trust"


@dataclass(frozen=True, slots=True)
class FolderOffer:
    """Reply to ``FolderTrust``.

    Attributes:
        ask: they must.
        project: the folder it is about.
        origin: where it was cloned from, empty when unknown.
        seen: stands for all that is listed; goes with the answer.
        changed: it was trusted, and brings something new.
        items: what it brings.
        files: where that stands, absolute.
    """

    ask: bool = False
    project: str = ""
    origin: str = ""
    seen: str = ""
    changed: bool = False
    items: tuple[Brought, ...] = ()
    files: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class WouldAllow:
    """Would these rules, if they allowed what they cover, let the call of an open request run?

    The reply is ``{"allows": bool, "why": str}``: ``why`` says what is wrong with them, empty when nothing is.
    """

    request_id: str
    rules: tuple[PermissionRuleValue, ...]
    kind: Literal["would_allow"] = "would_allow"


@dataclass(frozen=True, slots=True)
class InForce:
    """What are the calls of the open session judged by? The reply is ``explanations.PermissionsInForce``."""

    kind: Literal["in_force"] = "in_force"


@dataclass(frozen=True, slots=True)
class Explain:
    """What would be decided over what ``text`` means: a shell line, a path, ``Read x``, ``Bash(git push -f)``?"""

    text: str
    kind: Literal["explain"] = "explain"


@dataclass(frozen=True, slots=True)
class Explained:
    """Reply to ``Explain``: one for each call that was meant; a path alone means reading and writing it."""

    explanations: tuple[Explanation, ...] = ()


@dataclass(frozen=True, slots=True)
class ChangePermissions:
    """Change the rules of the open session as an answer does; the reply is what holds then, ``PermissionsInForce``."""

    updates: tuple[PermissionUpdate, ...]
    kind: Literal["change_permissions"] = "change_permissions"


@dataclass(frozen=True, slots=True)
class Changes:
    """Which files did the agent change, and are not as they were? The reply is ``reviews.ChangeList``."""

    scope: Scope = "session"
    kind: Literal["changes"] = "changes"


@dataclass(frozen=True, slots=True)
class ChangeOf:
    """What was changed of one of them? The reply is ``reviews.FileChange``; ``context`` lines stand around a change."""

    path: str
    scope: Scope = "session"
    context: int = 3
    kind: Literal["change_of"] = "change_of"


@dataclass(frozen=True, slots=True)
class TakeBack:
    """Take back a file's change, or one hunk (0-based) of it as ``ChangeOf`` with the same ``context`` gave it.

    ``seen`` is what the file was like then; by now it may be another. The reply is ``reviews.TakenBack``.
    """

    path: str
    seen: str
    scope: Scope = "session"
    hunk: int | None = None
    context: int = 3
    kind: Literal["take_back"] = "take_back"


@dataclass(frozen=True, slots=True)
class RewindList:
    """Where can the session go back to? The reply is ``reviews.RewindPoints``."""

    kind: Literal["rewind_list"] = "rewind_list"


@dataclass(frozen=True, slots=True)
class PreviewRewind:
    """What would going back to this moment change? The reply is ``reviews.RewindPlan``."""

    uuid: str
    kind: Literal["preview_rewind"] = "preview_rewind"


@dataclass(frozen=True, slots=True)
class Rewind:
    """Go back: with the files, the conversation, or both; ``also`` with files that others changed.

    Not while a run goes. The reply is ``reviews.Rewound``.
    """

    uuid: str
    files: bool = True
    conversation: bool = True
    also: tuple[Consent, ...] = ()
    kind: Literal["rewind"] = "rewind"


@dataclass(frozen=True, slots=True)
class RewindFiles:
    """Put files back to what they were at a prompt, for programs; the reply is ``Data`` as documented.

    What others changed since is left alone and named (``changedByOthers``). ``dry_run`` only tells.
    """

    user_message_id: str
    dry_run: bool = False
    kind: Literal["rewind_files"] = "rewind_files"


@dataclass(frozen=True, slots=True)
class ContextUsage:
    """What fills the window of the open session?"""

    kind: Literal["context_usage"] = "context_usage"


@dataclass(frozen=True, slots=True)
class ServerStatus:
    """Which MCP servers has the open session, and how are they?"""

    kind: Literal["server_status"] = "server_status"


@dataclass(frozen=True, slots=True)
class ServerControl:
    """Connect an MCP server of the open session anew, or switch it on or off."""

    name: str
    action: Literal["reconnect", "enable", "disable"]
    kind: Literal["server_control"] = "server_control"


@dataclass(frozen=True, slots=True)
class Commands:
    """Which slash commands, models and agents does the open session offer?"""

    kind: Literal["commands"] = "commands"


@dataclass(frozen=True, slots=True)
class Data:
    """Reply in the documented shape of the thing asked for (reference/options.md sections 4 and 5)."""

    data: dict[str, object]


@dataclass(frozen=True, slots=True)
class Failed:
    """The query could not be answered."""

    error: str


Query: TypeAlias = (
    Sessions
    | Page
    | Complete
    | TestServer
    | FolderTrust
    | ContextUsage
    | ServerStatus
    | Find
    | Raw
    | Inside
    | Spending
    | ServerControl
    | MemoryFiles
    | Commands
    | RenameSession
    | RemoveSession
    | Aside
    | Preferences
    | SetPreference
    | WouldAllow
    | InForce
    | Explain
    | ChangePermissions
    | Changes
    | ChangeOf
    | TakeBack
    | RewindList
    | PreviewRewind
    | Rewind
    | RewindFiles
)
Reply: TypeAlias = (
    SessionList
    | MessagePage
    | Completions
    | ServerTested
    | FolderOffer
    | MemoryList
    | PermissionsInForce
    | Explained
    | ChangeList
    | FileChange
    | TakenBack
    | RewindPoints
    | RewindPlan
    | Rewound
    | Found
    | RawLines
    | Spent
    | Data
    | Renamed
    | Removed
    | AsideAnswer
    | PreferenceList
    | Failed
)
QUERIES: tuple[type[Query], ...] = (
    Sessions,
    Page,
    Complete,
    TestServer,
    FolderTrust,
    ContextUsage,
    Find,
    Raw,
    Inside,
    Spending,
    ServerStatus,
    ServerControl,
    MemoryFiles,
    Commands,
    RenameSession,
    RemoveSession,
    Aside,
    Preferences,
    SetPreference,
    WouldAllow,
    InForce,
    Explain,
    ChangePermissions,
    Changes,
    ChangeOf,
    TakeBack,
    RewindList,
    PreviewRewind,
    Rewind,
    RewindFiles,
)
REPLIES: dict[type[Query], type[Reply]] = {
    Sessions: SessionList,
    Page: MessagePage,
    Complete: Completions,
    TestServer: ServerTested,
    FolderTrust: FolderOffer,
    ContextUsage: Data,
    Find: Found,
    Raw: RawLines,
    Inside: MessagePage,
    Spending: Spent,
    ServerStatus: Data,
    ServerControl: Data,
    MemoryFiles: MemoryList,
    Commands: Data,
    RenameSession: Renamed,
    RemoveSession: Removed,
    Aside: AsideAnswer,
    Preferences: PreferenceList,
    SetPreference: PreferenceList,
    WouldAllow: Data,
    InForce: PermissionsInForce,
    Explain: Explained,
    ChangePermissions: PermissionsInForce,
    Changes: ChangeList,
    ChangeOf: FileChange,
    TakeBack: TakenBack,
    RewindList: RewindPoints,
    PreviewRewind: RewindPlan,
    Rewind: Rewound,
    RewindFiles: Data,
}
