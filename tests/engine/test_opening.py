"""A session from options: what is wired, what is told, what is left behind."""

from __future__ import annotations

import json
import stat
from dataclasses import replace
from pathlib import Path

import anyio
import pytest

from agent_tui.engine.command import names
from agent_tui.engine.opening import OpenSession, with_session
from agent_tui.protocol.errors import SessionError, SettingsError, UsageError
from agent_tui.protocol.messages import PermissionMode, ResultMessage, StatusChanged
from agent_tui.protocol.ops import Prompt
from agent_tui.protocol.requests import Deny
from agent_tui.settings.options import PermissionOptions, PromptOptions, SessionOptions
from tests.engine.sessions import Answers, Place
from tests.fakes.api_server import reply, tool

pytestmark = pytest.mark.anyio


async def test_opening_asks_nobody_and_leaves_nothing_behind(place: Place) -> None:
    async def body(opened: OpenSession) -> None:
        assert not opened.running
        assert not opened.journal_path.exists()
        await anyio.wait_all_tasks_blocked()

    await place.run(body)
    assert not place.api.requests
    assert not list(place.home.iterdir())
    assert not list(place.project.iterdir())


async def test_all_that_is_written_is_its_owners_alone(place: Place) -> None:
    place.api.enqueue(reply(tool("Bash", command="seq 1 60000")), "done")
    await place.mode("bypassPermissions").talk("go")
    written = [place.home / ".agent-tui", *(place.home / ".agent-tui").rglob("*")]
    assert len(written) >= 5
    loose = [p for p in written if stat.S_IMODE(p.stat().st_mode) & 0o077]
    assert not loose


async def test_what_the_body_gives_is_given_back_and_what_it_raises_is_raised(
    place: Place,
) -> None:
    async def seven(opened: OpenSession) -> int:
        return 7

    async def wrong(opened: OpenSession) -> int:
        raise LookupError("of the body")

    assert await with_session(place.options, place.env, seven) == 7
    with pytest.raises(BaseExceptionGroup) as caught:
        await with_session(place.options, place.env, wrong)
    assert caught.group_contains(LookupError, match="of the body")


async def test_after_a_body_that_failed_the_journal_is_free(place: Place) -> None:
    place.api.enqueue("one", "two")
    talk = await place.talk("hi")

    async def wrong(opened: OpenSession) -> None:
        raise LookupError

    with pytest.raises(BaseExceptionGroup):
        await place.resuming(talk.session_id).run(wrong)
    assert (await place.resuming(talk.session_id).talk("on")).result.result == "two"


async def test_a_session_that_is_held_elsewhere_is_refused_and_the_holder_goes_on(
    place: Place,
) -> None:
    place.api.enqueue("one", "two")
    talk = await place.talk("hi")
    again = place.resuming(talk.session_id)

    async def body(opened: OpenSession) -> None:
        with pytest.raises(SessionError, match="in use"):
            await again.talk("me too")
        with opened.session.subscribe() as messages:
            opened.session.send(Prompt("go on", "q1"))
            async for message in messages:
                if isinstance(message, ResultMessage):
                    assert message.result == "two"
                    return

    await again.run(body)


@pytest.mark.parametrize(
    ("mode", "allow", "offered"),
    [
        (None, False, ("default", "acceptEdits", "plan")),
        (None, True, ("default", "acceptEdits", "plan", "bypassPermissions")),
        ("dontAsk", False, ("default", "acceptEdits", "plan", "dontAsk")),
    ],
)
async def test_which_modes_are_offered(
    place: Place, mode: PermissionMode | None, allow: bool, offered: tuple[str, ...]
) -> None:
    permissions = PermissionOptions(mode=mode, allow_bypass=allow)
    place.variables["IS_SANDBOX"] = "1"

    async def body(opened: OpenSession) -> None:
        with opened.session.subscribe() as messages:
            opened.session.announce()
            async for message in messages:
                assert isinstance(message, StatusChanged)
                assert message.modes == offered
                assert message.mode == (mode or "default")
                return

    await replace(place, options=replace(place.options, permissions=permissions)).run(body)


async def test_bypass_that_the_settings_disable_is_refused(place: Place) -> None:
    path = place.home / ".agent-tui" / "settings.json"
    path.parent.mkdir()
    path.write_text('{"permissions": {"disableBypassPermissionsMode": "disable"}}')
    with pytest.raises(UsageError, match="disable"):
        await place.mode("bypassPermissions").talk("hi")


async def test_init_tells_what_there_is(place: Place) -> None:
    place.api.enqueue("one")
    [init] = (await place.talk("hi")).system("init")
    assert init.data["cwd"] == str(place.project)
    assert init.data["slash_commands"] == list(names())
    assert init.data["apiKeySource"] == "ANTHROPIC_API_KEY"
    assert init.data["mcp_servers"] == []


