"""The Python package ``claude-agent-sdk``, made for another program, drives ours."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.fakes.api_server import ApiServer, http_error, reply, text, tool

sdk = pytest.importorskip("claude_agent_sdk", reason="the peer package is an extra (peer)")

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(60)]


@pytest.fixture
def anyio_backend() -> str:
    """The package's own loop says nothing of ours: one is enough."""
    return "asyncio"


class Machine:
    """A person's machine with our program on it, under a name that the package is told."""

    def __init__(self, api: ApiServer, room: Path) -> None:
        self.api = api
        self.project = room / "work"
        self.program = room / "agent"
        self.program.write_text(f'#!/bin/sh\nexec {sys.executable} -P -m agent_tui "$@"\n')
        self.program.chmod(0o755)

    def options(self, **more: Any) -> Any:
        return sdk.ClaudeAgentOptions(
            cli_path=str(self.program),
            cwd=str(self.project),
            model="claude-sonnet-5-5",
            env={"ANTHROPIC_BASE_URL": self.api.url, "ANTHROPIC_API_KEY": "sk-test-dummy"},
            **more,
        )


@pytest.fixture
def machine(clean_room: Path) -> Iterator[Machine]:
    with ApiServer() as api:
        yield Machine(api, clean_room)
        api.check()


def result_of(messages: list[Any]) -> Any:
    results = [m for m in messages if isinstance(m, sdk.ResultMessage)]
    assert len(results) == 1
    return results[0]


async def turn(client: Any, prompt: str) -> list[Any]:
    await client.query(prompt)
    return [message async for message in client.receive_response()]


async def test_a_query_gives_init_answer_and_result(machine: Machine) -> None:
    machine.api.enqueue("Hello.")
    heard = [m async for m in sdk.query(prompt="hi", options=machine.options())]
    assert [type(m).__name__ for m in heard] == [
        "SystemMessage",
        "AssistantMessage",
        "ResultMessage",
    ]
    assert (heard[0].subtype, heard[1].content[0].text) == ("init", "Hello.")
    assert (heard[2].subtype, heard[2].result, heard[2].is_error) == ("success", "Hello.", False)


async def test_an_error_result_is_raised_after_it_was_given(machine: Machine) -> None:
    machine.api.enqueue(http_error(404, "not_found_error", "model: nope"))
    heard: list[Any] = []
    with pytest.raises(sdk.ResultError):
        async for message in sdk.query(prompt="hi", options=machine.options()):
            heard.append(message)  # noqa: PERF401 - what came before it is raised counts
    assert result_of(heard).is_error


async def test_a_session_that_is_not_there_is_an_error_that_says_so(machine: Machine) -> None:
    unknown = "00000000-0000-4000-8000-000000000000"
    with pytest.raises(sdk.ResultError, match=unknown):
        async for _ in sdk.query(prompt="hi", options=machine.options(resume=unknown)):
            pass


async def test_prompts_from_a_stream_have_a_result_each(machine: Machine) -> None:
    machine.api.enqueue("One.", "Two.")

    async def prompts() -> AsyncIterator[dict[str, Any]]:
        for words in ("first", "second"):
            yield {
                "type": "user",
                "message": {"role": "user", "content": words},
                "parent_tool_use_id": None,
                "priority": "later",
            }

    heard = [m async for m in sdk.query(prompt=prompts(), options=machine.options())]
    assert [m.result for m in heard if isinstance(m, sdk.ResultMessage)] == ["One.", "Two."]


async def test_a_callback_answers_for_the_tools(machine: Machine) -> None:
    asked: list[tuple[str, dict[str, Any], Any]] = []

    async def can_use_tool(name: str, data: dict[str, Any], context: Any) -> Any:
        asked.append((name, data, context))
        if name == "Write":
            return sdk.PermissionResultDeny(message="Not that file.")
        return sdk.PermissionResultAllow(updated_input={**data, "command": "touch changed"})

    machine.api.enqueue(
        reply(tool("Write", file_path=str(machine.project / "a"), content="x")),
        reply(tool("Bash", command="touch b", description="Make b")),
        "Done.",
    )
    async with sdk.ClaudeSDKClient(machine.options(can_use_tool=can_use_tool)) as client:
        heard = await turn(client, "go")
    assert [name for name, _, _ in asked] == ["Write", "Bash"]
    context = asked[1][2]
    assert context.tool_use_id and context.suggestions and context.description == "Make b"
    assert (machine.project / "changed").exists() and not (machine.project / "b").exists()
    assert "Not that file." in str(machine.api.messages[1].last_user_blocks)
    assert len(result_of(heard).permission_denials) == 1


async def test_a_rule_that_a_callback_gives_holds(machine: Machine) -> None:
    asked: list[str] = []

    async def can_use_tool(name: str, data: dict[str, Any], context: Any) -> Any:
        asked.append(data["command"])
        rule = sdk.types.PermissionRuleValue("Bash", "touch *")
        update = sdk.PermissionUpdate("addRules", [rule], "allow", destination="session")
        return sdk.PermissionResultAllow(updated_permissions=[update])

    machine.api.enqueue(
        reply(tool("Bash", command="touch a")), reply(tool("Bash", command="touch b")), "Done."
    )
    async with sdk.ClaudeSDKClient(machine.options(can_use_tool=can_use_tool)) as client:
        await turn(client, "go")
    assert asked == ["touch a"]
    assert (machine.project / "b").exists()


