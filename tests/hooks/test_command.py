"""Real processes: what a hook is given, and that nothing of it is left."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

import anyio
import pytest

from agent_tui.hooks.command import MOST_OUTPUT, Place, run_command
from agent_tui.hooks.configured import CommandHook
from agent_tui.protocol.content import JsonObject

pytestmark = pytest.mark.anyio


def place(folder: Path, **variables: str) -> Place:
    return Place(str(folder), str(folder), {"PATH": os.environ["PATH"], **variables}, "/bin/bash")


async def test_it_gets_json_on_standard_input_and_its_output_is_read(tmp_path: Path) -> None:
    hook = CommandHook("cat; echo warn >&2; exit 3")
    given = {"hook_event_name": "Stop", "x": "ä\udc80"}
    ran = await run_command(hook, given, place(tmp_path), 10)
    assert json.loads(ran.stdout) == given
    assert (ran.code, ran.stderr, ran.timed_out, ran.not_started) == (3, "warn\n", False, "")


async def test_it_runs_where_the_session_is_with_the_variables_it_is_given(tmp_path: Path) -> None:
    hook = CommandHook('pwd; echo "$CLAUDE_PROJECT_DIR"; echo "${HOME-none}"')
    ran = await run_command(hook, {}, place(tmp_path, CLAUDE_PROJECT_DIR="/p q"), 10)
    assert ran.stdout.splitlines() == [os.path.realpath(tmp_path), "/p q", "none"]


async def test_without_a_shell_arguments_stay_what_they_are(tmp_path: Path) -> None:
    hook = CommandHook("printf", (r"%s\n", "a b; $HOME", "${CLAUDE_PROJECT_DIR}/x", "${nix}"))
    ran = await run_command(hook, {}, place(tmp_path, CLAUDE_PROJECT_DIR="/p"), 10)
    assert ran.stdout.splitlines() == ["a b; $HOME", "/p/x", "${nix}"]


async def test_it_has_no_terminal_and_a_session_of_its_own(tmp_path: Path) -> None:
    hook = CommandHook("(echo x > /dev/tty) 2>/dev/null || echo none; ps -o sid= -p $$; echo $$")
    ran = await run_command(hook, {}, place(tmp_path), 10)
    terminal, session, process = ran.stdout.split()
    assert terminal == "none"
    assert session == process


async def test_a_folder_that_is_gone_is_no_reason_not_to_run(tmp_path: Path) -> None:
    there = Place(str(tmp_path / "gone"), str(tmp_path), {"PATH": os.environ["PATH"]}, "/bin/sh")
    assert (await run_command(CommandHook("pwd"), {}, there, 10)).code == 0


async def test_a_hook_that_never_reads_a_long_input_is_no_fault(tmp_path: Path) -> None:
    ran = await run_command(CommandHook("true"), {"x": "y" * 2_000_000}, place(tmp_path), 10)
    assert (ran.code, ran.stdout) == (0, "")


@pytest.mark.parametrize(
    ("command", "why"),
    [("./nix", "No such file"), ("./plain", "Permission denied"), ("a\0b", "NUL")],
)
async def test_what_can_t_be_started_says_why(tmp_path: Path, command: str, why: str) -> None:
    (tmp_path / "plain").write_text("x")
    ran = await run_command(CommandHook(command, ()), {}, place(tmp_path), 10)
    assert ran.code is None
    assert why in ran.not_started


def alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except OSError:
        return False
    return state not in "ZX"


async def until_gone(pid: int) -> bool:
    with anyio.move_on_after(5):
        while alive(pid):
            await anyio.sleep(0.01)
    return not alive(pid)


async def test_at_its_limit_all_of_its_group_is_ended(tmp_path: Path) -> None:
    line = "trap '' TERM; sh -c \"trap '' TERM; sleep 60\" & echo $!; wait; sleep 60"
    begun = time.monotonic()
    ran = await run_command(CommandHook(line), {}, place(tmp_path), 0.3)
    assert ran.timed_out and ran.code is None
    assert time.monotonic() - begun < 10
    assert await until_gone(int(ran.stdout))


async def test_cancelled_it_is_ended_too(tmp_path: Path) -> None:
    told = tmp_path / "pid"
    async with anyio.create_task_group() as tasks:
        hook = CommandHook(f"echo $$ > {told}.new; mv {told}.new {told}; sleep 60")
        given: JsonObject = {}
        tasks.start_soon(run_command, hook, given, place(tmp_path), 60)
        with anyio.fail_after(5):
            while not told.exists():
                await anyio.sleep(0.01)
        tasks.cancel_scope.cancel()
    assert await until_gone(int(told.read_text()))


async def test_what_it_leaves_in_the_background_is_not_waited_for(tmp_path: Path) -> None:
    begun = time.monotonic()
    ran = await run_command(CommandHook("sleep 5 & echo $!"), {}, place(tmp_path), 60)
    assert ran.code == 0
    assert time.monotonic() - begun < 4
    os.kill(int(ran.stdout), 9)


async def test_a_flood_is_bounded_and_does_not_outlive_the_limit(tmp_path: Path) -> None:
    ran = await run_command(CommandHook("yes"), {}, place(tmp_path), 0.5)
    assert ran.timed_out
    assert len(ran.stdout) == MOST_OUTPUT
