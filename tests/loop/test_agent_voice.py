"""What is heard of a sub-agent."""

from __future__ import annotations

import pytest

from agent_tui.loop.agent_voice import MOST_CHARS, AgentVoice, in_a_few_words
from agent_tui.protocol.content import TextBlock, ThinkingBlock, ToolResultBlock, ToolUseBlock
from agent_tui.protocol.display import (
    AgentDisplay,
    CommandDisplay,
    DiffDisplay,
    Display,
    FileDisplay,
    SearchDisplay,
    TextDisplay,
)
from agent_tui.protocol.messages import (
    AssistantMessage,
    Message,
    ResultMessage,
    StreamEvent,
    SystemMessage,
    ToolProgress,
    UserMessage,
)

pytestmark = pytest.mark.anyio

CALL = AssistantMessage((ToolUseBlock("t", "Read", {}),), "m", display=FileDisplay("a.py"))
TEXT = AssistantMessage((TextBlock("hello"),), "m")
THOUGHT = AssistantMessage((ThinkingBlock("hm", "s"),), "m")
PROMPT = UserMessage((TextBlock("do it"),))
RESULT = UserMessage((ToolResultBlock("t", "x"),), tool_use_result={"a": 1}, display=TextDisplay())


class Ear:
    """Hears what comes through a voice, in order."""

    def __init__(self, *, forwards: bool = True, texts: bool = False) -> None:
        self.heard: list[Message] = []
        self.log: list[str] = []
        self.voice = AgentVoice(
            self._emit,
            "call",
            "a1",
            forwards=forwards,
            texts=texts,
            on_call=self._call,
            on_text=self._text,
            on_wait=self._wait,
        )

    async def _emit(self, message: Message) -> None:
        self.heard.append(message)
        self.log.append(type(message).__name__)

    async def _call(self, tool: str, words: str) -> None:
        self.log.append(f"{tool}: {words}")

    async def _text(self, text: str) -> None:
        self.log.append(f"said {text}")

    async def _wait(self, why: str) -> None:
        self.log.append(f"waits {why}")


async def test_usually_calls_and_results_are_heard_with_the_call_they_belong_to() -> None:
    ear = Ear()
    for message in (PROMPT, THOUGHT, TEXT, CALL, RESULT):
        await ear.voice(message)
    assert ear.log == ["said hello", "Read: Read a.py", "AssistantMessage", "UserMessage"]
    assert all(m.parent_tool_use_id == "call" for m in ear.heard)  # type: ignore[union-attr]
    result = ear.heard[-1]
    assert isinstance(result, UserMessage)
    assert (result.tool_use_result, result.display) == (None, None)


async def test_a_program_may_want_everything_it_says() -> None:
    ear = Ear(texts=True)
    for message in (PROMPT, THOUGHT, TEXT, CALL, RESULT):
        await ear.voice(message)
    assert len(ear.heard) == 5


async def test_what_stands_in_for_an_answer_is_no_text_of_its_own() -> None:
    ear = Ear(texts=True)
    await ear.voice(AssistantMessage((TextBlock("overloaded"),), "m", error="server_error"))
    assert ear.log == ["AssistantMessage"]


async def test_in_the_background_it_is_only_noted() -> None:
    ear = Ear(forwards=False, texts=True)
    for message in (PROMPT, THOUGHT, TEXT, CALL, RESULT):
        await ear.voice(message)
    assert ear.log == ["said hello", "Read: Read a.py"]


async def test_of_its_own_loop_only_denials_are_heard() -> None:
    ear = Ear(texts=True)
    quiet: tuple[Message, ...] = (
        SystemMessage("status", {"status": "compacting"}),
        SystemMessage("retracted", {"message_id": "m"}),
        SystemMessage("compact_boundary"),
        StreamEvent("u", "s", {}),
        ToolProgress("t", "Read", 0),
        ResultMessage("success", 0, 0, False, 1, "s"),
    )
    for message in quiet:
        await ear.voice(message)
    assert ear.heard == []
    await ear.voice(SystemMessage("api_retry", {"reason": "overloaded"}))
    await ear.voice(SystemMessage("permission_denied", {"tool_name": "Bash"}))
    assert ear.log == ["waits overloaded", "SystemMessage"]
    assert ear.heard == [
        SystemMessage(
            "permission_denied",
            {"tool_name": "Bash", "agent_id": "a1", "parent_tool_use_id": "call"},
        )
    ]


@pytest.mark.parametrize(
    ("display", "words"),
    [
        (CommandDisplay("ls\n  -l"), "T ls -l"),
        (SearchDisplay("*.py"), "T *.py"),
        (DiffDisplay("a.py"), "T a.py"),
        (AgentDisplay("find it"), "T find it"),
        (TextDisplay("x"), "T"),
        (None, "T"),
    ],
)
def test_a_call_in_a_few_words(display: Display | None, words: str) -> None:
    assert in_a_few_words("T", display) == words


def test_no_call_takes_more_than_a_line() -> None:
    assert len(in_a_few_words("T", CommandDisplay("x" * 500))) == MOST_CHARS
