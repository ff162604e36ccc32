"""Doing nothing, waiting, and single keys: what the screen costs while hardly anything happens, beside a bare Textual app.

The bare app that waits beside ours changes one line of text once a second, as the time of the working line does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from bench.model_server import model_server
from bench.room import Room, ours, plain, room
from bench.table import Table
from bench.terminal import Terminal, percentile

KEYS = 60
IDLE = 20.0
WAIT = 15.0
"""Seconds of idling, and of waiting for the model."""
LOADED = 4.0
"""Seconds after the first key until everything behind the screen is loaded."""


@dataclass(frozen=True)
class Keys:
    """Milliseconds to each echo; CPU milliseconds of a key and its erase."""

    echo: list[float]
    cpu: float


@dataclass(frozen=True)
class Rest:
    """What passed in a time of rest: CPU seconds, bytes and pieces written to the terminal."""

    seconds: float
    cpu: float
    written: int
    writes: int


def keys(terminal: Terminal) -> Keys:
    """Type a key and erase it, again and again, each when the one before is drawn."""
    cpu = terminal.cpu()
    echo: list[float] = []
    for _ in range(KEYS):
        echo.append(1000 * terminal.key())
        terminal.settle()
    return Keys(echo, 1000 * (terminal.cpu() - cpu) / KEYS)


def rest(terminal: Terminal, seconds: float) -> Rest:
    """Look on while nothing is typed."""
    cpu, written, writes = terminal.cpu(), len(terminal.seen), terminal.reads
    terminal.watch(seconds)
    return Rest(
        seconds, terminal.cpu() - cpu, len(terminal.seen) - written, terminal.reads - writes
    )


def wait_for_model(terminal: Terminal) -> None:
    """Ask something that is answered late."""
    terminal.send(f"BENCH late wait {WAIT + 30:.0f}")
    terminal.settle()
    terminal.send("\r")
    terminal.wait("Working")
    terminal.settle(timeout=1)


def begin_clock(terminal: Terminal) -> None:
    """Have the bare app change its line once a second."""
    terminal.send("\r")
    terminal.wait("0 s")
    terminal.settle(timeout=1)


def measured(
    command: Sequence[str],
    env: Mapping[str, str],
    where: Room,
    begin: Callable[[Terminal], None],
) -> tuple[Keys, Rest, Rest]:
    """Start a program; measure keys, idling, and waiting once ``begin`` was done."""
    terminal = Terminal(command, env, where.folder)
    try:
        terminal.usable()
        terminal.watch(LOADED)
        typed = keys(terminal)
        idle = rest(terminal, IDLE)
        begin(terminal)
        return typed, idle, rest(terminal, WAIT)
    finally:
        terminal.close()


def main() -> None:
    """Measure and print."""
    with room() as where, model_server() as url:
        mine = measured(ours(), where.against(url), where, wait_for_model)
        bare = measured(plain("clock"), where.env, where, begin_clock)
    typed, idle, waiting = mine
    their_typed, their_idle, their_waiting = bare
    table = Table(f"{KEYS} keys while nothing else happens", "bare Textual")
    for percent, target in ((50, "<= 7"), (95, "<= 12")):
        a, b = percentile(typed.echo, percent), percentile(their_typed.echo, percent)
        table.row(f"echo p{percent}, ms", a, b, target)
    table.row("CPU of a key and its erase, ms", typed.cpu, their_typed.cpu, "<= 7")
    table = Table(f"Idle for {IDLE:.0f} s", "bare Textual")
    table.row("CPU, s", idle.cpu, their_idle.cpu, "<= 0.02")
    table.row("bytes to the terminal", idle.written, their_idle.written, "0")
    table = Table(f"Waiting for the model for {WAIT:.0f} s", "bare Textual clock")
    table.row("CPU, s a second", waiting.cpu / waiting.seconds, their_waiting.cpu / WAIT, "<= 0.02")
    table.row("writes a second", waiting.writes / waiting.seconds, their_waiting.writes / WAIT)


if __name__ == "__main__":
    main()
