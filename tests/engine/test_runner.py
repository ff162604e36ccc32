"""A prompt, or a command, to its result."""

from __future__ import annotations

import json

import pytest

from agent_tui.engine.runner import COMMAND
from agent_tui.journal.file import Reading
from agent_tui.journal.fold import fold
from tests.engine.sessions import Place, texts_of
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
