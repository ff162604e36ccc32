"""A long session: thousands of prompts with tool calls and megabytes of text through the real program.

What is looked at: memory of screen and engine as the session grows, keys at its beginning and at its end, what the logs
say, and that the strict server refused nothing. ``python -m bench.soak [PROMPTS [BYTES]]``.
"""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from bench.model_server import end_of, prose
from bench.room import Room, ours, room
from bench.table import Table
from bench.terminal import Terminal, percentile
from tests.fakes.api_server import ApiRequest, ApiServer, Reply, reply, tool

PROMPTS = 2_000
BYTES = 20_000_000
LOOKS = 20
"""How often memory is read."""
KEYS = 40
"""Keys typed at the beginning, and at the end."""
KEEP = 4
"""Requests whose bodies the server remembers."""


@dataclass
class Soak:
    """What was seen: memory in MB over the prompts, keys in ms, complaints of logs and server."""

    prompts: list[int] = field(default_factory=list[int])
    screen: list[float] = field(default_factory=list[float])
    whole: list[float] = field(default_factory=list[float])
    first_keys: list[float] = field(default_factory=list[float])
    last_keys: list[float] = field(default_factory=list[float])
    complaints: list[str] = field(default_factory=list[str])
    cpu: float = 0.0

    def growth(self, sizes: list[float]) -> float:
        """Memory at the end over that in the middle: about 1 when it has levelled off."""
        return sizes[-1] / sizes[len(sizes) // 2]


def answer(request: ApiRequest) -> Reply:
    """Answer ``SOAK number bytes path``: first a call and half of the text, then the other half."""
    found = re.findall(r"SOAK (\d+) (\d+) ([\w./-]+)", str(request.messages))
    if not found or ("SOAK" not in request.last_user_text and not request.tool_results):
        return reply("A summary of what was said so far.")
    number, size, path = found[-1]
    half = prose(int(size) // 2, f"half{number}").replace(end_of(f"half{number}"), "")
    if not request.tool_results:
        calls = (tool("Read", file_path=path), tool("Bash", command=f"echo {number}; cat {path}"))
        return reply(half, calls[int(number) % 2])
    return reply(half + end_of(f"s{number}"))


@contextmanager
def strict_server() -> Generator[tuple[str, list[str]]]:
    """Run the strict server in a process of its own; gives its address, and at the end what it complains of."""
    command = [sys.executable, "-m", "bench.soak", "serve"]
    complaints: list[str] = []
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[1]
    ) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().strip(), complaints
        finally:
            process.send_signal(signal.SIGTERM)
            said = process.stdout.read().strip()
            complaints += json.loads(said.splitlines()[-1]) if said else ["the server is gone"]


def serve() -> None:
    """Be the server, until told to end; print what was wrong then."""
    ended = threading.Event()

    def end(number: int, frame: object) -> None:
        ended.set()

    signal.signal(signal.SIGTERM, end)
    with ApiServer(default=answer, keep=KEEP) as api:
        print(api.url, flush=True)
        ended.wait()
        refused = [
            f"request {r.number} was refused: {r.refused}" for r in api.requests if r.refused
        ]
    print(json.dumps([*refused, *api.errors]), flush=True)


def keys(terminal: Terminal) -> list[float]:
    """Type, a key at a time; milliseconds to each echo."""
    found: list[float] = []
    for _ in range(KEYS):
        found.append(1000 * terminal.key())
        terminal.settle()
    return found


def soak(where: Room, prompts: int, size: int, looks: int = LOOKS) -> Soak:
    """Have a session of so many prompts and bytes of text."""
    seen = Soak()
    each = max(400, size // prompts)
    with strict_server() as (url, complaints):
        env = {**where.against(url), "DISABLE_TELEMETRY": "1"}
        terminal = Terminal(ours(), env, where.folder)
        try:
            terminal.usable()
            terminal.watch(2)
            for number in range(1, prompts + 1):
                since = len(terminal.seen)
                terminal.send(f"SOAK {number} {each} {where.file}")
                terminal.settle(quiet=0.02)
                terminal.send("\r")
                terminal.wait(end_of(f"s{number}"), timeout=120, since=since)
                terminal.settle()
                if number == 5:
                    seen.first_keys = keys(terminal)
                if number % max(1, prompts // looks) == 0:
                    screen, whole = terminal.rss()
                    seen.prompts.append(number)
                    seen.screen.append(screen)
                    seen.whole.append(whole)
                    del terminal.seen[:]
            seen.last_keys = keys(terminal)
            seen.cpu = terminal.cpu()
        finally:
            terminal.close()
    seen.complaints = [*complaints, *logged(where)]
    return seen


def logged(where: Room) -> list[str]:
    """Give the lines of the program's logs that tell of trouble."""
    logs = Path(where.env["HOME"]) / ".agent-tui" / "logs"
    trouble = re.compile(r"Traceback|ERROR|Exception|WARNING")
    return [
        f"{log.name}: {line}"
        for log in sorted(logs.glob("*.log"))
        for line in log.read_text("utf-8", "replace").splitlines()
        if trouble.search(line)
    ]


def main(prompts: int = PROMPTS, size: int = BYTES) -> None:
    """Measure and print."""
    with room() as where:
        seen = soak(where, prompts, size)
    table = Table(f"{prompts:,} prompts, {size / 1e6:.0f} MB of text", "at its middle")
    middle = len(seen.screen) // 2
    table.row("RSS of the screen, MB", seen.screen[-1], seen.screen[middle], "ratio about 1")
    table.row("RSS in all, MB", seen.whole[-1], seen.whole[middle], "ratio about 1")
    table = Table("Keys at its end", "at its beginning")
    for percent, target in ((50, ""), (95, "ratio <= 1.5")):
        first, last = percentile(seen.first_keys, percent), percentile(seen.last_keys, percent)
        table.row(f"key p{percent}, ms", last, first, target)
    print(f"CPU, s a prompt: {seen.cpu / prompts:.3f}; complaints: {len(seen.complaints)}")
    for complaint in seen.complaints[:20]:
        print(f"  {complaint}")


if __name__ == "__main__":
    if sys.argv[1:] == ["serve"]:
        serve()
    else:
        main(*map(int, sys.argv[1:]))
