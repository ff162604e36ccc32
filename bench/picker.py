"""The session picker over 5,000 sessions: from the command to the first rows, beside a bare Textual list of as many.

Both are programs that run already: ours is asked for ``/resume``, the bare one for its list. The sessions are files
like those a session leaves, a few kilobytes each.
"""

from __future__ import annotations

import json
import os
import random
import sys
import time
import uuid
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import Any

from agent_tui.settings.paths import Environment, project_folder
from bench.model_server import model_server
from bench.room import Room, ours, plain, room
from bench.table import Table
from bench.terminal import Terminal

SESSIONS = 5_000
ROUNDS = 5
SHOWN = "Session number"
"""Stands in every row, ours and the bare list's."""
WORDS = ("refresh", "token", "scheduler", "retry", "client", "index", "parser", "clock", "cache")


def lines(number: int, cwd: Path, when: float) -> Iterator[dict[str, Any]]:
    """The lines of one session's file."""
    chance = random.Random(number)
    session = str(uuid.UUID(int=number + 1))
    stamp = time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime(when))
    before: str | None = None

    def line(kind: str, **fields: Any) -> dict[str, Any]:
        nonlocal before
        ident = str(uuid.UUID(int=chance.getrandbits(128), version=4))
        made = {
            "type": kind,
            "uuid": ident,
            "parentUuid": before,
            "sessionId": session,
            "timestamp": stamp,
            "cwd": str(cwd),
            "gitBranch": "main",
            "version": "0",
            **fields,
        }
        before = ident
        return made

    yield line("system", subtype="session_started", origin="interactive", formatVersion=1)
    for turn in range(4):
        said = " ".join(chance.choices(WORDS, k=60))
        yield line("user", message={"role": "user", "content": f"{said} {turn}"})
        answer = " ".join(chance.choices(WORDS, k=120))
        message = {
            "id": f"msg_{number}_{turn}",
            "type": "message",
            "role": "assistant",
            "model": "claude-sonnet-5-5",
            "content": [{"type": "text", "text": answer}],
            "stop_reason": "end_turn",
            "usage": None,
        }
        yield line("assistant", message=message)
        usage = {"input_tokens": 9, "cache_read_input_tokens": 4000 * turn, "output_tokens": 200}
        yield line(
            "system",
            subtype="response",
            messageId=f"msg_{number}_{turn}",
            model="claude-sonnet-5-5",
            stopReason="end_turn",
            usage=usage,
            costUSD=0.01,
            purpose="main",
        )
    yield {
        "type": "ai-title",
        "aiTitle": f"{SHOWN} {number:04} about the {chance.choice(WORDS)}",
        "sessionId": session,
        "uuid": str(uuid.UUID(int=chance.getrandbits(128), version=4)),
    }


def fill(env: Mapping[str, str], cwd: Path, count: int = SESSIONS) -> None:
    """Write the sessions of a project, an hour between two."""
    folder = project_folder(Environment(env, Path(env["HOME"])), cwd)
    folder.mkdir(parents=True)
    now = time.time()
    for number in range(count):
        when = now - 3600.0 * (number + 1)
        path = folder / f"{uuid.UUID(int=number + 1)}.jsonl"
        text = "".join(
            json.dumps(one, separators=(",", ":")) + "\n" for one in lines(number, cwd, when)
        )
        path.write_text(text)
        os.utime(path, (when, when))


def opened(command: Sequence[str], env: Mapping[str, str], where: Room, key: str) -> list[float]:
    """Milliseconds from the key to the first rows, again and again in one program."""
    terminal = Terminal(command, env, where.folder)
    try:
        terminal.usable()
        terminal.watch(3)
        times: list[float] = []
        for _ in range(ROUNDS):
            terminal.send(key[:-1])
            terminal.watch(0.5)
            before = len(terminal.seen)
            began = time.perf_counter()
            terminal.send(key[-1:])
            terminal.wait(SHOWN, before)
            times.append((time.perf_counter() - began) * 1000)
            terminal.send("\x1b")
            terminal.watch(1)
        return times
    finally:
        terminal.close()


def main() -> None:
    """Measure and print."""
    with room() as where, model_server() as url:
        env = where.against(url)
        fill(env, where.folder)
        mine = opened(ours(), env, where, "/resume\r")
        bare = opened(plain("picker", str(SESSIONS)), env, where, "\x0f")
        table = Table(f"Picker over {SESSIONS:,} sessions", "bare Textual list")
        table.row("to the first rows, ms", median(mine), median(bare), "<= 200")
        table.row("slowest of them, ms", max(mine), max(bare))


if __name__ == "__main__":
    sys.exit(main())
