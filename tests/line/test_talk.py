"""The talk: prompts go, questions are asked before the next prompt, and the ways to stop and to leave."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import anyio
import pytest

from agent_tui.line.talk import HELP, Ended, Talk
from agent_tui.link.base import EngineLost, EngineUp, OpenFailed
from agent_tui.protocol.content import TextBlock
from agent_tui.protocol.display import CommandDisplay
from agent_tui.protocol.messages import (
    AssistantMessage,
    QueuedPrompt,
    ResultMessage,
    StatusChanged,
    UserMessage,
)
from agent_tui.protocol.ops import Answer, Interrupt, Op, Prompt
from agent_tui.protocol.queries import MessagePage, Page
from agent_tui.protocol.records import to_record
from agent_tui.protocol.requests import Allow, Deny, PermissionRequest, RequestClosed
from tests.tui.fake_link import FakeLink

IDLE = StatusChanged("s1", "m1", "default", total_cost_usd=0.5, cwd="/p", context_window=100)


class Typist:
    """Gives the lines a test wants, one for each time one is read; waits when there is none."""

    def __init__(self) -> None:
        self.messages: list[str] = []
        self._lines: list[str | BaseException] = []
        self._typed = anyio.Event()

    def type(self, *lines: str | BaseException) -> None:
        self._lines += lines
        self._typed.set()

    async def prompt(self, message: str) -> str:
        self.messages.append(message)
        while not self._lines:
            self._typed = anyio.Event()
            await self._typed.wait()
        line = self._lines.pop(0)
        if isinstance(line, BaseException):
            raise line
        return line

    async def answer(self, message: str, text: str = "") -> str:
        line = await self.prompt(message)
        return f"{text}{line}" if text else line


@dataclass
class Stage:
    """One talk with what it says and keeps."""

    has_past: bool = False
    link: FakeLink = field(default_factory=FakeLink)
    typist: Typist = field(default_factory=Typist)
    said: list[str] = field(default_factory=list[str])
    kept: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    ended: Ended | None = None

    def __post_init__(self) -> None:
        self.talk = Talk(
            self.link,
            self.typist,
            self.said.append,
            lambda text, session: self.kept.append((text, session)),
            has_past=self.has_past,
        )
        self.link.on_send = self.answers

    def answers(self, op: Op) -> None:
        """Answer a prompt as a session does, unless a test has other plans."""
        if isinstance(op, Prompt):
            self.link.say(
                UserMessage(op.text, op.uuid),
                AssistantMessage((TextBlock(f"You said {op.text}."),), "m1", message_id=op.uuid),
                done(op),
            )

    async def run(self, first: str = "") -> None:
        try:
            self.ended = await self.talk.run(first)
        finally:
            self.link.drop()

    async def until(self, met: Callable[[], bool]) -> None:
        with anyio.fail_after(5):
            while not met():
                await anyio.sleep(0.001)


def done(prompt: Prompt) -> ResultMessage:
    return ResultMessage("success", 1_000, 1, False, 1, "s1", user_message_uuid=prompt.uuid)


def question(request_id: str = "r1") -> PermissionRequest:
    return PermissionRequest(
        request_id, "Bash", "t1", {"command": "make"}, CommandDisplay("make"), "Run this command?", "why"
    )  # fmt: skip


@asynccontextmanager
async def talking(stage: Stage, first: str = "") -> AsyncGenerator[Stage]:
    async with anyio.create_task_group() as group:
        group.start_soon(stage.run, first)
        stage.link.say(EngineUp(), IDLE)
        yield stage
        stage.talk.leave(0)


pytestmark = pytest.mark.anyio


@pytest.fixture
def stage() -> Stage:
    return Stage()


async def test_a_prompt_goes_and_what_comes_of_it_is_said(stage: Stage) -> None:
    async with talking(stage):
        stage.typist.type("hello")
        await stage.until(lambda: any("Done" in line for line in stage.said))
        assert "You said hello." in stage.said
        assert stage.kept == [("hello", "s1")]
        await stage.until(lambda: stage.typist.messages == ["> ", "> "])


async def test_the_first_prompt_comes_from_the_command_line(stage: Stage) -> None:
    async with talking(stage, "at once"):
        await stage.until(lambda: "You said at once." in stage.said)


async def test_a_question_is_asked_before_the_next_prompt_and_asked_on_until_answered(
    stage: Stage,
) -> None:
    def asks(op: Op) -> None:
        if isinstance(op, Prompt):
            stage.link.say(question())
        elif isinstance(op, Answer):
            stage.link.say(RequestClosed(op.request_id, "answered"))
            stage.link.say(done(stage.link.of(Prompt)[0]))

    stage.link.on_send = asks
    async with talking(stage):
        stage.typist.type("go", "", "hm", "yes please")
        await stage.until(lambda: any("Done" in line for line in stage.said))
        [answer] = stage.link.of(Answer)
        assert isinstance(answer.answer, Allow)
        assert "Nothing was answered." in stage.said
        assert stage.said.count("Question: Run this command?") == 1
        assert stage.typist.messages[:4] == ["> ", "answer: ", "answer: ", "answer: "]


async def test_a_command_can_be_changed_before_it_runs(stage: Stage) -> None:
    stage.link.on_send = lambda op: stage.link.say(question()) if isinstance(op, Prompt) else None
    async with talking(stage):
        stage.typist.type("go", "edit", " -n")
        await stage.until(lambda: bool(stage.link.of(Answer)))
        answer = stage.link.of(Answer)[0].answer
        assert isinstance(answer, Allow)
        assert answer.updated_input == {"command": "make -n"}
        assert "'make' to 'make -n'" in answer.note
        assert stage.typist.messages[:3] == ["> ", "answer: ", "change: "]


@pytest.mark.parametrize("key", [EOFError(), KeyboardInterrupt()])
async def test_leaving_a_question_stops(stage: Stage, key: BaseException) -> None:
    stage.link.on_send = lambda op: stage.link.say(question()) if isinstance(op, Prompt) else None
    async with talking(stage):
        stage.typist.type("go", key)
        await stage.until(lambda: bool(stage.link.of(Answer)))
        assert stage.link.of(Answer)[0].answer == Deny(interrupt=True)


async def test_a_question_that_comes_while_a_prompt_is_read_is_announced(stage: Stage) -> None:
    async with talking(stage):
        await stage.until(lambda: stage.typist.messages == ["> "])
        stage.link.say(question())
        await stage.until(lambda: any("A question waits" in line for line in stage.said))
        stage.typist.type("", "no")
        await stage.until(lambda: bool(stage.link.of(Answer)))


async def test_a_question_answered_elsewhere_is_over_and_takes_no_line(stage: Stage) -> None:
    stage.link.on_send = lambda op: stage.link.say(question()) if isinstance(op, Prompt) else None
    async with talking(stage):
        stage.typist.type("go")
        await stage.until(lambda: stage.typist.messages == ["> ", "answer: "])
        stage.link.say(RequestClosed("r1", "withdrawn"), done(stage.link.of(Prompt)[0]))
        await stage.until(lambda: stage.typist.messages == ["> ", "answer: ", "> "])
        stage.typist.type("next")
        await stage.until(lambda: len(stage.link.of(Prompt)) == 2)
        assert not stage.link.of(Answer)


async def test_an_interrupt_stops_the_run_and_a_second_one_leaves(stage: Stage) -> None:
    stage.link.on_send = None
    async with anyio.create_task_group() as group:
        group.start_soon(stage.run)
        stage.link.say(EngineUp(), IDLE)
        stage.typist.type("go")
        await stage.until(lambda: bool(stage.link.of(Prompt)))
        stage.talk.interrupt(100.0)
        assert stage.link.of(Interrupt)
        stage.talk.interrupt(103.0)
        assert stage.ended is None
        stage.talk.interrupt(104.0)
    assert stage.ended == Ended(130)


@pytest.mark.parametrize("way", ["/exit", "/quit", EOFError()])
async def test_ways_to_leave(stage: Stage, way: str | BaseException) -> None:
    async with anyio.create_task_group() as group:
        group.start_soon(stage.run)
        stage.link.say(EngineUp(), IDLE)
        stage.typist.type(way)
    assert stage.ended == Ended(0)
    assert not stage.link.of(Prompt)


async def test_ctrl_c_at_the_prompt_leaves_only_the_second_time(stage: Stage) -> None:
    async with anyio.create_task_group() as group:
        group.start_soon(stage.run)
        stage.link.say(EngineUp(), IDLE)
        stage.typist.type(KeyboardInterrupt())
        await stage.until(lambda: "(Ctrl+C again leaves.)" in stage.said)
        stage.typist.type(KeyboardInterrupt())
    assert stage.ended == Ended(0)


async def test_help_and_status_are_of_this_mode_and_the_rest_the_sessions(stage: Stage) -> None:
    async with talking(stage):
        stage.typist.type("/help", "/status", "/cost")
        await stage.until(lambda: bool(stage.link.of(Prompt)))
        assert list(HELP) == stage.said[: len(HELP)]
        assert "Model m1, mode default, context 0% full, $0.5000 so far, in /p." in stage.said
        assert stage.link.of(Prompt)[0].text == "/cost"


async def test_a_session_that_can_not_be_opened_ends_the_talk(stage: Stage) -> None:
    async with anyio.create_task_group() as group:
        group.start_soon(stage.run)
        stage.link.say(OpenFailed("no key was found"))
    assert stage.ended == Ended(1, "no key was found")


async def test_an_engine_that_stops_gives_back_what_it_had_not_begun(stage: Stage) -> None:
    stage.link.on_send = None
    async with anyio.create_task_group() as group:
        group.start_soon(stage.run)
        stage.link.say(EngineUp(), IDLE)
        stage.typist.type("go")
        await stage.until(lambda: bool(stage.link.of(Prompt)))
        stage.link.say(EngineLost("killed", unsent=(QueuedPrompt("u", "go"),)), EngineUp(True))
        await stage.until(lambda: "Not begun: go" in stage.said)
        await stage.until(lambda: stage.typist.messages == ["> ", "> "])
        stage.link.say(EngineLost("killed", restarting=False))
    assert stage.ended is not None
    assert stage.ended.code == 1


async def test_a_resumed_session_says_how_far_it_was() -> None:
    stage = Stage(has_past=True)
    past = [
        UserMessage("first", "u1"),
        AssistantMessage((TextBlock("One."),), "m1", message_id="a1", uuid="x1"),
        UserMessage("second", "u2"),
        AssistantMessage((TextBlock("Two."),), "m1", message_id="a2", uuid="x2"),
    ]
    stage.link.replies[Page] = MessagePage(tuple(to_record(message) for message in past), False)
    async with talking(stage):
        await stage.until(lambda: "Two." in stage.said)
        assert stage.said == ["(Earlier messages are left out.)", "You: second", "Two."]


async def test_a_line_for_the_shell_is_sent_as_one_and_what_came_of_it_is_said(
    stage: Stage,
) -> None:
    def ran(op: Op) -> None:
        if not isinstance(op, Prompt):
            return
        shown = CommandDisplay(op.text, exit_code=0, head=("README.md",))
        stage.link.say(
            UserMessage("<bash-input>ls</bash-input>", "u1", display=shown, synthetic=True),
            UserMessage(
                "<bash-stdout>README.md</bash-stdout>",
                "u2",
                display=shown,
                synthetic=True,
                duration_ms=5,
            ),
            ResultMessage("success", 5, 0, False, 0, "s", user_message_uuid=op.uuid),
        )

    stage.link.on_send = ran
    async with anyio.create_task_group() as group:
        group.start_soon(stage.run)
        stage.link.say(EngineUp(), IDLE)
        stage.typist.type("!")
        await stage.until(lambda: "After ! comes a line for the shell." in stage.said)
        stage.typist.type("! ls")
        await stage.until(lambda: "  README.md" in stage.said)
        stage.typist.type("/exit")
    [prompt] = stage.link.of(Prompt)
    assert (prompt.text, prompt.shell) == ("ls", True)
    assert stage.said[-2].startswith("Shell: ls")


async def test_a_first_prompt_of_the_command_line_is_never_for_the_shell(stage: Stage) -> None:
    async with anyio.create_task_group() as group:
        group.start_soon(stage.run, "!ls")
        stage.link.say(EngineUp(), IDLE)
        await stage.until(lambda: bool(stage.link.of(Prompt)))
        stage.typist.type("/exit")
    [prompt] = stage.link.of(Prompt)
    assert (prompt.text, prompt.shell) == ("!ls", False)
