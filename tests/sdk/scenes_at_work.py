"""Drivers of the scenarios that the reference was watched in: conversations, tools, sub-agents.

The scripted replies and the options are those that ``tests/data/sdk-sequences.json`` tells the outcome of.
"""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator
from typing import Any

from PIL import Image

from agent_tui.sdk import (
    AgentDefinition,
    PermissionResultDeny,
    ResultMessage,
    StreamEvent,
    create_sdk_mcp_server,
)
from agent_tui.sdk import tool as sdk_tool
from tests.fakes.api_server import (
    Reply,
    reply,
    rule,
    thinking,
    tool,
)
from tests.sdk.scene import Scene, scenario, shell

# Plain conversations --------------------------------------------------------------------------------------------


@scenario
async def plain_query(scene: Scene) -> None:
    scene.replies("Hello there.")
    await scene.ask("hi")


@scenario
async def plain_client(scene: Scene) -> None:
    scene.replies(reply(thinking("pondering it"), "First part.", "Second part."), "again")
    async with scene.client() as client:
        await scene.turn(client, "hi")
        scene.seen.mark("second prompt")
        await scene.turn(client, "more")


@scenario
async def partial(scene: Scene) -> None:
    path = scene.put("a.txt")
    words = "some text here which is long enough for chunks"
    first = reply(thinking("pondering it all"), words, tool("Read", file_path=path), chunk=12)
    scene.replies(first, "done")
    await scene.one(include_partial_messages=True)


@scenario
async def interrupt_stream(scene: Scene) -> None:
    scene.replies(reply("word " * 400, chunk=10, delay=0.03), "resumed", "x")
    async with scene.client(include_partial_messages=True) as client:
        await client.query("go")
        events = 0
        async for message in client.receive_response():
            if isinstance(message, StreamEvent):
                events += 1
                if events == 12:
                    await client.interrupt()
                    scene.seen.mark("interrupt sent")
            scene.seen.take(message)
        scene.seen.mark("continue")
        await scene.turn(client, "go on")


@scenario
async def queued_inputs(scene: Scene) -> None:
    running = "until [ -e go ]; do sleep 0.02; done; echo a"
    scene.replies(shell(running), "one", "two", "three")

    async def records() -> AsyncIterator[dict[str, Any]]:
        for number, said in enumerate(("first msg", "second msg", "third msg")):
            yield {"type": "user", "message": {"role": "user", "content": said}}
            if number == 0:
                await scene.place.asked()
            elif number == 2:
                scene.put("go", "")

    await scene.ask(records(), allowed_tools=["Bash"])


@scenario
async def set_mode_model(scene: Scene) -> None:
    def write(number: int) -> Reply:
        return reply(tool("Write", file_path=f"{scene.folder}/f{number}", content="x"))

    scene.replies(write(1), "a", write(2), "b", "c")
    no = scene.asking(lambda name, given: PermissionResultDeny(message="asked"))
    async with scene.client(can_use_tool=no) as client:
        await scene.turn(client, "one")
        await client.set_permission_mode("acceptEdits")
        scene.seen.mark("mode acceptEdits")
        await scene.turn(client, "two")
        await client.set_model("claude-haiku-5-5")
        scene.seen.mark("model sonnet")
        await scene.turn(client, "three")


@scenario
async def claude_md(scene: Scene) -> None:
    scene.put("CLAUDE.md", "PROJECT MEMORY LINE\n")
    scene.replies("x", "y")
    await scene.one()
    scene.seen.mark("setting_sources=[project]")
    await scene.one(setting_sources=["project"])
    scene.seen.mark("setting_sources=[]")
    await scene.one(setting_sources=[])
    shown = [b"PROJECT MEMORY LINE" in request.raw for request in scene.api.messages]
    assert shown == [True, True, False]


@scenario
async def effort_thinking(scene: Scene) -> None:
    scene.replies("x")
    await scene.one(model="claude-sonnet-4-5", max_thinking_tokens=2048)


# Tools ----------------------------------------------------------------------------------------------------------


@scenario
async def one_read(scene: Scene) -> None:
    path = scene.put("a.txt")
    scene.replies(reply("reading", tool("Read", file_path=path)), "done")
    await scene.one()


@scenario
async def two_reads_edit_bash(scene: Scene) -> None:
    one, two = scene.put("a.txt"), scene.put("b.txt", "one\n")
    scene.replies(
        reply("working", tool("Read", file_path=one), tool("Read", file_path=two)),
        reply(
            tool("Edit", file_path=one, old_string="beta", new_string="BETA"),
            tool("Bash", command="cat a.txt", description="show"),
        ),
        "done",
    )
    await scene.one(allowed_tools=["Read", "Edit", "Bash"])
    assert "BETA" in (scene.place.folder / "a.txt").read_text()


@scenario
async def bash_conc_write(scene: Scene) -> None:
    path = f"{scene.folder}/w1"
    scene.replies(
        reply(tool("Bash", command="touch f1"), tool("Bash", command="touch f2")),
        reply(tool("Write", file_path=path, content="1"), tool("Read", file_path=path)),
        "done",
    )
    hooks = {**scene.hook("PreToolUse"), **scene.hook("PostToolUse")}
    await scene.one(allowed_tools=["Bash", "Write"], hooks=hooks)


@scenario
async def big_output(scene: Scene) -> None:
    path = scene.put("big.txt", "\n".join(f"line {i} " + "x" * 90 for i in range(6000)))
    scene.replies(
        shell("seq 1 200000"), reply(tool("Read", file_path=path)), shell("cat big.txt"), "done"
    )
    await scene.one(allowed_tools=["Bash", "Read"])


