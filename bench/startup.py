"""Start-up: how soon a key is echoed, at what cost, beside a bare Textual app. Also ``--version``."""

from __future__ import annotations

import resource
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bench.model_server import model_server
from bench.room import Room, ours, plain, room
from bench.table import Table
from bench.terminal import Terminal, percentile

RUNS = 5

TARGETS = {
    "first usable frame, s": "<= 0.55, ratio <= 1.5",
    "CPU until then, all processes, s": "<= 0.50",
    "RSS of the screen, MB": "<= 80",
    "RSS of all, MB": "<= 180",
}


@dataclass(frozen=True)
class Start:
    """One start: seconds to the first echo, CPU seconds until then, MB of the screen and of all."""

    wall: float
    cpu: float
    screen: float
    all: float

    def figures(self) -> dict[str, float]:
        """The figures in the order of ``TARGETS``."""
        return dict(zip(TARGETS, (self.wall, self.cpu, self.screen, self.all), strict=True))


def start(command: Sequence[str], env: Mapping[str, str], where: Room) -> Start:
    """Start a program, stop it once it is usable."""
    terminal = Terminal(command, env, where.folder)
    try:
        wall = terminal.usable()
        cpu = terminal.cpu()
        terminal.watch(
            2
        )  # the engine loads behind the screen; its memory counts, its time does not
        return Start(wall, cpu, *terminal.rss())
    finally:
        terminal.close()


def cpu_of(command: Sequence[str], env: Mapping[str, str]) -> float:
    """CPU seconds of a program that ends by itself."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, env=dict(env), check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def main() -> None:
    """Measure and print."""
    with room() as where, model_server() as url:
        env = where.against(url)
        mine: list[Start] = []
        bare: list[Start] = []
        start(ours(), env, where)  # once for the byte code
        for _ in range(RUNS):  # in turn, so that both meet the same machine
            mine.append(start(ours(), env, where))
            bare.append(start(plain("bare"), env, where))
        table = Table(f"Start-up, medians of {RUNS}", "bare Textual")
        for name, target in TARGETS.items():
            a, b = (percentile([s.figures()[name] for s in starts], 50) for starts in (mine, bare))
            table.row(name, a, b, target)
        version = min(cpu_of(ours("--version"), env) for _ in range(RUNS))
        nothing = min(cpu_of([sys.executable, "-c", "pass"], env) for _ in range(RUNS))
        table = Table(f"--version, best of {RUNS}", "python -c pass")
        table.row("CPU, s", version, nothing, "<= 0.04")


if __name__ == "__main__":
    main()
