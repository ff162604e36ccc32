"""Messages come at their documented moments."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import groupby
from typing import Any

import anyio
import pytest

from agent_tui.engine.opening import OpenSession
from agent_tui.protocol.content import TextBlock, ToolResultBlock, ToolUseBlock
from agent_tui.protocol.messages import (
    AssistantMessage,
    ConversationResetMessage,
    Message,
    ResultMessage,
    StreamEvent,
    SystemMessage,
    UserMessage,
)
from agent_tui.protocol.ops import Interrupt, Op, Prompt, SetMode, SetModel
from agent_tui.settings.options import ModelOptions
from tests.engine.sessions import Place, Talk
from tests.fakes.api_server import http_error, is_summary, reply, thinking, tool
from tests.fakes.api_server.rules import blocks_of

pytestmark = pytest.mark.anyio


def word(message: Message) -> str | None:
    """Say a documented message in a word or two; None for what is ours alone."""
    match message:
        case SystemMessage("status", data):
            return f"status {data.get('permissionMode') or data.get('compact_result') or data['status']}"
        case SystemMessage(subtype):
            return subtype
        case AssistantMessage(content=(TextBlock(text),), error=error):
            return f"text {error or text}"
        case AssistantMessage(content=(ToolUseBlock() as block,)):
            return f"call {block.name}"
        case AssistantMessage():
            return "thinking"
        case UserMessage(content=str(text), synthetic=True):
            return "stdout" if text.startswith("<local-command-stdout>") else "string"
        case UserMessage(content=(ToolResultBlock() as block,)):
            return "error" if block.is_error else "result"
        case UserMessage(synthetic=True):
            return "note"
        case StreamEvent(event=event):
            return str(event["type"])
        case ResultMessage():
            return f"= {message.subtype} {message.terminal_reason}"
        case ConversationResetMessage():
            return "reset"
        case _:
            return None


def words(talk: Talk) -> list[str]:
    """All of a talk; the same word many times over is told once."""
    return [each for each, _ in groupby(filter(None, map(word, talk.heard)))]


def partial(place: Place) -> Place:
    return replace(place, options=replace(place.options, partial_messages=True))


async def conversing(
    place: Place,
    *ops: Op | str,
    during: Callable[[Message, Callable[[Op], None]], None] | None = None,
) -> Talk:
    """Send prompts (each read to its result) and ops in one session."""
    talk = Talk()

    async def body(opened: OpenSession) -> None:
        talk.journal = opened.journal_path
        with opened.session.subscribe() as messages:
            for number, op in enumerate(ops):
                if not isinstance(op, str):
                    opened.session.send(op)
                    continue
                opened.session.send(Prompt(op, f"00000000-0000-4000-8000-{number:012d}"))
                async for message in messages:
                    talk.heard.append(message)
                    if during is not None:
                        during(message, opened.session.send)
                    if isinstance(message, ResultMessage):
                        break

    with anyio.fail_after(30):
        await place.run(body)
    return talk


OK = "= success completed"


async def test_each_prompt_begins_with_init_and_each_block_is_a_message(place: Place) -> None:
    place.write("a.txt", "x")
    place.api.enqueue(
        reply(thinking("hm"), "Reading.", tool("Read", file_path="a.txt")), "Done.", "Again."
    )
    talk = await conversing(place, "look", "more")
    assert words(talk) == [
        *["init", "thinking", "text Reading.", "call Read", "result", "text Done.", OK],
        *["init", "text Again.", OK],
    ]
    ids = [m.message_id for m in talk.heard if isinstance(m, AssistantMessage)]
    assert ids[0] == ids[1] == ids[2] != ids[3]


async def test_with_partial_messages_a_block_comes_before_its_end(place: Place) -> None:
    place.write("a.txt", "x")
    place.api.enqueue(reply("Some text.", tool("Read", file_path="a.txt"), chunk=5), "Done.")
    talk = await conversing(partial(place), "look")
    block = ["content_block_start", "content_block_delta"]
    asked = ["status requesting", "message_start"]
    assert words(talk) == [
        *["init", *asked, *block, "text Some text.", "content_block_stop"],
        *[*block, "call Read", "content_block_stop", "message_delta", "message_stop", "result"],
        *[*asked, *block, "text Done.", "content_block_stop", "message_delta", "message_stop", OK],
    ]


async def test_an_interrupted_stream_gets_its_end(place: Place) -> None:
    place.api.enqueue(reply("word " * 400, chunk=10, delay=0.01), "resumed")
    deltas = 0

    def during(message: Message, send: Callable[[Op], None]) -> None:
        nonlocal deltas
        deltas += (
            isinstance(message, StreamEvent) and message.event["type"] == "content_block_delta"
        )
        if deltas == 10:
            deltas += 1
            send(Interrupt())

    talk = await conversing(partial(place), "go", "go on", during=during)
    told = words(talk)
    end = told.index("= error_during_execution aborted_streaming")
    assert told[:5] == [
        *["init", "status requesting", "message_start"],
        *["content_block_start", "content_block_delta"],
    ]
    assert told[5].startswith("text word word")
    assert told[6:end] == ["note", "content_block_stop", "message_delta"]
    assert told[end + 1 : end + 3] == ["init", "status requesting"]
    assert talk.results[0].stop_reason is None


async def test_compact_and_clear_say_init_in_the_middle(place: Place) -> None:
    place.api.add_rule(is_summary(), reply("<summary>A plum.</summary>"))
    place.api.enqueue("first", "second", "third")
    talk = await conversing(place, "a", "b", "/compact keep names", "c", "/clear", "/cost")
    told = words(talk)
    begin = told.index("text second") + 2
    assert told[begin : begin + 7] == [
        *["status compacting", "status success", "init", "compact_boundary", "string", "stdout"],
        "= success None",
    ]
    reset = told.index("reset")
    assert told[reset : reset + 3] == ["reset", "init", "= success None"]
    assert told[reset + 3 :] == ["init", "local_command_output", "= success None"]
    assert talk.results[2].num_turns == talk.results[4].num_turns == 0
    assert talk.results[4].total_cost_usd == 0


async def test_changes_between_prompts_are_said_as_documented(place: Place) -> None:
    place.api.enqueue("a", "b", "c")
    talk = await conversing(
        place, "one", SetMode("acceptEdits"), "two", SetModel("claude-sonnet-4-6"), "three"
    )
    assert words(talk) == [
        *["init", "text a", OK, "status acceptEdits", "init", "text b", OK],
        *["stdout", "init", "text c", OK],
    ]
    inits = [(m.data["permissionMode"], m.data["model"]) for m in talk.system("init")]
    assert inits[1][0] == inits[2][0] == "acceptEdits"
    assert inits[2][1] == place.api.messages[2].model == "claude-sonnet-4-6"


async def test_overloaded_three_times_another_model_answers(place: Place) -> None:
    place.api.enqueue(*[http_error(529)] * 4, "recovered", "back")
    model = ModelOptions(fallbacks=("claude-sonnet-4-6", "claude-haiku-4-5"))
    other = replace(place, options=replace(place.options, model=model))
    talk = await conversing(other, "go", "more")
    assert words(talk) == [
        *["init", "api_retry", "model_fallback", "api_retry", "text recovered", OK],
        *["init", "text back", OK],
    ]
    attempts = [m.data["attempt"] for m in talk.system("api_retry")]
    assert attempts == [1, 2, 1]
    asked = [request.model for request in place.api.messages]
    assert asked == [asked[0]] * 3 + ["claude-sonnet-4-6"] * 2 + [asked[0]]
    usage = talk.results[0].model_usage
    assert usage is not None and set(usage) == {"claude-sonnet-4-6"}


async def test_a_failure_for_good_is_said_by_nobody(place: Place) -> None:
    place.api.enqueue(http_error(403))
    talk = await conversing(place, "go")
    assert words(talk) == ["init", "text authentication_failed", "= success api_error"]
    [said] = [m for m in talk.heard if isinstance(m, AssistantMessage)]
    assert said.model == "<synthetic>"


async def test_messages_and_results_name_their_prompts(place: Place) -> None:
    place.api.enqueue("one", "two")
    talk = await conversing(partial(place), "a", "b")
    for number, result in enumerate(talk.results):
        uuid = f"00000000-0000-4000-8000-{number:012d}"
        assert (result.user_message_uuid, result.user_message_uuids) == (uuid, (uuid,))
    named: dict[str | None, int] = {}
    for message in talk.heard:
        if isinstance(message, AssistantMessage | StreamEvent):
            assert message.user_message_uuids == (message.user_message_uuid,)
            named[message.user_message_uuid] = named.get(message.user_message_uuid, 0) + 1
    assert set(named) == {result.user_message_uuid for result in talk.results}


def sending(prompt: Prompt, when: Callable[[Message], bool]) -> Any:
    """Send a prompt as soon as such a message is heard."""
    sent = False

    def during(message: Message, send: Callable[[Op], None]) -> None:
        nonlocal sent
        if not sent and when(message):
            sent = True
            send(prompt)

    return during


def is_call(message: Message) -> bool:
    return word(message) == "call Bash"


async def test_what_is_sent_now_while_tools_run_joins_and_has_no_result_of_its_own(
    place: Place,
) -> None:
    place.api.enqueue(reply(tool("Bash", command="sleep 0.3; echo a")), "both")
    too = Prompt("and this", "11111111-0000-4000-8000-000000000000", now=True)
    talk = await conversing(place.mode("bypassPermissions"), "go", during=sending(too, is_call))
    assert len(place.api.messages) == 2
    last = blocks_of(place.api.messages[1].messages[-1]["content"])
    assert [block["type"] for block in last] == ["tool_result", "text"]
    assert talk.result.user_message_uuids == (
        "00000000-0000-4000-8000-000000000000",
        "11111111-0000-4000-8000-000000000000",
    )


async def test_what_is_sent_now_while_text_streams_is_a_turn_of_its_own(place: Place) -> None:
    place.api.enqueue(reply("word " * 20, chunk=10, delay=0.01), "second")
    too = Prompt("and this", "11111111-0000-4000-8000-000000000000", now=True)

    def streams(message: Message) -> bool:
        return isinstance(message, StreamEvent)

    during = sending(too, streams)
    talk = Talk()

    async def body(opened: OpenSession) -> None:
        with opened.session.subscribe() as messages:
            opened.session.send(Prompt("go", "00000000-0000-4000-8000-000000000000"))
            async for message in messages:
                talk.heard.append(message)
                during(message, opened.session.send)
                if len(talk.results) == 2:
                    break

    await partial(place).run(body)
    first, second = talk.results
    assert first.user_message_uuids == ("00000000-0000-4000-8000-000000000000",)
    assert second.user_message_uuid == "11111111-0000-4000-8000-000000000000"
    assert second.result == "second"
    assert len(talk.system("init")) == 2


async def test_a_mode_changed_while_a_tool_runs_holds_for_the_next_call(place: Place) -> None:
    place.api.enqueue(
        reply(tool("Bash", command="sleep 0.3")),
        reply(tool("Write", file_path="b.txt", content="x")),
        "done",
    )
    changed = False

    def during(message: Message, send: Callable[[Op], None]) -> None:
        nonlocal changed
        if not changed and is_call(message):
            changed = True
            send(SetMode("plan"))
            send(SetModel("claude-sonnet-4-6"))

    talk = await conversing(place.mode("bypassPermissions"), "go", during=during)
    assert talk.result.result == "done"
    asked = [request.model for request in place.api.messages]
    assert asked[0] != "claude-sonnet-4-6" and asked[1:] == ["claude-sonnet-4-6"] * 2
    assert "status plan" in words(talk)


PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="


async def test_a_prompt_may_bring_a_picture_and_one_that_is_verbatim_is_no_command(
    place: Place,
) -> None:
    place.write("a.md", "plum")
    place.api.enqueue("A pixel.", "Fine.", "Noted.")
    source = {"type": "base64", "media_type": "image/png", "data": PIXEL}
    picture = Prompt(
        "what is it?", "q1", content=({"type": "text", "text": "what is it?"}, {"type": "image", "source": source})
    )  # fmt: skip
    origin = {"kind": "task-notification"}
    talk = Talk()

    async def body(opened: OpenSession) -> None:
        with opened.session.subscribe() as messages:
            opened.session.send(picture)
            opened.session.send(Prompt("/compact @a.md", "q2", verbatim=True))
            opened.session.send(Prompt("it ended", "q3", origin=origin))
            async for message in messages:
                talk.heard.append(message)
                if len(talk.results) == 3:
                    break

    await place.run(body)
    assert [result.result for result in talk.results] == ["A pixel.", "Fine.", "Noted."]
    assert [result.origin for result in talk.results] == [None, None, origin]
    first = blocks_of(place.api.messages[0].messages[0]["content"])
    assert [block["type"] for block in first][-2:] == ["text", "image"]
    assert "plum" not in str(place.api.messages[1].body)
    assert place.api.messages[1].last_user_text.endswith("/compact @a.md")
    said = [m for m in talk.heard if isinstance(m, UserMessage) and m.uuid == "q3"]
    assert [m.origin for m in said] == [origin]
