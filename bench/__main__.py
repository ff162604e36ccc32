"""Runs all benches, prints one table of all figures, and keeps them as ``bench-numbers.json``.

``python -m bench [--full] [--within SECONDS] [--out FILE] [NAME …]``. Without ``--full`` each runs in a short form that takes some seconds:
good for ratios and for noticing that something has become twice as dear, not for comparing with a target. A bench that
fails is told and passed over; the exit code is 0 all the same, unless every one failed.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import platform
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from bench import table
from bench.room import ROOT

SHORT: Mapping[str, Mapping[str, float]] = {
    "startup": {"RUNS": 2},
    "idle": {"KEYS": 15, "IDLE": 2.0, "WAIT": 2.0},
    "stream": {"SIZE": 20_000, "SECONDS": 4, "PATIENCE": 8.0},
    "transcript": {"BLOCKS": 200, "TIMES": 5},
    "blocks": {"MANY": 2_000, "TIMES": 4},
    "picker": {"SESSIONS": 200, "ROUNDS": 1},
    "completion": {"FILES": 20_000},
    "turn": {"CALLS": 8},
    "soak": {"PROMPTS": 10, "BYTES": 200_000, "KEYS": 10},
}
"""All benches, and what is smaller in the short form."""
PATIENCE = {True: 3600.0, False: 60.0}
"""Seconds a bench gets, in full and short."""
Figures = list[dict[str, Any]]


def run_one(name: str, out: Path, *, full: bool) -> None:
    """Run one bench in this process; write the rows of its tables."""
    module = import_module(f"bench.{name}")
    if not full:
        vars(module).update(SHORT[name])
    if name == "soak":
        module.main(module.PROMPTS, module.BYTES)
    else:
        module.main()
    out.write_text(json.dumps([made.figures() for made in table.MADE]))


def run(
    names: Sequence[str], *, full: bool, within: float | None = None
) -> dict[str, Figures | None]:
    """Run benches one after another, each in a process of its own; None for one that failed, or came too late."""
    found: dict[str, Figures | None] = {}
    begun = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            out = Path(folder) / f"{name}.json"
            left = math.inf if within is None else within - (time.monotonic() - begun)
            started = time.monotonic()
            said = run_apart(name, out, full=full, seconds=min(PATIENCE[full], left))
            found[name] = json.loads(out.read_text()) if out.exists() else None
            took = time.monotonic() - started
            print(
                f"{name}: {'failed' if found[name] is None else 'done'} in {took:.0f} s", flush=True
            )
            if found[name] is None:
                print("  " + "\n  ".join(said.splitlines()[-8:]))
    return found


def run_apart(name: str, out: Path, *, full: bool, seconds: float) -> str:
    """Run one in a process of its own; give what it printed. Without ``out`` afterwards it has failed."""
    if seconds <= 0:
        return "there was no time left for it"
    command = [sys.executable, "-m", "bench", "--one", name, "--out", str(out)]
    if full:
        command.append("--full")
    with subprocess.Popen(
        command,
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    ) as process:
        try:
            return process.communicate(timeout=seconds)[0]
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)  # with the servers it has started
            return f"{process.communicate()[0]}\nit took more than {seconds:.0f} s"


def show(found: Mapping[str, Figures | None]) -> None:
    """Print one table of all."""
    print(f"\n{'':64}{'agent-tui':>12}{'beside':>12}{'ratio':>8}   target")
    for name, tables in found.items():
        for made in tables or []:
            print(f"{name}: {made['title']}, beside {made['beside']}")
            for row in made["rows"]:
                ours, theirs = row["agent-tui"], row["beside"]
                beside = "" if theirs is None else table.figure(theirs)
                ratio = f"{ours / theirs:.2f}" if theirs else ""
                line = f"  {row['name']:62}{table.figure(ours):>12}{beside:>12}{ratio:>8}"
                print(f"{line}   {row['target']}".rstrip())


def numbers(found: Mapping[str, Figures | None], *, full: bool) -> dict[str, Any]:
    """What is kept: the figures, and of which machine and which state of the code they are."""
    commit = subprocess.run(
        ["git", "rev-parse", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    return {
        "when": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "commit": commit.stdout.strip(),
        "full": full,
        "python": platform.python_version(),
        "system": platform.platform(),
        "cores": os.cpu_count(),
        "load": os.getloadavg()[0],
        "benches": found,
    }


def main(argv: Sequence[str]) -> int:
    """Run what the arguments say."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(SHORT))
    parser.add_argument("--full", action="store_true", help="as long as each needs")
    parser.add_argument("--out", type=Path, default=ROOT / "bench-numbers.json")
    parser.add_argument("--within", type=float, metavar="SECONDS", help="all of them in so long")
    parser.add_argument("--one", choices=list(SHORT), help=argparse.SUPPRESS)
    args = parser.parse_args(argv)
    if args.one:
        run_one(args.one, args.out, full=args.full)
        return 0
    strange = [name for name in args.names if name not in SHORT]
    if strange:
        parser.error(f"there is no bench {strange[0]!r}")
    found = run(args.names or list(SHORT), full=args.full, within=args.within)
    show(found)
    args.out.write_text(json.dumps(numbers(found, full=args.full), indent=1) + "\n")
    print(f"\nkept in {args.out}")
    return 0 if any(figures is not None for figures in found.values()) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
