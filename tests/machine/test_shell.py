"""The real shell: folders, the line's own means, what stays behind."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from pathlib import Path

import anyio
import pytest

from agent_tui.machine.shell import RealShell, spill_path
from agent_tui.protocol.errors import PortError
from agent_tui.protocol.ports import Captured, ShellCommand, ShellResult
from agent_tui.settings.paths import Environment
from tests.machine.alive import NAP, gone, running

pytestmark = pytest.mark.anyio


async def quiet(_: Captured) -> None:
    """Tell nobody."""


def command(line: str, folder: Path, timeout_ms: int = 10_000) -> ShellCommand:
    return ShellCommand(line, timeout_ms, "c1", str(folder.parent / "spill"), (str(folder),))


@pytest.fixture
async def shell(clean_room: Path) -> AsyncIterator[RealShell]:
    """A shell in the test's folder."""
    found = RealShell(Environment.of_process(), clean_room / "work")
    yield found
    await found.aclose()


async def run(shell: RealShell, line: str, folder: Path, timeout_ms: int = 10_000) -> ShellResult:
    return await shell.run(command(line, folder, timeout_ms), quiet)


@pytest.mark.parametrize(
    ("line", "code", "output", "went"),
    [
        ("cd sub; exit 3", 3, "", "sub"),
        ("cd sub && (cd /; exit 4)", 4, "", "sub"),
        ("set -euo pipefail; cd sub; false; echo no", 1, "", "sub"),
        ("set -x; cd sub", 0, "+ cd sub\n", "sub"),
        ("cd sub; exec true", 0, "", ""),
        ("cd sub; trap 'echo mine' EXIT", 0, "mine\n", ""),
        ("cd sub; pwd() { echo wrong; }; set -C", 0, "", "sub"),
        ("cd sub; kill -KILL $$", -9, "", ""),
        ("cd 'odd\nname'", 0, "", "odd\nname"),
        ("echo $BASH_ENV$AGENT_TUI_X; trap -p INT", 0, "\n", ""),
        ("cd sub; if", 2, "unexpected end", ""),
    ],
)
async def test_the_folder_is_carried_without_a_trace(
    shell: RealShell, clean_room: Path, line: str, code: int, output: str, went: str
) -> None:
    work = clean_room / "work"
    (work / "sub").mkdir()
    (work / "odd\nname").mkdir()
    result = await run(shell, line, work)
    assert result.exit_code == code
    assert output in result.output.head
    assert len(result.output.head) == len(output) or output == "unexpected end"
    assert shell.cwd == str(work / went)
    assert result.notes == ()


async def test_a_link_to_the_folder_keeps_its_name(clean_room: Path) -> None:
    link = clean_room / "link"
    link.symlink_to("work")
    shell = RealShell(Environment.of_process(), link)
    (link / "sub").mkdir()
    await run(shell, "cd sub", link)
    assert shell.cwd == str(clean_room / "work" / "sub")
    await run(shell, "cd ..", link)
    result = await run(shell, "pwd", link)
    assert result.notes == ()
    await shell.aclose()


async def test_files_of_the_person_are_read_first(clean_room: Path) -> None:
    work = clean_room / "work"
    (work / "rc").write_text("A=from_rc\nexport SEEN=$BASH_ENV\n")
    (work / "env").write_text("export B=from_env\n")
    variables = {**os.environ, "BASH_ENV": str(work / "rc"), "CLAUDE_ENV_FILE": str(work / "env")}
    shell = RealShell(Environment(variables, work), work)
    result = await run(shell, "echo $A $B; bash -c 'echo $A'", work)
    assert result.output.head == "from_rc from_env\nfrom_rc\n"
    await shell.aclose()


async def test_the_folder_is_not_carried_when_that_is_asked(clean_room: Path) -> None:
    work = clean_room / "work"
    (work / "sub").mkdir()
    variables = {**os.environ, "CLAUDE_BASH_MAINTAIN_PROJECT_WORKING_DIR": "1"}
    shell = RealShell(Environment(variables, work), work)
    await run(shell, "cd sub", work)
    assert shell.cwd == str(work)
    await shell.aclose()


