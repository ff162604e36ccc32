"""Reading lines with real keys: a pipe stands in for the terminal, as prompt_toolkit itself tests."""

from __future__ import annotations

from collections.abc import Iterator

import anyio
import pytest
from prompt_toolkit.application import create_app_session
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.output import DummyOutput

from agent_tui.line.reading import Keyboard
from agent_tui.protocol.queries import Complete, Completion, Completions, Failed, Query, Reply

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"  # prompt_toolkit knows no other


@pytest.fixture
def keys() -> Iterator[PipeInput]:
    with create_pipe_input() as pipe, create_app_session(input=pipe, output=DummyOutput()):
        yield pipe


async def nothing(query: Query) -> Reply:
    return Failed("no")


async def test_enter_sends_and_the_field_ways_begin_a_new_line(keys: PipeInput) -> None:
    keys.send_text("one\\\rtwo\x1b\rthree\r")
    assert await Keyboard(nothing).prompt("> ") == "one\ntwo\nthree"


async def test_u6_a_paste_of_several_lines_is_not_sent(keys: PipeInput) -> None:
    keys.send_text("\x1b[200~line 1\r\nline\t2\nline 3\n\x1b[201~end\r")
    assert await Keyboard(nothing).prompt("> ") == "line 1\nline\t2\nline 3\nend"


async def test_what_was_typed_before_the_prompt_stood_there_is_sent(keys: PipeInput) -> None:
    keys.send_text("early\n")
    assert await Keyboard(nothing).prompt("> ") == "early"


async def test_up_brings_back_what_was_typed_before(keys: PipeInput) -> None:
    keys.send_text("\x1b[A\x1b[A\r")
    assert await Keyboard(nothing, ["old", "new"]).prompt("> ") == "old"


@pytest.mark.parametrize(("key", "error"), [("\x04", EOFError), ("\x03", KeyboardInterrupt)])
async def test_keys_that_leave(keys: PipeInput, key: str, error: type[BaseException]) -> None:
    keys.send_text(key)
    with pytest.raises(error):
        await Keyboard(nothing).prompt("> ")


async def test_an_answer_is_a_line(keys: PipeInput) -> None:
    keys.send_text("yes\r")
    assert await Keyboard(nothing).answer("answer: ") == "yes"


async def test_tab_completes_files_and_commands(keys: PipeInput) -> None:
    asked: list[Query] = []

    async def ask(query: Query) -> Reply:
        asked.append(query)
        assert isinstance(query, Complete)
        return Completions((Completion("src/app.py" if query.what == "file" else "compact"),))

    keyboard = Keyboard(ask)

    async def typed(text: str) -> str:
        """Type, press Tab, and Enter once the completion is there."""
        read: list[str] = []

        async def prompt() -> None:
            read.append(await keyboard.prompt("> "))

        async with anyio.create_task_group() as group:
            group.start_soon(prompt)
            keys.send_text(f"{text}\t")
            with anyio.fail_after(5):
                while keyboard.typed == text or not keyboard.typed.startswith(text[0]):
                    await anyio.sleep(0.005)
            keys.send_text("\r")
        return read[0]

    assert await typed("look at @ap") == "look at @src/app.py"
    assert await typed("/com") == "/compact"
    assert asked == [Complete("file", "ap"), Complete("command", "com")]
