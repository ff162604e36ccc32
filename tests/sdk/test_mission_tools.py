"""The tools of a program's session: built in, found when needed, of servers, and of the program's own making."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import Any

import anyio
import pytest

from agent_tui.sdk import (
    AgentDefinition,
    PermissionResultAllow,
    ToolAnnotations,
    create_sdk_mcp_server,
)
from agent_tui.sdk import tool as program_tool
from tests.fakes.api_server import ApiRequest, reply, system_contains, tool
from tests.mcp import stub_server
from tests.sdk.place import Place
from tests.sdk.talk import shot

pytestmark = pytest.mark.anyio


def texts(request: ApiRequest) -> list[str]:
    return [str(one["content"]) for one in request.tool_results]


async def test_files_are_read_edited_and_written(place: Place) -> None:
    place.write("a.txt", "old\n")
    place.api.enqueue(
        reply(tool("Read", file_path="a.txt")),
        reply(
            tool("Edit", file_path="a.txt", old_string="old", new_string="new"),
            tool("Write", file_path="sub/b.txt", content="made\n"),
        ),
        "done",
    )
    await shot(place, permission_mode="acceptEdits")
    assert "old" in texts(place.api.messages[1])[0]
    assert (place.folder / "a.txt").read_text() == "new\n"
    assert (place.folder / "sub" / "b.txt").read_text() == "made\n"


async def test_files_are_found_by_name_and_by_what_is_in_them(place: Place) -> None:
    place.write("src/one.py", "token = 1\n")
    place.write("src/two.py", "word = 2\n")
    place.write("notes.md", "token\n")
    place.api.enqueue(
        reply(tool("Glob", pattern="**/*.py"), tool("Grep", pattern=r"^to.en\s*=")), "done"
    )
    await shot(place)
    globbed, grepped = texts(place.api.messages[1])
    assert "one.py" in globbed and "two.py" in globbed and "notes.md" not in globbed
    assert "one.py" in grepped and "two.py" not in grepped and "notes.md" not in grepped


@pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
async def test_commands_scripts_and_git_are_run(place: Place) -> None:
    place.write("script.sh", "echo from the script $1\n")
    lines = ["echo one && echo two >&2", "sh script.sh here", "git init -q . && git status --short"]
    place.api.enqueue(reply(*(tool("Bash", command=line) for line in lines)), "done")
    await shot(place, allowed_tools=["Bash"])
    command, script, git = texts(place.api.messages[1])
    assert "one" in command and "two" in command
    assert "from the script here" in script
    assert "?? script.sh" in git


class Parts:
    """A tool of the program's that does a part of the work; ``order`` tells who began and ended.

    With ``meets`` a call ends only when a second one has begun.
    """

    def __init__(self, *, meets: bool = False) -> None:
        self.order: list[str] = []
        self._meets = meets
        self._second_came = anyio.Event()

    async def _work(self, args: dict[str, Any]) -> dict[str, Any]:
        self.order.append(f"{args['n']} begins")
        if len(self.order) > 1:
            self._second_came.set()
        if self._meets:
            await self._second_came.wait()
        else:
            await anyio.wait_all_tasks_blocked()
        self.order.append(f"{args['n']} ends")
        return {"content": [{"type": "text", "text": f"{args['n']} is done"}]}

    def server(self, annotations: ToolAnnotations | None = None) -> Any:
        made = program_tool("work", "Do a part", {"n": int}, annotations)(self._work)
        return create_sdk_mcp_server("own", tools=[made])


async def worked(place: Place, server: Any) -> list[Any]:
    place.api.enqueue(reply(tool("mcp__own__work", n=1), tool("mcp__own__work", n=2)), "done")
    heard = await shot(place, mcp_servers={"own": server}, allowed_tools=["mcp__own__work"])
    return [block.content for block in heard.tool_results]


DONE = [[{"type": "text", "text": f"{n} is done"}] for n in (1, 2)]


@pytest.mark.parametrize("annotations", [None, ToolAnnotations(readOnlyHint=False)])
async def test_tools_of_the_program_run_one_by_one(
    place: Place, annotations: ToolAnnotations | None
) -> None:
    parts = Parts()
    assert await worked(place, parts.server(annotations)) == DONE
    assert parts.order == ["1 begins", "1 ends", "2 begins", "2 ends"]


async def test_tools_of_the_program_that_only_look_run_together(place: Place) -> None:
    parts = Parts(meets=True)
    assert await worked(place, parts.server(ToolAnnotations(readOnlyHint=True))) == DONE
    assert sorted(parts.order[:2]) == ["1 begins", "2 begins"]


async def test_a_tool_the_program_made_is_offered_and_called(place: Place) -> None:
    @program_tool("add", "Add two numbers", {"a": float, "b": float})
    async def add(args: dict[str, Any]) -> dict[str, Any]:
        return {"content": [{"type": "text", "text": str(args["a"] + args["b"])}]}

    place.api.enqueue(reply(tool("mcp__calc__add", a=1, b=2.5)), "done")
    await shot(
        place,
        mcp_servers={"calc": create_sdk_mcp_server("calc", tools=[add])},
        allowed_tools=["mcp__calc"],
    )
    assert "mcp__calc__add" in place.api.messages[0].tool_names
    assert "3.5" in texts(place.api.messages[1])[0]


async def test_a_server_outside_is_connected_and_its_tools_are_called(place: Place) -> None:
    program = Path(stub_server.__file__)
    server = {
        "type": "stdio",
        "command": sys.executable,
        "args": [str(program)],
        "env": {"PYTHONPATH": str(program.parents[2])},
    }
    place.api.enqueue("hello")
    first = await shot(place, mcp_servers={"stub": server})
    assert first.messages[0].data["mcp_servers"][0]["status"] == "connected"
    name = next(one for one in place.api.messages[0].tool_names if one.startswith("mcp__stub__"))
    place.api.enqueue(reply(tool(name)), "done")
    heard = await shot(place, mcp_servers={"stub": server}, allowed_tools=["mcp__stub"])
    assert heard.tool_results[0].content
    assert not heard.result.permission_denials


@pytest.mark.parametrize("searching", ["true", "false"])
async def test_tools_of_servers_are_found_when_needed_unless_that_is_off(
    place: Place, searching: str
) -> None:
    server = Parts().server()
    call = tool("mcp__own__work", n=1)
    find = reply(tool("ToolSearch", query="select:mcp__own__work"))
    deferred = searching == "true"
    place.api.enqueue(*([find] if deferred else []), reply(call), "done")
    heard = await shot(
        place,
        mcp_servers={"own": server},
        allowed_tools=["mcp__own"],
        env={"ENABLE_TOOL_SEARCH": searching},
    )
    names = [request.tool_names for request in place.api.messages]
    assert ["mcp__own__work" in one for one in names] == ([False] if deferred else []) + [True] * (
        len(names) - deferred
    )
    assert ("ToolSearch" in names[0]) is deferred
    assert heard.tool_results[-1].content == [{"type": "text", "text": "1 is done"}]


async def test_behind_another_address_every_definition_is_sent(place: Place) -> None:
    place.api.enqueue("hello")
    await shot(place, mcp_servers={"own": Parts().server()})
    assert "mcp__own__work" in place.api.messages[0].tool_names


async def test_a_question_is_put_to_the_program_and_its_answer_told(place: Place) -> None:
    question = {
        "question": "Which fruit?",
        "header": "Fruit",
        "multiSelect": False,
        "options": [{"label": "Plum", "description": "a"}, {"label": "Pear", "description": "b"}],
    }

    async def answer(name: str, given: dict[str, Any], context: Any) -> PermissionResultAllow:
        assert name == "AskUserQuestion"
        return PermissionResultAllow(updated_input={**given, "answers": {"Which fruit?": "Plum"}})

    place.api.enqueue(reply(tool("AskUserQuestion", questions=[question])), "done")
    await shot(place, can_use_tool=answer)
    assert "Plum" in texts(place.api.messages[1])[0]


async def test_a_part_is_handed_to_a_sub_agent(place: Place) -> None:
    place.api.add_rule(system_contains("YOU SCOUT"), "found it", times=1)
    call = tool(
        "Agent",
        description="look",
        prompt="look around",
        subagent_type="scout",
        run_in_background=False,
    )
    place.api.enqueue(reply(call), "done")
    await shot(place, agents={"scout": AgentDefinition(description="looks", prompt="YOU SCOUT")})
    assert "found it" in texts(place.api.messages[-1])[0]


TASKS = {"TaskCreate", "TaskUpdate"}


@pytest.mark.parametrize(
    ("model", "options", "there"),
    [
        ("claude-haiku-4-5", {}, True),
        ("claude-opus-5-5", {}, False),
        ("claude-opus-5-5", {"allowed_tools": ["TaskCreate"]}, True),
        ("claude-opus-5-5", {"tools": ["TaskCreate", "TaskUpdate"]}, True),
        ("claude-opus-5-5", {"env": {"CLAUDE_CODE_ENABLE_TODO_TOOLS": "1"}}, True),
    ],
)
async def test_newer_models_have_task_tools_only_where_they_are_wanted(
    place: Place, model: str, options: dict[str, Any], there: bool
) -> None:
    place.api.enqueue("hello")
    await shot(place, model=model, **options)
    assert (set(place.api.messages[0].tool_names) >= TASKS) is there


async def test_tasks_are_made_and_moved(place: Place) -> None:
    place.api.enqueue(
        reply(tool("TaskCreate", subject="Mend it", description="the token")),
        reply(tool("TaskUpdate", taskId="1", status="completed")),
        reply(tool("TaskList")),
        "done",
    )
    heard = await shot(place, tools=["TaskCreate", "TaskUpdate", "TaskList"])
    assert not any(block.is_error for block in heard.tool_results)
    listed = str(heard.tool_results[2].content)
    assert "Mend it" in listed and "completed" in listed
