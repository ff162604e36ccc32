"""A server that is a program: started in a group of its own, spoken to line by line, ended with all it has started.

Its standard error goes to a file through us: never on the screen, its secrets hidden. Its environment is that of commands: ours without our credentials.
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
import secrets
import subprocess
from collections.abc import AsyncIterator, Generator
from contextlib import contextmanager
from pathlib import Path

import anyio
from anyio import to_thread
from anyio.abc import (
    ByteReceiveStream,
    ByteSendStream,
    ObjectReceiveStream,
    ObjectSendStream,
    Process,
)
from mcp.shared.message import SessionMessage
from mcp_types import jsonrpc_message_adapter
from pydantic import ValidationError

from agent_tui.machine.environment import child_environment
from agent_tui.machine.processes import (
    MARK,
    end_command,
    end_processes,
    group_is_left,
    of_command,
    reap,
)
from agent_tui.mcp.link import ServerError, Target
from agent_tui.mcp.server_log import ServerLog
from agent_tui.mcp.streams import Body, Item, Streams
from agent_tui.protocol.surrogates import mended
from agent_tui.settings.credentials import masker_of
from agent_tui.settings.private import make_private_folder, private_opener

_log = logging.getLogger(__name__)

FAREWELL = 0.7
"""Seconds a server may take to end by itself once nobody talks to it any more."""

LEAVING = 4.0
"""Seconds that all of its ending may take."""

MAX_LINE = 128 * 1024 * 1024
"""Bytes of one message; a server that sends longer ones is given up."""

LONG_LINE = 256 * 1024
"""What is longer is read in a thread."""

MAX_LOG = 1024 * 1024
"""Bytes; a longer log begins anew with the next start."""

LAST_WORDS = 0.5
"""Seconds in which an ended server's last lines are read, should something else hold its standard error."""

_POLL = 0.02


async def over_stdio(target: Target, body: Body) -> None:
    """Start the program, run ``body`` with its streams, end it and what it started.

    Raises:
        ServerError: it could not be started.
    """
    mark = secrets.token_hex(8)
    masker = await to_thread.run_sync(masker_of, target.env)
    with await to_thread.run_sync(_log_file, target.log) as handle:
        log = ServerLog(handle, masker)
        process = await _start(target, mark)
        assert process.stderr is not None
        async with anyio.create_task_group() as around:
            around.start_soon(_in_any_case, log, process.stderr)
            try:
                async with anyio.create_task_group() as group:
                    await _talk(process, body, group)
                    group.cancel_scope.cancel()
            finally:
                with anyio.move_on_after(LEAVING, shield=True):
                    await _end(process, mark, log)
            around.cancel_scope.cancel()


async def _in_any_case(log: ServerLog, stderr: ByteReceiveStream) -> None:
    """Take what a server says while it is being ended, too; that has a limit of its own."""
    with anyio.CancelScope(shield=True):
        await log.keep(stderr)


async def _start(target: Target, mark: str) -> Process:
    config = target.config
    variables = {"CLAUDE_PROJECT_DIR": str(target.cwd), **config.env, MARK: mark}
    try:
        return await anyio.open_process(
            [config.command, *config.args],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=target.cwd,
            env=child_environment(target.env, variables),
            start_new_session=True,
        )
    except FileNotFoundError as error:
        raise ServerError(f"{error.filename or config.command} was not found") from error
    except (OSError, ValueError) as error:
        raise ServerError(f"{config.command} could not be started ({error})") from error


