"""Answers a front end's queries; before a session is open too, as far as they need none."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Protocol

import anyio
import anyio.to_thread

from agent_tui.engine import looking
from agent_tui.engine.command import infos
from agent_tui.engine.completion import FileIndex
from agent_tui.engine.explaining import Explaining
from agent_tui.engine.folder import offer as folder_offer
from agent_tui.engine.foundation import Foundation
from agent_tui.engine.hindsight import Hindsight
from agent_tui.engine.memory_list import memory_list
from agent_tui.engine.offer_report import offer
from agent_tui.engine.premises import Premises
from agent_tui.engine.pricing import with_prices
from agent_tui.engine.serving import Serving
from agent_tui.engine.stored import remove, rename
from agent_tui.engine.usage_report import UsageReport
from agent_tui.journal.catalogue import find, sessions
from agent_tui.journal.file import Reading
from agent_tui.journal.replay import ToolDisplay, page
from agent_tui.loop.policy import Policy
from agent_tui.model.aliases import resolve
from agent_tui.model.anthropic_client import AnthropicClient
from agent_tui.permissions.rule import problem_of
from agent_tui.protocol.asides import Aside
from agent_tui.protocol.errors import ModelError
from agent_tui.protocol.looking import Find, Inside, Raw, Spending
from agent_tui.protocol.memory_files import MemoryFiles
from agent_tui.protocol.picking import RemoveSession, RenameSession
from agent_tui.protocol.preferences import Preferences, SetPreference
from agent_tui.protocol.queries import (
    ChangeOf,
    ChangePermissions,
    Changes,
    Commands,
    Complete,
    Completion,
    Completions,
    ContextUsage,
    Data,
    Explain,
    Failed,
    FolderOffer,
    FolderTrust,
    InForce,
    MessagePage,
    Page,
    PreviewRewind,
    Query,
    Reply,
    Rewind,
    RewindFiles,
    RewindList,
    ServerControl,
    ServerStatus,
    ServerTested,
    SessionList,
    Sessions,
    TakeBack,
    TestServer,
    WouldAllow,
)
from agent_tui.protocol.records import to_record
from agent_tui.settings.credentials import masker_of
from agent_tui.settings.options import Options
from agent_tui.settings.paths import Environment

MAX_MODELS = 50
NOT_OPEN = "No session is open."


class Attached(Protocol):
    """What the answers need of an open session."""

    @property
    def journal_path(self) -> Path:
        """Where its journal is."""
        ...

    @property
    def running(self) -> bool:
        """Whether a run is going."""
        ...

    @property
    def tool_display(self) -> ToolDisplay:
        """How a call looks."""
        ...

    @property
    def files(self) -> FileIndex:
        """The project's files, for completion."""
        ...

    @property
    def serving(self) -> Serving:
        """Its MCP servers."""
        ...

    @property
    def usage(self) -> UsageReport:
        """What fills its window."""
        ...

    @property
    def base(self) -> Foundation:
        """What it stands on."""
        ...

    @property
    def policy(self) -> Policy:
        """What judges its calls."""
        ...

    @property
    def premises(self) -> Premises:
        """What else can be told of it."""
        ...

    @property
    def explaining(self) -> Explaining:
        """Tells of its permissions."""
        ...

    @property
    def hindsight(self) -> Hindsight:
        """Tells of changes, and takes them back."""
        ...


