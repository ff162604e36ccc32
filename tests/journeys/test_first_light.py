"""The main job, in a terminal: from a prompt to an approved edit, and back again by the picker."""

from __future__ import annotations

import json

from tests.fakes.api_server import last_user_contains, reply, text, tool
from tests.journeys.program import Program


def script(program: Program) -> None:
    """Read, edit, run, answer; and a summary whenever one is asked for."""
    (program.project / "app.py").write_text("print('hello')\n")
    program.api.add_rule(
        last_user_contains("summary"), reply("<summary>The greeting was changed.</summary>")
    )
    program.api.enqueue(
        reply("I'll look first.", tool("Read", file_path="app.py")),
        reply(tool("Edit", file_path="app.py", old_string="hello", new_string="goodbye")),
        reply(tool("Bash", command="python3 app.py >&2; echo ran >> runs.txt")),
        reply(text("All done, **really**."), chunk=3, delay=0.02),
        "A fresh start.",
        "Still here.",
    )


def test_from_prompt_to_approved_edit_and_back_by_the_picker(program: Program) -> None:
    script(program)
    with program.screen() as terminal:
        terminal.wait_for("›")
        terminal.type("fix the greeting")
        terminal.key("enter")
        terminal.wait_for("I'll look first.", "Read", "Edit app.py?", "No, and say why")
        terminal.pump(1.0)
        terminal.key("y")
        terminal.wait_for("Run this command?", "echo ran >> runs.txt")
        terminal.pump(1.0)
        terminal.key("y")
        terminal.wait_for("All done, really.", "4 turns", "$0.0")
        assert "4 turns" in terminal.text
        assert "default" in terminal.text.splitlines()[-1]
        assert "turn 4" in terminal.text.splitlines()[-1]
        terminal.type("/compact")
        terminal.key("enter")
        terminal.wait_for("Summarised the conversation")
        terminal.type("/clear")
        terminal.key("enter")
        terminal.wait_until_gone("All done, really.")
        terminal.type("hi again")
        terminal.key("enter")
        terminal.wait_for("A fresh start.")
        terminal.type("/exit")
        terminal.key("enter")
        assert terminal.wait_exit() == 0
    assert (program.project / "app.py").read_text() == "print('goodbye')\n"
    assert (program.project / "runs.txt").read_text() == "ran\n"

    with program.screen("--resume") as terminal:
        terminal.wait_for("fix the greeting", "hi again")
        terminal.type("fix the")
        terminal.wait_until_gone("hi again")
        terminal.key("enter")
        terminal.wait_for("All done, really.", "4 turns", "Edit  app.py", "goodbye")
        terminal.type("and now?")
        terminal.key("enter")
        terminal.wait_for("Still here.")
        terminal.type("/exit")
        terminal.key("enter")
        assert terminal.wait_exit() == 0
    assert (program.project / "runs.txt").read_text() == "ran\n"
    sent = json.dumps(program.api.messages[-1].body)
    assert "The greeting was changed." in sent
    program.api.check()


def test_a_resumed_transcript_looks_as_it_did_live(program: Program) -> None:
    script(program)
    with program.screen("--permission-mode", "acceptEdits") as terminal:
        terminal.wait_for("›")
        terminal.type("fix the greeting")
        terminal.key("enter")
        terminal.wait_for("Run this command?")
        terminal.pump(1.0)
        terminal.key("y")
        terminal.wait_for("All done, really.", "4 turns")
        live = terminal.text.splitlines()[:-3]
        terminal.key("ctrl+d")
        assert terminal.wait_exit() == 0
    with program.screen("--continue") as terminal:
        terminal.wait_for("All done, really.", "4 turns")
        terminal.pump(0.5)
        assert terminal.text.splitlines()[:-3] == live
        terminal.key("ctrl+d")
        terminal.wait_exit()


def test_shift_tab_changes_the_mode_and_edits_are_not_asked_then(program: Program) -> None:
    script(program)
    with program.screen() as terminal:
        terminal.wait_for("›", "default")
        terminal.key("shift+tab")
        terminal.wait_for("acceptEdits")
        terminal.type("go")
        terminal.key("enter")
        terminal.wait_for("Run this command?")
        assert "goodbye" in (program.project / "app.py").read_text()
        terminal.key("esc")
        terminal.pump(1.0)


def test_escape_stops_a_stream_and_the_session_goes_on(program: Program) -> None:
    long = reply(text("word " * 400), chunk=5, delay=0.05)
    program.api.enqueue(long, "Gladly.")
    with program.screen() as terminal:
        terminal.wait_for("›")
        terminal.type("talk")
        terminal.key("enter")
        terminal.wait_for("word word")
        terminal.key("esc")
        terminal.wait_until_gone("Working")
        terminal.type("stop it and say gladly")
        terminal.key("enter")
        terminal.wait_for("Gladly.")
    assert not program.api.refused


def test_what_is_typed_while_busy_waits_its_turn(program: Program) -> None:
    program.api.enqueue(reply(text("slow " * 60), chunk=5, delay=0.05), "Second answer.")
    with program.screen() as terminal:
        terminal.wait_for("›")
        terminal.type("first")
        terminal.key("enter")
        terminal.wait_for("slow slow")
        terminal.type("second prompt")
        terminal.key("enter")
        terminal.wait_for("1 queued", "second prompt")
        terminal.wait_for("Second answer.")
        assert "1 queued" not in terminal.text
    program.api.check()


def test_typing_works_before_the_engine_is_there(program: Program) -> None:
    program.api.enqueue("Heard you.")
    with program.screen() as terminal:
        terminal.wait_for("›")
        terminal.type("typed at once")
        terminal.wait_for("typed at once", "starting")
        terminal.key("enter")
        terminal.wait_for("Heard you.")
