"""``@`` over 200,000 files: CPU of a key, beside a plain scan of all of them with rapidfuzz; and of making the list.

Paths are made up from a few dozen words, so that nearly all of them hold nearly any two letters: that is the hard case.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable

from rapidfuzz import fuzz, process

from agent_tui.engine.ranking import Ranker
from bench.table import Table

FILES = 200_000
SLICE = 2_000
WORDS = [
    "src",
    "lib",
    "core",
    "test",
    "utils",
    "handler",
    "model",
    "view",
    "auth",
    "session",
    "parser",
    "token",
    "index",
    "build",
    "config",
    "server",
    "client",
    "page",
    "widget",
    "driver",
    "queue",
    "store",
    "cache",
    "render",
    "layout",
    "network",
    "billing",
    "invoice",
    "report",
    "user",
    "admin",
    "api",
    "v1",
    "v2",
    "common",
    "shared",
]
ENDS = (".py", ".ts", ".tsx", ".md", ".json", ".go")
TYPED = ("session", "authpars", "test_parser", "svrcfg", "zzzz")


def paths(count: int, seed: int = 1) -> list[str]:
    """Make up paths."""
    chance = random.Random(seed)

    def one() -> str:
        folders = "/".join(chance.choice(WORDS) for _ in range(chance.randint(1, 6)))
        name = "_".join(chance.choice(WORDS) for _ in range(chance.randint(1, 3)))
        return f"{folders}/{name}{chance.randint(0, 999)}{chance.choice(ENDS)}"

    return [one() for _ in range(count)]


def cpu_ms(run: Callable[[], object]) -> float:
    """Give the CPU milliseconds of one call."""
    before = time.process_time()
    run()
    return (time.process_time() - before) * 1000


def main() -> None:
    """Measure and print."""
    every = paths(FILES)
    ranker = Ranker()
    making = sum(
        cpu_ms(lambda at=at: ranker.add(every[at : at + SLICE])) for at in range(0, FILES, SLICE)
    )
    making += cpu_ms(ranker.settle)
    table = Table(f"@ completion over {FILES:,} files, CPU ms", "rapidfuzz scan")
    for word in TYPED:
        for length in range(1, len(word) + 1):
            typed = word[:length]
            ours = cpu_ms(lambda typed=typed: ranker.search(typed, 20))
            scan = cpu_ms(
                lambda typed=typed: process.extract(
                    typed, every, scorer=fuzz.partial_ratio, limit=20
                )
            )
            if length in (1, 2, 3, len(word)):
                table.row(f"key {length} of {word!r}", ours, scan, "150" if length == 1 else "50")
    table.row("making the list, once", making)


if __name__ == "__main__":
    main()
