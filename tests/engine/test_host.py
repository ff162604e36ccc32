"""The engine over a socket, as a screen talks to it."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field, replace
from typing import TypeVar

import anyio
import pytest
from anyio.abc import SocketStream

from agent_tui.engine.host import Host
from agent_tui.link.base import EngineUp, OpenFailed
from agent_tui.link.lines import LineReader
from agent_tui.link.wire import (
    Answered,
    Ask,
    Downward,
    ask_line,
    op_line,
    read_downward,
    read_reply,
)
from agent_tui.protocol.messages import ResultMessage, StatusChanged, StreamEvent
from agent_tui.protocol.ops import Op, Open, Prompt, SetMode, Stop
from agent_tui.protocol.queries import Complete, Completions, Failed, Page, Query, Reply
from agent_tui.settings.options import SessionOptions
from tests.engine.sessions import Place
from tests.fakes.api_server import reply, stall, text

pytestmark = pytest.mark.anyio
T = TypeVar("T")


@dataclass
class Front:
    """A front end's end of the socket."""

    stream: SocketStream
    heard: list[Downward] = field(default_factory=list[Downward])
    _lines: AsyncIterator[bytes] | None = None

    async def send(self, *ops: Op) -> None:
        await self.stream.send(b"".join(map(op_line, ops)))

    async def ask(self, query: Query) -> Reply:
        await self.stream.send(ask_line(Ask(7, query)))
        answered = await self.until(Answered)
        return read_reply(query, answered.data)

    async def until(self, kind: type[T]) -> T:
        if self._lines is None:
            self._lines = aiter(LineReader(self.stream))
        async for raw in self._lines:
            item = read_downward(raw)
            if item is not None:
                self.heard.append(item)
            if isinstance(item, kind):
                return item
        raise AssertionError(f"no {kind.__name__} came, but {self.heard}")

    async def ended(self) -> None:
        """Read to the end: the host has let go of the session and closed."""
        assert self._lines is not None
        async for raw in self._lines:
            item = read_downward(raw)
            if item is not None:
                self.heard.append(item)


async def serving(place: Place, body: Callable[[Front], Awaitable[None]]) -> None:
    ours, theirs = socket.socketpair()

    async def serve() -> None:
        async with await SocketStream.from_socket(theirs) as stream:
            await Host(stream, place.env).serve()

    with anyio.fail_after(30):
        async with anyio.create_task_group() as group:
            group.start_soon(serve)
            async with await SocketStream.from_socket(ours) as stream:
                await body(Front(stream))


def opening(place: Place) -> Open:
    return Open(replace(place.options, partial_messages=True).to_json())


async def test_a_session_is_opened_talked_to_and_stopped(place: Place) -> None:
    place.api.enqueue("Hello.")

    async def body(front: Front) -> None:
        await front.send(opening(place))
        await front.until(EngineUp)
        status = await front.until(StatusChanged)
        assert (status.cwd, status.mode) == (str(place.project), "default")
        await front.send(SetMode("plan"), Prompt("hi", "q1"))
        result = await front.until(ResultMessage)
        assert (result.result, result.user_message_uuid) == ("Hello.", "q1")
        while (await front.until(StatusChanged)).mode != "plan":
            pass
        await front.send(Stop())
        await front.ended()

    await serving(place, body)
    [journal] = (place.home / ".agent-tui" / "projects").glob("*/*.jsonl")
    assert "Hello." in journal.read_text()


async def test_queries_are_answered_before_and_after_opening(place: Place) -> None:
    place.write("model.py", "")

    async def body(front: Front) -> None:
        found = await front.ask(Complete("command", "cl"))
        assert isinstance(found, Completions)
        assert await front.ask(Complete("file", "mod")) == Completions()
        failed = await front.ask(Page(session_id="22222222-2222-4222-8222-222222222222"))
        assert isinstance(failed, Failed)
        assert "22222222" in failed.error
        await front.send(opening(place))
        await front.until(EngineUp)
        found = Completions()
        while not found.items:
            reply = await front.ask(Complete("file", "mod"))
            assert isinstance(reply, Completions)
            found = reply
        assert found.items[0].text == "model.py"
        await front.send(Stop())
        await front.ended()

    await serving(place, body)


@pytest.mark.parametrize(
    ("change", "kind", "told"),
    [
        ("session", "session", "no session"),
        ("key", "usage", "--demo"),
        ("settings", "settings", "line 1"),
    ],
)
async def test_what_cant_be_opened_is_told_with_its_kind(
    place: Place, change: str, kind: str, told: str
) -> None:
    options = place.options
    if change == "session":
        options = replace(
            options, session=SessionOptions(resume="22222222-2222-4222-8222-222222222222")
        )
    elif change == "key":
        place.variables.update(ANTHROPIC_API_KEY="", ANTHROPIC_BASE_URL="")
    else:
        place.write(".claude/settings.json", "{,}")

    async def body(front: Front) -> None:
        await front.send(Open(options.to_json()))
        failed = await front.until(OpenFailed)
        assert failed.kind == kind
        assert told in failed.error
        await front.ended()

    await serving(place, body)


