"""Kills at random moments of screen, engine and watcher: nothing is lost, nothing happens twice, the file stays valid."""

from __future__ import annotations

import os
import random
import re
import signal
from collections import Counter
from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from tests.fakes.api_server import ApiRequest, Reply, reply, text, tool
from tests.journeys.program import Program
from tests.journeys.terminal import Terminal
from tests.journeys.test_kills import engine_of, wait_gone

PROMPTS = 6
LONGEST = 1.6
"""Seconds from Enter within which it is killed; a run takes about as long."""
SEEDS = [int(seed) for seed in os.environ.get("KILL_SEEDS", "1 2 3").split()]
ASKED = re.compile(r"prompt-(\d+)-end")


def answer(request: ApiRequest) -> Reply:
    """A call that leaves a line behind, then a text that takes its time."""
    asked = ASKED.findall(str(request.messages))
    number = asked[-1] if asked else "0"
    fresh = f"prompt-{number}-end" in request.last_user_text
    if fresh and not request.tool_results:
        return reply(
            text(f"looking at {number} " + "word " * 10),
            tool("Bash", command=f"echo {number} >> runs.txt"),
            chunk=8,
            delay=0.01,
        )
    words = " ".join(f"w{number}" for _ in range(60))
    return reply(text(f"{words} answer-{number}-end"), chunk=8, delay=0.01)


class House:
    """The windows: one that runs the session, one that watches it; both may be gone."""

    def __init__(self, program: Program, chance: random.Random) -> None:
        self.program = program
        self.chance = chance
        self.windows = ExitStack()
        self.screen = self.open_screen()
        self.watcher: Terminal | None = None

    def open_screen(self, *arguments: str) -> Terminal:
        flag = "--dangerously-skip-permissions"
        screen = self.windows.enter_context(self.program.screen(flag, *arguments))
        screen.wait_for("nothing is asked")
        return screen

    def watch(self) -> Terminal:
        if self.watcher is None:
            self.watcher = self.windows.enter_context(self.program.screen("--watch"))
            self.watcher.wait_for("watching, read-only", "bypass")
        return self.watcher

    def ask(self, number: int) -> None:
        self.screen.type(f"prompt-{number}-end")
        self.screen.key("enter")

    def look(self, seconds: float) -> None:
        """Let both windows write."""
        for _ in range(max(1, int(seconds / 0.02))):
            self.screen.pump(0.01)
            if self.watcher is not None:
                self.watcher.pump(0.01)

    def rest(self) -> None:
        """Wait until no run goes."""
        self.screen.wait_until_gone("esc stop")
        self.look(0.3)

    def kill(self, what: str) -> None:
        """Kill one of them, or two, and bring back what is missing."""
        engine = engine_of(self.screen)
        if "screen" in what:
            self.screen.kill()
        if "engine" in what:
            os.kill(engine, signal.SIGKILL)
        if what == "watcher" and self.watcher is not None:
            self.watcher.kill()
            self.watcher = None
        if "screen" in what:
            wait_gone(lambda: Path(f"/proc/{engine}/exe").exists(), seconds=10)
            self.screen = self.open_screen("--continue")
        elif "engine" in what:
            self.screen.wait_for("The engine stopped")
        self.look(0.5)


@contextmanager
def house_of(program: Program, seed: int) -> Generator[House]:
    program.variables["IS_SANDBOX"] = "1"
    program.api.script.default = answer
    house = House(program, random.Random(seed))
    with house.windows:
        yield house


@pytest.mark.parametrize("seed", SEEDS)
def test_p2_killed_at_any_moment_nothing_is_lost_and_nothing_doubled(
    program: Program, seed: int
) -> None:
    with house_of(program, seed) as house:
        house.ask(0)
        house.screen.wait_for("answer-0-end")
        house.rest()
        victims: list[str] = []
        for number in range(1, PROMPTS):
            if house.chance.random() < 0.7:
                house.watch()
            house.ask(number)
            house.look(house.chance.uniform(0.02, LONGEST))
            victims.append(
                house.chance.choice(["screen", "engine", "watcher", "screen and engine"])
            )
            house.kill(victims[-1])
            house.rest()
        watcher = house.watch()
        house.ask(PROMPTS)
        house.screen.wait_for(f"answer-{PROMPTS}-end")
        watcher.wait_for(f"answer-{PROMPTS}-end")
        house.rest()
        for window in (house.screen, watcher):
            assert window.text.count(f"answer-{PROMPTS}-end") == 1, victims
    [journal] = program.journals()
    lines = program.lines(journal)  # every line is JSON
    uuids = Counter(line["uuid"] for line in lines if "uuid" in line)
    assert max(uuids.values()) == 1, victims
    prompts = Counter(
        found
        for line in lines
        if line["type"] == "user" and isinstance(line["message"]["content"], str)
        for found in ASKED.findall(line["message"]["content"])
    )
    typed = (program.home / ".agent-tui" / "history.jsonl").read_text()
    for number in range(PROMPTS + 1):
        assert prompts[str(number)] <= 1, victims
        assert f"prompt-{number}-end" in typed, victims  # what a dead engine had not begun with
    ran = Counter((program.project / "runs.txt").read_text().split())
    assert set(ran.values()) == {1}, victims
    assert set(ran) <= set(prompts), victims
    assert not program.api.refused, victims
    assert not program.api.errors
