"""Going on with a session: in it or in a copy, from its end or an earlier line."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from agent_tui.engine.chosen import Chosen
from agent_tui.engine.sessions import choose
from agent_tui.journal.file import Journal, Reading
from agent_tui.journal.fold import fold
from agent_tui.journal.replay import messages
from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.errors import SessionError
from agent_tui.protocol.messages import AssistantMessage
from agent_tui.settings.options import LimitOptions, SessionOptions
from tests.engine.sessions import Answers, Place, Talk, texts_of
from tests.fakes.api_server import reply, tool
from tests.journal.story import Story, text
from tests.sdk.stored import save_lines, stored

pytestmark = pytest.mark.anyio
ID = "22222222-2222-4222-8222-222222222222"


def going_on(place: Place, resume: str, **wanted: Any) -> Place:
    """The same place, with sessions that go on with this one."""
    session = SessionOptions(resume=resume, **wanted)
    return replace(place, options=replace(place.options, session=session))


def take(place: Place, **wanted: Any) -> Chosen:
    return choose(place.env, place.project, SessionOptions(**wanted), lambda state: None, "sdk")


def lines_of(path: Path) -> list[JsonObject]:
    return [json.loads(line) for line in path.read_bytes().splitlines()]


def sent(place: Place) -> list[list[JsonObject]]:
    return [request.messages for request in place.api.messages]


async def test_a_fork_goes_on_elsewhere_with_the_same_bytes(place: Place) -> None:
    place.api.enqueue("one", "two", "three")
    talk = await place.talk("remember the plum")
    before = talk.journal.read_bytes()
    fork = await going_on(place, talk.session_id, fork=True).talk("and the pear")
    assert talk.journal.read_bytes() == before
    assert fork.session_id != talk.session_id
    assert fork.journal == talk.journal.with_name(f"{fork.session_id}.jsonl")
    first, second = sent(place)
    assert texts_of(second[0]) == texts_of(first[0])
    assert texts_of(second[-1]) == ["and the pear"]
    assert place.api.messages[-1].usage is not None
    assert place.api.messages[-1].usage["cache_read_input_tokens"]
    lines = lines_of(fork.journal)
    assert lines[0]["forkedFrom"] == talk.session_id
    assert {line["sessionId"] for line in lines} == {fork.session_id}
    original = {line["uuid"] for line in lines_of(talk.journal)}
    assert not original & {line["uuid"] for line in lines[: len(original)]}
    again = await place.resuming(fork.session_id).talk("both?")
    assert again.session_id == fork.session_id
    assert fold(Reading(fork.journal)).prompts == 3


async def test_a_fork_has_the_id_that_is_asked_for(place: Place) -> None:
    place.api.enqueue("one", "two")
    talk = await place.talk("hi")
    fork = await going_on(place, talk.session_id, fork=True, session_id=ID).talk("on")
    assert (fork.session_id, fork.journal.stem) == (ID, ID)
    with pytest.raises(SessionError, match=ID):
        take(place, resume=talk.session_id, fork=True, session_id=ID)


async def test_a_fork_that_is_not_used_is_not_there(place: Place) -> None:
    place.api.enqueue("one")
    talk = await place.talk("hi")
    chosen = take(place, resume=talk.session_id, fork=True)
    assert chosen.how == "fork"
    assert chosen.conversation.prompts == 1
    chosen.journal.close()
    assert [path.name for path in talk.journal.parent.glob("*.jsonl")] == [talk.journal.name]


async def test_a_session_in_use_can_be_forked(place: Place) -> None:
    place.api.enqueue("one", "two")
    talk = await place.talk("hi")
    held = Journal.open(talk.journal)
    fork = await going_on(place, talk.session_id, fork=True).talk("on")
    held.close()
    assert fork.texts == ["two"]


async def test_the_newest_can_be_forked(place: Place) -> None:
    place.api.enqueue("one")
    talk = await place.talk("hi")
    chosen = take(place, continue_newest=True, fork=True)
    assert chosen.session_id != talk.session_id
    assert chosen.conversation.last_prompt == "hi"


async def test_spending_goes_on_from_what_was_spent_and_the_budget_counts_anew(
    place: Place,
) -> None:
    place.api.enqueue("one", "two", "three")
    talk = await place.talk("hi")
    spent = talk.result.total_cost_usd
    assert spent
    for wanted in ({}, {"fork": True}):
        other = going_on(place, talk.session_id, **wanted)
        limits = LimitOptions(max_budget_usd=spent * 0.5)
        other = replace(other, options=replace(other.options, limits=limits))
        on = await other.talk("on")
        assert on.result.subtype == "success"
        assert on.result.total_cost_usd
        assert on.result.total_cost_usd > spent


async def test_a_long_output_can_still_be_read_in_a_fork(place: Place) -> None:
    place.api.enqueue(reply(tool("Bash", command="seq 1 60000")), "long")
    talk = await place.talk("count")
    [spill] = (talk.journal.with_suffix("") / "tool-results").iterdir()
    place.api.enqueue(reply(tool("Read", file_path=str(spill), offset=59_000, limit=1)), "done")
    nobody = Answers()
    fork = await going_on(place, talk.session_id, fork=True).talk("again", approver=nobody)
    assert nobody.asked == []
    assert "59000" in str(fork.tool_results[-1].content)


async def test_a_name_stays_one_sessions(place: Place) -> None:
    place.api.enqueue("one", "two", "three")
    named = replace(place, options=replace(place.options, session=SessionOptions(title="plan")))
    talk = await named.talk("hi")
    assert fold(Reading(talk.journal)).custom_title == "plan"
    fork = await going_on(place, "plan", fork=True).talk("on")
    assert fold(Reading(fork.journal)).custom_title == "plan (fork)"
    again = await going_on(place, "plan", title="plan b").talk("on")
    assert again.session_id == talk.session_id
    assert fold(Reading(talk.journal)).custom_title == "plan b"


async def two_turns(place: Place) -> tuple[Talk, str, str]:
    """A session of two prompts, the first answer's line and the second prompt's."""
    place.api.enqueue("one", "two")
    talk = await place.talk("first", "second")
    answer = next(m for m in talk.heard if isinstance(m, AssistantMessage))
    prompt = next(
        str(line["uuid"]) for line in lines_of(talk.journal) if "second" in str(line.get("message"))
    )
    assert answer.uuid is not None
    return talk, answer.uuid, prompt


@pytest.mark.parametrize("fork", [False, True])
async def test_a_session_goes_on_from_an_earlier_line(place: Place, fork: bool) -> None:
    talk, answer, prompt = await two_turns(place)
    before = talk.journal.read_bytes()
    place.api.enqueue("three", "four")
    other = going_on(place, talk.session_id, resume_at=answer, drops_turn=prompt, fork=fork)
    on = await other.talk("third")
    request = json.dumps(sent(place)[-1])
    assert "third" in request
    assert "first" in request
    assert "second" not in request
    assert talk.journal.read_bytes().startswith(before)
    assert (talk.journal.read_bytes() == before) is fork
    said = str(messages(Reading(on.journal)))
    assert "third" in said
    assert "second" not in said
    await place.resuming(on.session_id).talk("fourth")
    request = json.dumps(sent(place)[-1])
    assert "third" in request
    assert "second" not in request


async def test_what_was_left_behind_was_still_spent(place: Place) -> None:
    talk, answer, _ = await two_turns(place)
    spent = talk.result.total_cost_usd
    chosen = take(place, resume=talk.session_id, resume_at=answer)
    assert chosen.conversation.total_cost_usd == spent
    assert chosen.conversation.prompts == 1
    chosen.journal.close()


async def test_only_looking_changes_nothing(place: Place) -> None:
    talk, answer, _ = await two_turns(place)
    before = talk.journal.read_bytes()
    take(place, resume=talk.session_id, resume_at=answer, title="new").journal.close()
    assert talk.journal.read_bytes() == before


async def test_going_on_from_the_last_line_leaves_nothing_behind(place: Place) -> None:
    talk, _, _ = await two_turns(place)
    last = str(lines_of(talk.journal)[-1]["uuid"])
    chosen = take(place, resume=talk.session_id, resume_at=last)
    assert chosen.ahead == ()
    assert chosen.conversation.prompts == 2
    chosen.journal.close()


async def test_what_is_dropped_must_be_the_turn_that_was_meant(place: Place) -> None:
    talk, answer, prompt = await two_turns(place)
    refusal = "Resume rejected by --resume-drops-turn:"
    first = str(lines_of(talk.journal)[0]["uuid"])
    for at, turn in ((answer, answer), (answer, "another"), (first, prompt)):
        for fork in (False, True):
            with pytest.raises(SessionError, match=refusal):
                take(place, resume=talk.session_id, resume_at=at, drops_turn=turn, fork=fork)
    chosen = take(place, resume=talk.session_id, resume_at=answer, drops_turn=prompt)
    chosen.journal.close()
    with pytest.raises(SessionError, match="no line nowhere"):
        take(place, resume=talk.session_id, resume_at="nowhere")
    take(place, resume=talk.session_id).journal.close()


async def test_damaged_lines_are_counted_in_a_fork_too(place: Place) -> None:
    story = Story(str(place.project), ID)
    story.started()
    story.prompt("hi")
    story.answer("m1", text("ok"))
    path = place.home / ".agent-tui" / "projects" / "p" / f"{ID}.jsonl"
    save_lines(stored(story), path)
    with path.open("ab") as file:
        file.write(b'{"type": "us')
    chosen = take(place, resume=ID, fork=True)
    assert chosen.damaged == 1
    assert chosen.conversation.origin == "sdk"
