"""A person answers questions in the real program, with a real shell: what is approved, what is stored, and what is not."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest

from tests.fakes.api_server import Reply, has_tool_result, reply, tool
from tests.journeys.program import Program
from tests.journeys.terminal import Terminal

RATE = 1 / 15
"""Seconds between two keys of somebody who types fast."""


def bash(*commands: str, before: float = 0.0) -> Reply:
    return reply(*(tool("Bash", command=command) for command in commands), before=before)


def go(terminal: Terminal, text: str = "go") -> None:
    terminal.type(text)
    terminal.key("enter")


def armed(terminal: Terminal, *texts: str) -> None:
    """Wait until a question with these words is there, and its keys count."""
    terminal.wait_for("No, and say why", *texts)
    terminal.pump(1.2)


def at_the_rate(terminal: Terminal, keys: str, rate: float = RATE) -> None:
    """Press keys as fast as somebody types them."""
    for key in keys:
        begun = time.monotonic()
        terminal.key("\r" if key == "\n" else key)
        terminal.pump(max(0.0, rate - (time.monotonic() - begun)))


def allowed(path: Path) -> list[str]:
    """The rules that a settings file allows by."""
    data: Any = json.loads(path.read_text()) if path.exists() else {}
    return data.get("permissions", {}).get("allow", [])


def local(program: Program) -> Path:
    return program.project / ".claude" / "settings.local.json"


def shared(program: Program) -> Path:
    return program.project / ".claude" / "settings.json"


def own(program: Program) -> Path:
    return program.home / ".agent-tui" / "settings.json"


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir() if not path.name.startswith("."))


def test_a9_what_holds_for_the_session_is_what_the_panel_said(program: Program) -> None:
    program.api.enqueue(
        bash("touch 1.txt"), bash("rm 1.txt"), bash("touch ~/2.txt"), bash("touch 1.txt"), "Done."
    )
    with program.screen() as terminal:
        terminal.wait_for("›", "default")
        go(terminal)
        armed(terminal, "touch 1.txt", "This session")
        said = next(line for line in terminal.text.splitlines() if "This session" in line)
        assert "1.txt" in said and "until you leave" in said
        terminal.key("s")
        armed(terminal, "rm 1.txt")
        assert names(program.project) == ["1.txt"]
        terminal.key("n")
        terminal.key("enter")
        armed(terminal, "touch ~/2.txt")
        terminal.key("n")
        terminal.key("enter")
        terminal.wait_for("Done.")
    assert names(program.project) == ["1.txt"]
    assert not (program.home / "2.txt").exists()
    assert not local(program).exists()
    program.api.check()


LOOP = "for n in 1 2 3\ndo touch loop$n.txt\ndone"
DOCUMENT = "cat > n.md << 'EOF'\n" + "a line of the document\n" * 400 + "EOF"


@pytest.mark.parametrize("command", [LOOP, DOCUMENT])
def test_a10_no_junk_is_stored_for_lines_of_many_rows(program: Program, command: str) -> None:
    assert len(DOCUMENT) > 9000
    program.api.enqueue(bash(command), "Done.")
    with program.screen() as terminal:
        terminal.wait_for("›", "default")
        go(terminal)
        armed(terminal)
        offered = "Always" in terminal.text
        terminal.key("a")
        terminal.pump(0.5)
        if not offered:
            assert "No, and say why" in terminal.text, "a key that is not offered answers nothing"
            terminal.key("y")
            terminal.pump(1.2)
            terminal.key("enter")
        terminal.wait_for("Done.")
    stored = allowed(local(program))
    assert all(len(rule) < 200 and "\n" not in rule for rule in stored)
    assert not {"Bash(do)", "Bash(done)", "Bash(for *)", "Bash(cat *)", "Bash"} & set(stored)
    assert offered == bool(stored)
    assert not local(program).exists() or local(program).stat().st_size < 1000
    assert names(program.project) == (
        ["loop1.txt", "loop2.txt", "loop3.txt"] if command == LOOP else ["n.md"]
    )
    program.api.check()


@pytest.mark.parametrize(
    ("tabs", "place", "file"),
    [(1, "settings.local.json", local), (2, "the project's", shared), (3, "your own", own)],
)
def test_always_is_kept_where_the_panel_says_and_holds_in_the_next_session(
    program: Program, tabs: int, place: str, file: Any
) -> None:
    makefile = "test:\n\ttouch made\n"
    (program.project / "Makefile").write_text(makefile)
    program.api.enqueue(bash("make test"), "Done.")
    with program.screen() as terminal:
        terminal.wait_for("›", "default")
        go(terminal)
        armed(terminal, "stores Bash(make test)")
        for _ in range(tabs):
            terminal.key("tab")
        terminal.wait_for(f"kept in {place}", "lets this call run")
        terminal.key("enter")
        terminal.wait_for("Always", f"in {place}")
        terminal.key("enter")
        terminal.wait_for("Done.")
    assert allowed(file(program)) == ["Bash(make test)"]
    others = [path for path in (local, shared, own) if path is not file]
    assert not any(allowed(path(program)) for path in others)
    (program.project / "made").unlink()
    program.api.enqueue(bash("make test"), "Done again.")
    with program.screen() as terminal:
        if file is shared:  # as for everyone, it counts once the folder is trusted
            terminal.wait_for("Do you trust this folder?", "Bash(make test)")
            terminal.pump(1.2)
            terminal.key("t")
        terminal.wait_for("›", "default")
        go(terminal)
        terminal.wait_for("Done again.")
    assert (program.project / "made").exists()
    program.api.check()


def test_an_edited_rule_is_looked_at_while_it_is_typed(program: Program) -> None:
    program.api.enqueue(bash("make test"), "Done.")
    with program.screen() as terminal:
        terminal.wait_for("›", "default")
        go(terminal)
        armed(terminal, "make test")
        terminal.key("tab")
        terminal.wait_for("lets this call run")
        terminal.key("\x15")
        terminal.type("Bash(make")
        terminal.wait_for("is no rule")
        terminal.key("enter")
        terminal.pump(0.3)
        assert "is no rule" in terminal.text
        terminal.type(" x)")
        terminal.wait_for("does not cover this call")
        terminal.key("\x15")
        terminal.type("Bash(*)")
        terminal.wait_for("every command, whatever it does", "lets this call run")
        terminal.key("esc")
        terminal.wait_for("stores Bash(make test)")
        terminal.key("esc")
        terminal.wait_until_gone("No, and say why")
    assert not local(program).exists()


def test_for_some_calls_is_counted_and_for_this_task_ends_with_it(program: Program) -> None:
    program.api.enqueue(
        bash("touch a"), bash("touch a"), bash("touch a"), "Counted.",
        bash("touch a"), bash("touch a"), "First task.", bash("touch a"), "Second task.",
    )  # fmt: skip
    with program.screen(size=(60, 24)) as terminal:
        terminal.wait_for("›", "default")
        go(terminal)
        armed(terminal, "This session")
        terminal.key("\x1b[C")
        terminal.key("\x1b[C")
        terminal.wait_for("5 more calls", "5 more times")
        terminal.key("1")
        terminal.wait_for("1 more call\n", "now and 1 more time")
        terminal.key("enter")
        armed(terminal)
        terminal.key("n")
        terminal.key("enter")
        terminal.wait_for("Counted.")
        go(terminal, "again")
        armed(terminal)
        terminal.key("\x1b[C")
        terminal.wait_for("This task", "until this prompt has its result")
        terminal.key("s")
        terminal.wait_for("First task.")
        go(terminal, "and again")
        armed(terminal)
        terminal.key("n")
        terminal.key("enter")
        terminal.wait_for("Second task.")
    program.api.check()


def test_a_comment_goes_with_a_yes_to_the_model(program: Program) -> None:
    program.api.add_rule(has_tool_result("says: and the docs too"), "I will.")
    program.api.enqueue(bash("touch a"))
    with program.screen() as terminal:
        terminal.wait_for("›", "default")
        go(terminal)
        armed(terminal)
        terminal.key("down")
        terminal.wait_for("and say something")
        terminal.key("tab")
        terminal.type("and the docs too")
        terminal.key("enter")
        terminal.wait_for("I will.")
    assert (program.project / "a").exists()
    program.api.check()


def test_a_command_that_was_edited_into_something_grave_is_asked_about_again(
    program: Program,
) -> None:
    (program.project / "keep").mkdir()
    own(program).parent.mkdir()
    own(program).write_text(json.dumps({"permissions": {"ask": ["Bash(rmdir *)"]}}))
    program.api.enqueue(bash("touch a"), "Done.")
    with program.screen() as terminal:
        terminal.wait_for("›", "default")
        go(terminal)
        armed(terminal, "touch a")
        terminal.key("e")
        terminal.key("\x15")
        terminal.key("\x0b")
        terminal.type("rmdir keep")
        terminal.key("esc")
        terminal.wait_for("as you changed it")
        terminal.key("y")
        armed(terminal, "Asked by rule", "rmdir keep")
        assert (program.project / "keep").exists()
        terminal.key("n")
        terminal.type("after all not")
        terminal.key("enter")
        terminal.wait_for("Done.")
    assert (program.project / "keep").exists()
    assert not (program.project / "a").exists()
    program.api.check()


# Nothing is approved by accident ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("full", [False, True])
def test_a14_typing_goes_on_in_the_draft_and_a_deliberate_answer_works(
    program: Program, full: bool
) -> None:
    (program.project / "build").mkdir()
    program.api.enqueue(bash("rm -rf build", before=1.5), "Gone now.")
    with program.screen() as terminal:
        terminal.wait_for("›", "default")
        go(terminal)
        terminal.wait_for("Working")
        program.api.wait_requests(1, timeout=30)
        typed = ""
        while not any("rm -rf build" in str(line) for line in program.lines()):
            at_the_rate(terminal, "yes 1 2 ")
            typed += "yes 1 2 "
            assert len(typed) < 400
        at_the_rate(terminal, " 1y\n")
        assert names(program.project) == ["build"]
        armed(terminal, "Run this command?", "yes 1 2  1y")
        assert len(program.api.messages) == 1
        if full:
            terminal.key("f")
            terminal.wait_for("back to the conversation")
        terminal.key("y")
        terminal.pump(1.2)
        assert names(program.project) == ["build"], "it takes a second key"
        terminal.key("enter")
        terminal.wait_for("Gone now.", "yes 1 2  1y")
    assert names(program.project) == []
    program.api.check()


def test_a14_keys_within_the_grace_answer_nothing_and_are_not_lost(program: Program) -> None:
    program.api.enqueue(bash("touch a"), "Done.")
    with program.screen() as terminal:
        terminal.wait_for("›", "default")
        go(terminal)
        terminal.wait_for("No, and say why")
        at_the_rate(terminal, "yes\n")
        terminal.pump(0.3)
        assert names(program.project) == []
        assert "No, and say why" in terminal.text
        armed(terminal, "yes")
        terminal.key("y")
        terminal.wait_for("Done.")
    assert names(program.project) == ["a"]
    program.api.check()


def test_a14_a_key_that_is_held_down_answers_one_of_two_questions(program: Program) -> None:
    """The first answer opens the next question; the key goes on, first after half a second, then 25 times a second."""
    program.api.enqueue(bash("touch a", "touch b"), "Done.")
    with program.screen() as terminal:
        terminal.wait_for("›", "default")
        go(terminal)
        armed(terminal, "touch a")
        terminal.key("y")
        terminal.pump(0.5)
        at_the_rate(terminal, "y" * 60, 1 / 25)
        terminal.wait_for("touch b", "No, and say why")
        assert names(program.project) == ["a"]
        armed(terminal)
        terminal.key("y")
        terminal.wait_for("Done.")
    assert names(program.project) == ["a", "b"]
    program.api.check()


def test_a14_words_typed_at_a_question_let_nothing_dangerous_run(program: Program) -> None:
    (program.project / "build").mkdir()
    program.api.enqueue(bash("rm -rf build"), "Kept.")
    with program.screen() as terminal:
        terminal.wait_for("›", "default")
        go(terminal)
        armed(terminal)
        at_the_rate(terminal, "yes\ny\n\n")
        terminal.pump(0.3)
        assert names(program.project) == ["build"]
        armed(terminal)
        terminal.key("n")
        terminal.key("enter")
        terminal.wait_for("Kept.")
    assert names(program.project) == ["build"]
    program.api.check()


@pytest.mark.parametrize("text", ["y", "y\n", "yes\nyes\n"])
def test_a14_a_paste_at_a_question_goes_to_the_draft(program: Program, text: str) -> None:
    program.api.enqueue(bash("touch a"), "Done.")
    with program.screen() as terminal:
        terminal.wait_for("›", "default")
        go(terminal)
        armed(terminal)
        terminal.paste(text)
        terminal.key("enter")
        terminal.pump(0.3)
        assert names(program.project) == []
        armed(terminal, text.split("\n")[0])
        assert len(program.api.messages) == 1, "the draft was not sent"
        terminal.key("n")
        terminal.key("enter")
        terminal.wait_for("Done.")
    assert names(program.project) == []
    program.api.check()


def test_a14_a_click_elsewhere_answers_nothing(program: Program) -> None:
    program.api.enqueue(bash("touch a"), "Done.")
    with program.screen() as terminal:
        terminal.wait_for("›", "default")
        go(terminal)
        armed(terminal)
        for row in range(1, 40, 3):
            terminal.key(f"\x1b[<0;20;{row}M\x1b[<0;20;{row}m")
        terminal.pump(0.5)
        assert names(program.project) == []
        assert "No, and say why" in terminal.text
        assert len(program.api.messages) == 1
        terminal.key("n")
        terminal.key("enter")
        terminal.wait_for("Done.")
    assert names(program.project) == []
    program.api.check()
