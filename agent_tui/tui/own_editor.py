"""The person's own editor: the terminal is given away to it, and drawn anew when it has ended."""

from __future__ import annotations

import asyncio
import os
import shlex
import tempfile
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Protocol

from agent_tui.settings.paths import Environment

USUAL = "vi"


class EditorError(Exception):
    """It could not be used, or did not end well; the text says how."""


class Lender(Protocol):
    """Who has the terminal."""

    def suspend(self) -> AbstractContextManager[None]:
        """Give it away for a while."""
        ...


def editor_command(env: Environment) -> list[str]:
    """Give the person's editor with its arguments: ``VISUAL``, else ``EDITOR``, else vi.

    Raises:
        EditorError: what they say can't be read as a command.
    """
    for name in ("VISUAL", "EDITOR"):
        given = env.get(name).strip()
        if given:
            try:
                return shlex.split(given)
            except ValueError as error:
                raise EditorError(f"{name} is no command ({error}): {given}") from None
    return [USUAL]


async def edit_file(lender: Lender, env: Environment, path: Path) -> None:
    """Have a file edited, and wait for the end of it.

    Raises:
        EditorError: the editor could not be started, or did not end well.
    """
    command = editor_command(env)
    with lender.suspend():
        try:
            process = await asyncio.create_subprocess_exec(*command, str(path))
            ended = await process.wait()
        except OSError as error:
            why = error.strerror or str(error)
            raise EditorError(
                f"{command[0]} can't be started ({why}); EDITOR names yours."
            ) from error
    if ended != 0:
        raise EditorError(f"{command[0]} did not end well ({ended}).")


async def edit_text(lender: Lender, env: Environment, text: str) -> str:
    """Have a text edited; give what became of it.

    Raises:
        EditorError: the editor could not be started, or did not end well.
    """
    path = await asyncio.to_thread(_write_out, text)
    try:
        await edit_file(lender, env, path)
        return await asyncio.to_thread(_read_back, path)
    finally:
        await asyncio.to_thread(path.unlink, missing_ok=True)


def _write_out(text: str) -> Path:
    handle, name = tempfile.mkstemp(prefix="prompt-", suffix=".md")
    with os.fdopen(handle, "w", encoding="utf-8", errors="surrogatepass") as file:
        file.write(text)
    return Path(name)


def _read_back(path: Path) -> str:
    return path.read_text("utf-8", errors="replace").removesuffix("\n")
