"""Text from anywhere, in every place it can be shown, in every front end: none of it drives the terminal (case U-2).

The raw bytes that were painted are what counts.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.fakes.api_server import reply, tool
from tests.journeys.program import Program
from tests.journeys.terminal import Terminal
from tests.journeys.test_terminal import EVIL, asked, assert_harmless

SAID = EVIL.decode("utf-8", "replace").replace("\n", " ").strip()
"""Every sequence; ``first``, ``click`` and ``last`` are left to be seen of it."""

NAME = "a\x1b]0;pwn\x07b\x1b[2Jc\x9b31md.txt"
"""A name that a file, a branch or a tool may have."""

SERVER = """
import json, sys
evil = json.loads(sys.argv[1])
def answer(asked):
    method = asked["method"]
    if method == "initialize":
        return {"protocolVersion": asked["params"]["protocolVersion"], "capabilities": {"tools": {}},
                "serverInfo": {"name": evil, "version": evil}, "instructions": evil}
    if method == "tools/list":
        return {"tools": [{"name": "look", "title": evil, "description": evil,
                           "inputSchema": {"type": "object", "properties": {"what": {"type": "string", "description": evil}}}},
                          {"name": "x" + evil, "inputSchema": {"type": "object"}}]}
    if method == "tools/call":
        return {"content": [{"type": "text", "text": evil}], "isError": asked["params"]["arguments"].get("what") == "bad"}
    return {}
for line in sys.stdin:
    asked = json.loads(line)
    print(evil, file=sys.stderr, flush=True)
    if "id" in asked:
        print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], "result": answer(asked)}), flush=True)
"""


def settings(program: Program, **more: Any) -> None:
    """Write the person's own settings."""
    folder = program.home / ".agent-tui"
    folder.mkdir(exist_ok=True)
    (folder / "settings.json").write_text(json.dumps(more))


def painted(terminal: Terminal, *texts: str) -> None:
    """Wait for what is left of a text, then look at all that was painted."""
    terminal.wait_for(*texts)
    terminal.pump(0.5)
    assert_harmless(bytes(terminal.raw[_begun(terminal) :]))


def _begun(terminal: Terminal) -> int:
    """Where the program's own set-up of the terminal is over: it asks and clears, as it may."""
    return terminal.raw.find("›".encode()) if "›".encode() in terminal.raw else 0


def test_u2_a_servers_tools_results_and_errors(program: Program) -> None:
    server = program.home / "server.py"
    server.write_text(SERVER)
    config = program.home / "mcp.json"
    entry = {"command": sys.executable, "args": [str(server), json.dumps(SAID)]}
    config.write_text(json.dumps({"mcpServers": {"s": entry}}))
    program.api.enqueue(
        reply(tool("mcp__s__look", what=SAID), tool("mcp__s__look", what="bad")),
        "All shown.",
    )
    with asked(program, "--mcp-config", str(config)) as terminal:
        painted(terminal, "All shown.", "click")
        terminal.type("/mcp")
        terminal.key("enter")
        painted(terminal, "MCP servers", "connected")
    for log in (program.home / ".agent-tui" / "logs").iterdir():
        assert b"\x1b" not in log.read_bytes(), log


def test_u2_what_hooks_say(program: Program) -> None:
    output = json.dumps({"systemMessage": f"from hook {SAID}", "reason": SAID})
    script = program.home / "hook.sh"
    script.write_text(f"cat > /dev/null\ncat <<'END'\n{output}\nEND\n")
    fails = program.home / "fails.sh"
    fails.write_text(f"cat > /dev/null\nprintf '%s' '{SAID}' >&2\nexit 2\n")
    settings(
        program,
        hooks={
            "UserPromptSubmit": [{"hooks": [{"type": "command", "command": f"sh {script}"}]}],
            "PreToolUse": [
                {"matcher": "Glob", "hooks": [{"type": "command", "command": f"sh {fails}"}]}
            ],
        },
    )
    program.api.enqueue(reply(tool("Glob", pattern="*")), "All shown.")
    with asked(program) as terminal:
        painted(terminal, "All shown.", "from hook", "click")


def test_u2_names_of_branches_and_files(program: Program) -> None:
    (program.project / ".git").mkdir()
    (program.project / ".git" / "HEAD").write_text(f"ref: refs/heads/{NAME}\n")
    (program.project / NAME).write_text("content\n")
    program.api.enqueue(
        reply(tool("Glob", pattern="*"), tool("Bash", command="ls; git status"),
              tool("Read", file_path=NAME), tool("Write", file_path=f"new{NAME}", content=SAID)),
        "All shown.",
    )  # fmt: skip
    with asked(program) as terminal:
        painted(terminal, "All shown.")
        terminal.type("@a")
        painted(terminal, "@a")


def test_u2_what_a_sub_agent_is_called_and_says(program: Program) -> None:
    given = {"description": SAID, "prompt": SAID, "subagent_type": "general-purpose"}
    program.api.enqueue(reply(tool("Agent", given)), reply(f"found {SAID}"), f"All shown. {SAID}")
    with asked(program) as terminal:
        painted(terminal, "All shown.")


def test_u2_settings_that_are_wrong(program: Program) -> None:
    settings(program, permissions={"allow": [f"Bash({SAID}", SAID]}, theme=SAID)
    program.api.enqueue("All shown.")
    with asked(program) as terminal:
        painted(terminal, "All shown.")
    done = program.print("go", "--model", f"m{SAID}", "--max-turns", f"x{SAID}")
    assert b"\x1b" not in done.stderr and b"\x9b" not in done.stderr
    broken = (json.dumps({"permissions": {"deny": [SAID]}}), f'{{"permissions": "{SAID}')
    for text in broken:
        (program.home / ".agent-tui" / "settings.json").write_text(text)
        done = program.print("go")
        assert done.returncode != 0
        assert b"\x1b" not in done.stdout + done.stderr


