"""What a turn costs: from the last byte of a tool_use response to the next request, Read of a ten-line file.

Beside a bare loop on the ``anthropic`` package that does nothing but read the file. What counts is the CPU that the
asking process (the engine) uses meanwhile, which ``site/sitecustomize.py`` notes in it; the server times the wall.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.request import urlopen

from bench.model_server import end_of, model_server
from bench.room import Room, ours, plain, room
from bench.table import Table
from bench.terminal import Terminal, percentile

CALLS = 50
CLOCK = "BENCH_CLOCK"


SITE = Path(__file__).with_name("site")


@dataclass(frozen=True)
class Gaps:
    """What passed between responses and the next requests, in ms."""

    wall: list[float]
    cpu: list[float]

    @classmethod
    def of(cls, url: str, clock: Path) -> Gaps:
        """Take them from the server and from what the program has noted."""
        with urlopen(f"{url}/gaps") as answer:
            wall = [1000 * gap for gap in json.load(answer)]
        cpu = [1000 * float(line) for line in clock.read_text().split()]
        clock.unlink()
        return cls(wall, cpu)


def printed(command: Sequence[str], env: Mapping[str, str], where: Room, url: str) -> Gaps:
    """Run a program that ends by itself."""
    subprocess.run(
        command, env=dict(env), cwd=where.folder, check=True, stdout=subprocess.DEVNULL, timeout=300
    )
    return Gaps.of(url, Path(env[CLOCK]))


def on_screen(env: Mapping[str, str], where: Room, url: str, prompt: str) -> Gaps:
    """Run the same prompt in the screen."""
    terminal = Terminal(ours(), env, where.folder)
    try:
        terminal.usable()
        terminal.send(prompt)
        terminal.settle()
        since = len(terminal.seen)
        terminal.send("\r")
        terminal.wait(end_of("turn"), timeout=120, since=since)
        return Gaps.of(url, Path(env[CLOCK]))
    finally:
        terminal.close()


def main() -> None:
    """Measure and print."""
    with room() as where, model_server() as url:
        env = {
            **where.against(url),
            CLOCK: str(where.folder.with_name("clock")),
            "PYTHONPATH": f"{SITE}:{where.env['PYTHONPATH']}",
        }
        prompt = f"BENCH turn read {CALLS} {where.file}"
        headless = printed(ours("-p", prompt, "--model", "bench"), env, where, url)
        bare = printed(plain("loop", url, prompt), env, where, url)
        screen = on_screen(env, where, url, prompt)
    told = f"End of a Read call to the next request, {len(headless.wall)} times"
    table = Table(told, "bare loop")
    for name, theirs in (("-p", headless), ("screen", screen)):
        target = "< 10" if name == "-p" else ""
        table.row(f"{name}, CPU of the engine, p50, ms", *_beside(theirs.cpu, bare.cpu, 50), target)
        table.row(f"{name}, CPU of the engine, p95, ms", *_beside(theirs.cpu, bare.cpu, 95))
    for name, theirs, target in (("-p", headless, "<= 8"), ("screen", screen, "<= 15")):
        table.row(f"{name}, wall, p50, ms", *_beside(theirs.wall, bare.wall, 50), target)
        table.row(f"{name}, wall, p95, ms", *_beside(theirs.wall, bare.wall, 95))


def _beside(ours: list[float], theirs: list[float], percent: int) -> tuple[float, float]:
    return percentile(ours, percent), percentile(theirs, percent)


if __name__ == "__main__":
    main()
