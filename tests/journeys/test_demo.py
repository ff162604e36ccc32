"""``--demo``: opens without key and network, gives its tour, and changes nothing without a yes."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.journeys.program import Program
from tests.journeys.terminal import Terminal


@pytest.fixture
def program(program: Program) -> Program:
    """A project in git; neither key nor server."""
    program.variables.update(ANTHROPIC_API_KEY="", ANTHROPIC_BASE_URL="")
    (program.project / "app.py").write_text("# TODO: greet\nprint('hello')\n")
    (program.project / "README.md").write_text("# Greeter\n")
    git(program, "init", "-q", "-b", "trunk")
    git(program, "add", ".")
    git(program, "commit", "-q", "-m", "first")
    return program


def git(program: Program, *words: str) -> str:
    done = subprocess.run(
        ["git", *words], cwd=program.project, check=True, capture_output=True, text=True
    )
    return done.stdout


def tree(program: Program) -> dict[str, bytes]:
    files = (p for p in program.project.rglob("*") if ".git" not in p.parts and p.is_file())
    return {str(p.relative_to(program.project)): p.read_bytes() for p in files}


def touring(program: Program) -> Terminal:
    terminal = program.screen("--demo")
    terminal.wait_for("›")
    terminal.type("show me")
    terminal.key("enter")
    terminal.wait_for("May I write it down?", "No, and say why")
    terminal.pump(1.0)
    return terminal


def refuse(terminal: Terminal, why: str = "") -> None:
    terminal.key("n")
    terminal.wait_for("why not?")
    terminal.type(why)
    terminal.key("enter")


def leave(terminal: Terminal) -> None:
    terminal.type("/exit")
    terminal.key("enter")
    assert terminal.wait_exit() == 0


def test_the_tour_with_yes_writes_its_one_file(program: Program) -> None:
    before = tree(program)
    with touring(program) as terminal:
        assert tree(program) == before
        terminal.key("y")
        terminal.wait_for("Run this command?")
        terminal.pump(1.0)
        terminal.key("y")
        terminal.pump(1.2)
        terminal.key("enter")
        terminal.wait_for("That was the tour.")
        leave(terminal)
    made = {name: data for name, data in tree(program).items() if name not in before}
    [(name, data)] = made.items()
    assert name.endswith(".md")
    assert b"Scratch file of the agent-tui demo" in data
    assert {name: tree(program)[name] for name in before} == before
    assert not program.api.requests


def test_the_tour_with_no_leaves_the_tree_as_it_was(program: Program) -> None:
    before = tree(program)
    with touring(program) as terminal:
        refuse(terminal, "rather not")
        terminal.wait_for("Run this command?", "rather not")
        terminal.pump(1.0)
        refuse(terminal)
        terminal.wait_for("That was the tour.", "nothing at all")
        leave(terminal)
    assert tree(program) == before
    assert git(program, "status", "--short") == ""


def test_escape_in_the_question_ends_the_tour_and_nothing_is_written(program: Program) -> None:
    before = tree(program)
    with touring(program) as terminal:
        terminal.key("esc")
        terminal.wait_until_gone("No, and say why")
        leave(terminal)
    assert tree(program) == before


def test_printed_it_says_that_it_is_a_script_and_writes_nothing(program: Program) -> None:
    before = tree(program)
    done = program.print("show me", "--demo")
    assert done.returncode == 0, done.stderr
    assert b"That was the tour." in done.stdout
    assert b"script" in done.stdout
    assert tree(program) == before
    assert not program.api.requests


def test_a_demo_session_is_resumed_as_a_demo(program: Program) -> None:
    with touring(program) as terminal:
        terminal.key("esc")
        terminal.wait_until_gone("No, and say why")
        leave(terminal)
    with program.screen("--demo", "--continue") as terminal:
        terminal.wait_for("show me")
        terminal.type("markdown")
        terminal.key("enter")
        terminal.wait_for("script")
        leave(terminal)
    assert Path(program.home / ".agent-tui").is_dir()
