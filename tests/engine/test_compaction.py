"""Compaction: by hand, near the window's end, and its failures."""

from __future__ import annotations

import json

import pytest

from agent_tui.journal.file import Reading
from agent_tui.journal.fold import fold
from agent_tui.protocol.messages import UserMessage
from tests.engine.sessions import Place, Talk, whole_prefix
from tests.fakes.api_server import Reply, cut, http_error, reply, thinking, tool
from tests.fakes.api_server.rules import blocks_of

pytestmark = pytest.mark.anyio

SUMMARY = reply("<summary>We fixed the greeting in app.py.</summary>")


def is_summary(request: object) -> bool:
    return "summary" in str(getattr(request, "last_user_text", "")).lower()


def working(place: Place) -> None:
    """A prompt with tools, so that there is something to summarise."""
    place.write("app.py", "print('hello')\n")
    place.api.enqueue(
        reply(thinking("A" * 4000), "Reading.", tool("Read", file_path="app.py")),
        reply("It greets."),
        reply("Second answer."),
    )


def boundaries(talk: Talk) -> list[dict[str, object]]:
    return [m.data["compact_metadata"] for m in talk.system("compact_boundary")]


async def test_compact_asks_for_a_real_summary_and_goes_on_from_it(place: Place) -> None:
    working(place)
    place.api.add_rule(is_summary, SUMMARY)
    talk = await place.talk("look", "and again", "/compact keep the file names", "what now?")
    [boundary] = boundaries(talk)
    assert boundary["trigger"] == "manual"
    asked = next(r for r in place.api.messages if is_summary(r))
    assert "keep the file names" in asked.last_user_text
    before = place.api.messages[place.api.messages.index(asked) - 1]
    assert asked.usage is not None
    assert asked.usage["cache_read_input_tokens"] == whole_prefix(before)
    last = json.dumps(place.api.messages[-1].body)
    assert "We fixed the greeting in app.py." in last
    assert "print('hello')" not in last
    assert [m.data["status"] for m in talk.system("status")] == ["compacting", None]
    assert talk.results[2].num_turns == 0
    summary = [m for m in talk.heard if isinstance(m, UserMessage) and m.synthetic]
    assert "We fixed the greeting" in str(summary[0].content)


async def test_too_little_history_is_told(place: Place) -> None:
    talk = await place.talk("/compact")
    assert "Not enough messages" in str(talk.system("local_command_output")[0].data["content"])
    assert not place.api.messages


async def test_p3_thinking_is_sent_back_whole_or_not_at_all(place: Place) -> None:
    place.write("a.txt", "x")
    place.api.add_rule(is_summary, SUMMARY)
    place.api.enqueue(
        reply("Early."),
        reply(
            thinking("A" * 4000), tool("Read", file_path="a.txt"), usage={"input_tokens": 985_000}
        ),
        "Done.",
    )
    talk = await place.talk("one", "two")
    assert talk.result.result == "Done."
    assert boundaries(talk)[0]["trigger"] == "auto"
    for request in place.api.messages:
        for message in request.messages:
            for block in blocks_of(message["content"]):
                if block["type"] == "thinking":
                    assert block["thinking"] == "A" * 4000


async def test_near_the_windows_end_it_compacts_by_itself_between_tools_and_request(
    place: Place,
) -> None:
    place.write("a.txt", "x")
    place.api.add_rule(is_summary, SUMMARY)
    place.api.enqueue(
        "Early.", reply(tool("Read", file_path="a.txt"), usage={"input_tokens": 985_000}), "Done."
    )
    talk = await place.talk("one", "two")
    assert boundaries(talk)[0]["trigger"] == "auto"
    assert talk.result.result == "Done."


@pytest.mark.parametrize(
    "answer",
    [
        http_error(400, "invalid_request_error", "prompt is too long: 9 tokens > 8 maximum"),
        reply("", usage={"output_tokens": 0}),
        reply(),
    ],
)
async def test_c2_a_failing_compaction_ends_and_keeps_the_history(
    place: Place, answer: Reply
) -> None:
    working(place)
    place.api.add_rule(is_summary, answer)
    talk = await place.talk("look", "again", "/compact")
    asked = [r for r in place.api.messages if is_summary(r)]
    assert 1 <= len(asked) <= 3
    assert not boundaries(talk)
    assert talk.result.is_error  # so that a program's exit code tells it too
    assert "could not be summarised" in str(talk.result.result)
    again = await place.resuming(talk.session_id).talk("/context")
    assert again.result.subtype == "success"
    assert len([r for r in place.api.messages if is_summary(r)]) == len(asked)


async def test_clear_begins_a_new_session_and_keeps_the_old_one(place: Place) -> None:
    place.api.enqueue("one", "two")
    talk = await place.talk("secret word: plum", "/clear", "hello")
    first, _, last = talk.results
    assert first.session_id != last.session_id
    assert "plum" not in json.dumps(place.api.messages[1].body)
    assert last.total_cost_usd == last.cost_usd
    old = talk.journal.with_name(f"{first.session_id}.jsonl")
    conversation = fold(Reading(old))
    assert conversation.first_prompt == "secret word: plum"
    assert talk.journal.exists()


async def test_memory_files_are_back_after_a_window_was_cut_in_the_middle_of_a_run(
    place: Place,
) -> None:
    place.write("CLAUDE.md", "Always answer in French.")
    place.write("a.txt", "x")
    place.api.add_rule(is_summary, SUMMARY)
    place.api.enqueue(
        "Early.", reply(tool("Read", file_path="a.txt"), usage={"input_tokens": 985_000}), "Fini."
    )
    talk = await place.talk("one", "two")
    assert boundaries(talk)[0]["trigger"] == "auto"
    sent = json.dumps(place.api.messages[-1].body)
    assert sent.count("Always answer in French.") == 1


FAULTS: dict[str, Reply] = {
    "refused": http_error(400, "invalid_request_error", "prompt is too long: 9 tokens > 8 maximum"),
    "nothing": reply("", usage={"output_tokens": 0}),
    "cut": reply("<summary>What w", fault=cut(0, 12)),
}


@pytest.mark.parametrize("fault", FAULTS)
async def test_c2_one_that_begins_by_itself_and_fails_keeps_the_history_and_does_not_come_back(
    place: Place, fault: str
) -> None:
    place.variables["CLAUDE_CODE_MAX_RETRIES"] = "0"
    place.api.add_rule(is_summary, FAULTS[fault])
    place.api.enqueue(
        "The plum is ripe.",
        reply("Full now.", usage={"input_tokens": 985_000}),
        "Third.",
        "Fourth.",
    )
    talk = await place.talk("one", "two", "three")
    asked = len([r for r in place.api.messages if is_summary(r)])
    assert 1 <= asked <= 3
    assert not boundaries(talk)
    assert "The plum is ripe." in json.dumps(place.api.messages[-1].body)
    [told] = [notice for notice in talk.notices if "could not be summarised" in notice]
    assert "/clear" in told and "/compact" in told
    assert talk.result.result == "Third."
    again = await place.resuming(talk.session_id).talk("/context", "four")
    more = len([r for r in place.api.messages if is_summary(r)]) - asked
    assert more <= 3
    assert again.result.result == "Fourth."
