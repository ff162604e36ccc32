"""Answers to a front end's queries."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable

import pytest

from agent_tui.engine.command import names
from agent_tui.engine.opening import OpenSession
from agent_tui.engine.replies import Answerer, complete_command
from agent_tui.protocol import queries
from agent_tui.protocol.errors import SessionError, SettingsError
from agent_tui.protocol.ops import Prompt
from agent_tui.protocol.queries import (
    Commands,
    Complete,
    Completions,
    ContextUsage,
    Data,
    Failed,
    MessagePage,
    Page,
    ServerTested,
    SessionList,
    Sessions,
)
from tests.engine.sessions import Place
from tests.fakes.api_server import reply, tool

pytestmark = pytest.mark.anyio


async def page(answerer: Answerer, **asked: object) -> MessagePage:
    found = await answerer.answer(Page(**asked))  # pyright: ignore[reportArgumentType]
    assert isinstance(found, MessagePage)
    return found


def kinds(found: MessagePage) -> list[object]:
    return [record["type"] for record in found.records]


async def test_sessions_are_listed_before_one_is_open(place: Place) -> None:
    answerer = Answerer(place.env)
    assert await answerer.answer(Sessions(str(place.project))) == SessionList()
    place.api.enqueue("a plum", "a pear")
    await place.talk("first talk")
    await place.talk("second talk")
    found = await answerer.answer(Sessions(str(place.project)))
    assert isinstance(found, SessionList)
    assert [row.title for row in found.rows] == ["second talk", "first talk"]
    narrowed = await answerer.answer(Sessions(str(place.project), search="plum"))
    assert isinstance(narrowed, SessionList)
    assert [row.title for row in narrowed.rows] == ["first talk"]
    elsewhere = await answerer.answer(Sessions(str(place.home)))
    assert elsewhere == SessionList()
    everywhere = await answerer.answer(Sessions(str(place.home), all_projects=True))
    assert isinstance(everywhere, SessionList)
    assert len(everywhere.rows) == 2


async def test_another_session_can_be_looked_into(place: Place) -> None:
    place.api.enqueue("a plum")
    talk = await place.talk("first talk")
    found = await page(Answerer(place.env), session_id=talk.session_id, cwd=str(place.project))
    assert "a plum" in str(found.records)
    with pytest.raises(SessionError):
        await page(Answerer(place.env), session_id="22222222-2222-4222-8222-222222222222")


async def attached(place: Place, body: Callable[[Answerer, OpenSession], Awaitable[None]]) -> None:
    async def run(opened: OpenSession) -> None:
        answerer = Answerer(place.env)
        answerer.attach(opened)
        await body(answerer, opened)

    await place.run(run)


async def test_a_resumed_session_is_paged_from_its_end(place: Place) -> None:
    place.api.enqueue("one", "two", "three")
    talk = await place.talk("a", "b", "c")

    async def body(answerer: Answerer, opened: OpenSession) -> None:
        last = await page(answerer, count=2)
        assert last.more
        assert len(last.records) == 2
        seen = list(last.records)
        while last.more:
            last = await page(answerer, count=2, before=str(seen[0]["uuid"]))
            seen = [*last.records, *seen]
        whole = await page(answerer, count=999)
        assert seen == list(whole.records)
        assert not whole.more
        assert [text for text in ("one", "two", "three") if text in str(seen)] == [
            "one", "two", "three",
        ]  # fmt: skip

    await attached(place.resuming(talk.session_id), body)


async def test_a_new_session_has_no_page_and_before_one_is_open_there_is_none(
    place: Place,
) -> None:
    async def body(answerer: Answerer, opened: OpenSession) -> None:
        assert await page(answerer) == MessagePage()

    await attached(place, body)
    assert await page(Answerer(place.env)) == MessagePage()


async def test_calls_come_with_how_they_look(place: Place) -> None:
    file = place.write("a.txt", "old")
    place.api.enqueue(
        reply(tool("Read", file_path=str(file))),
        reply(tool("Edit", file_path=str(file), old_string="old", new_string="new")),
        "done",
    )
    talk = await place.mode("acceptEdits").talk("go")

    async def body(answerer: Answerer, opened: OpenSession) -> None:
        found = await page(answerer)
        assert found.records[-1]["type"] == "result"
        edits = [r for r in found.records if "Edit" in str(r) and r["type"] == "assistant"]
        assert "diff" in str(edits[0])

    await attached(place.resuming(talk.session_id), body)


async def test_a_call_that_runs_is_not_shown_as_lost(place: Place) -> None:
    place.api.enqueue(reply(tool("Bash", command="sleep 30.625")))

    async def body(answerer: Answerer, opened: OpenSession) -> None:
        with opened.session.subscribe() as messages:
            opened.session.send(Prompt("go", "q1"))
            async for message in messages:
                if "running" in str(message):
                    break
        found = await page(answerer)
        assert "user" in kinds(found)
        assert "tool_result" not in str(found.records)

    await attached(place.mode("bypassPermissions"), body)


async def test_files_are_completed_only_where_a_session_is_open(place: Place) -> None:
    place.write("model.py", "")
    asked = Complete("file", "mod")
    assert await Answerer(place.env).answer(asked) == Completions()

    async def body(answerer: Answerer, opened: OpenSession) -> None:
        while True:
            found = await answerer.answer(asked)
            assert isinstance(found, Completions)
            if not found.partial:
                break
        assert [item.text for item in found.items] == ["model.py"]

    await attached(place, body)


def test_commands_are_found_by_name_and_alias_the_beginning_first() -> None:
    def texts(text: str, limit: int = 20) -> list[str]:
        return [item.text for item in complete_command(text, limit).items]

    assert texts("", 99) == list(names())
    assert texts("/com") == texts("COM") == ["compact"]
    assert texts("res") == ["clear"]
    assert texts("me")[-1] == "rename"
    assert len(texts("e", 2)) == 2
    assert texts("zzz") == []
    [item] = complete_command("omp", 9).items
    assert item.matched == (1, 2, 3)
    assert item.hint.startswith("[instructions]  Summarise")


async def test_a_command_is_completed_without_a_session(place: Place) -> None:
    found = await Answerer(place.env).answer(Complete("command", "cl"))
    assert isinstance(found, Completions)
    assert found.items[0].text == "clear"


async def test_a_server_is_tried_with_the_key_that_was_typed(place: Place) -> None:
    found = await Answerer(place.env).answer(queries.TestServer(place.api.url, "sk-typed"))
    assert isinstance(found, ServerTested)
    assert found.ok
    assert found.models
    [request] = place.api.requests
    assert "sk-typed" in str(request.headers)


async def test_a_server_that_is_not_there_is_told(place: Place) -> None:
    place.variables["CLAUDE_CODE_MAX_RETRIES"] = "0"
    found = await Answerer(place.env).answer(queries.TestServer("http://127.0.0.1:1", "sk-typed"))
    assert isinstance(found, ServerTested)
    assert not found.ok
    assert found.text
    assert "sk-typed" not in found.text


async def test_the_window_and_what_there_is_to_choose_from_are_told_once_it_is_open(
    place: Place,
) -> None:
    answerer = Answerer(place.env)
    for query in (ContextUsage(), Commands()):
        assert isinstance(await answerer.answer(query), Failed)
    found: list[Data] = []

    async def body(opened: OpenSession) -> None:
        answerer.attach(opened)
        for query in (ContextUsage(), Commands()):
            reply = await answerer.answer(query)
            assert isinstance(reply, Data)
            found.append(reply)

    await place.run(body)
    usage, commands = (one.data for one in found)
    assert {"categories", "totalTokens", "gridRows"} <= usage.keys()
    assert {"commands", "models", "agents"} <= commands.keys()


async def test_a_folder_is_judged_before_a_session_is_open(place: Place) -> None:
    hook = {"Stop": [{"hooks": [{"type": "command", "command": "touch pwn"}]}]}
    place.write(".claude/settings.json", json.dumps({"hooks": hook}))
    query = queries.FolderTrust(place.options.to_json())
    given = await Answerer(place.env).answer(query)
    assert isinstance(given, queries.FolderOffer)
    assert given.ask
    assert [(one.name, one.what) for one in given.items] == [("Stop", "touch pwn")]
    place.write(".claude/settings.json", "{")
    with pytest.raises(SettingsError):
        await Answerer(place.env).answer(query)
