"""Running a shell hook: JSON on its standard input, its own session without a terminal, ended as a group.

Standard input is a file, not a pipe: a hook that never reads it is no fault and nobody waits for it. Output is read
while it runs and thrown away beyond a bound, so a hook that never stops talking fills neither memory nor disk.
"""

from __future__ import annotations

import json
import os
import re
import signal
import tempfile
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import anyio
from anyio import to_thread
from anyio.abc import Process

from agent_tui.hooks.configured import CommandHook
from agent_tui.protocol.content import JsonObject

MOST_OUTPUT = 1 << 20
"""Bytes of each of the two outputs that are kept."""

GRACE = 1.0
"""Seconds between asking a hook to end and killing it."""

DRAIN = 0.15
"""Seconds for the last output after a hook has ended; what it left in the background may hold the pipe for ever."""

_POLL = 0.02
_VARIABLE = re.compile(r"\$\{(\w+)\}")


@dataclass(frozen=True, slots=True)
class Place:
    """Where a hook runs. ``cwd`` may be gone by then; ``project`` is the next best.

    ``end`` ends a hook by its process group, with what it has started; None ends its group.
    """

    cwd: str
    project: str
    variables: Mapping[str, str]
    shell: str = "/bin/sh"
    end: Callable[[int], Awaitable[None]] | None = None


@dataclass(frozen=True, slots=True)
class Ran:
    """How a command ended. ``code`` is negative for a signal, None if it never started or ran out of time."""

    code: int | None
    stdout: str = ""
    stderr: str = ""
    not_started: str = ""
    timed_out: bool = False


async def run_command(hook: CommandHook, given: JsonObject, place: Place, seconds: float) -> Ran:
    """Run a hook to its end or its limit; when cancelled, its process group is ended first."""
    stdin, cwd = await to_thread.run_sync(_prepare, given, place)
    out, err = _Pipe(), _Pipe()
    try:
        try:
            process = await anyio.open_process(
                _argv(hook, place),
                stdin=stdin,
                stdout=out.writer,
                stderr=err.writer,
                cwd=cwd,
                env=dict(place.variables),
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            return Ran(None, not_started=_why(error))
        finally:
            stdin.close()
            out.close_writer()
            err.close_writer()
        timed_out = await _follow(process, out, err, seconds, place.end or _end_group)
        return Ran(None if timed_out else process.returncode, out.text(), err.text(), "", timed_out)
    finally:
        out.close()
        err.close()


async def _follow(
    process: Process,
    out: _Pipe,
    err: _Pipe,
    seconds: float,
    end: Callable[[int], Awaitable[None]],
) -> bool:
    """Read until it has ended; tell whether the limit came first."""
    try:
        with anyio.move_on_after(seconds) as limit:
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(out.read)
                tasks.start_soon(err.read)
                await process.wait()
                with anyio.move_on_after(DRAIN):
                    await out.ended.wait()
                    await err.ended.wait()
                tasks.cancel_scope.cancel()
    finally:
        if process.returncode is None:
            with anyio.CancelScope(shield=True):
                async with anyio.create_task_group() as tasks:
                    tasks.start_soon(
                        process.wait
                    )  # so that it is no zombie, which would be waited for
                    await end(process.pid)
    return limit.cancelled_caught


async def _end_group(group: int) -> None:
    """Ask a group to end, wait, make it."""
    _signal(group, signal.SIGTERM)
    with anyio.move_on_after(GRACE):
        while _signal(group, 0):  # noqa: ASYNC110 - of a group's end no event tells
            await anyio.sleep(_POLL)
    _signal(group, signal.SIGKILL)


def _signal(group: int, number: int) -> bool:
    """Signal a group; tell whether there is one."""
    try:
        os.killpg(group, number)
    except (ProcessLookupError, PermissionError):  # macOS says "permitted" of a group of zombies
        return False
    return True


def _prepare(given: JsonObject, place: Place) -> tuple[IO[bytes], str]:
    """Write the input, and find a folder that is there."""
    stdin = tempfile.TemporaryFile()  # noqa: SIM115 - closed once the process has it
    stdin.write(json.dumps(given, default=str).encode() + b"\n")
    stdin.seek(0)
    folders = (place.cwd, place.project)
    return stdin, next((folder for folder in folders if Path(folder).is_dir()), "/")


def _argv(hook: CommandHook, place: Place) -> list[str]:
    if hook.args is None:
        return [place.shell, "-c", hook.command]
    return [_filled(text, place.variables) for text in (hook.command, *hook.args)]


def _filled(text: str, variables: Mapping[str, str]) -> str:
    """Put variables in where no shell does: ``${CLAUDE_PROJECT_DIR}/check``."""
    return _VARIABLE.sub(lambda found: variables.get(found[1], found[0]), text)


def _why(error: OSError | ValueError) -> str:
    if isinstance(error, ValueError):
        return "it holds a NUL character"
    name = f": {error.filename}" if error.filename else ""
    return f"{error.strerror or error}{name}"


class _Pipe:
    """One output of a process, read without blocking."""

    def __init__(self) -> None:
        self._reader, self.writer = os.pipe()
        os.set_blocking(self._reader, False)
        self._kept = bytearray()
        self._writes = True
        self.ended = anyio.Event()

    async def read(self) -> None:
        """Take what comes, to the end."""
        while True:
            try:
                chunk = os.read(self._reader, 65_536)
            except BlockingIOError:
                await anyio.wait_readable(self._reader)
                continue
            if not chunk:
                break
            self._kept += chunk[: MOST_OUTPUT - len(self._kept)]
            await anyio.lowlevel.checkpoint()  # a flood must not starve the time limit
        self.ended.set()

    def text(self) -> str:
        """What was kept."""
        return self._kept.decode("utf-8", "replace")

    def close_writer(self) -> None:
        """Let go of the end that the process has."""
        if self._writes:
            self._writes = False
            os.close(self.writer)

    def close(self) -> None:
        """Let go of both ends."""
        self.close_writer()
        os.close(self._reader)
