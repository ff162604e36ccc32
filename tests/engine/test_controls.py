"""Mode, model, title, rules: in force, written, said."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import anyio
import pytest

from agent_tui.engine.controls import check_mode
from agent_tui.engine.opening import OpenSession, with_session
from agent_tui.journal.file import Reading
from agent_tui.journal.fold import Conversation, fold
from agent_tui.protocol.errors import UsageError
from agent_tui.protocol.messages import (
    ConversationResetMessage,
    Message,
    ResultMessage,
    StatusChanged,
    SystemMessage,
)
from agent_tui.protocol.ops import Answer, Op, Prompt, Rename, SetMode, SetModel, SetThinking
from agent_tui.protocol.requests import (
    Allow,
    PermissionRequest,
    PermissionRuleValue,
    PermissionUpdate,
)
from agent_tui.settings.options import ModelOptions
from tests.engine.sessions import Answers, Place, Talk
from tests.fakes.api_server import reply, tool

pytestmark = pytest.mark.anyio


async def after(place: Place, *ops: Op, until: Callable[[Message], bool]) -> Talk:
    """Open a session, send ``ops``, read to the message that ``until`` waits for."""
    talk = Talk()

    async def body(opened: OpenSession) -> None:
        talk.journal = opened.journal_path
        with opened.session.subscribe() as messages:
            opened.session.announce()
            for op in ops:
                opened.session.send(op)
            async for message in messages:
                talk.heard.append(message)
                if until(message):
                    return

    with anyio.fail_after(20):
        await place.run(body)
    return talk


def result(message: Message) -> bool:
    return isinstance(message, ResultMessage)


def on_disk(talk: Talk) -> Conversation:
    return fold(Reading(talk.journal))


async def test_a_mode_is_in_force_said_and_written(place: Place) -> None:
    file = place.write("a.txt", "x")
    place.api.enqueue(reply(tool("Read", file_path=str(file))),
                      reply(tool("Edit", file_path=str(file), old_string="x", new_string="y")), "ok")  # fmt: skip
    people = Answers()

    async def body(opened: OpenSession) -> None:
        with opened.session.subscribe() as messages:
            opened.session.send(SetMode("acceptEdits"))
            opened.session.send(Prompt("go", "q1"))
            async for message in messages:
                heard.append(message)
                if result(message):
                    return

    heard: list[Message] = []
    await place.run(body, people)
    assert not people.asked
    assert file.read_text() == "y"
    [init] = [m for m in heard if isinstance(m, SystemMessage) and m.subtype == "init"]
    assert init.data["permissionMode"] == "acceptEdits"
    said = [m for m in heard if isinstance(m, SystemMessage) and m.subtype == "status"]
    assert said[0].data["permissionMode"] == "acceptEdits"
    assert [m.mode for m in heard if isinstance(m, StatusChanged)][-1] == "acceptEdits"


async def test_the_mode_is_remembered_by_the_session(place: Place) -> None:
    place.api.enqueue("one", "two")
    talk = await after(place, SetMode("acceptEdits"), Prompt("hi", "q1"), until=result)
    assert on_disk(talk).mode == "acceptEdits"
    again = await place.resuming(talk.session_id).talk("hi")
    assert again.system("init")[0].data["permissionMode"] == "acceptEdits"


async def test_a_mode_that_is_not_offered_is_refused(place: Place) -> None:
    talk = await after(
        place,
        SetMode("bypassPermissions"),
        until=lambda m: isinstance(m, SystemMessage) and m.subtype == "local_command_output",
    )
    assert "not available" in str(talk.system("local_command_output")[0].data["content"])
    status = [m for m in talk.heard if isinstance(m, StatusChanged)]
    assert all("bypassPermissions" not in m.modes and m.mode == "default" for m in status)


def test_bypass_is_refused_where_it_is_not_offered() -> None:
    assert check_mode("plan", ("default", "plan")) == "plan"
    with pytest.raises(UsageError, match="not available"):
        check_mode("bypassPermissions", ("default", "plan"))


async def test_a_model_is_asked_from_the_next_request_on(place: Place) -> None:
    place.api.enqueue("one", "two")
    talk = await after(place, SetModel("opus"), Prompt("hi", "q1"), until=result)
    [request] = place.api.messages
    assert "opus" in request.model
    assert talk.system("init")[0].data["model"] == request.model
    last = [m for m in talk.heard if isinstance(m, StatusChanged)][-1]
    assert last.model == request.model
    assert last.context_window > 0
    assert on_disk(talk).model == request.model
    again = await place.resuming(talk.session_id).talk("hi")
    assert again.system("init")[0].data["model"] == request.model


async def test_no_model_means_the_default_again(place: Place) -> None:
    place.api.enqueue("one")
    usual = (await place.talk("hi")).system("init")[0].data["model"]
    place.api.enqueue("two")
    talk = await after(place, SetModel("opus"), SetModel(None), Prompt("hi", "q1"), until=result)
    assert talk.system("init")[0].data["model"] == usual


async def test_how_much_a_model_thinks_changes_from_the_next_request_on(place: Place) -> None:
    place.api.enqueue("one", "two", "three")
    budgets = replace(place, options=replace(place.options, model=ModelOptions("claude-opus-4-5")))
    talk = Talk()

    async def body(opened: OpenSession) -> None:
        with opened.session.subscribe() as messages:
            for number, op in enumerate((SetThinking(4000), SetThinking(0), SetThinking())):
                opened.session.send(op)
                opened.session.send(Prompt("hi", f"q{number}"))
                async for message in messages:
                    talk.heard.append(message)
                    if result(message):
                        break

    await budgets.run(body)
    asked = [request.body.get("thinking") for request in place.api.messages]
    assert asked == [{"type": "enabled", "budget_tokens": 4000}, None, None]


async def test_a_model_that_can_not_stop_thinking_says_so(place: Place) -> None:
    talk = await after(
        replace(place, options=replace(place.options, model=ModelOptions("claude-opus-5-5"))),
        SetThinking(0),
        until=lambda m: isinstance(m, SystemMessage) and m.subtype == "local_command_output",
    )
    [said] = talk.system("local_command_output")
    assert "can't be told not to think" in str(said.data["content"])


async def test_a_title_is_cleaned_and_kept(place: Place) -> None:
    place.api.enqueue("one")
    talk = await after(
        place, Prompt("hi", "q1"), Rename("my \x1b]0;pwn\x07 plan\n"), Rename("  "),
        until=lambda m: isinstance(m, StatusChanged) and m.title == "my plan",
    )  # fmt: skip
    assert on_disk(talk).custom_title == "my plan"


def updating(update: PermissionUpdate) -> Callable[[PermissionRequest], Allow]:
    return lambda request: Allow(updated_permissions=(update,))


async def at_the_desk(
    place: Place, prompt: str, answer: Callable[[PermissionRequest], Allow]
) -> tuple[Talk, list[PermissionRequest]]:
    """A session as the screen has it: questions come as messages, answers go as ops."""
    talk, asked = Talk(), list[PermissionRequest]()

    async def body(opened: OpenSession) -> None:
        talk.journal = opened.journal_path
        with opened.session.subscribe() as messages:
            opened.session.send(Prompt(prompt, "q1"))
            async for message in messages:
                talk.heard.append(message)
                if isinstance(message, PermissionRequest):
                    asked.append(message)
                    opened.session.send(Answer(message.id, answer(message)))
                if talk.results and isinstance(message, StatusChanged) and not message.busy:
                    return

    with anyio.fail_after(20):
        await with_session(place.options, place.env, body)
    return talk, asked


def three_edits(place: Place) -> Path:
    file = place.write("a.txt", "a")
    edits = [
        reply(tool("Edit", file_path=str(file), old_string=old, new_string=new))
        for old, new in ("ab", "bc", "cd")
    ]
    place.api.enqueue(reply(tool("Read", file_path=str(file))), *edits[:2], "ok", edits[2], "ok")
    return file


async def test_a_mode_given_with_an_answer_holds_at_once_and_is_written(place: Place) -> None:
    file = three_edits(place)
    update = PermissionUpdate("setMode", mode="acceptEdits")
    talk, asked = await at_the_desk(place, "go", updating(update))
    assert len(asked) == 1
    assert file.read_text() == "c"
    assert on_disk(talk).mode == "acceptEdits"
    assert [m.mode for m in talk.heard if isinstance(m, StatusChanged)][-1] == "acceptEdits"


async def test_a9_a_rule_for_the_session_holds_after_resuming_too(place: Place) -> None:
    file = three_edits(place)
    update = PermissionUpdate("addRules", (PermissionRuleValue("Edit"),))
    talk, asked = await at_the_desk(place, "go", updating(update))
    assert len(asked) == 1
    assert on_disk(talk).granted == (update,)
    _, again = await at_the_desk(place.resuming(talk.session_id), "go on", updating(update))
    assert not again
    assert file.read_text() == "d"


async def test_a_rule_for_good_that_cant_be_stored_holds_and_is_told(place: Place) -> None:
    three_edits(place)
    settings = place.home / ".agent-tui" / "settings.json"
    settings.mkdir(parents=True)
    unread = replace(place, options=replace(place.options, setting_sources=("project", "local")))
    update = PermissionUpdate(
        "addRules", (PermissionRuleValue("Edit"),), destination="userSettings"
    )
    talk, asked = await at_the_desk(unread, "go", updating(update))
    assert len(asked) == 1
    assert any("could not be stored" in notice for notice in talk.notices)


async def test_clear_lets_go_of_the_old_journal_and_keeps_a_given_title(place: Place) -> None:
    place.api.enqueue("one", "two", "three")
    talk = await place.talk("hi", "/rename plan b", "/clear", "again")
    [reset] = [m for m in talk.heard if isinstance(m, ConversationResetMessage)]
    old, new = talk.results[0].session_id, talk.results[-1].session_id
    assert reset.new_conversation_id == new != old
    folder = talk.journal.parent
    assert fold(Reading(folder / f"{new}.jsonl")).custom_title == "plan b"
    assert fold(Reading(folder / f"{old}.jsonl")).prompts == 1
    assert talk.results[-1].num_turns == 1
    other = await place.resuming(old).talk("back here")
    assert other.session_id == old


async def test_output_too_long_goes_to_the_folder_of_the_session_at_hand(place: Place) -> None:
    big = reply(tool("Bash", command="seq 1 60000"))
    place.api.enqueue("one", big, "done")
    talk = await replace(place.mode("bypassPermissions")).talk("hi", "/clear", "big")
    new = talk.journal.parent / talk.session_id
    old = talk.journal.parent / talk.results[0].session_id
    assert list((new / "tool-results").iterdir())
    assert not old.exists()
