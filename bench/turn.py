"""What a turn costs: from the last byte of a tool_use response to the next request, Read of a ten-line file.

Beside a bare loop on the ``anthropic`` package that does nothing but read the file. The server holds the clock.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping, Sequence
from urllib.request import urlopen

from bench.model_server import end_of, model_server
from bench.room import Room, ours, plain, room
from bench.table import Table
from bench.terminal import Terminal, percentile

CALLS = 50


def gaps(url: str) -> list[float]:
    """Take the gaps from the server, in ms."""
    with urlopen(f"{url}/gaps") as answer:
        return [1000 * gap for gap in json.load(answer)]


def printed(command: Sequence[str], env: Mapping[str, str], where: Room, url: str) -> list[float]:
    """Run a program that ends by itself."""
    subprocess.run(
        command, env=dict(env), cwd=where.folder, check=True, stdout=subprocess.DEVNULL, timeout=300
    )
    return gaps(url)


def on_screen(env: Mapping[str, str], where: Room, url: str, prompt: str) -> list[float]:
    """Run the same prompt in the screen."""
    terminal = Terminal(ours(), env, where.folder)
    try:
        terminal.usable()
        terminal.send(prompt)
        terminal.settle()
        since = len(terminal.seen)
        terminal.send("\r")
        terminal.wait(end_of("turn"), timeout=120, since=since)
        return gaps(url)
    finally:
        terminal.close()


def main() -> None:
    """Measure and print."""
    with room() as where, model_server() as url:
        env = where.against(url)
        prompt = f"BENCH turn read {CALLS} {where.file}"
        headless = printed(ours("-p", prompt, "--model", "bench"), env, where, url)
        bare = printed(plain("loop", url, prompt), env, where, url)
        screen = on_screen(env, where, url, prompt)
    table = Table(f"End of a Read call to the next request, {len(headless)} times", "bare loop")
    for name, values, target in (("-p", headless, "<= 8"), ("screen", screen, "<= 15")):
        for percent in (50, 95):
            theirs = percentile(bare, percent)
            told = target if percent == 50 else ""
            table.row(f"{name} p{percent}, ms", percentile(values, percent), theirs, told)


if __name__ == "__main__":
    main()