async def test_stop_before_anything_is_open_ends_it(place: Place) -> None:
    async def body(front: Front) -> None:
        await front.send(Prompt("too early", "q1"), Stop())
        with pytest.raises(AssertionError):
            await front.until(EngineUp)

    await serving(place, body)
    assert not place.api.messages


async def test_when_the_front_end_is_gone_the_session_ends_and_is_on_disk(place: Place) -> None:
    place.api.enqueue(reply("finished", text("word " * 50), fault=stall(block=1, chars=30)))

    async def body(front: Front) -> None:
        await front.send(opening(place), Prompt("hi", "q1"))
        while "word" not in str(await front.until(StreamEvent)):
            pass

    await serving(place, body)
    [journal] = (place.home / ".agent-tui" / "projects").glob("*/*.jsonl")
    assert "finished" in journal.read_text()
    place.api.wait_until(lambda: place.api.messages[0].disconnected, 5, "the connection to close")


async def test_lines_that_cant_be_read_are_left_out(place: Place) -> None:
    place.api.enqueue("Hello.")

    async def body(front: Front) -> None:
        await front.stream.send(b'not json\n[]\n{"op": {"kind": "fly"}}\n{"ask": "x"}\n{}\n')
        await front.send(opening(place))
        await front.until(EngineUp)
        await front.stream.send(b'{"op": 7}\n\xff\n{"ask": 1, "query": {"kind": "no"}}\n')
        await front.send(Prompt("hi", "q1"))
        assert (await front.until(ResultMessage)).result == "Hello."
        await front.send(Stop())
        await front.ended()

    await serving(place, body)


async def test_deltas_are_joined_on_their_way_and_nothing_is_lost(place: Place) -> None:
    words = "".join(f"{n} " for n in range(300))
    place.api.enqueue(reply(words, chunk=2))

    async def body(front: Front) -> None:
        await front.send(opening(place), Prompt("hi", "q1"))
        await front.until(ResultMessage)
        deltas = [
            str(m.event["delta"].get("text", ""))
            for m in front.heard
            if isinstance(m, StreamEvent) and m.event["type"] == "content_block_delta"
        ]
        assert "".join(deltas) == words
        assert len(deltas) < len(words) / 4
        await front.send(Stop())
        await front.ended()

    await serving(place, body)


def run(code: str, pass_fds: tuple[int, ...] = ()) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    return subprocess.run(
        [sys.executable, "-c", code],
        env=environment, capture_output=True, text=True, timeout=40, check=False, pass_fds=pass_fds,
    )  # fmt: skip


def test_the_log_keeps_our_news_and_only_the_troubles_of_others() -> None:
    done = run(
        "import logging\n"
        "from pathlib import Path\n"
        "from agent_tui.engine.host import log_to_stderr\n"
        "from agent_tui.settings.paths import Environment\n"
        "log_to_stderr(Environment({'ANTHROPIC_API_KEY': 'plum-key-1'}, Path('/')))\n"
        "for name in ('httpx2', 'httpcore2.http11', 'anthropic._base_client', 'agent_tui.x'):\n"
        "    log = logging.getLogger(name)\n"
        "    log.debug('debug of %s', name); log.info('info of %s', name)\n"
        "    log.warning('warning of %s', name)\n"
    )
    said = done.stderr
    assert "info of agent_tui.x" in said
    assert said.count("info of") == 1
    assert "debug of" not in said
    assert said.count("warning of") == 4


def test_the_log_holds_no_secret_and_no_code() -> None:
    done = run(
        "import logging\n"
        "from pathlib import Path\n"
        "from agent_tui.engine.host import log_to_stderr\n"
        "from agent_tui.settings.paths import Environment\n"
        "log_to_stderr(Environment({'ANTHROPIC_API_KEY': 'plum-key-1'}, Path('/')))\n"
        "log = logging.getLogger('agent_tui.x')\n"
        "log.warning('with plum-key-1 and TOKEN=abc123def456 and \\x1b]0;t\\x07 end')\n"
        "try:\n    raise ValueError('plum-key-1 \\x1b[2J')\n"
        "except ValueError:\n    log.exception('failed')\n"
    )
    assert "with [masked] and TOKEN=[masked] and  end" in done.stderr
    assert "ValueError: [masked]" in done.stderr
    assert "plum-key-1" not in done.stderr.replace("raise ValueError('plum-key-1", "")
    assert "\x1b" not in done.stderr


def test_the_process_ends_when_its_front_end_is_gone(place: Place) -> None:
    ours, theirs = socket.socketpair()
    ours.close()
    with theirs:
        done = run(
            f"import sys; sys.argv[1:] = ['{theirs.fileno()}']\n"
            "from agent_tui.engine.host import main\nsys.exit(main())",
            pass_fds=(theirs.fileno(),),
        )
    assert (done.returncode, done.stdout) == (0, "")
    assert "Traceback" not in done.stderr
