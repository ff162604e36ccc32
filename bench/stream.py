"""Streaming: a 200 KB answer as fast as it is read, and keys typed while one comes at 200 deltas a second."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bench.model_server import end_of, model_server
from bench.room import Room, ours, plain, room
from bench.table import Table
from bench.terminal import GoneError, Terminal, percentile

SIZE = 200_000
RATE = 200
SECONDS = 10
PATIENCE = 60.0
"""Seconds for the whole answer; who needs longer has no figures for it."""
GAP = 0.1
"""Seconds between two keys."""


@dataclass(frozen=True)
class Whole:
    """A whole answer: wall and CPU seconds, bytes to the terminal, MB of the screen afterwards."""

    wall: float
    cpu: float
    written: int
    screen: float


@dataclass(frozen=True)
class Typed:
    """Typing while it streams: keys in ms, CPU seconds per second."""

    keys: list[float]
    cpu: float


def whole(terminal: Terminal) -> Whole:
    """Ask for a big answer, wait for its end."""
    cpu, written = terminal.cpu(), len(terminal.seen)
    begun = time.perf_counter()
    terminal.send(f"BENCH whole text {SIZE} 0")
    terminal.settle()
    terminal.send("\r")
    seen = terminal.wait(end_of("whole"), timeout=PATIENCE, since=written)
    terminal.settle()
    return Whole(
        seen - begun, terminal.cpu() - cpu, len(terminal.seen) - written, terminal.rss()[0]
    )


def typed(terminal: Terminal) -> Typed:
    """Ask for a slow answer and type."""
    since = len(terminal.seen)
    terminal.send(f"BENCH typed text {RATE * 20 * SECONDS} {RATE}")
    terminal.settle()
    terminal.send("\r")
    terminal.wait("Part", since=since)
    cpu, begun = terminal.cpu(), time.perf_counter()
    keys: list[float] = []
    while time.perf_counter() - begun < SECONDS - 2:
        keys.append(1000 * terminal.key(timeout=20))
        terminal.watch(GAP)
    spent = (terminal.cpu() - cpu) / (time.perf_counter() - begun)
    return Typed(keys, spent)


def measured(
    command: Sequence[str], env: Mapping[str, str], where: Room
) -> tuple[Whole | None, Typed | None]:
    """Start a program, measure both; None where it did not keep up."""
    terminal = Terminal(command, env, where.folder)
    first: Whole | None = None
    second: Typed | None = None
    try:
        terminal.usable()
        terminal.watch(4)  # the engine is loaded by now
        second = typed(terminal)
        terminal.wait(end_of("typed"), timeout=240, since=0)
        first = whole(terminal)
    except GoneError as error:
        print(f"{command[-1]}: {str(error)[:200]}")
    finally:
        terminal.close()
    return first, second


def printed(env: Mapping[str, str], where: Room, url: str) -> tuple[float, float]:
    """Wall and CPU seconds of a program that only prints the answer."""
    terminal = Terminal(plain("print", url, f"BENCH plain text {SIZE} 0"), env, where.folder)
    terminal.wait("Part", since=0)
    begun = time.perf_counter()
    seen = terminal.wait(end_of("plain"), since=0)
    cpu = terminal.cpu()
    terminal.close()
    return seen - begun, cpu


def main() -> None:
    """Measure and print."""
    with room() as where, model_server() as url:
        env = where.against(url)
        fast, slow = measured(ours(), env, where)
        their_fast, their_slow = measured(plain("streaming", url), env, where)
        if slow:
            keys = their_slow.keys if their_slow else None
            table = Table(f"{RATE} deltas a second, {len(slow.keys)} keys", "Textual Markdown")
            for percent, target in ((50, "<= 15"), (95, "<= 40")):
                theirs = percentile(keys, percent) if keys else None
                table.row(f"key p{percent}, ms", percentile(slow.keys, percent), theirs, target)
            table.row("CPU, s a second", slow.cpu, their_slow and their_slow.cpu, "<= 0.35")
        if fast:
            t = their_fast
            table = Table(f"{SIZE // 1000} KB as fast as it is read", "Textual Markdown")
            table.row("wall, s", fast.wall, t and t.wall, "<= 1.5")
            table.row("CPU, s per MB", fast.cpu * 1e6 / SIZE, t and t.cpu * 1e6 / SIZE, "<= 10")
            table.row(
                "terminal bytes per answer byte",
                fast.written / SIZE,
                t and t.written / SIZE,
                "<= 4",
            )
            table.row("RSS of the screen, MB", fast.screen, t and t.screen, "<= 120")
            wall, cpu = printed(env, where, url)
            table = Table("The same", "printing only")
            table.row("wall, s", fast.wall, wall)
            table.row("CPU, s", fast.cpu, cpu)


if __name__ == "__main__":
    main()
