"""Background commands and sub-agents in whole sessions: their ends, stops, interrupts and deaths."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import anyio
import pytest

from agent_tui.engine.opening import OpenSession
from agent_tui.journal.fold import fold
from agent_tui.journal.side_chain import read_side
from agent_tui.protocol.messages import (
    Message,
    QueueChanged,
    ResultMessage,
    SystemMessage,
    UserMessage,
)
from agent_tui.protocol.ops import Interrupt, Op, Prompt, StopTask
from tests.engine.agents_at_work import (
    HELPER,
    PROMPT,
    agent_says,
    ask,
    converse,
    lines,
    of_agents,
    of_session,
    side_files,
    story,
    with_kinds,
)
from tests.engine.sessions import Place
from tests.engine.test_interrupts import alive
from tests.fakes.api_server import ApiRequest, cut, reply, stall, tool

pytestmark = pytest.mark.anyio

Send = Callable[[Op], None]


def bash(line: str, **more: Any) -> Any:
    """Call Bash in the background."""
    return tool("Bash", {"command": line, "run_in_background": True, **more})


def is_system(message: Message, subtype: str) -> bool:
    return isinstance(message, SystemMessage) and message.subtype == subtype


async def settled(place: Place) -> list[Message]:
    """Send a prompt, wait until nothing more will come by itself, give all that was heard."""
    heard: list[Message] = []

    async def body(opened: OpenSession) -> None:
        with opened.session.subscribe() as messages:
            opened.session.send(Prompt("go", PROMPT))
            await opened.settled()
            while (message := messages.waiting()) is not None:
                heard.append(message)

    await place.run(body)
    return heard


async def asked(place: Place, test: Callable[[], bool]) -> None:
    """Wait until the server has been asked something."""
    with anyio.fail_after(10):
        while not test():
            await anyio.sleep(0.01)


# Commands -----------------------------------------------------------------------------------------------------------


async def test_a_command_in_the_background_ends_and_its_end_starts_a_run(place: Place) -> None:
    gate = place.project / "gate"
    place.api.enqueue(
        reply(bash("until [ -e gate ]; do sleep 0.02; done; echo bg")), "waiting", "noticed"
    )

    def during(message: Message, send: Send) -> None:
        if isinstance(message, ResultMessage):
            gate.touch()

    talk = await converse(place.mode("bypassPermissions"), 2, during)
    assert story(talk.heard) == [
        "init",
        "is told go",
        "calls Bash",
        "task_started",
        "result False",
        "says waiting",
        "task_updated",
        "task_notification",
        "init",
        "is told A task in the background has ended. This is said by the program, not by the user.",
        "says noticed",
    ]
    first, second = talk.results
    task_id = talk.system("task_started")[0].data["task_id"]
    assert first.origin is None
    assert second.origin == {
        "kind": "task-notification",
        "producer": "local_bash",
        "runId": task_id,
    }
    told = of_session(place)[2].last_user_text
    assert f"<task-id>{task_id}</task-id>" in told
    assert "<status>completed</status>" in told
    [result] = [m for m in talk.heard if isinstance(m, UserMessage) and m.tool_use_result]
    data = result.tool_use_result
    assert isinstance(data, dict)
    assert data["backgroundTaskId"] == task_id
    ended = talk.system("task_notification")[0].data
    assert (ended["status"], ended["output_file"]) == ("completed", data["rawOutputPath"])
    assert Path(ended["output_file"]).read_text() == "bg\n"
    assert [len(m.data["tasks"]) for m in talk.system("background_tasks_changed")] == [1, 0]
    assert all(
        not m.items or m.items[0].text == "go" for m in talk.heard if isinstance(m, QueueChanged)
    )


async def test_what_ends_while_a_run_goes_joins_it(place: Place) -> None:
    place.api.enqueue(reply(bash("true")))
    waits = reply(tool("Bash", command="until [ -e gate ]; do sleep 0.02; done"))
    place.api.enqueue(waits, "all in one")

    def during(message: Message, send: Send) -> None:
        if is_system(message, "task_notification"):
            (place.project / "gate").touch()

    talk = await converse(place.mode("bypassPermissions"), 1, during)
    assert talk.result.result == "all in one"
    last = of_session(place)[-1]
    assert [block["type"] for block in last.last_user_blocks] == ["tool_result", "text"]
    assert "<task-notification>" in last.last_user_text


async def test_its_output_can_be_read_while_it_runs_and_it_can_be_stopped(place: Place) -> None:
    task = ""

    def remember(request: ApiRequest) -> Any:
        nonlocal task
        text = str(request.tool_results[0]["content"])
        task = text.split("as ")[1].split(".")[0]
        return reply(tool("BashOutput", task_id=task, block=False))

    def look_again(request: ApiRequest) -> Any:
        if "hello" not in str(request.tool_results[0]["content"]):
            place.api.enqueue(look_again)
            return reply(tool("TaskOutput", task_id=task, block=False))
        return reply(tool("KillShell", shell_id=task))

    place.api.enqueue(reply(bash("echo hello; sleep 30.75 & sleep 30.75")), remember, look_again)
    talk_place = place.mode("bypassPermissions")
    place.api.add_rule(lambda request: "Stopped" in str(request.tool_results), "end", times=1)
    talk = await converse(talk_place, 1)
    assert talk.result.result == "end"
    assert not alive("sleep 30.75")
    stopped = talk.system("task_notification")[0].data
    assert stopped["status"] == "stopped"
    assert Path(str(stopped["output_file"])).read_text() == "hello\n"
    assert talk.system("task_updated")[0].data["patch"]["status"] == "killed"
    assert len(talk.results) == 1


async def test_waiting_for_it_tells_the_model_once(place: Place) -> None:
    def wait(request: ApiRequest) -> Any:
        task = str(request.tool_results[0]["content"]).split("as ")[1].split(".")[0]
        return reply(tool("TaskOutput", task_id=task, timeout=10_000))

    place.api.enqueue(reply(bash("sleep 0.2; echo done; exit 3")), wait, "end")
    heard = await settled(place.mode("bypassPermissions"))
    assert len([m for m in heard if isinstance(m, ResultMessage)]) == 1
    text = str(of_session(place)[2].tool_results[0]["content"])
    assert "failed, exit code 3" in text
    assert "done" in text


async def test_an_unknown_task_names_those_that_run(place: Place) -> None:
    place.api.enqueue(
        reply(bash("sleep 30.8", description="Sleep long")),
        reply(tool("TaskStop", task_id="bxyz"), tool("TaskOutput", task_id="bxyz")),
        "end",
    )
    talk = await converse(place.mode("bypassPermissions"), 1)
    for result in talk.tool_results[1:]:
        assert "There is no background task 'bxyz'. Running now: b" in str(result.content)
        assert "(Sleep long)" in str(result.content)
    assert not alive("sleep 30.8")


async def test_it_goes_on_after_an_interrupt_and_dies_with_the_session(place: Place) -> None:
    beat = "while :; do date +%N >> beats; sleep 0.02; done"
    place.api.enqueue(reply(bash(beat)), reply("never", fault=stall(block=0, chars=2)), "ok")

    beats = place.project / "beats"
    grew: list[bool] = []

    async def body(opened: OpenSession) -> None:
        with opened.session.subscribe() as messages:
            opened.session.send(Prompt("go", PROMPT))
            await asked(place, lambda: len(place.api.messages) == 2)
            opened.session.send(Interrupt())
            async for message in messages:
                if isinstance(message, ResultMessage):
                    break
        with anyio.fail_after(10):
            while not beats.exists():
                await anyio.sleep(0.02)
        before = len(beats.read_text())
        with anyio.fail_after(5):
            while len(beats.read_text()) == before:
                await anyio.sleep(0.02)
        grew.append(True)

    await place.mode("bypassPermissions").run(body)
    assert grew == [True]
    after = beats.read_text()
    await anyio.sleep(0.2)
    assert beats.read_text() == after


async def test_a_printed_session_waits_for_the_answer_to_what_ends_and_stops_the_rest(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("agent_tui.engine.helping.SHELL_SECONDS", 0.5)
    place.api.enqueue(reply(bash("sleep 30.9"), bash("sleep 0.1")), "one", "two")
    heard = await settled(place.mode("bypassPermissions"))
    results = [m.result for m in heard if isinstance(m, ResultMessage)]
    assert results == ["one", "two"]
    ends = [
        m.data["status"]
        for m in heard
        if isinstance(m, SystemMessage) and m.subtype == "task_notification"
    ]
    assert ends == ["completed", "stopped"]
    assert not alive("sleep 30.9")


# Sub-agents ---------------------------------------------------------------------------------------------------------


async def test_a_sub_agent_in_the_background_reports_by_itself(place: Place) -> None:
    file = place.write("a.txt", "x")
    place.api.enqueue(reply("delegating", ask(None)), "main done", "thanks")

    def late(request: ApiRequest) -> Any:
        place.api.wait_finished(2)
        return reply("sub text", tool("Read", file_path=str(file)))

    agent_says(place, late, "sub final")
    talk = await converse(with_kinds(place), 2)
    told = [one for one in story(talk.heard) if one != "task_progress"]
    assert told == [
        "init",
        "is told go",
        "says delegating",
        "calls Agent",
        "task_started",
        "result None",
        "says main done",
        "task_updated",
        "task_notification",
        "init",
        "is told A task in the background has ended. This is said by the program, not by the user.",
        "says thanks",
    ]
    [launched] = [m for m in talk.heard if isinstance(m, UserMessage) and m.tool_use_result]
    data = launched.tool_use_result
    assert isinstance(data, dict)
    assert (data["status"], data["prompt"]) == ("async_launched", "SUBPROMPT")
    assert "<result>\nsub final\n</result>" in of_session(place)[-1].last_user_text
    kept = Path(str(data["outputFile"])).read_text()
    assert kept == "Task: do it\nsub text\n[Read a.txt]\nsub final\n"
    usage = talk.system("task_notification")[0].data["usage"]
    assert usage["tool_uses"] == 1
    assert usage["total_tokens"] > 0
    assert talk.results[1].origin is not None


@pytest.mark.parametrize(
    ("call", "kind", "waited"),
    [(True, False, False), (False, True, True), (None, False, True), (None, True, False)],
)
async def test_the_call_decides_whether_it_is_waited_for_then_the_kind(
    place: Place, call: bool | None, kind: bool, waited: bool
) -> None:
    place.api.enqueue(reply(ask(call)), "end", "end")
    agent_says(place, "sub final")
    await settled(with_kinds(place, replace(HELPER, background=kind)))
    result = of_session(place)[1].tool_results[0]
    assert ("sub final" in str(result["content"])) is waited


async def test_where_nothing_may_run_in_the_background_it_is_waited_for(place: Place) -> None:
    place.variables["CLAUDE_CODE_DISABLE_BACKGROUND_TASKS"] = "1"
    place.api.enqueue(reply(ask(True)), "end")
    agent_says(place, "sub final")
    talk = await converse(with_kinds(place), 1)
    assert talk.tool_results[0].content == [{"type": "text", "text": "sub final"}]


async def test_m10_a_cut_stream_is_asked_again_and_the_report_arrives(place: Place) -> None:
    file = place.write("a.txt", "x")
    place.api.enqueue(reply(ask(None)), "main done", "thanks")
    look = [reply(tool("Read", file_path=str(file))) for _ in range(12)]
    broken = reply("the whole report", fault=cut(block=0, chars=5))
    agent_says(place, *look, broken, "the whole report")

    def during(message: Message, send: Send) -> None:
        if isinstance(message, ResultMessage):
            send(
                Interrupt()
            )  # nothing runs: what a screen sends when its person leaves a view must end nothing

    talk = await converse(with_kinds(place), 2, during)
    ended = talk.system("task_notification")[0].data
    assert (ended["status"], ended["usage"]["tool_uses"]) == ("completed", 12)
    assert len(of_agents(place)) == 14
    assert "the whole report" in of_session(place)[-1].last_user_text


async def test_m10_stopping_is_an_act_of_its_own_and_keeps_what_was_found(place: Place) -> None:
    file = place.write("a.txt", "x")
    place.api.enqueue(reply(ask(None)), "main done", "what now")
    agent_says(
        place,
        reply("found so far", tool("Read", file_path=str(file))),
        reply("never", fault=stall(block=0, chars=2)),
    )
    told: list[Any] = []

    async def body(opened: OpenSession) -> None:
        with opened.session.subscribe() as messages:
            opened.session.send(Prompt("go", PROMPT))
            async for message in messages:
                if isinstance(message, ResultMessage):
                    break
            await asked(place, lambda: len(of_agents(place)) == 2)
            [task] = opened.helping.background.running()
            opened.session.send(StopTask(task.id))
            opened.session.send(StopTask("nothing"))
            async for message in messages:
                if is_system(message, "task_notification"):
                    told.append(message)
                    break
            opened.session.send(Prompt("next", PROMPT.replace("8", "9")))
            async for message in messages:
                if isinstance(message, ResultMessage):
                    break

    await with_kinds(place).run(body)
    assert told[0].data["status"] == "stopped"
    assert "found so far\n[Read a.txt]" in Path(told[0].data["output_file"]).read_text()
    last = of_session(place)[-1]
    assert "The user stopped the background task" in json.dumps(last.body)
    assert last.last_user_text.endswith("next")


async def test_at_the_budget_those_in_the_background_are_stopped(place: Place) -> None:
    dear = {"input_tokens": 900_000, "output_tokens": 10}
    place.api.enqueue(reply(ask(None, prompt="WAITS")), reply(ask(False, prompt="SPENDS")))

    def answers(request: ApiRequest) -> Any:
        if "WAITS" in json.dumps(request.messages):
            return reply("never", fault=stall(block=0, chars=2))
        place.api.wait_until(lambda: len(of_agents(place)) == 2, 20)
        return reply("dear", usage=dear)

    agent_says(place, answers, answers)
    options = replace(place.options, interactive=False)
    limits = replace(options.limits, max_budget_usd=0.5)
    place = with_kinds(replace(place, options=options), limits=limits)
    talk = await converse(place, 1, ends=2)
    ends = {str(m.data["summary"]): m.data["status"] for m in talk.system("task_notification")}
    assert ends["do it: Budget limit reached"] == "stopped"
    assert talk.result.subtype == "error_max_budget_usd"


async def test_m9_after_an_interrupt_no_sub_agent_works_on(place: Place) -> None:
    """Three sub-agents whose commands add a line every 200 ms; within 2 s all is still."""
    beat = "while :; do echo x >> $NAME; sleep 0.2; done # m9-beat"
    place.api.enqueue(reply(ask(prompt="one"), ask(prompt="two"), ask(prompt="three")), "later")

    def works(request: ApiRequest) -> Any:
        name = ("one", "two", "three")[len(of_agents(place)) - 1]
        return reply(tool("Bash", command=beat.replace("$NAME", f"{name}.log")))

    agent_says(place, works, works, works)
    logs = [place.project / f"{name}.log" for name in ("one", "two", "three")]
    talk_place = with_kinds(place.mode("bypassPermissions"))
    results: list[Any] = []

    async def body(opened: OpenSession) -> None:
        with opened.session.subscribe() as messages:

            async def listen() -> None:
                async for message in messages:
                    if isinstance(message, UserMessage) and message.tool_use_result:
                        results.append(message)
                    if isinstance(message, ResultMessage):
                        results.append(message)
                        break

            opened.session.send(Prompt("go", PROMPT))
            with anyio.fail_after(20):
                while not all(log.exists() for log in logs):
                    await anyio.sleep(0.02)
            opened.session.send(Interrupt())
            with anyio.move_on_after(2):
                await listen()
            assert not alive("m9-beat")
            before = [log.read_text() for log in logs]
            asked = len(place.api.messages)
            await anyio.sleep(0.5)
            assert [log.read_text() for log in logs] == before
            assert len(place.api.messages) == asked == 4
            if not (results and isinstance(results[-1], ResultMessage)):
                await listen()

    await talk_place.run(body)
    *calls, end = results
    assert end.terminal_reason == "aborted_tools"
    assert len(calls) == 3
    for message in calls:
        [block] = message.content
        assert block.is_error
        assert "interrupted" in str(block.content)
        assert message.display.status == "interrupted"


async def test_one_in_the_background_survives_an_interrupt_of_the_run(place: Place) -> None:
    gate = place.project / "gate"
    place.api.enqueue(reply(ask(None)), reply("never", fault=stall(block=0, chars=2)), "noted")
    agent_says(
        place,
        reply(tool("Bash", command="until [ -e gate ]; do sleep 0.02; done")),
        "it went on",
    )

    results: list[ResultMessage] = []

    async def body(opened: OpenSession) -> None:
        with opened.session.subscribe() as messages:
            opened.session.send(Prompt("go", PROMPT))
            await asked(place, lambda: len(of_session(place)) == 2 and bool(of_agents(place)))
            opened.session.send(Interrupt())
            async for message in messages:
                if isinstance(message, ResultMessage):
                    results.append(message)
                    gate.touch()
                if len(results) == 2:
                    break

    await with_kinds(place.mode("bypassPermissions")).run(body)
    assert results[0].terminal_reason == "aborted_streaming"
    assert "it went on" in of_session(place)[-1].last_user_text


async def test_the_end_of_a_session_ends_its_sub_agents_and_leaves_readable_journals(
    place: Place,
) -> None:
    place.api.enqueue(reply(ask(None)), "done")
    agent_says(place, reply(tool("Bash", command="sleep 30.95")))
    journals: list[Path] = []

    async def body(opened: OpenSession) -> None:
        opened.session.send(Prompt("go", PROMPT))
        with anyio.fail_after(10):
            while not alive("sleep 30.95"):
                await anyio.sleep(0.02)
        journals.append(opened.journal_path)

    await with_kinds(place.mode("bypassPermissions")).run(body)
    assert not alive("sleep 30.95")
    [side] = side_files(journals[0])
    for path in (side, journals[0]):
        rows = lines(path)
        assert rows
    conversation = fold(read_side(side))
    assert not conversation.open_tool_uses
    assert "interrupted" in json.dumps(lines(side))
