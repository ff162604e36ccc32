"""Drivers of the scenarios that the reference was watched in: limits, stop reasons, failures of the API.

The scripted replies and the options are those that ``tests/data/sdk-sequences.json`` tells the outcome of.
"""

from __future__ import annotations

from typing import Any

from tests.fakes.api_server import (
    cut,
    http_error,
    reply,
    sse_error,
    tool,
)
from tests.sdk.scene import Scene, scenario, shell

NUMBER = {
    "type": "json_schema",
    "schema": {
        "type": "object",
        "properties": {"n": {"type": "integer"}},
        "required": ["n"],
    },
}


# Limits and structured output -----------------------------------------------------------------------------------


async def looping(scene: Scene, **wanted: Any) -> None:
    """Have the model call a tool again and again."""
    scene.replies(*[shell(f"echo {number}") for number in range(4)])
    await scene.one(**wanted)


@scenario
async def max_turns_1(scene: Scene) -> None:
    await looping(scene, max_turns=1)


@scenario
async def max_turns_2(scene: Scene) -> None:
    await looping(scene, max_turns=2)


@scenario
async def max_turns_text_only(scene: Scene) -> None:
    scene.replies("just text")
    await scene.one(max_turns=1)


@scenario
async def budget_tiny(scene: Scene) -> None:
    await looping(scene, max_budget_usd=0.0001)


@scenario
async def output_format_ok(scene: Scene) -> None:
    scene.replies(reply(tool("StructuredOutput", n=5)), "done")
    await scene.one(output_format=NUMBER)


@scenario
async def output_format_text_only(scene: Scene) -> None:
    scene.replies('{"n": 5}', *["nope"] * 8)
    await scene.one(output_format=NUMBER)


# Stop reasons ---------------------------------------------------------------------------------------------------


@scenario
async def max_tokens_text(scene: Scene) -> None:
    cut_off = reply("cut off te", stop_reason="max_tokens")
    scene.replies(cut_off, cut_off, "r1", "r2", "r3")
    await scene.one()


@scenario
async def max_tokens_tool(scene: Scene) -> None:
    half = '{"file_path": "/outside/zz", "content": "abc'
    scene.replies(
        reply("start", tool("Write", raw=half), stop_reason="max_tokens"), "r1", "r2", "r3", "r4"
    )
    await scene.one(permission_mode="acceptEdits")


@scenario
async def ctx_exceeded(scene: Scene) -> None:
    scene.replies(reply("partial", stop_reason="model_context_window_exceeded"), "r1", "r2")
    await scene.one()


@scenario
async def pause_turn(scene: Scene) -> None:
    scene.replies(reply("paused", stop_reason="pause_turn"), "resumed", "r2")
    await scene.one()


@scenario
async def refusal(scene: Scene) -> None:
    details = {"type": "refusal", "category": "cyber", "explanation": "x"}
    scene.replies(reply("I can", stop_reason="refusal", stop_details=details), "r1", "r2")
    async with scene.client() as client:
        await scene.turn(client, "go")
        scene.seen.mark("next")
        await scene.turn(client, "next")


@scenario
async def empty_response(scene: Scene) -> None:
    scene.replies(reply(), "r1", "r2")
    await scene.one()


# Failures of the API --------------------------------------------------------------------------------------------


@scenario
async def overloaded3(scene: Scene) -> None:
    scene.replies(*[http_error(529)] * 3, "recovered")
    await scene.one()


@scenario
async def fallback_model(scene: Scene) -> None:
    scene.replies(*[http_error(529)] * 4, "recovered")
    await scene.one(fallback_model="claude-haiku-5-5")


@scenario
async def err400(scene: Scene) -> None:
    scene.replies(http_error(400, message="something invalid"), "recovered")
    async with scene.client() as client:
        await scene.turn(client, "go")
        scene.seen.mark("next")
        await scene.turn(client, "next")


@scenario
async def err401(scene: Scene) -> None:
    scene.replies(*[http_error(401)] * 5, "recovered")
    await scene.one()


async def failing(scene: Scene, status: int, said: str | None = None) -> None:
    """Have every model call fail."""
    scene.retries = "1"
    scene.replies(*[http_error(status, message=said)] * 9)
    await scene.one()


@scenario
async def final_403(scene: Scene) -> None:
    await failing(scene, 403)


@scenario
async def final_404(scene: Scene) -> None:
    await failing(scene, 404, "model: claude-sonnet-5-5")


@scenario
async def final_529(scene: Scene) -> None:
    await failing(scene, 529)


@scenario
async def cut_tool(scene: Scene) -> None:
    path = scene.put("a.txt")
    broken = reply("txt", tool("Read", file_path=path), fault=cut(1, 20), chunk=8)
    scene.replies(broken, "recovered", "r2", "r3")
    await scene.one()


@scenario
async def sse_error_(scene: Scene) -> None:
    broken = reply("some text that is cut " * 10, fault=sse_error(chars=60))
    scene.replies(broken, "recovered", "r2")
    await scene.one()