async def test_a_shell_of_ones_own(clean_room: Path) -> None:
    work = clean_room / "work"
    variables = {**os.environ, "CLAUDE_CODE_SHELL": "/bin/sh"}
    shell = RealShell(Environment(variables, work), work)
    assert (await run(shell, "echo hi; cd /", work)).output.head == "hi\n"
    assert shell.cwd == str(work)
    await shell.aclose()
    missing = RealShell(Environment({"PATH": "/none"}, work), work)
    assert (await run(missing, "echo hi", work)).output.head == "hi\n"
    await missing.aclose()


async def test_what_cannot_be_run_is_told(shell: RealShell, clean_room: Path) -> None:
    work = clean_room / "work"
    with pytest.raises(PortError, match="too long"):
        await run(shell, "x" * 200_000, work)
    with pytest.raises(PortError, match="NUL"):
        await run(shell, "a\0b", work)
    unreadable = RealShell(Environment({"CLAUDE_CODE_SHELL": str(work / "sh")}, work), work)
    (work / "sh").write_text("no program")
    (work / "sh").chmod(0o755)
    broken = RealShell(Environment({"CLAUDE_CODE_SHELL": str(work / "sh")}, work), work)
    with pytest.raises(PortError, match="could not be started"):
        await run(broken, "true", work)
    await broken.aclose()
    await unreadable.aclose()


async def test_what_runs_on_is_told_and_ended_at_the_end(
    shell: RealShell, clean_room: Path
) -> None:
    work = clean_room / "work"
    line = f"setsid {NAP}81 >/dev/null & {NAP}82 & sleep 0.1"
    result = await run(shell, line, work)
    assert sorted(one.command for one in result.left_running) == [f"{NAP}81", f"{NAP}82"]
    assert running(f"{NAP}81") and running(f"{NAP}82")
    folders = [entry for entry in Path("/tmp").glob("agent-tui-shell-*") if entry.is_dir()]
    assert (await run(shell, "true", work)).left_running == ()
    await shell.aclose()
    assert await gone(f"{NAP}8")
    assert [entry for entry in folders if not entry.exists()]


async def test_the_last_of_it_is_told_when_cancelled(shell: RealShell, clean_room: Path) -> None:
    told: list[Captured] = []
    begun = anyio.Event()

    async def tell(output: Captured) -> None:
        told.append(output)
        begun.set()

    line = f"echo one; {NAP}91"
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(shell.run, command(line, clean_room / "work"), tell)
        await begun.wait()
        tasks.cancel_scope.cancel()
    assert told[-1].head == "one\n"
    assert told[-1].exit_code in (
        -15,
        -9,
    )  # the second where the machine is too busy to end in time
    assert not running(f"{NAP}91")


async def test_commands_may_run_beside_one_another(shell: RealShell, clean_room: Path) -> None:
    work = clean_room / "work"
    found: list[str] = []

    async def one(line: str) -> None:
        found.append((await run(shell, line, work)).output.head)

    async with anyio.create_task_group() as tasks:
        # Each waits for the other: they only end when both run.
        tasks.start_soon(one, "touch a; until [ -e b ]; do sleep 0.01; done; echo a")
        tasks.start_soon(one, "touch b; until [ -e a ]; do sleep 0.01; done; echo b")
    assert sorted(found) == ["a\n", "b\n"]


def test_a_call_id_is_not_trusted_as_a_name() -> None:
    bad = ShellCommand("", 1, "../../etc/x", "/spill", ())
    assert spill_path(bad).parent == Path("/spill")
    assert spill_path(bad).stem.isalnum()
    assert spill_path(ShellCommand("", 1, "toolu_01-a", "/spill", ())) == Path(
        "/spill/toolu_01-a.txt"
    )