class Answerer:
    """Answers queries."""

    def __init__(self, env: Environment) -> None:
        self._env = env
        self._opened: Attached | None = None

    def attach(self, opened: Attached) -> None:
        """A session is open now."""
        self._opened = opened

    async def answer(self, query: Query) -> Reply:
        """Answer one query.

        Raises:
            AgentTuiError: what was asked for is not there.
        """
        match query:
            case Sessions():
                return await self._sessions(query)
            case Page():
                return await anyio.to_thread.run_sync(self._page, query)
            case Complete(what="command", text=text, limit=limit):
                return complete_command(text, limit)
            case Complete(text=text, limit=limit, recent=recent):
                opened = self._opened
                if opened is None:
                    return Completions()
                return await opened.files.complete(text, limit, recent)
            case TestServer():
                return await self._test(query)
            case FolderTrust():
                return await anyio.to_thread.run_sync(self._folder, query)
            case RenameSession():
                return await anyio.to_thread.run_sync(rename, self._env, query)
            case RemoveSession():
                return await anyio.to_thread.run_sync(remove, self._env, query)
            case Preferences() | SetPreference():
                opened = self._opened
                return (
                    Failed(NOT_OPEN)
                    if opened is None
                    else await opened.premises.preferring.answer(query)
                )
            case Aside(question):
                opened = self._opened
                return (
                    Failed(NOT_OPEN)
                    if opened is None
                    else await opened.premises.asides.ask(question)
                )
            case ServerStatus() | ServerControl():
                opened = self._opened
                return Failed(NOT_OPEN) if opened is None else await opened.serving.answer(query)
            case InForce() | Explain() | ChangePermissions():
                opened = self._opened
                return Failed(NOT_OPEN) if opened is None else await opened.explaining.answer(query)
            case (
                Changes()
                | ChangeOf()
                | TakeBack()
                | RewindList()
                | PreviewRewind()
                | Rewind()
                | RewindFiles()
            ):
                opened = self._opened
                return Failed(NOT_OPEN) if opened is None else await opened.hindsight.answer(query)
            case WouldAllow():
                opened = self._opened
                return Failed(NOT_OPEN) if opened is None else would_allow(opened.policy, query)
            case Find() | Raw() | Inside() | Spending():
                opened = self._opened
                if opened is None:
                    return Failed(NOT_OPEN)
                return await looking.answer(query, opened, masker_of(self._env))
            case MemoryFiles():
                opened = self._opened
                if opened is None:
                    return Failed(NOT_OPEN)
                return await anyio.to_thread.run_sync(memory_list, opened.base)
            case ContextUsage():
                opened = self._opened
                return Failed(NOT_OPEN) if opened is None else Data(await opened.usage.report())
            case Commands():
                opened = self._opened
                if opened is None:
                    return Failed(NOT_OPEN)
                return Data(offer(opened.usage.agents(), opened.base.table, self._env))

    def _folder(self, query: FolderTrust) -> FolderOffer:
        return folder_offer(Options.from_json(query.options), self._env)

    async def _sessions(self, query: Sessions) -> SessionList:
        look = partial(
            sessions,
            self._env,
            Path(query.cwd),
            all_projects=query.all_projects,
            search=query.search,
            limit=query.limit,
        )
        found = await anyio.to_thread.run_sync(look)
        priced = partial(with_prices, found, self._opened, self._env)
        return masker_of(self._env).data(await anyio.to_thread.run_sync(priced))

    def _page(self, query: Page) -> MessagePage:
        opened = self._opened
        if query.session_id is not None:
            path = find(self._env, query.session_id, Path(query.cwd) if query.cwd else None)
        elif opened is None or not opened.journal_path.exists():
            return MessagePage()
        else:
            path = opened.journal_path
        mine = opened is not None and path == opened.journal_path
        found = page(
            Reading(path),
            before=query.before,
            count=query.count,
            tool_display=opened.tool_display if opened is not None else None,
            running=mine and opened is not None and opened.running,
        )
        return MessagePage(tuple(to_record(message) for message in found.messages), found.more)

    async def _test(self, query: TestServer) -> ServerTested:
        client = AnthropicClient(query.base_url, query.api_key, self._env)
        began = anyio.current_time()
        try:
            models = await client.list_models()
        except ModelError as error:
            return ServerTested(False, str(error))
        finally:
            await client.aclose()
        usual = resolve(None, self._env)
        models = tuple(
            sorted(models, key=lambda model: model != usual)
        )  # ours first, if it is there
        count = f"{len(models)} models" if len(models) != 1 else "1 model"
        seconds = max(anyio.current_time() - began, 0.1)
        words = f"answered in {seconds:.1f} s and offers {count}"
        return ServerTested(True, words, models[:MAX_MODELS])


def would_allow(policy: Policy, query: WouldAllow) -> Data:
    """Judge the call of an open request with some rules more."""
    whys = (problem_of(rule, "allow") for rule in query.rules)
    why = next((f"{rule}: {why}" for rule, why in zip(query.rules, whys, strict=True) if why), "")
    allows = not why and policy.would_allow(query.request_id, query.rules)
    return Data({"allows": allows, "why": why})


def complete_command(text: str, limit: int) -> Completions:
    """Give the engine's commands whose name or alias begins with ``text``, then those that contain it."""
    wanted = text.lower().lstrip("/")
    found: list[tuple[int, str, Completion]] = []
    for info in infos():
        names = (info.name, *info.aliases)
        ranks = [0 if name.startswith(wanted) else 1 for name in names if wanted in name]
        if ranks:
            at = info.name.find(wanted)
            matched = tuple(range(at, at + len(wanted))) if wanted and at >= 0 else ()
            hint = f"{info.hint}  {info.summary}".strip()
            found.append((min(ranks), info.name, Completion(info.name, hint, matched)))
    return Completions(tuple(item for _, _, item in sorted(found, key=lambda row: row[:2])[:limit]))
