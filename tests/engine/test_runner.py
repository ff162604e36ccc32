"""A prompt, or a command, to its result."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from agent_tui.engine.extras import Extras, HookGroup
from agent_tui.engine.opening import OpenSession, with_session
from agent_tui.engine.runner import COMMAND
from agent_tui.journal.file import Reading
from agent_tui.journal.fold import fold
from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.messages import AssistantMessage, ResultMessage
from agent_tui.protocol.ops import Prompt
from tests.engine.sessions import Answers, Place, Talk, texts_of
from tests.fakes.api_server import reply, tool

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("/compact", ("compact", None)),
        ("/compact keep\nthe names", ("compact", "keep\nthe names")),
        ("/x-y_z 1", ("x-y_z", "1")),
        ("/etc/hosts", None),
        ("/etc/hosts is wrong", None),
        ("/ compact", None),
        ("//compact", None),
        ("say /compact", None),
        ("/1", None),
    ],
)
def test_what_is_a_command(text: str, found: tuple[str, str | None] | None) -> None:
    match = COMMAND.match(text)
    assert (None if match is None else (match[1], match[2])) == found


async def test_a_command_makes_no_request_and_has_a_result_of_its_own(place: Place) -> None:
    talk = await place.talk("/cost")
    assert not place.api.messages
    result = talk.result
    assert (result.subtype, result.is_error, result.num_turns) == ("success", False, 0)
    assert result.user_message_uuid == "00000000-0000-4000-8000-000000000000"
    assert talk.system("local_command_output")


async def test_a_path_at_the_beginning_is_a_prompt(place: Place) -> None:
    place.api.enqueue("Seen.")
    assert (await place.talk("/etc/hosts is wrong")).result.result == "Seen."


@pytest.mark.parametrize(
    ("typed", "told"),
    [("/compcat", "Did you mean /compact?"), ("/zzz", "/zzz"), ("/theme dark", "screen only")],
)
async def test_an_unknown_command_is_told_and_nothing_is_sent(
    place: Place, typed: str, told: str
) -> None:
    place.api.enqueue("later")
    talk = await place.talk(typed, "hi")
    assert talk.results[0].is_error
    assert told in str(talk.results[0].result)
    [said] = talk.system("local_command_output")
    assert (said.data["level"], said.data["content"]) == ("warning", talk.results[0].result)
    assert typed not in json.dumps(place.api.messages[0].body)
    assert talk.results[1].result == "later"


async def test_a_commands_name_may_be_written_large_and_by_another_name(place: Place) -> None:
    talk = await place.talk("/COST", "/usage")
    assert [r.is_error for r in talk.results] == [False, False]


async def test_the_first_prompt_names_the_session_and_a_persons_title_stays(place: Place) -> None:
    place.api.enqueue("one", "two", "three")
    talk = await place.talk("fix \x1b[31mthe\x1b[0m greeting\nin app.py", "then more")
    assert fold(Reading(talk.journal)).title == "fix the greeting in app.py"
    named = await place.resuming(talk.session_id).talk("/rename mine", "and more")
    assert fold(Reading(named.journal)).title == "mine"


async def test_a_fault_of_ours_ends_the_run_with_a_result_and_the_session_goes_on(
    place: Place,
) -> None:
    (place.project / "CLAUDE.md").mkdir()
    place.api.enqueue("fine")
    talk = await place.talk("hi")
    assert talk.result.result == "fine"


async def test_what_is_mentioned_comes_behind_the_prompt_and_is_not_said(place: Place) -> None:
    place.write("a.md", "plum")
    place.api.enqueue("ok")
    talk = await place.talk("see @a.md")
    [message] = place.api.messages[0].messages
    context, prompt, mention = texts_of(message)
    assert context.startswith("<system-reminder>")
    assert prompt == "see @a.md"
    assert "plum" in mention
    assert not any("plum" in str(m) for m in talk.heard)


async def test_the_result_tells_what_the_whole_session_cost(place: Place) -> None:
    place.api.enqueue(reply("one", tool("Bash", command="true")), "two")
    talk = await place.talk("go", "/cost")
    run, command = talk.results
    assert command.total_cost_usd == run.total_cost_usd
    assert command.model_usage == run.model_usage
    assert command.usage is not None and command.usage["output_tokens"] == 0


# For programs ------------------------------------------------------------------------------------------------------


def programs(place: Place) -> Place:
    """The same place, where no person looks at a screen."""
    return replace(place, options=replace(place.options, interactive=False, origin="sdk"))


@pytest.mark.parametrize(
    ("typed", "text", "wrong"),
    [
        ("/cost", "Total: $0.0000", False),
        ("/context", "Context: 0 of", False),
        ("/model", "Model is claude-", False),
        ("/rename", "Usage: /rename <title>", True),
        ("/compact", "Not enough messages", False),
        ("/zzz", "There is no command /zzz.", True),
        ("/help", "/help works on the screen only.", True),
    ],
)
async def test_a_program_is_answered_by_no_model_and_gets_the_text_in_the_result(
    place: Place, typed: str, text: str, wrong: bool
) -> None:
    talk = await programs(place).talk(typed)
    result = talk.result
    assert (result.subtype, result.num_turns, result.is_error) == ("success", 0, wrong)
    assert result.result is not None and result.result.startswith(text)
    [answer] = [m for m in talk.heard if isinstance(m, AssistantMessage)]
    assert (answer.model, talk.texts) == ("<synthetic>", [result.result])
    assert answer.user_message_uuid == result.user_message_uuid
    assert not talk.system("local_command_output")
    assert not place.api.messages


async def test_a_persons_result_has_the_text_too_and_the_screen_shows_the_notice(
    place: Place,
) -> None:
    talk = await place.talk("/rename plum")
    [said] = talk.system("local_command_output")
    assert talk.result.result == said.data["content"] == "This session is now called 'plum'."
    assert talk.texts == []


# Hooks -------------------------------------------------------------------------------------------------------------


async def hooked(place: Place, *prompts: str, says: JsonObject) -> tuple[Talk, list[JsonObject]]:
    """Talk, with a UserPromptExpansion hook that says this of ``/cost``."""
    talk, given_to = Talk(), list[JsonObject]()

    async def hook(given: JsonObject, call_id: str | None) -> JsonObject:
        given_to.append(given)
        return says

    async def body(opened: OpenSession) -> None:
        with opened.session.subscribe() as messages:
            for number, text in enumerate(prompts):
                opened.session.send(Prompt(text, f"00000000-0000-4000-8000-{number:012d}"))
                async for message in messages:
                    talk.heard.append(message)
                    if isinstance(message, ResultMessage):
                        break

    group = HookGroup("cost", (hook,))
    extras = Extras(approver=Answers(), hooks={"UserPromptExpansion": (group,)})
    await with_session(place.options, place.env, body, extras=extras)
    return talk, given_to


async def test_hooks_are_told_of_a_command_before_it_is_run(place: Place) -> None:
    talk, [given] = await hooked(place, "/cost  in full ", "/context", says={})
    told: dict[str, Any] = {
        "hook_event_name": "UserPromptExpansion",
        "expansion_type": "slash_command",
        "command_name": "cost",
        "command_args": "in full",
        "command_source": "builtin",
        "prompt": "/cost  in full ",
    }
    assert told.items() <= given.items()
    assert "Total" in str(talk.results[0].result)


async def test_a_hook_may_keep_a_command_back(place: Place) -> None:
    talk, _ = await hooked(place, "/cost", says={"decision": "block", "reason": "not today"})
    assert talk.result.result == "A hook kept this prompt back: not today"
    assert (talk.result.is_error, talk.result.num_turns) == (False, 0)
    assert "Total" not in str(talk.heard)


async def test_what_a_hook_adds_at_a_command_comes_with_the_next_prompt(place: Place) -> None:
    specific = {"hookEventName": "UserPromptExpansion", "additionalContext": "WATCH THE COST"}
    place.api.enqueue("ok", "ok")
    talk, _ = await hooked(place, "/cost", "hi", "more", says={"hookSpecificOutput": specific})
    first, second = place.api.messages
    assert "WATCH THE COST" in json.dumps(first.body)
    assert json.dumps(second.body).count("WATCH THE COST") == 1
    assert "WATCH THE COST" not in str(talk.heard)
