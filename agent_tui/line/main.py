"""The line mode's entry: starts the engine and the talk, ends both, says how to go on."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TextIO

import anyio
import anyio.to_thread

from agent_tui.line.reading import Ask, Keyboard, Reading, quiet_terminal
from agent_tui.line.talk import Ended, Talk
from agent_tui.line.trusting import trusted
from agent_tui.link.child import ChildLink
from agent_tui.protocol.errors import UsageError
from agent_tui.protocol.ops import Open
from agent_tui.protocol.queries import Failed, SessionList, SessionRow, Sessions
from agent_tui.settings import typed
from agent_tui.settings.credentials import masker_of
from agent_tui.settings.options import Options
from agent_tui.settings.paths import Environment, input_history
from agent_tui.settings.typed import Typed
from agent_tui.view import figures
from agent_tui.view.clean import clean

OFFERED = 20
"""Sessions to choose from."""
WELCOME = "agent-tui, line by line. Type what you want done; /help tells more, Ctrl+D leaves."

NewReading = Callable[[Ask, Iterable[str]], Reading]


def main(
    options: Options,
    env: Environment,
    prompt: str | None = None,
    *,
    new_reading: NewReading = Keyboard.of_terminal,
) -> int:
    """Run line by line; give the exit code: 0, 1 when there was no session, 128+n ended by signal n.

    ``prompt`` is sent at once.

    Raises:
        UsageError: there is no terminal to read from.
    """
    if not sys.stdin.isatty():
        raise UsageError(
            "--line reads from a terminal; use 'agent-tui -p' to answer a piped prompt"
        )
    with quiet_terminal():
        ended = anyio.run(_run, options, env, prompt or "", new_reading)
    if ended.error:
        _write(sys.stderr, f"agent-tui: {clean(ended.error)}")
    return ended.code


async def _run(options: Options, env: Environment, prompt: str, new_reading: NewReading) -> Ended:
    link = ChildLink(env)
    async with anyio.create_task_group() as group:
        group.start_soon(link.serve)
        try:
            return await _session(link, options, env, prompt, new_reading)
        finally:
            with anyio.CancelScope(shield=True):
                await link.aclose()
            group.cancel_scope.cancel()
    return Ended()  # a task group may swallow what ends it


async def _session(
    link: ChildLink, options: Options, env: Environment, prompt: str, new_reading: NewReading
) -> Ended:
    path = input_history(env)
    project, past = await anyio.to_thread.run_sync(_history, path, options.cwd)
    reading = new_reading(link.ask, past)
    say(WELCOME)
    if options.session.resume == "":
        chosen = await _choose(link, options, reading)
        if chosen is None:
            return Ended()
        options = replace(options, session=replace(options.session, resume=chosen))
    try:
        options = await trusted(link.ask, options, reading, say)
    except (EOFError, KeyboardInterrupt):
        return Ended()
    link.send(Open(options.to_json()))
    session = options.session

    def keep(text: str, session_id: str) -> None:
        with suppress(OSError):  # a full disk costs the history, never the session
            typed.append(path, Typed(text, project, session_id, int(time.time() * 1000)))

    has_past = bool(session.resume) or session.continue_newest
    talk = Talk(link, reading, say, keep, has_past=has_past, masker=masker_of(env))
    ended = Ended()
    async with anyio.create_task_group() as group:
        group.start_soon(_hear_signals, talk)
        ended = await talk.run(prompt)
        group.cancel_scope.cancel()
    if talk.session_id and not ended.error:
        say(f"To go on with this session: agent-tui --line --resume {talk.session_id}")
    return ended


async def _hear_signals(talk: Talk) -> None:
    """Stop what runs at Ctrl+C while nothing is read; end in order when the program is to end."""
    with anyio.open_signal_receiver(signal.SIGINT, signal.SIGTERM, signal.SIGHUP) as signals:
        async for number in signals:
            if number == signal.SIGINT:
                talk.interrupt(time.monotonic())
            else:
                talk.leave(128 + number)


def _history(path: Path, cwd: str) -> tuple[str, list[str]]:
    """Give the project's name in the history, and what was typed in it before."""
    project = os.path.realpath(cwd)
    return project, [entry.text for entry in typed.load(path) if entry.project == project]


async def _choose(link: ChildLink, options: Options, reading: Reading) -> str | None:
    """Have the person choose a session; None: none."""
    reply = await link.ask(Sessions(options.cwd, limit=OFFERED))
    if isinstance(reply, Failed):
        say(f"Error: {clean(reply.error)}")
        return None
    found = reply.rows if isinstance(reply, SessionList) else ()
    if not found:
        say("There is no earlier session in this folder.")
        return None
    say("Which session?")
    for line in rows(found, time.time()):
        say(line)
    return await _number(reading.answer, found)


async def _number(
    read: Callable[[str], Awaitable[str]], found: tuple[SessionRow, ...]
) -> str | None:
    while True:
        try:
            line = (await read("number: ")).strip()
        except (EOFError, KeyboardInterrupt):
            return None
        if line.isdecimal() and 1 <= int(line) <= len(found):
            return found[int(line) - 1].session_id
        say(f"Write a number from 1 to {len(found)}, or Ctrl+D to leave.")


def rows(found: Iterable[SessionRow], now: float) -> list[str]:
    """Say sessions to choose from, numbered; ``now`` is seconds since the epoch."""
    return [
        f"  {at}. {_title(row)}, {figures.age(now - row.modified)}"
        for at, row in enumerate(found, 1)
    ]


def _title(row: SessionRow) -> str:
    return " ".join(clean(row.title or row.first_prompt).split()) or "no prompt yet"


def say(line: str) -> None:
    """Write a line."""
    _write(sys.stdout, line)


def _write(out: TextIO, line: str) -> None:
    with suppress(OSError):  # a terminal that is gone hears nothing
        out.write(f"{line}\n")
        out.flush()
