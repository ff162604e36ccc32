"""An interrupt at any point leaves a valid history, no child process and one result."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import anyio
import pytest

from agent_tui.engine.extras import Extras, HookGroup
from agent_tui.engine.opening import OpenSession, with_session
from agent_tui.journal.entries import INTERRUPT_MARK, INTERRUPT_MARK_TOOLS
from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.hooks import HookEvent
from agent_tui.protocol.messages import (
    AssistantMessage,
    Message,
    QueueChanged,
    ResultMessage,
    StreamEvent,
    ToolProgress,
)
from agent_tui.protocol.ops import Interrupt, Op, Prompt
from agent_tui.protocol.requests import PermissionRequest, RequestClosed
from agent_tui.settings.options import LimitOptions
from tests.engine.sessions import Answers, Place, Talk, refused
from tests.fakes.api_server import reply, stall, tool
from tests.fakes.api_server.rules import blocks_of

pytestmark = pytest.mark.anyio

During = Callable[[Message, Callable[[Op], None]], None]


def alive(name: str) -> list[str]:
    """Command lines of living processes that contain ``name``."""
    found: list[str] = []
    for entry in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            line = entry.read_bytes().replace(b"\0", b" ").decode(errors="replace")
            state = (entry.parent / "stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            continue
        if name in line and state != "Z" and int(entry.parent.name) != os.getpid():
            found.append(line)
    return found


def interrupt_at(number: int) -> During:
    """Interrupt when the ``number``-th message of the first run is heard."""
    heard = 0

    def during(message: Message, send: Callable[[Op], None]) -> None:
        nonlocal heard
        heard += 1
        if heard == number:
            send(Interrupt())

    return during


def on(kind: type[Message], test: Callable[[Message], bool] = lambda m: True) -> During:
    """Interrupt when the first such message is heard."""
    done = False

    def during(message: Message, send: Callable[[Op], None]) -> None:
        nonlocal done
        if not done and isinstance(message, kind) and test(message):
            done = True
            send(Interrupt())

    return during


async def test_p1_interrupting_a_running_command_answers_its_call(place: Place) -> None:
    place.api.enqueue(reply(tool("Bash", {"command": "sleep 30.125"}, id="t1")), "ok")
    running = on(ToolProgress, lambda m: isinstance(m, ToolProgress) and m.state == "running")
    talk = await place.mode("bypassPermissions").talk("go", "go on", during=running)
    assert talk.results[0].subtype == "error_during_execution"
    assert talk.results[0].terminal_reason == "aborted_tools"
    assert talk.results[1].result == "ok"
    after = place.api.messages[1].messages
    assert [m["role"] for m in after] == ["user", "assistant", "user"]
    first, *rest = blocks_of(after[2]["content"])
    assert (first["type"], first["tool_use_id"], first["is_error"]) == ("tool_result", "t1", True)
    assert [b["text"] for b in rest] == [INTERRUPT_MARK_TOOLS, "go on"]
    assert not alive("sleep 30.125")


async def test_partial_output_of_an_interrupted_command_is_kept(place: Place) -> None:
    place.api.enqueue(reply(tool("Bash", command="echo so far; sleep 30.25")), "ok")
    shown = on(ToolProgress, lambda m: "so far" in str(m))
    talk = await place.mode("bypassPermissions").talk("go", "on", during=shown)
    assert "so far" in str(talk.tool_results[0].content)
    assert not alive("sleep 30.25")


async def test_what_waited_behind_is_answered_and_never_run(place: Place) -> None:
    place.api.enqueue(
        reply(tool("Bash", command="sleep 30.5"), tool("Bash", command="touch never")), "ok"
    )
    running = on(ToolProgress, lambda m: isinstance(m, ToolProgress) and m.state == "running")
    talk = await place.mode("bypassPermissions").talk("go", "on", during=running)
    assert [r.is_error for r in talk.tool_results] == [True, True]
    assert not (place.project / "never").exists()


async def test_an_interrupted_stream_keeps_what_was_said(place: Place) -> None:
    words = "one two three four five six"
    place.api.enqueue(reply(words, chunk=4, fault=stall(block=0, chars=12)), "ok")
    full = replace(place, options=replace(place.options, partial_messages=True))
    third = on(StreamEvent, lambda m: "three"[:3] in str(m))
    talk = await full.talk("go", "on", during=third)
    first = talk.results[0]
    assert (first.subtype, first.terminal_reason) == ("error_during_execution", "aborted_streaming")
    partial = next(m for m in talk.heard if isinstance(m, AssistantMessage))
    assert partial.aborted
    assert words.startswith(talk.texts[0]) and len(talk.texts[0]) >= 8
    after = place.api.messages[1].messages
    assert [m["role"] for m in after] == ["user", "assistant", "user"]
    assert [b["text"] for b in blocks_of(after[2]["content"])] == [INTERRUPT_MARK, "on"]
    place.api.wait_until(lambda: place.api.messages[0].disconnected, 5, "the connection to close")


async def test_an_interrupt_at_any_message_leaves_a_session_that_goes_on(place: Place) -> None:
    at = 1
    while True:
        place.api.script.clear()
        file = place.write("a.txt", "old\n")
        place.api.enqueue(
            reply("Reading.", tool("Read", file_path=str(file)), tool("Read", file_path="no")),
            reply(
                tool("Edit", file_path=str(file), old_string="old", new_string="new"),
                tool("Bash", command="echo hi; sleep 0.1"),
            ),
            "Done.",
        )
        place.api.script.default = reply("later")
        trial = replace(
            place.mode("bypassPermissions"),
            options=replace(place.mode("bypassPermissions").options, partial_messages=True),
        )
        talk = await trial.talk("go", "and on", during=interrupt_at(at))
        assert len(talk.results) == 2, at
        if talk.results[0].subtype == "success":
            break
        assert talk.results[1].subtype == "success", at
        assert not refused(place.api), at
        asked = {call.id for call in talk.calls}
        assert {r.tool_use_id for r in talk.tool_results} == asked, at
        at += 3
    assert at > 15


async def test_prompts_sent_while_a_run_goes_wait_and_then_run(place: Place) -> None:
    place.api.enqueue(reply(tool("Bash", command="echo 1")), "first done", "second done")
    sent = False

    def during(message: Message, send: Callable[[Op], None]) -> None:
        nonlocal sent
        if isinstance(message, ToolProgress) and not sent:
            sent = True
            send(Prompt("second", "q2"))

    results: list[ResultMessage] = []
    queues: list[list[str]] = []

    async def body(opened: OpenSession) -> None:
        with opened.session.subscribe() as messages:
            opened.session.send(Prompt("first", "q1"))
            async for message in messages:
                during(message, opened.session.send)
                if isinstance(message, QueueChanged):
                    queues.append([item.text for item in message.items])
                if isinstance(message, ResultMessage):
                    results.append(message)
                    if len(results) == 2:
                        break

    with anyio.fail_after(20):
        await place.run(body)
    assert [r.user_message_uuid for r in results] == ["q1", "q2"]
    assert [r.result for r in results] == ["first done", "second done"]
    assert ["second"] in queues


async def test_a_prompt_sent_now_joins_the_run(place: Place) -> None:
    place.api.enqueue(reply(tool("Bash", command="echo 1")), "both done")
    sent = False

    def during(message: Message, send: Callable[[Op], None]) -> None:
        nonlocal sent
        if isinstance(message, ToolProgress) and not sent:
            sent = True
            send(Prompt("also this", "q2", now=True))

    talk = await place.talk("first", during=during)
    assert talk.result.result == "both done"
    last = place.api.messages[1].last_user_blocks
    assert [b["type"] for b in last] == ["tool_result", "text"]
    assert last[1]["text"] == "also this"


async def test_leaving_in_the_middle_of_a_run_leaves_no_child(place: Place) -> None:
    place.api.enqueue(reply(tool("Bash", command="sleep 30.75")))

    async def body(opened: OpenSession) -> None:
        with opened.session.subscribe() as messages:
            opened.session.send(Prompt("go", "q1"))
            async for message in messages:
                if isinstance(message, ToolProgress) and message.state == "running":
                    break

    with anyio.fail_after(20):
        await place.mode("bypassPermissions").run(body)
    assert not alive("sleep 30.75")


# Interrupted while others are waited for ---------------------------------------------------------------------------


async def held_up(
    place: Place, event: HookEvent, *prompts: str, interactive: bool = True
) -> tuple[Talk, list[str]]:
    """Interrupt while a hook of this event takes its time; then send the further prompts."""
    talk, fired, sends = Talk(), list[str](), list[Callable[[Op], None]]()

    async def hook(given: JsonObject, call_id: str | None) -> JsonObject:
        fired.append(event)
        if len(fired) == 1:
            sends[0](Interrupt())
            await anyio.sleep_forever()
        return {}

    async def body(opened: OpenSession) -> None:
        sends.append(opened.session.send)
        with opened.session.subscribe() as messages:
            for number, text in enumerate(prompts):
                opened.session.send(Prompt(text, f"00000000-0000-4000-8000-{number:012d}"))
                async for message in messages:
                    talk.heard.append(message)
                    if isinstance(message, ResultMessage):
                        break

    hooks: dict[HookEvent, tuple[HookGroup, ...]] = {event: (HookGroup(None, (hook,)),)}
    options = replace(place.options, interactive=interactive)
    with anyio.fail_after(20):
        await with_session(options, place.env, body, extras=Extras(approver=Answers(), hooks=hooks))
    return talk, fired


@pytest.mark.parametrize(
    ("event", "terminal"),
    [
        ("UserPromptSubmit", "aborted_streaming"),
        ("PreToolUse", "aborted_tools"),
        ("PermissionRequest", "aborted_tools"),
        ("PostToolUse", "aborted_tools"),
        ("PostToolBatch", "aborted_tools"),
        ("Stop", "aborted_streaming"),
    ],
)
async def test_an_interrupt_does_not_wait_for_a_hook(
    place: Place, event: HookEvent, terminal: str
) -> None:
    place.write("a.txt", "x")
    edit = {"file_path": str(place.project / "a.txt"), "old_string": "x", "new_string": "y"}
    read = tool("Read", file_path=str(place.project / "a.txt"))
    script = (reply(read, tool("Edit", edit)), "done", "done again")
    place.api.enqueue(*script[1 if event == "Stop" else 0 :])
    if event == "UserPromptSubmit":
        place.api.enqueue("done")
    talk, fired = await held_up(place, event, "go", "go on")
    first, second = talk.results
    assert fired[0] == event
    assert (first.subtype, first.terminal_reason) == ("error_during_execution", terminal)
    assert second.subtype == "success"
    assert refused(place.api) == []


async def test_an_interrupt_does_not_wait_for_a_hook_of_a_command(place: Place) -> None:
    talk, _ = await held_up(place, "UserPromptExpansion", "/cost", "/cost", interactive=False)
    assert [r.subtype for r in talk.results] == ["error_during_execution", "success"]
    assert talk.results[0].terminal_reason == "aborted_streaming"
    assert "Total" in str(talk.results[1].result)


async def test_an_interrupt_takes_back_the_question_about_a_used_up_budget(place: Place) -> None:
    place.api.enqueue(reply(tool("Bash", command="true")), "after")
    limited = replace(
        place, options=replace(place.options, limits=LimitOptions(max_budget_usd=0.0000001))
    )
    asked: list[PermissionRequest] = []
    talk = Talk()

    async def body(opened: OpenSession) -> None:
        with opened.session.subscribe() as messages:
            for number in range(2):
                opened.session.send(Prompt("go", f"00000000-0000-4000-8000-{number:012d}"))
                async for message in messages:
                    talk.heard.append(message)
                    if isinstance(message, PermissionRequest):
                        asked.append(message)
                        opened.session.send(Interrupt())
                    if isinstance(message, ResultMessage):
                        break

    with anyio.fail_after(20):
        await with_session(limited.options, limited.env, body)
    assert len(asked) == 2
    assert [r.subtype for r in talk.results] == ["error_during_execution"] * 2
    closed = [m.id for m in talk.heard if isinstance(m, RequestClosed)]
    assert closed == [request.id for request in asked]
    assert len(place.api.messages) == 1
    assert [r.is_error for r in talk.tool_results] == [True]
    assert refused(place.api) == []