@contextmanager
def _opened(path: Path) -> Generator[int]:
    handle = private_opener(str(path), os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    try:
        yield handle
    finally:
        os.close(handle)


def _log_file(path: Path) -> contextlib.AbstractContextManager[int | None]:
    """Open the log, a long one anew; where that can't be done its lines are lost."""
    try:
        make_private_folder(path.parent)
        if path.exists() and path.stat().st_size > MAX_LOG:
            path.unlink()
        return _opened(path)
    except OSError:
        return contextlib.nullcontext(None)


async def _talk(process: Process, body: Body, group: anyio.abc.TaskGroup) -> None:
    assert process.stdin is not None
    assert process.stdout is not None
    heard, read = anyio.create_memory_object_stream[Item](0)
    write, to_say = anyio.create_memory_object_stream[SessionMessage](0)
    streams = Streams(read, write)
    group.start_soon(_hear, process.stdout, heard, streams.closed)
    group.start_soon(_say, process.stdin, to_say, streams.closed)
    with read, write:
        await body(streams)


async def _hear(
    stdout: ByteReceiveStream, heard: ObjectSendStream[Item], closed: anyio.Event
) -> None:
    """Pass on the messages, a line each; lines that are none are left out."""
    try:
        async with heard:
            async for line in _lines(stdout):
                message = await _message(line)
                if message is not None:
                    await heard.send(message)
    except (anyio.BrokenResourceError, anyio.ClosedResourceError, ConnectionError):
        return  # the server is gone, or nobody listens any more
    finally:
        closed.set()


async def _lines(stdout: ByteReceiveStream) -> AsyncIterator[bytes]:
    """Give the output line by line; whole lines only."""
    parts: list[bytes] = []
    size = 0
    async for chunk in stdout:
        *ends, rest = chunk.split(b"\n")
        for end in ends:
            yield b"".join((*parts, end))
            parts, size = [], 0
        parts.append(rest)
        size += len(rest)
        if size > MAX_LINE:
            _log.warning("an MCP server sent a message of more than %d bytes", MAX_LINE)
            return


async def _message(line: bytes) -> SessionMessage | None:
    if not line.strip():
        return None
    try:
        if len(line) > LONG_LINE:
            parsed = await to_thread.run_sync(_parsed, line)
        else:
            parsed = _parsed(line)
    except ValueError:
        _log.info("an MCP server wrote a line that is no message: %.80r", line)
        return None
    return parsed


def _parsed(line: bytes) -> SessionMessage:
    """Read a message.

    Raises:
        ValueError: it is none.
    """
    try:
        message = jsonrpc_message_adapter.validate_json(line, by_name=False)
    except (
        ValidationError
    ):  # pydantic reads less than servers write: emoji cut in two, deep schemas
        message = jsonrpc_message_adapter.validate_python(_loosely(line), by_name=False)
    return SessionMessage(message)


def _loosely(line: bytes) -> object:
    try:
        value: object = json.loads(line)
        return json.loads(mended(json.dumps(value, ensure_ascii=False)))
    except RecursionError as error:
        raise ValueError("it is nested too deep") from error


async def _say(
    stdin: ByteSendStream, to_say: ObjectReceiveStream[SessionMessage], closed: anyio.Event
) -> None:
    """Write the messages; a server that does not take them any more is as good as gone."""
    try:
        async with to_say:
            async for item in to_say:
                text = item.message.model_dump_json(by_alias=True, exclude_unset=True)
                await stdin.send(text.encode("utf-8", "replace") + b"\n")
    except (anyio.BrokenResourceError, anyio.ClosedResourceError, OSError):
        closed.set()


async def _end(process: Process, mark: str, log: ServerLog) -> None:
    """Let it end by itself, ask it, make it; nothing it has started stays."""
    assert process.stdin is not None
    with contextlib.suppress(OSError, anyio.BrokenResourceError, anyio.ClosedResourceError):
        await process.stdin.aclose()
    with anyio.move_on_after(FAREWELL):
        while process.returncode is None:  # noqa: ASYNC110 - waiting for it would also wait for its pipes
            await anyio.sleep(_POLL)
    if process.returncode is None or group_is_left(process.pid):
        await end_command(mark, process.pid)
    else:  # the group's number may be another's by now: go by the mark alone
        left = await to_thread.run_sync(of_command, mark, -1)
        await end_processes(left)
        reap(left)
    with anyio.move_on_after(LAST_WORDS):
        await log.ended.wait()
    with anyio.move_on_after(1):
        await process.aclose()
