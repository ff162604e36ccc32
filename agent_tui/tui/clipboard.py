"""The picture in the clipboard, got by the program that the desktop has for it."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from agent_tui.settings.paths import Environment
from agent_tui.tui.chips import Picture
from agent_tui.tui.pictures import MAX_BYTES, PictureError, known

SECONDS = 3.0
TYPES = ("image/png", "image/jpeg", "image/webp", "image/gif")
NEEDED = ("PATH", "HOME", "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "XDG_RUNTIME_DIR", "TMPDIR")
"""Variables that such a program needs; it gets no others."""
NO_PICTURE = "The clipboard holds no picture."
INSTALL = (
    "To paste a picture, {wanted} must be installed. Or paste or drop the path of a picture's file."
)


@dataclass(frozen=True, slots=True)
class _Way:
    """A program: how it lists what types there are (None: it has one type only), how it gives one."""

    program: str
    types: tuple[str, ...] | None
    give: tuple[str, ...]


WAYLAND = _Way("wl-paste", ("--list-types",), ("--no-newline", "--type", "{type}"))
X11 = _Way("xclip", ("-selection", "clipboard", "-t", "TARGETS", "-o"), ("-selection", "clipboard", "-t", "{type}", "-o"))  # fmt: skip
MAC = _Way("pngpaste", None, ("-",))


def way(env: Environment) -> _Way:
    """Give the program that this desktop has for it.

    Raises:
        PictureError: it is not installed; the text says which one it would be.
    """
    wanted: list[_Way] = []
    if env.get("WAYLAND_DISPLAY"):
        wanted.append(WAYLAND)
    if env.get("DISPLAY"):
        wanted.append(X11)
    for one in wanted or [MAC, WAYLAND, X11]:
        if _found(one.program, env):
            return one
    names = [one.program for one in wanted] or [
        "wl-paste (Wayland), xclip (X11) or pngpaste (macOS)"
    ]
    raise PictureError(INSTALL.format(wanted=" or ".join(names)))


def _found(program: str, env: Environment) -> bool:
    return any(
        (Path(folder) / program).is_file() for folder in env.get("PATH").split(":") if folder
    )


async def picture(env: Environment) -> Picture:
    """Get it.

    Raises:
        PictureError: there is none, or nothing to get it with; the text says which.
    """
    using = await asyncio.to_thread(way, env)
    kind = TYPES[0]
    if using.types is not None:
        there = (await _said(env, using.program, *using.types)).decode("utf-8", "replace").split()
        found = [one for one in TYPES if one in there]
        if not found:
            raise PictureError(NO_PICTURE)
        kind = found[0]
    data = await _said(env, using.program, *(part.format(type=kind) for part in using.give))
    if not data:
        raise PictureError(NO_PICTURE)
    return known(data, "What the clipboard holds")


async def _said(env: Environment, *command: str) -> bytes:
    """Run a program and give what it wrote; nothing when it failed.

    Raises:
        PictureError: it does not answer, or has more to say than can be taken.
    """
    try:
        process = await asyncio.create_subprocess_exec(
            *command,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            env={name: env.get(name) for name in NEEDED if env.get(name)},
            start_new_session=True,
        )
    except OSError as error:
        raise PictureError(f"{command[0]} could not be started: {error.strerror}.") from error
    assert process.stdout is not None
    try:
        async with asyncio.timeout(SECONDS):
            data = await _all(process.stdout, command)
            ended = await process.wait()
    except TimeoutError:
        raise PictureError(f"{command[0]} does not answer.") from None
    finally:
        if process.returncode is None:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            while await process.stdout.read(1 << 16):  # it ends once nothing is left unread
                pass
            await process.wait()
    return data if ended == 0 else b""


async def _all(stream: asyncio.StreamReader, command: Sequence[str]) -> bytes:
    parts: list[bytes] = []
    size = 0
    while part := await stream.read(1 << 16):
        parts.append(part)
        size += len(part)
        if size > MAX_BYTES:
            raise PictureError(f"The picture is larger than {MAX_BYTES // (1024 * 1024)} MB.")
    return b"".join(parts)
