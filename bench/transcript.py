"""A transcript of 2,000 blocks: memory, keys and scrolling, beside 2,000 Static widgets in Textual."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from bench.model_server import end_of, model_server
from bench.room import Room, ours, plain, room
from bench.table import Table
from bench.terminal import Terminal, percentile

BLOCKS = 2_000
TIMES = 20
PAGE_UP, PAGE_DOWN = "\x1b[5~", "\x1b[6~"

TARGETS = {
    "key, ms": "",
    "CPU per key and its erase, ms": "<= 15",
    "page up until drawn, ms": "",
    "CPU per page up, ms": "<= 50",
    "RSS of the screen, MB": "<= 120",
    "CPU to get there, s": "",
}


@dataclass(frozen=True)
class Step:
    """What one action took: milliseconds until the last byte, CPU milliseconds."""

    wall: float
    cpu: float


def step(terminal: Terminal, act: Callable[[], object]) -> Step:
    """Do something, wait until nothing more is written."""
    cpu, begun = terminal.cpu(), time.perf_counter()
    act()
    drawn = terminal.settle()
    return Step(1000 * (drawn - begun), 1000 * (terminal.cpu() - cpu))


def figures(terminal: Terminal, spent: float) -> dict[str, float]:
    """Type and scroll in a program that shows the blocks."""
    typing = [step(terminal, terminal.key) for _ in range(TIMES)]
    keys: list[float] = []
    for _ in range(TIMES):
        keys.append(1000 * terminal.key())
        terminal.settle()
    pages = [step(terminal, lambda: terminal.send(PAGE_UP)) for _ in range(TIMES)]
    for _ in range(TIMES):
        terminal.send(PAGE_DOWN)
    terminal.settle()
    return dict(
        zip(
            TARGETS,
            (
                percentile(keys, 50),
                sum(s.cpu for s in typing) / TIMES,
                percentile([s.wall for s in pages], 50),
                sum(s.cpu for s in pages) / TIMES,
                terminal.rss()[0],
                spent,
            ),
            strict=True,
        )
    )


def ours_filled(env: Mapping[str, str], where: Room) -> dict[str, float]:
    """Let an answer of many blocks come, then measure."""
    terminal = Terminal(ours(), env, where.folder)
    try:
        terminal.usable()
        terminal.send(f"BENCH many blocks {BLOCKS}")
        terminal.settle()
        since = len(terminal.seen)
        terminal.send("\r")
        terminal.wait(end_of("many"), timeout=300, since=since)
        terminal.settle(quiet=0.3)
        return figures(terminal, terminal.cpu())
    finally:
        terminal.close()


def theirs_filled(command: Sequence[str], env: Mapping[str, str], where: Room) -> dict[str, float]:
    """Start the program that mounts the blocks, then measure."""
    terminal = Terminal(command, env, where.folder)
    try:
        terminal.usable(timeout=300)
        terminal.settle(quiet=0.3, timeout=300)
        return figures(terminal, terminal.cpu())
    finally:
        terminal.close()


def main() -> None:
    """Measure and print."""
    with room() as where, model_server() as url:
        mine = ours_filled(where.against(url), where)
        theirs = theirs_filled(plain("blocks", str(BLOCKS)), where.env, where)
    table = Table(f"{BLOCKS:,} blocks", f"{BLOCKS:,} Static")
    for name, target in TARGETS.items():
        table.row(name, mine[name], theirs[name], target)


if __name__ == "__main__":
    main()
