"""Whatever the umask says and whoever made the folders above: what we write is for its owner alone."""

from __future__ import annotations

import json
import os
import stat
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from tests.fakes.api_server import reply, tool
from tests.journeys.program import Program
from tests.journeys.test_screen_safety import SERVER, settings


@pytest.fixture(autouse=True)
def generous_umask() -> Iterator[None]:
    """The most generous umask there is, for the program too."""
    before = os.umask(0)
    yield
    os.umask(before)


def open_to_others(folder: Path) -> list[str]:
    """Find what others could read, write or enter in a folder; sockets and links have no say of their own."""
    found: list[str] = []
    for path in sorted(folder.rglob("*")):
        mode = path.lstat().st_mode
        if (stat.S_ISREG(mode) or stat.S_ISDIR(mode)) and stat.S_IMODE(mode) & 0o077:
            found.append(f"{stat.S_IMODE(mode):o} {path}")
    return found


def names(folder: Path) -> str:
    return " ".join(str(path) for path in folder.rglob("*"))


def assert_there(folder: Path, wanted: Iterable[str]) -> None:
    """The test means something only if the files are there."""
    for name in wanted:
        assert name in names(folder), name


def test_every_file_of_a_session_is_its_owners(program: Program, tmp_path: Path) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    program.variables["TMPDIR"] = str(temporary)
    ours = program.home / ".agent-tui"
    ours.mkdir(mode=0o755)  # as an older version, or the person, may have made it
    server = program.home / "server.py"
    server.write_text(SERVER)
    long = program.home / "long.sh"
    long.write_text("cat > /dev/null\npython3 -c 'print(\"x\" * 30000)'\n")
    settings(
        program,
        mcpServers={},
        hooks={"UserPromptSubmit": [{"hooks": [{"type": "command", "command": f"sh {long}"}]}]},
    )
    (ours / "settings.json").chmod(0o600)
    config = program.home / "mcp.json"
    entry = {"command": sys.executable, "args": [str(server), json.dumps("said")]}
    config.write_text(json.dumps({"mcpServers": {"s": entry}}))
    agent = {
        "description": "look",
        "prompt": "look",
        "subagent_type": "general-purpose",
        "run_in_background": False,
    }
    program.api.enqueue(
        reply(tool("Bash", command="python3 -c 'print(\"y\" * 200000)'"), tool("Agent", agent)),
        reply("Seen."),
        reply(
            tool("mcp__s__look", what="x"),
            tool("Bash", command="sleep 60", run_in_background=True),
            tool("Bash", command="touch made", description="make"),
        ),
        "All done.",
    )
    with program.screen("--mcp-config", str(config), "--allowedTools", "mcp__s", "Agent",
                        "Bash(python3 *)", "Bash(sleep *)") as terminal:  # fmt: skip
        terminal.wait_for("›", "default")
        terminal.type("go")
        terminal.key("enter")
        terminal.wait_for("Run this command?", "touch made")
        terminal.pump(1.0)
        assert_there(ours, (".jsonl", "tool-results", "subagents", "hook-", "mcp-s.log", "history"))
        assert not open_to_others(temporary)
        terminal.key("y")
        terminal.wait_for("All done.")
        assert not open_to_others(temporary)
        terminal.type("not sent yet")
        terminal.pump(2.0)
        assert_there(ours, ("drafts",))
        assert not open_to_others(ours)
    assert not open_to_others(ours)
    assert_there(ours, ("engine.log",))


def test_every_file_of_a_run_without_a_screen_is_too(program: Program, tmp_path: Path) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    program.variables["TMPDIR"] = str(temporary)
    program.api.enqueue(
        reply(tool("Bash", command=f"ls -lR {temporary}; python3 -c 'print(\"y\" * 200000)'")),
        "Done.",
    )
    done = program.print("go", "--allowedTools", "Bash")
    assert done.stdout == b"Done.\n", done.stderr
    ours = program.home / ".agent-tui"
    assert_there(ours, (".jsonl", "tool-results"))
    assert not open_to_others(ours)
    assert not list(temporary.iterdir())
