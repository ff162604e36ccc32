"""Prompts and requests as lines: the whole engine behind them, against the strict server."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import Any

import anyio
import pytest

from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.errors import SessionError, UsageError
from agent_tui.settings.options import PermissionOptions, SessionOptions
from tests.fakes.api_server import http_error, reply, text, tool
from tests.headless.host import Host, Place

pytestmark = pytest.mark.anyio

GUARD = {"PreToolUse": [{"matcher": "Bash", "hookCallbackIds": ["h1"], "timeout": 30}]}


def kinds(records: list[JsonObject]) -> list[str]:
    return [
        str(record.get("subtype") if record["type"] == "system" else record["type"])
        for record in records
        if record["type"] != "control_response"
    ]


async def test_a_prompt_needs_no_initialize(station: Place) -> None:
    station.api.enqueue("Hello.")

    async def host(host: Host) -> None:
        host.say("hi")
        assert (await host.result())["result"] == "Hello."

    assert await station.talk(host) == 0
    assert kinds(station.heard) == ["init", "assistant", "result"]


async def test_input_that_is_closed_at_once_is_no_failure(station: Place) -> None:
    async def host(host: Host) -> None: ...

    assert await station.talk(host) == 0
    assert station.heard == []


async def test_closing_the_input_ends_it_after_all_that_was_sent(station: Place) -> None:
    station.api.enqueue("One.", "Two.", http_error(404, "not_found_error", "model: nope"))

    async def host(host: Host) -> None:
        for number, words in enumerate(("one", "two", "three")):
            host.say(words, uuid=f"u{number}", priority="later")
        host.close()

    assert await station.talk(host) == 1
    results = [r for r in station.heard if r["type"] == "result"]
    assert [r["user_message_uuid"] for r in results] == ["u0", "u1", "u2"]
    assert [r["is_error"] for r in results] == [False, False, True]


async def test_lines_that_cannot_be_used_are_told_and_nothing_else_is_lost(
    station: Place, capsys: pytest.CaptureFixture[str]
) -> None:
    station.api.enqueue("Hello.")

    async def host(host: Host) -> None:
        host.raw(b"nonsense\n\n[1]\n")
        host.send(type="keep_alive")
        host.say("hi")
        host.raw(b'{"type": "user"}\n')

    assert await station.talk(host) == 0
    assert kinds(station.heard)[-1] == "result"
    said = capsys.readouterr().err.splitlines()
    assert [line.split(":")[1] for line in said] == [
        " standard input, line 1",
        " standard input, line 3",
        " standard input, line 6",
    ]


async def test_initialize_is_answered_and_may_change_the_options(station: Place) -> None:
    station.api.enqueue("Hello.")

    async def host(host: Host) -> None:
        answer = await host.ask("initialize", systemPrompt="You are brief.", hooks=None)
        assert answer["subtype"] == "success"
        offered = answer["response"]
        assert {"commands", "agents", "models", "output_style", "account"} <= offered.keys()
        assert offered["hook_on_failure_supported"]
        again = await host.ask("initialize")
        assert again["subtype"] == "error"
        host.say("hi")

    assert await station.talk(host) == 0
    assert station.api.messages[0].system_text == "You are brief."


async def test_an_initialize_that_makes_no_sense_can_be_said_again(station: Place) -> None:
    async def host(host: Host) -> None:
        wrong = await host.ask("initialize", hooks={"PreToolUse": "all"})
        assert (wrong["subtype"], "PreToolUse" in wrong["error"]) == ("error", True)
        wrong = await host.ask("initialize", jsonSchema={"type": "nonsense"})
        assert "--json-schema" in wrong["error"]
        assert (await host.ask("initialize"))["subtype"] == "success"

    assert await station.talk(host) == 0


async def test_after_an_initialize_that_failed_nothing_runs_without_what_it_asked_for(
    station: Place,
) -> None:
    async def host(host: Host) -> None:
        assert (await host.ask("initialize", hooks={"PreToolUse": "all"}))["subtype"] == "error"
        host.say("hi")
        result = await host.result()
        assert (result["is_error"], "PreToolUse" in result["errors"][0]) == (True, True)
        told = await host.ask("mcp_status")
        assert "not open" in told["error"]

    with pytest.raises(BaseExceptionGroup) as caught:
        await station.talk(host)
    assert caught.group_contains(UsageError, match="PreToolUse")
    assert not station.api.messages


async def test_a_prompt_that_is_sent_twice_is_answered_once(
    station: Place, capsys: pytest.CaptureFixture[str]
) -> None:
    station.api.enqueue("One.", "Two.")

    async def host(host: Host) -> None:
        host.say("first", uuid="u1")
        host.say("first", uuid="u1")
        host.say("second", uuid="u2", priority="later")

    assert await station.talk(host) == 0
    results = [record["result"] for record in station.heard if record["type"] == "result"]
    assert results == ["One.", "Two."]
    assert "u1 was sent before" in capsys.readouterr().err


async def test_a_session_that_is_not_there_gives_a_result_that_says_so(station: Place) -> None:
    unknown = "00000000-0000-4000-8000-000000000000"
    station.options = replace(station.options, session=SessionOptions(resume=unknown))
    heard: list[Any] = []

    async def host(host: Host) -> None:
        host.say("hi")
        heard.append(await host.result())

    with pytest.raises(BaseExceptionGroup) as caught:
        await station.talk(host)
    assert caught.group_contains(SessionError)
    assert heard[0]["is_error"] and unknown in heard[0]["errors"][0]


async def test_the_host_answers_for_calls_and_a_question_it_fails_at_is_denied(
    station: Place,
) -> None:
    station.asking()
    station.api.enqueue(
        reply(tool("Bash", command="touch a")),
        reply(tool("Bash", command="touch b")),
        reply(tool("Bash", command="touch c")),
        "Done.",
    )

    async def host(host: Host) -> None:
        host.say("go")
        asked = await host.request("can_use_tool")
        assert asked["request"]["input"] == {"command": "touch a"}
        host.answer(asked, behavior="allow", updatedInput={"command": "touch A"})
        host.refuse(await host.request("can_use_tool"), "the callback fell over")
        host.answer(await host.request("can_use_tool"), nonsense=True)
        await host.result()

    assert await station.talk(host) == 0
    assert (station.folder / "A").exists()
    assert not (station.folder / "b").exists() and not (station.folder / "c").exists()
    assert "the callback fell over" in str(station.api.messages[2].last_user_blocks)


async def test_a_question_is_withdrawn_when_the_run_is_interrupted(station: Place) -> None:
    station.asking()
    station.api.enqueue(reply(tool("Bash", command="touch a")))

    async def host(host: Host) -> None:
        host.say("go")
        asked = await host.request("can_use_tool")
        assert (await host.ask("interrupt"))["subtype"] == "success"
        gone = await host.hear(lambda r: r["type"] == "control_cancel_request")
        assert gone["request_id"] == asked["request_id"]
        assert (await host.result())["terminal_reason"] == "aborted_tools"

    assert await station.talk(host) == 1


async def test_a_question_nobody_can_answer_any_more_is_denied(station: Place) -> None:
    station.asking()
    station.api.enqueue(reply(tool("Bash", command="touch a")), "So be it.")

    async def host(host: Host) -> None:
        host.say("go")
        await host.request("can_use_tool")
        host.close()

    assert await station.talk(host) == 0
    assert "input is closed" in str(station.api.messages[1].last_user_blocks)
    assert not (station.folder / "a").exists()


async def test_hooks_are_called_over_the_channel(station: Place) -> None:
    station.api.enqueue(reply(tool("Bash", command="ls", id="toolu_1")), "Done.")

    async def host(host: Host) -> None:
        await host.ask("initialize", hooks=GUARD)
        host.say("go")
        asked = await host.request("hook_callback")
        assert (asked["request"]["callback_id"], asked["request"]["tool_use_id"]) == (
            "h1",
            "toolu_1",
        )
        assert asked["request"]["input"]["tool_name"] == "Bash"
        denial = {"hookEventName": "PreToolUse", "permissionDecision": "deny"}
        host.answer(asked, hookSpecificOutput={**denial, "permissionDecisionReason": "Never."})
        await host.result()

    assert await station.talk(host) == 0
    assert "Never." in str(station.api.messages[1].last_user_blocks)


def unasked(station: Place) -> None:
    """Nothing but a hook stands before a command."""
    permissions = PermissionOptions(allowed_tools=("Bash",))
    station.options = replace(station.options, permissions=permissions)


async def test_m7_a_guard_that_cannot_be_asked_is_no_consent(station: Place) -> None:
    unasked(station)
    station.api.enqueue(reply(tool("Bash", command="touch a")), "Done.")

    async def host(host: Host) -> None:
        guard = [{"matcher": "Bash", "hookCallbackIds": ["h1"], "onFailure": "block"}]
        await host.ask("initialize", hooks={"PreToolUse": guard})
        host.say("go")
        host.refuse(await host.request("hook_callback"), "no such hook")
        await host.result()

    assert await station.talk(host) == 0
    assert not (station.folder / "a").exists()


async def test_m7_a_guard_that_is_gone_when_it_would_be_asked_is_no_consent(
    station: Place,
) -> None:
    unasked(station)
    gate = station.folder / "gate"
    wait = f"until [ -e {gate} ]; do sleep 0.02; done"
    station.api.enqueue(
        reply(tool("Bash", command=wait)), reply(tool("Bash", command="touch a")), "Done."
    )

    async def host(host: Host) -> None:
        await host.ask("initialize", hooks=GUARD)
        host.say("go")
        host.answer(await host.request("hook_callback"))
        host.close()
        gate.touch()
        await host.result()

    assert await station.talk(host) == 0
    assert not (station.folder / "a").exists()
    assert "could not be asked: standard input is closed" in str(
        station.api.messages[2].last_user_blocks
    )


async def test_prompts_are_said_back_when_they_are_taken(station: Place) -> None:
    station.api.enqueue("One.")

    async def host(host: Host) -> None:
        host.say("one", uuid="u1")
        await host.result()
        host.say([{"type": "text", "text": "/compact"}], uuid="u2")
        await host.result()

    await station.talk(host, replay=True)
    said = [r for r in station.heard if r["type"] == "user" and r.get("isReplay")]
    assert [r["uuid"] for r in said] == ["u1", "u2"]
    assert kinds(station.heard)[:3] == ["init", "user", "assistant"]


async def test_a_prompt_sent_while_tools_run_joins_the_run_unless_it_is_for_later(
    station: Place,
) -> None:
    fifo = station.folder / "gate"
    os.mkfifo(fifo)
    station.api.enqueue(reply(tool("Bash", command=f"cat {fifo}")), "Both.", "Later.")

    async def host(host: Host) -> None:
        host.say("go", uuid="u1")
        gate = await anyio.open_file(fifo, "w")  # opens once the command reads
        host.say("and this", uuid="u2")
        host.say("then that", uuid="u3", priority="later")
        await host.ask("get_session_cost")  # what was sent before is taken by now
        await gate.aclose()
        first = await host.result()
        assert first["user_message_uuid"] == "u1"
        assert (await host.result())["user_message_uuid"] == "u3"

    assert await station.talk(host) == 0
    assert "and this" in str(station.api.messages[1].last_user_blocks)
    assert "then that" not in str(station.api.messages[1].body)


async def test_what_is_changed_on_the_way_holds_for_the_next_prompt(station: Place) -> None:
    station.api.enqueue("One.", "Two.")

    async def host(host: Host) -> None:
        host.say("one")
        await host.result()
        assert (await host.ask("set_model", model="opus"))["subtype"] == "success"
        answer = await host.ask("set_permission_mode", mode="plan")
        assert answer["response"] == {"mode": "plan"}
        refused = await host.ask("set_permission_mode", mode="bypassPermissions")
        assert (refused["subtype"], "plan" in refused["error"]) == ("error", True)
        await host.ask("rename_session", title="Mine")
        host.say("two")
        await host.result()

    assert await station.talk(host) == 0
    inits = [r for r in station.heard if r.get("subtype") == "init"]
    assert [init["permissionMode"] for init in inits] == ["default", "plan"]
    assert station.api.messages[1].body["model"] == "claude-opus-5-5"


async def test_a_run_is_interrupted_and_the_next_prompt_works(station: Place) -> None:
    station.options = replace(station.options, partial_messages=True)
    station.api.enqueue(reply(text("word " * 300), chunk=5, delay=0.05), "Again.")

    async def host(host: Host) -> None:
        host.say("go")
        await host.hear(lambda r: r["type"] == "stream_event")
        await host.ask("interrupt")
        assert (await host.result())["terminal_reason"] == "aborted_streaming"
        host.say("and now?")
        assert (await host.result())["result"] == "Again."

    assert await station.talk(host) == 0


async def test_a_program_that_wants_to_know_is_told_whether_it_is_at_work(station: Place) -> None:
    station.variables["CLAUDE_CODE_SDK_READS_SESSION_STATE"] = "1"
    station.api.enqueue("One.")

    async def host(host: Host) -> None:
        host.say("one")
        await host.hear(lambda r: r.get("state") == "idle")

    assert await station.talk(host) == 0
    states = [r for r in station.heard if r.get("subtype") == "session_state_changed"]
    assert [r["state"] for r in states] == ["running", "idle"]
    assert all(r["sdk_host_only"] for r in states)
    assert kinds(station.heard).index("result") < station.heard.index(states[1])