async def test_the_system_prompt_can_be_replaced_and_added_to(place: Place) -> None:
    place.api.enqueue("one")
    prompts = PromptOptions("You are a plum.", "Be ripe.")
    await replace(place, options=replace(place.options, prompts=prompts)).talk("hi")
    assert "You are a plum." in place.api.messages[0].system_text
    assert "Be ripe." in place.api.messages[0].system_text


async def test_without_a_person_what_would_be_asked_is_denied(place: Place) -> None:
    file = place.write("a.txt", "x")
    place.api.enqueue(
        reply(tool("Read", file_path=str(file))),
        reply(tool("Edit", file_path=str(file), old_string="x", new_string="y")),
        "well",
    )
    results: list[ResultMessage] = []

    async def body(opened: OpenSession) -> None:
        with opened.session.subscribe() as messages:
            opened.session.send(Prompt("go", "q1"))
            async for message in messages:
                if isinstance(message, ResultMessage):
                    results.append(message)
                    return

    await with_session(replace(place.options, interactive=False), place.env, body)
    assert file.read_text() == "x"
    assert [d["tool_name"] for d in results[0].permission_denials] == ["Edit"]
    assert results[0].subtype == "success"


async def test_what_the_settings_left_out_is_told(place: Place) -> None:
    path = place.home / ".agent-tui" / "settings.json"
    path.parent.mkdir()
    path.write_text(json.dumps({"theme": 7, "permissions": {"allow": ["Bash(rm"]}}))
    place.api.enqueue(reply(tool("Read", file_path="none")), "one")
    notices = (await place.talk("hi")).notices
    assert any("theme" in notice for notice in notices)
    assert any("Bash(rm" in notice for notice in notices)


async def test_a15_a_restriction_that_can_t_be_read_stops_the_start(place: Place) -> None:
    path = place.home / ".agent-tui" / "settings.json"
    path.parent.mkdir()
    path.write_text(json.dumps({"permissions": {"deny": ["Bash(rm"]}}))
    with pytest.raises(SettingsError, match=r"settings\.json:1: .*'Bash\(rm'"):
        await place.talk("hi")
    assert place.api.messages == []


async def test_a_resumed_session_remembers_what_was_read(place: Place) -> None:
    file = place.write("a.txt", "old\n")
    place.api.enqueue(reply(tool("Read", file_path=str(file))), "read")
    talk = await place.talk("read it")
    place.api.enqueue(
        reply(tool("Edit", file_path=str(file), old_string="old", new_string="new")), "ok"
    )
    again = await place.resuming(talk.session_id).talk("edit it")
    assert not again.tool_results[0].is_error
    assert file.read_text() == "new\n"


async def test_a_session_named_by_its_id_has_it(place: Place) -> None:
    wanted = "22222222-2222-4222-8222-222222222222"
    place.api.enqueue("one")
    named = replace(
        place, options=replace(place.options, session=SessionOptions(session_id=wanted))
    )
    talk = await named.talk("hi")
    assert talk.session_id == wanted
    assert talk.journal.stem == wanted


async def test_h5_a_session_of_a_folder_that_was_renamed_goes_on_in_the_new_one(
    place: Place, tmp_path: Path
) -> None:
    place.api.enqueue("one", reply(tool("Bash", command="pwd")), "two")
    talk = await place.talk("hi")
    moved = tmp_path / "renamed"
    place.project.rename(moved)
    there = replace(place.resuming(talk.session_id), project=moved)
    there = replace(there, options=replace(there.options, cwd=str(moved)))
    again = await there.mode("bypassPermissions").talk("where?")
    assert again.session_id == talk.session_id
    assert str(again.tool_results[0].content).strip() == str(moved)
    assert not place.project.exists()


async def test_the_demo_needs_no_key_and_its_server_goes_with_it(place: Place) -> None:
    place.variables.update(ANTHROPIC_API_KEY="", ANTHROPIC_BASE_URL="")
    demo = replace(place, options=replace(place.options, demo=True))
    urls: list[str] = []

    async def body(opened: OpenSession) -> None:
        assert opened.base.demo is not None
        urls.append(opened.base.demo.url)

    await demo.run(body)
    talk = await demo.talk("show me", approver=Answers(lambda request: Deny("rather not")))
    assert talk.result.subtype == "success"
    assert talk.result.total_cost_usd == 0
    assert not list(place.project.iterdir())
    assert not place.api.requests
    with pytest.raises(OSError):
        await anyio.connect_tcp("127.0.0.1", int(urls[0].rpartition(":")[2].strip("/")))