@scenario
async def edit_errors(scene: Scene) -> None:
    path, twice = scene.put("a.txt"), scene.put("dup.txt", "z\nz\n")

    def edit(where: str, old: str, new: str, **more: Any) -> Reply:
        return reply(tool("Edit", file_path=where, old_string=old, new_string=new, **more))

    scene.replies(
        edit(path, "beta", "B"),
        reply(tool("Write", file_path=path, content="new")),
        reply(tool("Read", file_path=path)),
        edit(path, "nope", "B"),
        edit(path, "beta", "beta"),
        reply(tool("Read", file_path=twice)),
        edit(twice, "z", "y"),
        edit(twice, "z", "y", replace_all=True),
        reply(tool("Write", file_path=f"{scene.folder}/new/deep.txt", content="n")),
        reply(tool("Read", file_path=scene.folder)),
        reply(tool("Read", file_path="a.txt")),
        "done",
    )
    await scene.one(permission_mode="bypassPermissions")


@scenario
async def image_result(scene: Scene) -> None:
    path = scene.place.folder / "i.png"
    Image.new("RGB", (40, 30), "red").save(path)
    scene.replies(reply(tool("Read", file_path=str(path))), "done")
    await scene.one()


@scenario
async def unknown_tool(scene: Scene) -> None:
    scene.replies(reply(tool("Nope", x=1)), reply(tool("Glob", pattern="*")), "done")
    await scene.one()


@scenario
async def tasks(scene: Scene) -> None:
    scene.replies(
        reply(
            tool("TaskCreate", subject="s1", description="d1"),
            tool("TaskCreate", subject="s2", description="d2"),
        ),
        reply(tool("TaskUpdate", taskId="1", status="in_progress")),
        reply(tool("TaskList")),
        reply(tool("TaskUpdate", taskId="1", status="completed")),
        reply(tool("TaskGet", taskId="1")),
        "done",
    )
    await scene.one(tools=["TaskCreate", "TaskUpdate", "TaskList", "TaskGet", "Read"])


@scenario
async def mcp_plain(scene: Scene) -> None:
    @sdk_tool("slow", "Say it again", {"n": int})
    async def slow(given: dict[str, Any]) -> dict[str, Any]:
        return {"content": [{"type": "text", "text": str(given["n"])}]}

    @sdk_tool("bad", "Fail", {})
    async def bad(given: dict[str, Any]) -> dict[str, Any]:
        return {"content": [{"type": "text", "text": "no"}], "is_error": True}

    @sdk_tool("boom", "Break", {})
    async def boom(given: dict[str, Any]) -> dict[str, Any]:
        raise RuntimeError("boom")

    scene.replies(
        reply(tool("mcp__srv__slow", n=1), tool("mcp__srv__slow", n=2)),
        reply(tool("mcp__srv__bad"), tool("mcp__srv__boom")),
        reply(tool("mcp__srv__slow", n="many")),
        "done",
    )
    server = create_sdk_mcp_server("srv", tools=[slow, bad, boom])
    await scene.one(mcp_servers={"srv": server}, allowed_tools=["mcp__srv"])


@scenario
async def background_bash(scene: Scene) -> None:
    scene.replies(shell("sleep 0.3; echo bg", run_in_background=True), "waiting", "noticed", "z2")
    async with scene.client(permission_mode="bypassPermissions") as client:
        await client.query("go")
        results = 0
        async for message in client.receive_messages():
            scene.seen.take(message)
            results += isinstance(message, ResultMessage)
            if results == 2:
                break


# Sub-agents -----------------------------------------------------------------------------------------------------


def delegating(**more: Any) -> Reply:
    """Reply with a call of the sub-agent ``helper``."""
    task = {"description": "do it", "prompt": "SUBPROMPT please", "subagent_type": "helper"}
    return reply("delegating", tool("Agent", **task, **more))


def of_helper(*replies: Reply | str, gate: threading.Event | None = None) -> Any:
    """Give the rule by which requests of the sub-agent are answered, once the gate is open."""
    left = [*replies]

    def next_reply(request: Any) -> Reply:
        if gate is not None:
            assert gate.wait(40)
        found = left.pop(0)
        return reply(found) if isinstance(found, str) else found

    def is_helper(request: Any) -> bool:
        return "SUBPROMPT" in str(request.messages[0])

    return rule(is_helper, next_reply)


@scenario
async def subagent(scene: Scene) -> None:
    path = scene.put("a.txt")
    working = reply("sub text", tool("Read", file_path=path))
    main = ("main done", "main done 2", "main done 3")
    told = threading.Event()
    scene.replies(delegating(), *main, rules=(of_helper(working, "sub final", gate=told),))
    helper = AgentDefinition(description="helps", prompt="HELPER SYSTEM", tools=["Read"])
    async with scene.client(
        agents={"helper": helper}, allowed_tools=["Agent"], can_use_tool=scene.asking()
    ) as client:
        await scene.turn(client, "go")
        told.set()
        await scene.place.left(5)


@scenario
async def subagent_fg(scene: Scene) -> None:
    path = scene.put("a.txt")
    calls = (tool("Read", file_path=path), tool("Bash", command="touch q"))
    rules = (of_helper(reply("sub text", *calls), "sub final"),)
    main = ("main done", "main done 2", "main done 3")
    scene.replies(delegating(run_in_background=False), *main, rules=rules)
    helper = AgentDefinition(
        description="helps", prompt="HELPER SYSTEM", tools=["Read", "Bash"], background=False
    )
    await scene.one(
        agents={"helper": helper},
        can_use_tool=scene.asking(),
        hooks={**scene.hook("SubagentStart"), **scene.hook("SubagentStop")},
        forward_subagent_text=True,
    )
