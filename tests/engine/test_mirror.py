"""Lines that are handed to a program's mirror."""

from __future__ import annotations

import json
import uuid
from pathlib import Path
from typing import Any

import anyio
import pytest

from agent_tui.engine import mirror as engine_mirror
from agent_tui.engine.chosen import Chosen
from agent_tui.engine.extras import Extras, Report
from agent_tui.engine.mirror import Mirrored, end, mirrored, side_mirrored, sink_of
from agent_tui.engine.opening import OpenSession, with_session
from agent_tui.journal.file import Journal
from agent_tui.journal.fold import Conversation
from agent_tui.journal.unsaved import UnsavedJournal
from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.messages import ResultMessage, SystemMessage
from agent_tui.protocol.ops import Prompt
from tests.engine.sessions import Answers, Place
from tests.journal.story import Story

pytestmark = pytest.mark.anyio


class Copy:
    """A mirror that keeps what it gets; ``error`` is reported once, ``slow`` never lets go."""

    def __init__(self, error: str = "", *, slow: bool = False) -> None:
        self.got: list[tuple[str | None, str, JsonObject]] = []
        self.flushes: list[int] = []
        self.error = error
        self.slow = slow
        self.ended = False

    def lines(self, subpath: str | None, session_id: str, lines: tuple[JsonObject, ...]) -> None:
        self.got.extend((subpath, session_id, line) for line in lines)

    async def flush(self) -> None:
        self.flushes.append(len(self.got))
        if self.slow:
            await anyio.sleep_forever()

    async def serve(self, report: Report) -> None:
        if self.error:
            await report({"project_key": "p", "session_id": "s"}, self.error)
        try:
            await anyio.sleep_forever()
        finally:
            self.ended = True

    def of(self, subpath: str | None) -> list[JsonObject]:
        return [line for path, _, line in self.got if path == subpath]


def lines_of(path: Path) -> list[JsonObject]:
    return [json.loads(line) for line in path.read_bytes().splitlines()]


async def test_the_mirror_gets_what_the_file_holds_after_it_is_there(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    story = Story()

    class Checking(Copy):
        def lines(self, subpath: Any, session_id: Any, lines: Any) -> None:
            super().lines(subpath, session_id, lines)
            assert lines_of(path) == self.of(None)

    copy = Checking()
    sink = mirrored(Journal.create(path), copy, "s")
    assert sink.path == path
    sink.append(story.prompt("half \ud83d"))
    sink.append(*story.answer("m1", {"type": "text", "text": "ok"}))
    await sink.sync()
    assert copy.flushes == [], "the turn is not over"
    story.finished()
    sink.append(story.entries[-1])
    await sink.sync()
    await sink.sync()
    assert copy.flushes == [3]
    sink.close()
    assert {session for _, session, _ in copy.got} == {"s"}


async def test_a_slow_mirror_does_not_hold_up_a_result(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine_mirror, "RESULT_SECONDS", 0.01)
    monkeypatch.setattr(engine_mirror, "END_SECONDS", 0.01)
    copy = Copy(slow=True)
    sink = Mirrored(UnsavedJournal(Path("x")), copy, "s")
    story = Story()
    story.finished()
    sink.append(*story.entries)
    with anyio.fail_after(5):
        await sink.sync()
        await end(copy)
    assert copy.flushes == [1, 1]
    await end(None)


async def test_without_a_mirror_nothing_is_wrapped() -> None:
    book = UnsavedJournal(Path("x"))
    assert mirrored(book, None, "s") is book
    assert side_mirrored(book, None, "s", "a", {}) is book


async def test_what_waits_reaches_the_mirror_with_the_first_line() -> None:
    story = Story()
    waiting = (story.prompt("copied"),)
    copy = Copy()
    chosen = Chosen(UnsavedJournal(Path("x")), Conversation(), "s", "fork", 0, waiting)
    sink = sink_of(chosen, copy)
    assert copy.got == []
    sink.append(story.prompt("new"))
    assert [line["message"]["content"] for line in copy.of(None)] == ["copied", "new"]


async def test_a_sub_agents_journal_begins_with_whose_it_is() -> None:
    copy = Copy()
    about: JsonObject = {"toolUseId": "toolu_1", "parentAgentId": "zero"}
    sink = side_mirrored(UnsavedJournal(Path("x")), copy, "s", "one", about)
    sink.append(Story().prompt("look"))
    note, line = copy.of("subagents/agent-one")
    assert note == {"type": "agent_metadata", **about}
    assert line["type"] == "user"


async def talk(place: Place, copy: Copy, *prompts: str) -> tuple[list[Any], Path, list[int]]:
    """Talk in a session with a mirror; what was heard, the journal, what the mirror had at each result."""
    heard: list[Any] = []
    had: list[int] = []
    paths: list[Path] = []

    async def body(opened: OpenSession) -> None:
        with opened.session.subscribe() as messages:
            for text in prompts:
                opened.session.send(Prompt(text, str(uuid.uuid4())))
                async for message in messages:
                    heard.append(message)
                    if isinstance(message, ResultMessage):
                        had.append(copy.flushes[-1])
                        break
        paths.append(opened.journal_path)

    extras = Extras(approver=Answers(), mirror=copy)
    await with_session(place.options, place.env, body, extras=extras)
    return heard, paths[0], had


async def test_a_session_is_mirrored_to_its_end(place: Place) -> None:
    place.api.enqueue("one", "two")
    copy = Copy()
    _, path, had = await talk(place, copy, "first", "second")
    assert copy.of(None) == lines_of(path)
    assert had[0] < had[1] == len(copy.got)
    assert copy.ended


async def test_a_new_conversation_is_mirrored_under_its_own_id(place: Place) -> None:
    place.api.enqueue("one", "two")
    copy = Copy()
    _, path, _ = await talk(place, copy, "first", "/clear", "second")
    by_session = {
        session: [line for _, one, line in copy.got if one == session]
        for session in {session for _, session, _ in copy.got}
    }
    assert len(by_session) == 2
    assert by_session == {
        session: lines_of(path.with_name(f"{session}.jsonl")) for session in by_session
    }


async def test_what_a_mirror_loses_is_said(place: Place) -> None:
    place.api.enqueue("one")
    heard, path, _ = await talk(place, Copy("store is full"), "first")
    [said] = [m for m in heard if isinstance(m, SystemMessage) and m.subtype == "mirror_error"]
    assert said.data["error"] == "store is full"
    assert said.data["key"] == {"project_key": "p", "session_id": "s"}
    assert lines_of(path)
