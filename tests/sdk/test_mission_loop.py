"""The loop as a program meets it: what it may control, and one run from the prompt to its result."""

from __future__ import annotations

import ast
import json
from dataclasses import fields
from pathlib import Path
from typing import Any

import anyio
import pytest

from agent_tui.headless.main import main
from agent_tui.sdk import (
    AssistantMessage,
    ClaudeAgentOptions,
    ClaudeSDKClient,
    ConversationResetMessage,
    HookMatcher,
    ToolUseBlock,
    query,
)
from agent_tui.sdk.checks import NO_EFFECT
from agent_tui.settings.options import Options
from agent_tui.settings.paths import Environment
from tests.fakes.api_server import Reply, reply, tool
from tests.house.tree import name_of, sources
from tests.sdk.place import Place, kinds
from tests.sdk.talk import Heard, listen, shapes, shot, turns

pytestmark = pytest.mark.anyio

RUN_TESTS = "sh run-tests"


def failing_project(place: Place) -> Path:
    """A project whose test fails until ``auth.ts`` is mended; the script of the model that mends it."""
    source = place.write("auth.ts", "token = 'bug'\n")
    place.write("auth.test.ts", "expects fix\n")
    place.write(
        "run-tests", "grep -q fix auth.ts && echo passed && exit 0\necho 3 failures\nexit 1\n"
    )
    place.api.enqueue(
        reply(tool("Bash", command=RUN_TESTS)),
        reply(tool("Read", file_path="auth.ts"), tool("Read", file_path="auth.test.ts")),
        reply(
            tool("Edit", file_path="auth.ts", old_string="bug", new_string="fix"),
            tool("Bash", command=RUN_TESTS),
        ),
        "The tests pass.",
    )
    return source


async def test_a_program_controls_tools_permission_cost_and_output(place: Place) -> None:
    schema = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
    place.write("x", "")
    place.api.enqueue(reply(tool("Bash", command="rm x")), reply(tool("StructuredOutput", n=1)))
    heard = await shot(
        place,
        tools=["Read", "Bash"],
        permission_mode="acceptEdits",
        disallowed_tools=["Bash(rm *)"],
        max_budget_usd=1.0,
        output_format={"type": "json_schema", "schema": schema},
    )
    assert set(place.api.messages[0].tool_names) == {"Read", "Bash", "StructuredOutput"}
    assert (place.folder / "x").exists()
    assert [one["tool_name"] for one in heard.result.permission_denials or ()] == ["Bash"]
    assert heard.result.structured_output == {"n": 1}
    assert 0 < (heard.result.total_cost_usd or 0) < 1


def test_every_option_is_read_or_warned_of() -> None:
    read = {
        node.attr
        for source in sources("agent_tui/sdk")
        for node in ast.walk(source.tree)
        if isinstance(node, ast.Attribute)
        if name_of(node.value) in ("options", "_options")
    }
    unread = {one.name for one in fields(ClaudeAgentOptions)} - read - NO_EFFECT.keys()
    assert unread == {"debug_stderr"}  # the older name of an option without effect


async def test_no_other_program_is_needed(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(place.folder))
    place.write("a.txt", "content")
    place.api.enqueue(reply(tool("Read", file_path="a.txt")), "done")
    heard = await shot(place)
    assert "content" in str(heard.tool_results[0].content)
    assert heard.result.result == "done"


