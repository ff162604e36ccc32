from __future__ import annotations

import re
from pathlib import Path

import anyio
import pytest

from agent_tui.loop.answer import CallSeen
from agent_tui.loop.hooks import NoHooks
from agent_tui.loop.permission import DENIED_BY_PERSON
from agent_tui.loop.stopped import STOPPED_BEFORE, STOPPED_DURING
from agent_tui.model.client import BlockDone
from agent_tui.protocol.access import Access, RunCommand
from agent_tui.protocol.content import JsonObject, ToolUseBlock
from agent_tui.protocol.display import CommandDisplay, DiffDisplay
from agent_tui.protocol.hooks import HookEvent, HookOutcome
from agent_tui.protocol.messages import ToolProgress, UserMessage
from agent_tui.protocol.requests import Allow, Deny
from agent_tui.tools.base import ToolCall, ToolOutput
from agent_tui.tools.builtin.bash import Bash
from tests.context.wire import complaints
from tests.fakes.model import ScriptedModel, call, said
from tests.loop.stage import FakeTool, Moments, Person, Stage

pytestmark = pytest.mark.anyio


async def called(
    stage: Stage, *blocks: ToolUseBlock, unparsed: str | None = None
) -> tuple[CallSeen, ...]:
    """Put calls into the conversation as an answer does."""
    await stage.record.prompt("go", None)
    seen: list[CallSeen] = []
    for index, block in enumerate(blocks):
        uuid = await stage.record.block(
            BlockDone(index, block, unparsed),
            message_id="m",
            model="x",
            asked_model="x",
            usage=None,
        )
        seen.append(CallSeen(block, unparsed, uuid))
    return tuple(seen)


def texts(stage: Stage) -> list[str]:
    return [str(result.content) for result in stage.tool_results]


def answered(stage: Stage) -> list[str]:
    return [result.tool_use_id for result in stage.tool_results]


class Failing:
    """What tools can do badly."""

    @staticmethod
    async def crash(args: JsonObject, call: ToolCall) -> ToolOutput:
        raise RuntimeError

    @staticmethod
    async def stuck(args: JsonObject, call: ToolCall) -> ToolOutput:
        await call.progress(CommandDisplay("make", head=("so far",), exit_code=-15))
        await anyio.sleep_forever()
        raise AssertionError


async def test_every_bad_call_gets_a_result_that_says_what_is_wrong(tmp_path: Path) -> None:
    stage = Stage(
        tmp_path,
        tools=[FakeTool("Look", read_only=True), FakeTool("Boom", Failing.crash, read_only=True)],
    )
    calls = await called(stage, call("Nix"), call("Look", "l", wrong=1), call("Boom"))
    outcome = await stage.batch().run(calls)
    unknown, wrong, crashed = texts(stage)
    assert "no tool named 'Nix'" in unknown and "Look, Boom" in unknown
    assert "takes no 'wrong'" in wrong
    assert crashed == "The tool failed: RuntimeError"
    assert all(result.is_error for result in stage.tool_results)
    assert (outcome.denials, outcome.interrupt) == ([], False)
    stage.require_valid()


async def test_input_that_is_no_object_is_not_run(tmp_path: Path) -> None:
    look = FakeTool("Look", read_only=True)
    stage = Stage(tmp_path, tools=[look])
    await stage.batch().run(await called(stage, call("Look"), unparsed='{"file'))
    assert '{"file' in texts(stage)[0]
    assert not look.ran
    stage.require_valid()


async def test_p7_names_the_api_refuses_go_out_changed_and_come_back_as_they_were(
    tmp_path: Path,
) -> None:
    names = ["calendar.list", "Dockerfile problems scanner", "n" * 140, "Read", "calendar_list"]
    names += ["calendar list", "n" * 141]
    tools = [FakeTool(name) for name in names]
    person = Person()
    stage = Stage(tmp_path, tools=tools, approver=person)
    assert complaints(stage.next_request()) == []
    wire = [schema["name"] for schema in stage.next_request().tools]
    assert wire[3] == "Read"
    assert len(set(wire)) == len(names)
    assert all(re.fullmatch(r"[a-zA-Z0-9_-]{1,128}", name) for name in wire)
    await stage.batch().run(
        await called(stage, *(call(name, f"c{i}") for i, name in enumerate(wire)))
    )
    assert [request.tool_name for request in person.asked] == names
    assert all(len(tool.ran) == 1 for tool in tools)
    stage.require_valid()


