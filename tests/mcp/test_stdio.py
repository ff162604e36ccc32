"""A program spoken to line by line, with all that it may do wrong."""

from __future__ import annotations

from pathlib import Path

import anyio
import pytest
from mcp.shared.message import SessionMessage
from mcp_types import JSONRPCNotification

from agent_tui.machine.processes import live_processes
from agent_tui.mcp.link import ServerError, Target
from agent_tui.mcp.stdio import MAX_LOG, over_stdio
from agent_tui.mcp.streams import Item, Streams
from tests.mcp.stage import program, target

pytestmark = pytest.mark.anyio

NOTE = '{"jsonrpc": "2.0", "method": "note"}'


def script(folder: Path, code: str) -> Target:
    return target(program(args=["-c", code]), folder)


async def heard(target: Target) -> list[Item]:
    """Read all that a program says."""
    found: list[Item] = []

    async def body(streams: Streams) -> None:
        found.extend([item async for item in streams.read])
        assert streams.closed.is_set()

    with anyio.fail_after(20):
        await over_stdio(target, body)
    return found


def methods(items: list[Item]) -> list[str]:
    return [
        item.message.method
        for item in items
        if isinstance(item, SessionMessage) and isinstance(item.message, JSONRPCNotification)
    ]


async def test_lines_that_are_no_messages_are_left_out(tmp_path: Path) -> None:
    code = f"print('starting'); print(); print({NOTE!r}); print('{{}}'); print({NOTE!r}, end='')"
    assert methods(await heard(script(tmp_path, code))) == ["note"]


async def test_a_long_line_is_read_whole(tmp_path: Path) -> None:
    code = (
        "import json\n"
        "print(json.dumps({'jsonrpc': '2.0', 'method': 'm', 'params': {'x': 'y' * 5_000_000}}))"
    )
    items = await heard(script(tmp_path, code))
    assert isinstance(items[0], SessionMessage)
    assert isinstance(items[0].message, JSONRPCNotification)
    assert len((items[0].message.params or {})["x"]) == 5_000_000


async def test_a_character_cut_in_two_spoils_no_message(tmp_path: Path) -> None:
    line = (
        r'{"jsonrpc": "2.0", "method": "note", "params": {"x": "half \ud83d, whole \ud83d\ude00"}}'
    )
    (item,) = await heard(script(tmp_path, f"print({line!r})"))
    assert isinstance(item, SessionMessage)
    assert isinstance(item.message, JSONRPCNotification)
    assert item.message.params == {"x": "half \ufffd, whole \U0001f600"}


async def test_a_message_nested_deep_is_read(tmp_path: Path) -> None:
    depth = 400
    line = f'{{"jsonrpc": "2.0", "method": "note", "params": {{"x": {"[" * depth}{"]" * depth}}}}}'
    endless = "[" * 100_000
    code = f"print({line!r}); print({endless!r})"
    assert methods(await heard(script(tmp_path, code))) == ["note"]


async def test_what_is_said_reaches_the_program_as_a_line(tmp_path: Path) -> None:
    code = "import sys; line = sys.stdin.readline(); print(line, end='', flush=True)"

    async def body(streams: Streams) -> None:
        note = JSONRPCNotification(jsonrpc="2.0", method="note", params={"a": "ä\n"})
        await streams.write.send(SessionMessage(note))
        items.append(await streams.read.receive())

    items: list[Item] = []
    with anyio.fail_after(20):
        await over_stdio(script(tmp_path, code), body)
    assert methods(items) == ["note"]


async def test_a_program_that_stops_listening_is_taken_for_gone(tmp_path: Path) -> None:
    code = "import os, time; os.close(0); time.sleep(1000)"

    async def body(streams: Streams) -> None:
        note = JSONRPCNotification(jsonrpc="2.0", method="note")
        with pytest.raises(anyio.BrokenResourceError):
            while True:
                await streams.write.send(SessionMessage(note))
        assert streams.closed.is_set()

    with anyio.fail_after(20):
        await over_stdio(script(tmp_path, code), body)


@pytest.mark.skipif(not Path("/proc").exists(), reason="looks for processes in /proc")
async def test_all_it_started_ends_with_it_even_what_left_its_group(tmp_path: Path) -> None:
    note = tmp_path / "pids"
    child = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(1000)"
    code = (
        "import os, subprocess, sys, time\n"
        f"child = subprocess.Popen([sys.executable, '-c', {child!r}], start_new_session=True)\n"
        f"open({str(note)!r}, 'w').write(f'{{os.getpid()}} {{child.pid}} ')\n"
        "sys.stdin.read()"
    )

    async def body(streams: Streams) -> None:
        while not note.exists() or note.read_text().count(" ") < 2:
            await anyio.sleep(0.02)

    begun = anyio.current_time()
    await over_stdio(script(tmp_path, code), body)
    assert anyio.current_time() - begun < 8
    pids = set(map(int, note.read_text().split()))
    assert len(pids) == 2
    assert not [process for process in live_processes() if process.pid in pids]


async def test_its_log_is_private_and_begins_anew_when_it_is_long(tmp_path: Path) -> None:
    here = script(tmp_path, "import sys; sys.stderr.write('hello\\n')")
    here.log.parent.mkdir()
    here.log.write_text("x" * (MAX_LOG + 1))
    await heard(here)
    assert here.log.read_text() == "hello\n"
    assert here.log.stat().st_mode & 0o777 == 0o600
    await heard(here)
    assert here.log.read_text() == "hello\nhello\n"


async def test_a_log_that_cannot_be_written_stops_nobody(tmp_path: Path) -> None:
    (tmp_path / "logs").write_text("no folder")
    assert methods(await heard(script(tmp_path, f"print({NOTE!r})"))) == ["note"]


async def test_its_environment_is_ours_without_our_keys(tmp_path: Path) -> None:
    code = (
        "import json, os\n"
        "print(json.dumps({'jsonrpc': '2.0', 'method': 'env', 'params': dict(os.environ)}))"
    )
    here = target(program(args=["-c", code], env={"MINE": "1"}), tmp_path)
    variables = {**here.env.variables, "ANTHROPIC_API_KEY": "secret", "OTHER": "2"}
    env = type(here.env)(variables, here.env.home)
    items = await heard(Target(here.config, env, here.cwd, here.log))
    assert isinstance(items[0], SessionMessage)
    assert isinstance(items[0].message, JSONRPCNotification)
    found = items[0].message.params or {}
    assert (found["MINE"], found["OTHER"]) == ("1", "2")
    assert found["CLAUDE_PROJECT_DIR"] == str(tmp_path)
    assert "ANTHROPIC_API_KEY" not in found


async def test_one_that_cannot_be_started_says_why(tmp_path: Path) -> None:
    plain = tmp_path / "plain"
    plain.write_text("not executable")
    for command, why in ((str(plain), "could not be started"), ("no-such-name", "was not found")):
        with pytest.raises(ServerError, match=why):
            await heard(target(program(command=command), tmp_path))
