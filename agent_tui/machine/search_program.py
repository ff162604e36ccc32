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
    """How the program ended. ``code`` is None when it was ended early; ``passed_over`` counts the records left out."""

    code: int | None
    errors: str
    timed_out: bool = False
    passed_over: int = 0


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
    records = _Records(separator, on_record)
    ended_early = True
    try:
        with anyio.move_on_after(seconds) as limit:
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(_collect, process.stderr, errors)
                ended_early = not await records.read(process.stdout)
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
    code = None if ended_early or timed_out else process.returncode
    return Outcome(code, text, timed_out, records.passed_over)


async def _collect(stream: ByteReceiveStream, into: bytearray) -> None:
    async for chunk in stream:
        into += chunk[: MAX_ERRORS - len(into)]


class _Records:
    """Cuts a stream into records and hands them over; counts those that were too long."""

    def __init__(self, separator: bytes, on_record: OnRecord) -> None:
        self.passed_over = 0
        self._separator = separator
        self._on_record = on_record

    async def read(self, stream: ByteReceiveStream) -> bool:
        """Read to the end; False if the taker had enough."""
        rest = b""
        too_long = False
        async for chunk in stream:
            *records, rest = (rest + chunk).split(self._separator)
            for record in records:
                if too_long:
                    too_long = False  # this is its end
                elif not await self._on_record(record):
                    return False
            if len(rest) > MAX_RECORD:
                self.passed_over += not too_long
                rest, too_long = b"", True
        return too_long or not rest or await self._on_record(rest)