async def test_calls_that_only_look_run_together_and_are_told_in_order(tmp_path: Path) -> None:
    second_ran = anyio.Event()

    async def first(args: JsonObject, call: ToolCall) -> ToolOutput:
        await second_ran.wait()
        return ToolOutput("first")

    async def second(args: JsonObject, call: ToolCall) -> ToolOutput:
        second_ran.set()
        return ToolOutput("second")

    stage = Stage(
        tmp_path,
        tools=[FakeTool("A", first, read_only=True), FakeTool("B", second, read_only=True)],
    )
    with anyio.fail_after(5):
        await stage.batch().run(await called(stage, call("A"), call("B")))
    assert texts(stage) == ["first", "second"]
    written = [line.blocks[0]["content"] for line in stage.record.conversation.lines[-2:]]
    assert written == ["second", "first"]
    stage.require_valid()


class Lines(FakeTool):
    """A shell that runs nothing; ``most`` is how many lines were in it at once."""

    def __init__(self) -> None:
        super().__init__("Bash", self._line)
        self.most = self._now = 0

    def access(self, args: JsonObject, cwd: Path) -> Access:
        return RunCommand(args["command"], str(cwd))

    async def _line(self, args: JsonObject, call: ToolCall) -> ToolOutput:
        self._now += 1
        self.most = max(self.most, self._now)
        await anyio.lowlevel.checkpoint()
        self._now -= 1
        return ToolOutput("out")


@pytest.mark.parametrize(
    ("lines", "most"), [(("ls", "pwd", "ls"), 3), (("ls", "touch x"), 1), (("rm x", "rm y"), 1)]
)
async def test_shell_lines_that_only_look_run_together(
    tmp_path: Path, lines: tuple[str, ...], most: int
) -> None:
    shell = Lines()
    stage = Stage(tmp_path, tools=[shell], mode="bypassPermissions")
    calls = [call("Bash", f"c{n}", command=line) for n, line in enumerate(lines)]
    await stage.batch().run(await called(stage, *calls))
    assert shell.most == most
    assert len(shell.ran) == len(lines)
    stage.require_valid()


async def test_a_file_that_was_made_is_known_as_the_sessions_own(tmp_path: Path) -> None:
    async def make(args: JsonObject, call: ToolCall) -> ToolOutput:
        (tmp_path / "made.txt").touch()
        return ToolOutput("made", DiffDisplay("made.txt", created=True))

    shell = Lines()
    stage = Stage(tmp_path, tools=[FakeTool("Make", make), shell], mode="acceptEdits")
    person = Person(Deny())
    stage.approver = person
    remove = call("Bash", "r", command="rm made.txt")
    await stage.batch().run(await called(stage, call("Make"), remove))
    assert person.asked == []
    assert len(shell.ran) == 1


async def test_what_a_shell_line_made_is_known_as_the_sessions_own(tmp_path: Path) -> None:
    (tmp_path / "theirs").touch()
    stage = Stage(tmp_path, tools=[Bash()], mode="acceptEdits")
    person = Person(Deny())
    stage.approver = person
    lines = ("touch ours theirs", "mkdir d", "echo x > t", "rm ours t", "rmdir d", "rm theirs")
    calls = [call("Bash", f"c{n}", command=line) for n, line in enumerate(lines)]
    await stage.batch().run(await called(stage, *calls))
    assert [asked.input["command"] for asked in person.asked] == ["rm theirs"]
    assert sorted(path.name for path in tmp_path.iterdir() if path.name != "spill") == ["theirs"]


async def test_calls_that_change_things_run_one_by_one_and_are_made_durable_first(
    tmp_path: Path,
) -> None:
    order: list[str] = []

    async def does(args: JsonObject, call: ToolCall) -> ToolOutput:
        order.append(f"{args['n']} begins")
        await anyio.lowlevel.checkpoint()
        order.append(f"{args['n']} ends")
        return ToolOutput("x")

    stage = Stage(tmp_path, tools=[FakeTool("Change", does)])
    await stage.batch().run(await called(stage, call("Change", "1", n=1), call("Change", "2", n=2)))
    assert order == ["1 begins", "1 ends", "2 begins", "2 ends"]
    states = [m.state for m in stage.all(ToolProgress)]
    assert states == ["queued", "running", "running"]
    at = stage.sink.log.index("sync")
    assert "AssistantEntry" in stage.sink.log[:at]
    assert stage.sink.log[at + 1] == "UserEntry"


async def test_a_person_who_declines_is_told_to_the_model_and_the_result(tmp_path: Path) -> None:
    tool = FakeTool("Change")
    stage = Stage(tmp_path, tools=[tool], approver=Person(Deny()))
    outcome = await stage.batch().run(await called(stage, call("Change", n=1)))
    assert texts(stage) == [DENIED_BY_PERSON]
    assert not tool.ran
    assert outcome.denials == [
        {"tool_name": "Change", "tool_use_id": "id_Change", "tool_input": {"n": 1}}
    ]


