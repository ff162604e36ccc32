"""Running a search program: its records one by one, a time limit, an early end."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import anyio
from anyio.abc import ByteReceiveStream

MAX_RECORD = 4 * 1024 * 1024
"""A longer record (a line of many megabytes) is passed over."""

MAX_ERRORS = 64 * 1024

OnRecord: TypeAlias = Callable[[bytes], Awaitable[bool]]
"""Takes a record without its separator; False ends the program."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How the program ended. ``code`` is None when it was ended early."""

    code: int | None
    errors: str
    timed_out: bool = False


async def run_search(
    command: Sequence[str],
    folder: str,
    separator: bytes,
    on_record: OnRecord,
    *,
    seconds: float,
    env: Mapping[str, str],
) -> Outcome:
    """Run a program in ``folder`` and hand over what it prints.

    Raises:
        OSError: it could not be started.
    """
    process = await anyio.open_process(
        command,
        stdin=subprocess.DEVNULL,
        cwd=folder,
        env=dict(env),
        start_new_session=True,
    )
    assert process.stdout is not None and process.stderr is not None
    errors = bytearray()
    ended_early = True
    try:
        with anyio.move_on_after(seconds) as limit:
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(_collect, process.stderr, errors)
                ended_early = not await _records(process.stdout, separator, on_record)
                if ended_early:
                    tasks.cancel_scope.cancel()
                else:
                    await process.wait()
    finally:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if process.returncode is None:
                os.killpg(process.pid, signal.SIGKILL)
        await process.aclose()
    text = errors.decode("utf-8", "backslashreplace").strip()
    timed_out = limit.cancelled_caught
    return Outcome(None if ended_early or timed_out else process.returncode, text, timed_out)


async def _collect(stream: ByteReceiveStream, into: bytearray) -> None:
    async for chunk in stream:
        into += chunk[: MAX_ERRORS - len(into)]


async def _records(stream: ByteReceiveStream, separator: bytes, on_record: OnRecord) -> bool:
    """Cut the stream into records; False if the taker had enough."""
    rest = b""
    too_long = False
    async for chunk in stream:
        *records, rest = (rest + chunk).split(separator)
        for record in records:
            if too_long:
                too_long = False  # this is its end
            elif not await on_record(record):
                return False
        if len(rest) > MAX_RECORD:
            rest, too_long = b"", True
    return too_long or not rest or await on_record(rest)