@pytest.mark.parametrize("flags", [(), ("--verbose",)])
def test_u2_the_answer_of_a_run_without_a_screen_at_a_terminal(
    program: Program, flags: tuple[str, ...]
) -> None:
    (program.project / "evil.txt").write_bytes(EVIL)
    program.api.enqueue(
        reply(SAID, tool("Bash", command=f"touch x{SAID}"), tool("Read", file_path="evil.txt")),
        f"{SAID} All shown.",
    )
    with program.screen("-p", "go", *flags) as terminal:
        terminal.wait_for("All shown.", "click")
        terminal.wait_exit()
        assert_harmless(bytes(terminal.raw))
        assert b"\x1b" not in terminal.raw


def test_a_pipe_gets_the_answer_as_it_is(program: Program) -> None:
    """Whoever reads it by a program wants what was said; notices beside it are for people all the same."""
    program.api.enqueue(reply(SAID, tool("Bash", command=f"touch x{SAID}")), f"{SAID} end")
    done = program.print("go", "--verbose")
    assert done.stdout.decode() == f"{SAID} end\n"
    assert b"\x1b" not in done.stderr


def test_u2_line_by_line(program: Program) -> None:
    program.api.enqueue(
        reply(SAID, tool("Bash", command=f"touch made; echo '{SAID}'", description=SAID)),
        f"{SAID} All shown.",
    )
    with program.screen("--line") as terminal:
        terminal.wait_for("Type what you want done")
        begun = len(terminal.raw)
        terminal.type("go")
        terminal.key("enter")
        terminal.wait_for("touch made")
        terminal.pump(0.5)
        terminal.type("no")
        terminal.key("enter")
        terminal.pump(1.0)
        terminal.key("enter")
        terminal.pump(1.5)
        for code in (b"\x1b]52;c;aGk=", b"\x1b]0;pwn", b"\x1b]8;;http://x", b"\x1bc", b"\xc2\x9b"):
            assert code not in terminal.raw[begun:], code
    assert not (program.project / "made").exists()


def _edited(journal: Path, **changes: str) -> None:
    """Give lines of a journal other values, as another program could have written them."""
    lines = [json.loads(line) for line in journal.read_text().splitlines()]
    for line in lines:
        for key in changes.keys() & line.keys():
            line[key] = changes[key]
    journal.write_text("".join(json.dumps(line) + "\n" for line in lines))


def test_u2_sessions_that_somebody_else_has_written(program: Program) -> None:
    program.api.enqueue(f"answer {SAID}")
    program.print("hello there")
    [journal] = program.journals()
    extra = {"type": "custom-title", "customTitle": f"title {SAID}", "sessionId": journal.stem}
    _edited(journal, gitBranch=NAME)
    with journal.open("a") as file:
        file.write(json.dumps(extra) + "\n")
    with program.screen("--resume") as terminal:
        terminal.wait_for("Resume a session", "first")
        begun = terminal.raw.find(b"Resume a session")
        terminal.pump(1.0)
        assert_harmless(bytes(terminal.raw[begun:]))


# Secrets -------------------------------------------------------------------------------------------------------------

TOKEN = "ghp_abcdefghij0123456789ABCDEFGHIJ012345"


def test_secrets_are_not_on_the_screen_but_in_what_is_asked(program: Program) -> None:
    """What will be run is seen whole; what was said, run and printed is not."""
    (program.project / "out.txt").write_text(f"TOKEN={TOKEN}\nDB_PASSWORD=hunter2Horse\n")
    program.api.enqueue(
        reply(f"The key is {TOKEN}.", tool("Read", file_path="out.txt"),
              tool("Bash", command=f"touch made && cat out.txt && echo {TOKEN}")),
        "All shown.",
    )  # fmt: skip
    with program.screen() as terminal:
        terminal.wait_for("›", "default")
        terminal.type("go")
        terminal.key("enter")
        terminal.wait_for("Run this command?", "touch made", TOKEN)
        terminal.wait_for("The key is ghp…[masked]")
        assert f"The key is {TOKEN}" not in terminal.text
        terminal.pump(1.0)
        terminal.key("y")
        terminal.wait_for("All shown.")
        terminal.wait_until_gone(TOKEN)
        terminal.pump(0.3)
        assert "hunter2" not in terminal.text
    sent = json.dumps([request.body for request in program.api.messages])
    assert TOKEN in sent  # the model is told what there is
    assert TOKEN in program.journals()[-1].read_text()  # and the journal is the record of it


def test_our_own_key_is_hidden_wherever_it_is_said(program: Program) -> None:
    program.variables["ANTHROPIC_API_KEY"] = "plum-gateway-key-1"
    program.api.enqueue("I know plum-gateway-key-1 now. All shown.")
    with asked(program) as terminal:
        terminal.wait_for("I know [masked] now.")
        assert b"plum-gateway" not in terminal.raw


def test_a_terminal_is_shown_no_secret_by_a_run_without_a_screen(program: Program) -> None:
    program.api.enqueue(f"It is {TOKEN}.", f"It is {TOKEN}.")
    with program.screen("-p", "go") as terminal:
        terminal.wait_for("It is ghp…[masked].")
        assert TOKEN.encode() not in terminal.raw
    assert TOKEN.encode() in program.print("go").stdout  # a pipe gets the answer as it is
