"""The list of benches, and what is smaller in their short form."""

from __future__ import annotations

from importlib import import_module

from bench.__main__ import SHORT
from bench.room import ROOT


def test_every_bench_is_in_the_list_and_what_is_made_smaller_is_there() -> None:
    scripts = {
        path.stem
        for path in (ROOT / "bench").glob("*.py")
        if "\ndef main(" in path.read_text() and path.stem not in ("__main__", "plain")
    }
    assert scripts == set(SHORT)
    for name, smaller in SHORT.items():
        found = vars(import_module(f"bench.{name}"))
        for constant, value in smaller.items():
            assert value < found[constant], f"{name}.{constant}"
