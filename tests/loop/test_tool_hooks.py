"""The moments around a call, and what hooks leave for the model."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import anyio
import pytest

from agent_tui.loop.tool_call import STOPPED_BY_HOOK
from agent_tui.loop.tool_hooks import replaced
from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.display import TextDisplay
from agent_tui.protocol.hooks import HookOutcome
from agent_tui.protocol.messages import UserMessage
from agent_tui.protocol.ports import ShellCommand
from agent_tui.tools.base import ToolCall, ToolOutput
from tests.fakes.model import call
from tests.loop.spoken import Spoken
from tests.loop.stage import FakeTool, Stage
from tests.loop.test_tool_call import answered, called, texts

pytestmark = pytest.mark.anyio


async def _fails(args: JsonObject, call: ToolCall) -> ToolOutput:
    return ToolOutput("exit 1", is_error=True)


async def _structured(args: JsonObject, call: ToolCall) -> ToolOutput:
    return ToolOutput("a\nb", structured={"stdout": "a", "stderr": "b", "interrupted": False})


def stage_of(folder: Path, hooks: Spoken, *tools: FakeTool, **more: Any) -> Stage:
    return Stage(folder, tools=tools, hooks=hooks, mode="bypassPermissions", **more)


def reminders(stage: Stage) -> list[str]:
    """The texts that follow the results in the next request."""
    content = stage.next_request().messages[-1]["content"]
    return [str(block["text"]) for block in content if block["type"] == "text"]


async def test_each_call_has_its_moments_and_all_have_one_together(tmp_path: Path) -> None:
    hooks = Spoken()
    stage = stage_of(
        tmp_path, hooks, FakeTool("Bash", _structured), FakeTool("Boom", _fails, read_only=True)
    )
    await stage.batch().run(await called(stage, call("Bash", n=1), call("Boom"), call("Nix")))
    assert hooks.events == [
        "PreToolUse",
        "PostToolUse",
        "PreToolUse",
        "PostToolUseFailure",
        "PostToolBatch",
    ]
    before, after = hooks.given("PreToolUse"), hooks.given("PostToolUse")
    assert before == {"tool_name": "Bash", "tool_input": {"n": 1}, "tool_use_id": "id_Bash"}
    assert after["duration_ms"] >= 0
    assert after["tool_response"] == {"stdout": "a", "stderr": "b", "interrupted": False}
    failed = hooks.given("PostToolUseFailure")
    assert (failed["error"], failed["is_interrupt"]) == ("exit 1", False)
    batch = hooks.given("PostToolBatch")["tool_calls"]
    assert [(one["tool_use_id"], one["tool_response"]) for one in batch] == [
        ("id_Bash", "a\nb"),
        ("id_Boom", "exit 1"),
    ]
    assert [match for _, _, match in hooks.heard] == ["Bash", "Bash", "Boom", "Boom", ""]


async def test_a_call_that_can_t_be_run_has_no_moments(tmp_path: Path) -> None:
    hooks = Spoken()
    stage = stage_of(tmp_path, hooks, FakeTool("Look", read_only=True))
    await stage.batch().run(await called(stage, call("Nix"), call("Look", wrong=1)))
    assert hooks.events == []


async def test_hooks_of_a_change_fire_only_when_the_one_before_has_ended(tmp_path: Path) -> None:
    hooks = Spoken()
    stage = stage_of(tmp_path, hooks, FakeTool("Bash"))
    await stage.batch().run(await called(stage, call("Bash", "1"), call("Bash", "2")))
    ids = [given.get("tool_use_id") for _, given, _ in hooks.heard[:4]]
    assert ids == ["1", "1", "2", "2"]


async def test_a_hook_has_run_before_the_result_is_said(tmp_path: Path) -> None:
    def look(given: JsonObject) -> HookOutcome:
        assert stage.all(UserMessage)[1:] == []
        return HookOutcome()

    hooks = Spoken({"PostToolUse": look})
    stage = stage_of(tmp_path, hooks, FakeTool("Bash"))
    await stage.batch().run(await called(stage, call("Bash")))
    assert "PostToolUse" in hooks.events
    assert texts(stage) == ["done"]


@pytest.mark.parametrize(
    ("name", "field"),
    [("Read", "file_path"), ("Write", "file_path"), ("NotebookEdit", "notebook_path")],
)
async def test_hooks_are_given_whole_paths(tmp_path: Path, name: str, field: str) -> None:
    hooks, tool = Spoken(), FakeTool(name)
    stage = stage_of(tmp_path, hooks, tool)
    await stage.batch().run(await called(stage, call(name, **{field: "a/b.py"})))
    assert hooks.given("PreToolUse")["tool_input"] == {field: str(tmp_path / "a/b.py")}
    assert hooks.given("PostToolUse")["tool_input"] == {field: str(tmp_path / "a/b.py")}
    assert tool.ran == [{field: "a/b.py"}]


async def test_their_texts_follow_all_results_in_the_order_of_the_calls(tmp_path: Path) -> None:
    second_ran = anyio.Event()

    async def slow(args: JsonObject, call: ToolCall) -> ToolOutput:
        await second_ran.wait()
        return ToolOutput("slow")

    async def fast(args: JsonObject, call: ToolCall) -> ToolOutput:
        second_ran.set()
        return ToolOutput("fast", aside="by the way")

    def post(given: JsonObject) -> HookOutcome:
        return HookOutcome(
            blocked=f"no {given['tool_name']}", additional_context=(str(given["tool_name"]),)
        )

    hooks = Spoken(
        {"PostToolUse": post, "PostToolBatch": HookOutcome(additional_context=("all done",))}
    )
    stage = stage_of(
        tmp_path, hooks, FakeTool("A", slow, read_only=True), FakeTool("B", fast, read_only=True)
    )
    await stage.batch().run(await called(stage, call("A"), call("B")))
    stage.require_valid()
    said = reminders(stage)
    assert [text.splitlines()[1] if "\n" in text else text for text in said] == [
        "A PostToolUse hook adds: A",
        "A PostToolUse hook objects: no A",
        "A PostToolUse hook adds: B",
        "A PostToolUse hook objects: no B",
        "by the way",
        "A PostToolBatch hook adds: all done",
    ]
    assert all(text.startswith("<system-reminder>") for text in said if text != "by the way")
    assert texts(stage) == ["slow", "fast"]


async def test_before_a_tool_an_end_lets_it_run_and_nothing_after(tmp_path: Path) -> None:
    hooks = Spoken({"PreToolUse": HookOutcome(stop="that will do")})
    tool = FakeTool("Bash")
    stage = stage_of(tmp_path, hooks, tool)
    outcome = await stage.batch().run(await called(stage, call("Bash", "1"), call("Bash", "2")))
    assert outcome.stop == "that will do"
    assert len(tool.ran) == 1
    assert texts(stage) == ["done", STOPPED_BY_HOOK]
    assert answered(stage) == ["1", "2"]
    assert stage.notices == ["A hook ended the run: that will do"]
    stage.require_valid()


async def test_after_all_tools_a_block_ends_the_run(tmp_path: Path) -> None:
    hooks = Spoken({"PostToolBatch": HookOutcome(blocked="enough")})
    stage = stage_of(tmp_path, hooks, FakeTool("Bash"))
    assert (await stage.batch().run(await called(stage, call("Bash")))).stop == "enough"
    hooks = Spoken({"PostToolUse": HookOutcome(stop="")})
    stage = stage_of(tmp_path, hooks, FakeTool("Bash"))
    assert (await stage.batch().run(await called(stage, call("Bash")))).stop == ""
    assert stage.notices == ["A hook ended the run."]


async def test_a_command_that_goes_elsewhere_is_told(tmp_path: Path) -> None:
    inner = tmp_path / "inner"
    inner.mkdir()
    hooks = Spoken()
    stage = Stage(tmp_path, hooks=hooks, mode="bypassPermissions")

    async def goes(args: JsonObject, call: ToolCall) -> ToolOutput:
        async def hear(output: object) -> None:
            pass

        line = ShellCommand("cd inner", 5000, "c", str(tmp_path / "spill"), (str(tmp_path),))
        await call.ports.shell.run(line, hear)
        return ToolOutput("went")

    stage.tools = [FakeTool("Bash", goes)]
    stage.__post_init__()
    await stage.batch().run(await called(stage, call("Bash")))
    await stage.place.ports.shell.aclose()
    assert hooks.given("CwdChanged") == {"old_cwd": str(tmp_path), "new_cwd": str(inner)}


async def test_an_interrupt_while_a_hook_looks_keeps_what_the_tool_gave(tmp_path: Path) -> None:
    looking = anyio.Event()

    class Slow(Spoken):
        async def fire(self, event: Any, fields: Any = None, *, match: str = "") -> HookOutcome:
            if event == "PreToolUse":
                return HookOutcome(additional_context=("told before",))
            looking.set()
            await anyio.sleep_forever()
            raise AssertionError

    stage = stage_of(tmp_path, Slow(), FakeTool("Bash"))
    calls = await called(stage, call("Bash"))
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(stage.batch().run, calls)
        await looking.wait()
        tasks.cancel_scope.cancel()
    assert texts(stage) == ["done"]
    assert "told before" in reminders(stage)[0]
    stage.require_valid()


async def test_what_the_model_gets_is_replaced(tmp_path: Path) -> None:
    hooks = Spoken({"PostToolUse": HookOutcome(updated_output={"stdout": "[hidden]"})})
    stage = stage_of(tmp_path, hooks, FakeTool("Bash", _structured))
    await stage.batch().run(await called(stage, call("Bash")))
    assert texts(stage) == ["[hidden]\nb"]
    assert hooks.given("PostToolBatch")["tool_calls"][0]["tool_response"] == "[hidden]\nb"


async def test_a_replacement_of_another_shape_is_refused_and_told(tmp_path: Path) -> None:
    hooks = Spoken({"PostToolUse": HookOutcome(updated_output={"text": "x"})})
    stage = stage_of(tmp_path, hooks, FakeTool("Bash", _structured))
    await stage.batch().run(await called(stage, call("Bash")))
    assert texts(stage) == ["a\nb"]
    assert "updatedToolOutput" in stage.notices[0]


OBJECT = ToolOutput("1", TextDisplay(title="T"), {"file": {"content": "x"}, "type": "text"})
BLOCKS = ToolOutput([{"type": "text", "text": "x"}], None, [{"type": "text", "text": "x"}])


@pytest.mark.parametrize(
    ("output", "given", "content"),
    [
        (OBJECT, "plain", "plain"),
        (OBJECT, " ", "(no output)"),
        (OBJECT, {"type": "y"}, '{"file": {"content": "x"}, "type": "y"}'),
        (OBJECT, {}, None),
        (OBJECT, {"other": 1}, None),
        (OBJECT, [{"type": "text", "text": "y"}], None),
        (BLOCKS, [{"type": "text", "text": "y"}], [{"type": "text", "text": "y"}]),
        (BLOCKS, "plain", "plain"),
        (BLOCKS, [], None),
        (BLOCKS, ["y"], None),
        (BLOCKS, [{"text": "y"}], None),
        (BLOCKS, 7, None),
    ],
)
def test_what_fits_in_a_results_place(output: ToolOutput, given: Any, content: Any) -> None:
    found = replaced(output, given)
    assert (None if found is None else found.content) == content
    if found is not None:
        assert found.display == output.display