async def test_hooks_of_the_program_are_asked(machine: Machine) -> None:
    seen: list[tuple[str, str | None]] = []

    async def guard(data: dict[str, Any], tool_use_id: str | None, context: Any) -> dict[str, Any]:
        seen.append((data["hook_event_name"], tool_use_id))
        return {
            "hookSpecificOutput": {
                "hookEventName": "PreToolUse",
                "permissionDecision": "deny",
                "permissionDecisionReason": "Hands off.",
            }
        }

    machine.api.enqueue(reply(tool("Bash", command="ls", id="toolu_1")), "Done.")
    hooks = {"PreToolUse": [sdk.HookMatcher(matcher="Bash", hooks=[guard], on_failure="block")]}
    heard = [m async for m in sdk.query(prompt="go", options=machine.options(hooks=hooks))]
    assert seen == [("PreToolUse", "toolu_1")]
    assert "Hands off." in str(machine.api.messages[1].last_user_blocks)
    assert result_of(heard).subtype == "success"


async def test_a_tool_of_the_program_is_called(machine: Machine) -> None:
    @sdk.tool("add", "Adds two numbers.", {"a": float, "b": float})
    async def add(args: dict[str, Any]) -> dict[str, Any]:
        return {"content": [{"type": "text", "text": str(args["a"] + args["b"])}]}

    server = sdk.create_sdk_mcp_server("math", tools=[add])
    machine.api.enqueue(reply(tool("mcp__math__add", a=2, b=3)), "Five.")
    options = machine.options(mcp_servers={"math": server}, allowed_tools=["mcp__math__add"])
    async with sdk.ClaudeSDKClient(options) as client:
        heard = await turn(client, "add")
        status = await client.get_mcp_status()
    assert "mcp__math__add" in str(machine.api.messages[0].body["tools"])
    assert "5" in str(machine.api.messages[1].last_user_blocks)
    assert result_of(heard).result == "Five."
    assert [(one["name"], one["status"]) for one in status["mcpServers"]] == [("math", "connected")]


async def test_an_interrupt_ends_the_turn_and_the_next_one_works(machine: Machine) -> None:
    machine.api.enqueue(reply(text("word " * 400), chunk=5, delay=0.05), "Again.")
    options = machine.options(include_partial_messages=True)
    async with sdk.ClaudeSDKClient(options) as client:
        await client.query("go")
        async for message in client.receive_messages():
            if isinstance(message, sdk.StreamEvent) and message.event["type"].endswith("delta"):
                break
        await client.interrupt()
        first = [message async for message in client.receive_response()]
        second = await turn(client, "and now?")
    assert result_of(first).terminal_reason == "aborted_streaming"
    assert result_of(second).result == "Again."


async def test_model_and_mode_are_changed_on_the_way(machine: Machine) -> None:
    machine.api.enqueue("One.", "Two.")
    async with sdk.ClaudeSDKClient(machine.options()) as client:
        await turn(client, "one")
        await client.set_model("claude-opus-5-5")
        await client.set_permission_mode("acceptEdits")
        heard = await turn(client, "two")
        with pytest.raises(Exception, match="bypassPermissions"):
            await client.set_permission_mode("bypassPermissions")
    inits = [m for m in heard if isinstance(m, sdk.SystemMessage) and m.subtype == "init"]
    assert inits[0].data["permissionMode"] == "acceptEdits"
    assert machine.api.messages[1].body["model"] == "claude-opus-5-5"
    assert set(result_of(heard).model_usage) == {"claude-sonnet-5-5", "claude-opus-5-5"}


async def test_what_it_asks_of_the_session_is_answered(machine: Machine) -> None:
    machine.api.enqueue("One.")
    async with sdk.ClaudeSDKClient(machine.options()) as client:
        info = await client.get_server_info()
        await turn(client, "one")
        usage = await client.get_context_usage()
    assert "compact" in [command["name"] for command in info["commands"]]
    assert info["models"] and info["output_style"] == "default"
    assert usage["totalTokens"] > 0
    assert "Messages" in [category["name"] for category in usage["categories"]]


async def test_an_answer_that_is_data_and_options_of_all_kinds(machine: Machine) -> None:
    schema = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
    machine.api.enqueue(reply(tool("StructuredOutput", n=3)))
    options = machine.options(
        output_format={"type": "json_schema", "schema": schema},
        system_prompt="You count.",
        tools=["Read"],
        thinking={"type": "enabled", "budget_tokens": 2048, "display": "omitted"},
        effort="low",
        task_budget={"total": 20_000},
        betas=["context-1m-2025-08-07"],
        setting_sources=[],
        settings='{"permissions": {"deny": ["Bash"]}}',
        max_turns=3,
        max_budget_usd=1.0,
        client_app="mine/1.0",
        agents={"scout": sdk.AgentDefinition(description="Looks.", prompt="Look.")},
    )
    heard = [m async for m in sdk.query(prompt="how many?", options=options)]
    assert result_of(heard).structured_output == {"n": 3}
    asked = machine.api.messages[0]
    assert asked.system_text == "You count."
    assert asked.body["output_config"] == {
        "effort": "low",
        "task_budget": {"type": "tokens", "total": 20_000},
    }
    assert asked.headers["anthropic-beta"].split(",")[0] == "context-1m-2025-08-07"
    assert "mine/1.0" in asked.headers["user-agent"]


async def test_messages_are_said_back_where_it_asks_for_it(machine: Machine) -> None:
    machine.api.enqueue("One.")
    options = machine.options(extra_args={"replay-user-messages": None})
    async with sdk.ClaudeSDKClient(options) as client:
        heard = await turn(client, "say it")
    said = [m for m in heard if isinstance(m, sdk.UserMessage)]
    assert [m.content for m in said] == ["say it"]