def test_every_way_in_runs_the_same_loop(
    place: Place, clean_room: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async def by_query() -> Heard:
        return await shot(place, "look")

    async def by_client() -> Heard:
        return (await turns(place, "look"))[0]

    def by_line() -> list[str]:
        variables = {**place.env, "PATH": "/usr/bin:/bin", "HOME": str(clean_room / "home")}
        env = Environment(variables, clean_room / "home")
        assert main(Options(str(place.folder)), env, "look", "stream-json", verbose=True) == 0
        records = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
        return [record["type"].title() for record in records]

    place.write("a.txt", "content")
    told: list[list[str]] = []
    for way in (
        lambda: kinds(anyio.run(by_query).messages),
        lambda: kinds(anyio.run(by_client).messages),
        by_line,
    ):
        place.api.enqueue(reply("Looking.", tool("Read", file_path="a.txt")), "done")
        told.append(way())
    assert told[0] == ["System", "Assistant", "Assistant", "User", "Assistant", "Result"]
    assert told[0] == told[1] == told[2]
    asked = [
        (one.system_text, one.tool_names, shapes(one), one.tool_results)
        for one in place.api.messages
    ]
    first, second, third = asked[0:2], asked[2:4], asked[4:6]
    for way in (second, third):
        assert [one[:3] for one in way] == [one[:3] for one in first]
        assert way[1][3][0]["content"] == first[1][3][0]["content"]


async def test_commands_are_prompts_like_others(place: Place) -> None:
    place.api.add_rule(
        lambda request: "summary" in request.last_user_text, "<summary>A plum.</summary>", times=1
    )
    place.api.enqueue("one", "two", "three", "four")
    heard = await turns(place, "a", "b", "/compact keep the plum", "c", "/clear", "d")
    assert heard[2].system("compact_boundary")[0].data["compact_metadata"]["trigger"] == "manual"
    assert "keep the plum" in place.api.messages[2].last_user_text
    assert len(place.api.messages) == 5
    [reset] = heard[4].all(ConversationResetMessage)
    assert reset.new_conversation_id == heard[5].result.session_id
    assert shapes(place.api.messages[-1])[0][0] == "user"
    assert "plum" not in json.dumps(place.api.messages[-1].body)


async def test_the_model_asks_and_the_program_acts(place: Place) -> None:
    place.api.enqueue(reply(tool("Write", file_path="made", content="x")), "done")
    before = not (place.folder / "made").exists()
    await shot(place, permission_mode="acceptEdits")
    assert before and (place.folder / "made").read_text() == "x"
    [answered] = place.api.messages[1].tool_results
    assert "made" in str(answered["content"])


async def test_a_request_holds_the_prompt_the_system_prompt_tools_and_the_history(
    place: Place,
) -> None:
    place.api.enqueue("one", "two")
    first, _ = await turns(place, "the first word", "the second word")
    assert first.messages[0].subtype == "init"
    assert first.messages[0].data["session_id"] == first.result.session_id
    for request in place.api.messages:
        assert request.system_text
        assert {"Read", "Edit", "Write", "Bash", "Glob", "Grep"} <= set(request.tool_names)
    assert place.api.messages[0].last_user_text.endswith("the first word")
    after = place.api.messages[1]
    assert [role for role, _ in shapes(after)] == ["user", "assistant", "user"]
    assert "the first word" in json.dumps(after.messages[0])
    assert "one" in json.dumps(after.messages[1])
    assert after.last_user_text.endswith("the second word")


@pytest.mark.parametrize(
    ("answer", "blocks"),
    [
        (reply("text"), ["TextBlock"]),
        (reply(tool("Glob", pattern="*")), ["ToolUseBlock"]),
        (reply(tool("Glob", pattern="*"), tool("Glob", pattern="?")), ["ToolUseBlock"] * 2),
        (reply("text", tool("Glob", pattern="*")), ["TextBlock", "ToolUseBlock"]),
    ],
)
async def test_an_answer_is_text_or_calls_or_both(
    place: Place, answer: Reply, blocks: list[str]
) -> None:
    place.api.enqueue(answer, "done")
    heard = await shot(place)
    assistants = [m for m in heard.messages if kinds([m]) == ["Assistant"]]
    said = [type(m.content[0]).__name__ for m in assistants if len(m.content) == 1]
    calls = "ToolUseBlock" in blocks
    assert said == blocks + (["TextBlock"] if calls else [])


async def test_every_call_is_run_and_a_hook_may_stand_before_it(place: Place) -> None:
    async def guard(given: Any, call_id: str | None, context: Any) -> Any:
        command = given["tool_input"]["command"]
        output: dict[str, Any] = {"hookEventName": "PreToolUse"}
        if "first" in command:
            output |= {"permissionDecision": "deny", "permissionDecisionReason": "not that one"}
        elif "second" in command:
            output |= {"permissionDecision": "allow", "updatedInput": {"command": "echo changed"}}
        return {"hookSpecificOutput": output}

    lines = [tool("Bash", command=f"echo {one}") for one in ("first", "second", "third")]
    place.api.enqueue(reply(*lines), "done")
    heard = await shot(place, hooks={"PreToolUse": [HookMatcher(matcher="Bash", hooks=[guard])]})
    assert [block.is_error for block in heard.tool_results] == [True, False, False]
    answered = [str(one["content"]) for one in place.api.messages[1].tool_results]
    assert "not that one" in answered[0]
    assert answered[1:] == ["changed", "third"]


async def test_the_worked_example_message_by_message(place: Place) -> None:
    source = failing_project(place)
    heard = await shot(place, "Fix the failing tests in auth.ts", allowed_tools=["Bash", "Edit"])
    assert kinds(heard.messages) == [
        "System",
        *["Assistant", "User"],
        *["Assistant", "Assistant", "User", "User"],
        *["Assistant", "Assistant", "User", "User"],
        "Assistant",
        "Result",
    ]
    assert [call.name for call in heard.calls] == ["Bash", "Read", "Read", "Edit", "Bash"]
    assert heard.tool_results[0].is_error and "3 failures" in str(heard.tool_results[0].content)
    assert "passed" in str(heard.tool_results[4].content)
    assert source.read_text() == "token = 'fix'\n"
    responses = [m.message_id for m in heard.messages if kinds([m]) == ["Assistant"]]
    assert [responses.count(one) for one in dict.fromkeys(responses)] == [1, 2, 2, 1]
    result = heard.result
    assert (result.subtype, result.result) == ("success", "The tests pass.")
    assert (result.num_turns, len(place.api.messages)) == (4, 4)
    assert result.usage is not None and result.usage["output_tokens"] > 0
    assert result.total_cost_usd
    assert result.session_id == heard.messages[0].data["session_id"]


async def test_nothing_comes_back_to_the_program_between_a_call_and_the_next_request(
    place: Place,
) -> None:
    place.api.enqueue(reply(tool("Bash", command="echo 1")), "done")
    async with ClaudeSDKClient(place.options()) as client:
        await client.query("go")
        await place.asked(2)  # though nobody has read a message
        await place.left(2)
        assert (await listen(client.receive_response())).result.num_turns == 2


async def test_a_simple_question_takes_two_turns(place: Place) -> None:
    place.write("a.py", "")
    place.api.enqueue(reply(tool("Glob", pattern="*.py")), "a.py")
    heard = await shot(place, "which files are here?")
    assert (heard.result.num_turns, heard.result.result) == (2, "a.py")


async def test_without_a_limit_it_goes_on_until_the_model_stops(place: Place) -> None:
    many = 40
    for number in range(many):
        place.write(f"{number}.txt", f"content {number}")
    place.api.enqueue(
        *(reply(tool("Read", file_path=f"{number}.txt")) for number in range(many)), "refactored"
    )
    heard = await shot(place, "refactor")
    assert (heard.result.subtype, heard.result.num_turns) == ("success", many + 1)
    assert len(heard.tool_results) == many
    assert not any(block.is_error for block in heard.tool_results)


async def test_what_is_waited_for_is_named_before_it_has_ended(place: Place) -> None:
    place.api.enqueue(reply(tool("Bash", command="until [ -e go ]; do sleep 0.02; done")), "done")
    named: list[str] = []

    def show(message: Any) -> None:
        if isinstance(message, AssistantMessage):
            named.extend(one.name for one in message.content if isinstance(one, ToolUseBlock))
            place.write("go", "")

    options = place.options(allowed_tools=["Bash"])
    heard = await listen(query(prompt="go", options=options), show)
    assert (named, heard.result.result) == (["Bash"], "done")