async def test_declining_with_a_stop_answers_what_is_left_unrun(tmp_path: Path) -> None:
    tools = [FakeTool("Change"), FakeTool("Look", read_only=True)]
    stage = Stage(tmp_path, tools=tools, approver=Person(Deny("stop", interrupt=True)))
    outcome = await stage.batch().run(await called(stage, call("Change"), call("Look")))
    assert outcome.interrupt
    assert texts(stage) == ["stop", STOPPED_BEFORE]
    assert not tools[1].ran
    stage.require_valid()


@pytest.mark.parametrize(
    ("given", "ran", "text"),
    [
        ({"n": 2}, [{"n": 2}], "done\n\nchanged"),
        ({"wrong": 1}, [], "The changed input can't be used"),
    ],
)
async def test_input_that_the_person_changed_is_checked_again(
    tmp_path: Path, given: JsonObject, ran: list[JsonObject], text: str
) -> None:
    tool = FakeTool("Change")
    stage = Stage(tmp_path, tools=[tool], approver=Person(Allow(given, note="changed")))
    await stage.batch().run(await called(stage, call("Change", n=1)))
    assert tool.ran == ran
    assert texts(stage)[0].startswith(text)


class Adding(NoHooks):
    """Hooks that change the input and add text for the model."""

    def __init__(self, change: JsonObject) -> None:
        self.change = change
        self.after: list[tuple[str, str]] = []

    async def fire(
        self, event: HookEvent, fields: JsonObject | None = None, *, match: str = ""
    ) -> HookOutcome:
        if event == "PreToolUse":
            return HookOutcome(updated_input=self.change, additional_context=("before",))
        self.after.append((match, event))
        return HookOutcome(additional_context=("after",) if match else ())


async def test_hooks_change_the_input_and_add_text(tmp_path: Path) -> None:
    hooks, look = Adding({"n": 9}), FakeTool("Look.er", read_only=True)
    stage = Stage(tmp_path, tools=[look], hooks=hooks)
    await stage.batch().run(await called(stage, call("Look_er", n=1)))
    assert look.ran == [{"n": 9}]
    assert hooks.after == [("Look.er", "PostToolUse"), ("", "PostToolBatch")]
    _, before, after = stage.next_request().messages[-1]["content"]
    assert "A PreToolUse hook adds: before" in before["text"]
    assert "A PostToolUse hook adds: after" in after["text"]
    stage.require_valid()


async def test_a_hook_that_breaks_the_input_is_told(tmp_path: Path) -> None:
    stage = Stage(tmp_path, tools=[FakeTool("Look", read_only=True)], hooks=Adding({"wrong": 1}))
    await stage.batch().run(await called(stage, call("Look", n=1)))
    assert "hook" in texts(stage)[0]


async def test_refused_calls_are_answered_without_being_run(tmp_path: Path) -> None:
    tool = FakeTool("Look", read_only=True)
    stage = Stage(tmp_path, tools=[tool])
    await stage.batch().refuse(await called(stage, call("Look")), "no more money")
    assert (texts(stage), tool.ran) == (["no more money"], [])
    stage.require_valid()


async def test_an_interrupt_keeps_what_a_command_has_said_so_far(tmp_path: Path) -> None:
    stage = Stage(tmp_path, tools=[FakeTool("Make", Failing.stuck)], mode="bypassPermissions")
    calls = await called(stage, call("Make"), call("Make", "2"))
    async with anyio.create_task_group() as group:
        group.start_soon(stage.batch().run, calls)
        await anyio.wait_all_tasks_blocked()
        group.cancel_scope.cancel()
    first, second = texts(stage)
    assert first.startswith(STOPPED_DURING)
    assert "so far" in first and "SIGTERM" in first
    assert second == STOPPED_BEFORE
    display = next(m.display for m in stage.all(UserMessage) if m.display is not None)
    assert isinstance(display, CommandDisplay) and display.interrupted
    stage.require_valid()


async def test_cancelled_anywhere_every_call_is_answered_once(tmp_path: Path) -> None:
    at = 1
    while True:
        moments = Moments(at)

        async def does(args: JsonObject, call: ToolCall, pause: Moments = moments) -> ToolOutput:
            await pause()
            return ToolOutput("done")

        tools = [FakeTool("Look", does, read_only=True), FakeTool("Change", does)]
        stage = Stage(
            tmp_path, ScriptedModel(said("unused")), tools, moments, Person(moments=moments)
        )
        order = ["a", "b", "c", "d", "e"]
        names = ["Look", "Look", "Change", "Nix", "Look"]
        calls: tuple[CallSeen, ...] = ()
        with moments.scope:
            calls = await called(stage, *map(call, names, order))
            await stage.batch().run(calls)
        if not moments.reached:
            break
        if calls:
            assert answered(stage) == order
            stage.require_valid()
        at += 1
    assert texts(stage)[:3] == ["done"] * 3
    assert at > 15
