"""Typing in the real program: drafts survive, shell lines run, pictures go out, keys and Vim are as the settings say."""

from __future__ import annotations

import io
import json
import os
import signal
from pathlib import Path
from typing import Any

from PIL import Image

from tests.fakes.api_server import ApiServer
from tests.journeys.program import Program
from tests.journeys.terminal import Terminal


def settings(program: Program, **said: Any) -> None:
    folder = program.home / ".agent-tui"
    folder.mkdir(exist_ok=True)
    (folder / "settings.json").write_text(json.dumps(said, indent=1))


def ready(program: Program, size: tuple[int, int] = (100, 30)) -> Terminal:
    terminal = program.screen(size=size)
    terminal.wait_for("›")
    terminal.wait_for("default")
    return terminal


def sent(api: ApiServer) -> list[dict[str, Any]]:
    """All content blocks of the last request's messages."""
    messages: list[Any] = list(api.messages[-1].messages)
    return [block for message in messages for block in message["content"]]


def test_a_draft_survives_a_kill_and_up_brings_it_back(program: Program) -> None:
    with ready(program) as terminal:
        terminal.type("half a thought あ")
        terminal.wait_for("half a thought")
        terminal.pump(1.0)
        os.kill(terminal.pid, signal.SIGKILL)
        terminal.wait_exit()
    with ready(program) as terminal:
        terminal.pump(1.0)
        terminal.key("up")
        terminal.wait_for("› half a thought あ")


def test_a_shell_line_runs_at_once_and_the_model_sees_it(program: Program) -> None:
    program.api.enqueue("I see it.")
    with ready(program) as terminal:
        terminal.type("! echo made > made.txt; cat made.txt")
        terminal.wait_for("shell line: runs at once, unasked")
        terminal.key("enter")
        terminal.wait_for("Shell  echo made > made.txt", "exit 0")
        assert (program.project / "made.txt").read_text() == "made\n"
        assert program.api.messages == []
        terminal.type("! sleep 30.5")
        terminal.key("enter")
        terminal.wait_for("running")
        terminal.key("esc")
        terminal.wait_for("stopped")
        terminal.type("what did I do?")
        terminal.key("enter")
        terminal.wait_for("I see it.")
        texts = "\n".join(block.get("text", "") for block in sent(program.api))
        assert "<bash-input>echo made > made.txt; cat made.txt</bash-input>" in texts
        assert "<bash-stdout>made</bash-stdout>" in texts
        assert "<bash-input>sleep 30.5</bash-input>" in texts
        assert program.api.refused == []


def test_a_dropped_picture_goes_out_with_the_prompt_and_stays_in_the_session(
    program: Program,
) -> None:
    out = io.BytesIO()
    Image.new("RGB", (640, 480), "teal").save(out, "PNG")
    (program.project / "my shot.png").write_bytes(out.getvalue())
    program.api.enqueue("Teal.")
    with ready(program) as terminal:
        terminal.key(f"\x1b[200~'{program.project}/my shot.png'\x1b[201~")
        terminal.wait_for("[Image 1 · 640x480]")
        terminal.type("which colour?")
        terminal.key("enter")
        terminal.wait_for("Teal.")
        assert "1 picture" in terminal.text
        [picture] = [block for block in sent(program.api) if block["type"] == "image"]
        assert picture["source"]["media_type"] == "image/png"
        assert program.api.refused == []


def test_the_keys_of_the_settings_count_and_what_is_wrong_is_said(program: Program) -> None:
    settings(program, keybindings={"edit:submit": "ctrl+x", "edit:newLine": "enter", "nope": "f7"})
    with ready(program) as terminal:
        terminal.wait_for("there is no action 'nope'")
        assert "settings.json:5:" in "".join(terminal.text.split())
        terminal.type("! echo one")
        terminal.key("enter")
        terminal.type("echo two")
        terminal.key("\x18")
        terminal.wait_for("   one", "   two", "exit 0")


def test_vim_in_the_real_terminal_with_the_caret_where_it_belongs(program: Program) -> None:
    settings(program, editorMode="vim")
    with ready(program) as terminal:
        terminal.wait_for("insert")
        terminal.type("あいう ABC")
        terminal.key("esc")
        terminal.wait_for("normal")
        terminal.type("0l")
        terminal.pump(0.5)
        row = next(i for i, text in enumerate(terminal.text.split("\n")) if "› あいう" in text)
        assert terminal.cursor == (3 + 2, row)
        terminal.type("x")
        terminal.wait_for("› あう ABC")
        terminal.type("dwu")
        terminal.wait_for("› あう ABC")


def test_the_own_editor_writes_the_draft_and_the_memory(program: Program, tmp_path: Path) -> None:
    editor = tmp_path / "my editor"
    editor.write_text('#!/bin/sh\nprintf " and more" >> "$2"\n')
    editor.chmod(0o755)
    program.variables["VISUAL"] = f"'{editor}' --wait"
    with ready(program) as terminal:
        terminal.type("draft")
        terminal.key("\x07")
        terminal.wait_for("› draft and more")
        terminal.type("\x15/memory")
        terminal.key("enter")
        terminal.wait_for("CLAUDE.local.md", "not there yet")
        for _ in range(3):
            terminal.key("down")
        terminal.key("enter")
        terminal.wait_for("What you change counts")
        assert (program.project / "CLAUDE.local.md").read_text() == " and more"
