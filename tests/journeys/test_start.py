"""Starting in odd ways: with a pipe on standard input, in a huge folder, with private files."""

from __future__ import annotations

import os
import shlex
import stat
import statistics
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.journeys.machine import engine_of, peak_mb
from tests.journeys.program import KEY, Program
from tests.journeys.terminal import Terminal

FILES = 65_000
OLD = 1_000_000_000.0


def piped(program: Program, text: str, *arguments: str) -> Terminal:
    """``printf text | agent-tui``, with a terminal on standard output."""
    line = f"printf %s {shlex.quote(text)} | {shlex.join(program.start_argv(*arguments))}"
    return Terminal(
        ["/bin/sh", "-c", line], cwd=program.project, env=program.environment, size=(120, 40)
    )


def test_i1_piped_text_becomes_the_prompt_and_keys_come_from_the_terminal(
    program: Program,
) -> None:
    program.api.enqueue("I see an error.", "Nothing more.")
    with piped(program, "error: x\n") as terminal:
        terminal.wait_for("I see an error.")
        terminal.type("what now?")
        terminal.key("enter")
        terminal.wait_for("Nothing more.")
        terminal.type("/exit")
        terminal.key("enter")
        assert terminal.wait_exit() == 0
        assert b"Traceback" not in terminal.raw
    assert "error: x" in program.api.messages[0].last_user_text
    assert "what now?" in program.api.messages[1].last_user_text
    program.api.check()


def test_i1_piped_text_stands_behind_a_prompt_that_is_given(program: Program) -> None:
    program.api.enqueue("Seen.")
    with piped(program, "error: x\n", "explain this:") as terminal:
        terminal.wait_for("Seen.")
    assert "explain this:\n\nerror: x" in program.api.messages[0].last_user_text


def test_an_empty_pipe_is_no_prompt(program: Program) -> None:
    with piped(program, "") as terminal:
        terminal.wait_for("›", "default")
        terminal.type("hello")
        terminal.wait_for("hello")
    assert not program.api.messages


@pytest.fixture(scope="module")
def crowded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A home with 65,000 small files and no git, all of them last read in 2001."""
    home = tmp_path_factory.mktemp("crowded")
    left = FILES
    for number in range(FILES // 500):
        folder = home / f"group{number % 13:02}" / f"part{number:03}"
        folder.mkdir(parents=True)
        handle = os.open(folder, os.O_RDONLY)
        for each in range(500):
            name = "document.txt" if each == 250 else f"file{each:03}.dat"
            out = os.open(name, os.O_WRONLY | os.O_CREAT, 0o644, dir_fd=handle)
            os.close(out)
            left -= 1
        os.close(handle)
    assert left == 0
    for path in home.rglob("document.txt"):
        path.write_text("never to be read by itself")
        os.utime(path, (OLD, OLD + 1))
    yield home


def test_i4_in_a_home_of_65000_files_keys_show_at_once_and_files_are_found(
    program: Program, crowded: Path
) -> None:
    program.home = program.project = crowded
    with program.screen() as terminal:
        terminal.wait_for("›")
        waits: list[float] = []
        for end in range(1, len("typed at once") + 1):
            started = time.monotonic()
            terminal.type("typed at once"[end - 1])
            terminal.wait_for("typed at once"[:end].rstrip(), seconds=2)
            waits.append(time.monotonic() - started)
        assert statistics.median(waits) < 0.15
        terminal.type(" ")
        terminal.wait_for("default")
        engine = engine_of(crowded)
        before = peak_mb(engine)
        terminal.type("@doc")
        terminal.wait_for("document.txt", "part")
        terminal.type("ument.txt")
        terminal.wait_for("typed at once @document.txt", seconds=2)
        terminal.wait_for("group")
        terminal.key("esc")
        terminal.pump(0.5)
        assert peak_mb(engine) - before < 100
    read = [p for p in crowded.rglob("document.txt") if p.stat().st_atime != OLD]
    assert not read
    assert not program.api.messages


def test_all_we_keep_is_the_owners_and_no_key_is_in_it(program: Program) -> None:
    program.api.enqueue("Hello there.")
    with program.screen() as terminal:
        terminal.wait_for("›")
        terminal.type("hi")
        terminal.key("enter")
        terminal.wait_for("Hello there.")
        terminal.type("a draft that is left")
        terminal.wait_for("a draft that is left")
        terminal.key("ctrl+c")
        terminal.type("/exit")
        terminal.key("enter")
        terminal.wait_exit()
    kept = [program.home / ".agent-tui", *(program.home / ".agent-tui").rglob("*")]
    assert {"history.jsonl", "engine.log"} <= {path.name for path in kept}
    assert not [path for path in kept if stat.S_IMODE(path.stat().st_mode) & 0o077]
    for path in kept:
        if path.is_file():
            assert KEY.encode() not in path.read_bytes(), path
    assert b"Traceback" not in (program.home / ".agent-tui/logs/engine.log").read_bytes()
