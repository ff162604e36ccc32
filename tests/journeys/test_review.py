"""Looking through what was changed and going back, in the real program."""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path

from tests.fakes.api_server import reply, stall, tool
from tests.journeys.machine import engine_of
from tests.journeys.program import Program
from tests.journeys.terminal import Terminal

FREE = ("--dangerously-skip-permissions",)


def bold(program: Program) -> Program:
    """A machine on which nothing is asked, also for root."""
    program.variables["IS_SANDBOX"] = "1"
    return program


def command(screen: Terminal, name: str, then: str) -> None:
    """Type a command, wait until it is proposed, and run it."""
    screen.type(f"/{name}")
    screen.wait_for(f"/{name}  ")
    screen.key("enter")
    screen.wait_for(then)


def said(program: Program) -> str:
    """The last message that the model was sent."""
    return json.dumps(program.api.messages[-1].messages[-1], ensure_ascii=False)


def edits(program: Program, *names: str) -> None:
    for name in names:
        (program.project / name).write_text("one\ntwo\nthree\n")
    program.api.enqueue(
        *(
            reply(
                tool(
                    "Edit",
                    file_path=str(program.project / name),
                    old_string="two",
                    new_string=f"2 in {name}",
                )
            )
            for name in names
        ),
        "all edited",
    )


def test_an_edit_is_looked_at_commented_on_and_the_model_reads_it(program: Program) -> None:
    edits(bold(program), "a.txt")
    program.api.enqueue("I see")
    with program.screen(*FREE) as screen:
        screen.wait_for("›")
        screen.type("go")
        screen.key("enter")
        screen.wait_for("all edited")
        command(screen, "diff", "mark seen")
        screen.wait_for("2 in a.txt", "+1 −1")
        screen.key("down")
        screen.key("c")
        screen.wait_for("✎ line 2")
        screen.type("say it in words")
        screen.key("enter")
        screen.wait_for("1 comment in 1 file")
        screen.key("R")
        screen.wait_for("I see")
    assert "a.txt, line 2:\\n> +2 in a.txt\\nsay it in words" in said(program)


def test_h7_going_back_leaves_what_others_changed_and_names_it(program: Program) -> None:
    edits(bold(program), "a.txt", "b.txt")
    untouched = program.project / "data" / "big.jsonl"
    untouched.parent.mkdir()
    untouched.write_text("{}\n" * 100)
    with program.screen(*FREE) as screen:
        screen.wait_for("›")
        screen.type("change both")
        screen.key("enter")
        screen.wait_for("all edited")
        (program.project / "b.txt").write_text("by hand\n")
        screen.key("esc")
        screen.wait_for("esc again")
        screen.key("esc")
        screen.wait_for("Changed by others, too", "b.txt", "changed since")
        screen.key("b")
        screen.wait_for("Put back: a.txt", "Left as it is", "b.txt")
        screen.wait_for("› change both")  # the prompt is back in the editor
    assert (program.project / "a.txt").read_text() == "one\ntwo\nthree\n"
    assert (program.project / "b.txt").read_text() == "by hand\n"
    assert untouched.read_text() == "{}\n" * 100


def test_killed_in_the_middle_everything_can_still_be_put_back(program: Program) -> None:
    edits(bold(program), "a.txt")
    program.api.enqueue(reply("never", fault=stall(block=0, chars=1)))
    file = program.project / "a.txt"
    file.write_bytes(b"one\r\ntwo\r\nthree\r\n")
    with program.screen(*FREE) as screen:
        screen.wait_for("›")
        screen.type("go")
        screen.key("enter")
        screen.wait_for("all edited")
        screen.type("and on")
        screen.key("enter")
        program.api.wait_requests(3, 20)
        os.kill(engine_of(program.home), signal.SIGKILL)
        screen.wait_for("started again")
        assert file.read_bytes() == b"one\r\n2 in a.txt\r\nthree\r\n"
        command(screen, "rewind", "what came of")
        screen.key("down")
        screen.wait_for("a.txt", "put back")
        screen.key("b")
        screen.wait_for("Put back: a.txt")
    assert file.read_bytes() == b"one\r\ntwo\r\nthree\r\n"


def test_without_a_screen_the_commands_print(program: Program) -> None:
    edits(bold(program), "a.txt")
    program.variables["CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING"] = "true"
    program.print(*FREE, "go")
    done = program.print("-c", "/diff")
    assert "-two\n+2 in a.txt" in done.stdout.decode()
    assert Path(program.project / "a.txt").read_text() != "one\ntwo\nthree\n"
    program.print("-c", "/rewind 1 files")
    assert Path(program.project / "a.txt").read_text() == "one\ntwo\nthree\n"
