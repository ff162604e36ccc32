"""Bash with a real shell."""

from __future__ import annotations

import os
import resource
import shutil
import socket
import subprocess
import time
import urllib.request
from dataclasses import replace
from pathlib import Path
from typing import Any

import anyio
import pytest
from anyio import to_thread

from agent_tui.machine.world import real_ports
from agent_tui.protocol.access import RunCommand
from agent_tui.protocol.display import CommandDisplay
from agent_tui.settings.paths import Environment
from agent_tui.tools.base import InvalidInputError, ToolOutput
from agent_tui.tools.builtin.bash import TOOL as BASH
from agent_tui.tools.builtin.bash import Bash
from tests.fakes.sandbox import FakeSandbox
from tests.machine.alive import NAP, gone, running
from tests.tools.place import Place

pytestmark = pytest.mark.anyio


async def bash(place: Place, command: str, **more: Any) -> ToolOutput:
    return await place.run(BASH, command=command, **more)


def data(output: ToolOutput) -> dict[str, Any]:
    assert isinstance(output.structured, dict)
    return output.structured


async def test_a_command_says_what_it_printed(place: Place) -> None:
    output = await bash(place, "echo out; echo err >&2", description="Say two words")
    assert output.content == "out\nerr"
    assert output.is_error is False
    assert data(output) == {
        "stdout": "out\nerr",
        "stderr": "",
        "interrupted": False,
        "isImage": False,
        "noOutputExpected": False,
    }
    display = output.display
    assert isinstance(display, CommandDisplay)
    assert (display.exit_code, display.head, display.tail) == (0, ("out", "err"), ())
    assert display.description == "Say two words"
    args = BASH.parse({"command": "ls"})
    assert BASH.access(args, place.folder) == RunCommand("ls", str(place.folder))
    assert BASH.preview(args, place.folder) == CommandDisplay("ls", cwd=str(place.folder))


@pytest.mark.parametrize("command", ["true", "printf ' \\n\\t'"])
async def test_p4_blank_output_gets_a_placeholder(place: Place, command: str) -> None:
    assert (await bash(place, command)).content == "[The command succeeded without output.]"
    assert "[No output.]" in str((await bash(place, f"{command}; exit 3")).content)


async def test_a_failure_begins_with_the_exit_code(place: Place) -> None:
    output = await bash(place, "echo no; exit 7")
    assert output.is_error
    assert output.content == "Exit code 7\nno"
    killed = await bash(place, "kill -KILL $$")
    assert str(killed.content).startswith("Exit code 137 (ended by SIGKILL)")


async def test_one_is_an_answer_of_some_commands(place: Place) -> None:
    output = await bash(place, "echo a | grep b")
    assert output.is_error is False
    assert output.content == "[No output. No matches found.]"
    assert data(output)["returnCodeInterpretation"] == "No matches found"
    assert (await bash(place, "ls nothing && grep b x")).is_error
    assert (await bash(place, "false")).is_error


@pytest.mark.parametrize(
    ("command", "printed", "fails"),
    [
        ("cat", "without output", False),
        ('read x; echo "[$x]"', "[]", False),
        ('python3 -c "input()"', "EOFError", True),
    ],
)
async def test_s1_reading_input_ends_at_once(
    place: Place, command: str, printed: str, fails: bool
) -> None:
    begun = time.monotonic()
    output = await bash(place, command, timeout=2_000)
    assert time.monotonic() - begun < 2
    assert printed in str(output.content)
    assert bool(output.is_error) is fails


async def test_s2_there_is_no_terminal_to_open(place: Place) -> None:
    line = "python3 -c \"open('/dev/tty','w').write('HELLO'); print(open('/dev/tty').readline())\""
    output = await bash(place, line, timeout=5_000)
    assert output.is_error
    assert "No such device" in str(output.content)


async def test_s2_git_does_not_ask_for_a_name(place: Place) -> None:
    assert (await bash(place, "echo $GIT_TERMINAL_PROMPT")).content == "0"
    server = socket.create_server(("127.0.0.1", 0))
    answer = b"HTTP/1.1 401 no\r\nWWW-Authenticate: Basic realm=x\r\nContent-Length: 0\r\n\r\n"

    def refuse() -> None:
        server.settimeout(10)
        while True:
            try:
                connection, _ = server.accept()
            except OSError:
                return
            connection.recv(65_536)
            connection.sendall(answer)
            connection.close()

    output: ToolOutput | None = None
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(to_thread.run_sync, refuse)
        address = f"http://127.0.0.1:{server.getsockname()[1]}/x.git"
        output = await bash(place, f"git ls-remote {address}", timeout=8_000)
        server.shutdown(socket.SHUT_RDWR)
        server.close()
    assert output is not None
    assert "terminal prompts disabled" in str(output.content)


async def test_s3_a_server_in_the_background_does_not_hold_the_call(place: Place) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    begun = time.monotonic()
    output = await bash(place, f"python3 -m http.server -b 127.0.0.1 {port} & echo started")
    assert time.monotonic() - begun < 2
    assert output.is_error is False
    assert "started" in str(output.content)
    assert "Still running in the background, until the session ends" in str(output.content)
    # It lives on, and its log has somewhere to go.
    for _ in range(50):
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=2) as reply:
                assert reply.status == 200
            break
        except OSError:
            await anyio.sleep(0.1)
    else:
        pytest.fail("the server never answered")
    await place.ports.shell.aclose()
    assert await gone("http.server", str(port))


async def test_s4_the_limit_ends_everything_that_was_started(place: Place) -> None:
    begun = time.monotonic()
    line = f'echo before; bash -c \'trap "" TERM; {NAP}11 & trap "" INT; wait\''
    output = await bash(place, line, timeout=2_000)
    assert time.monotonic() - begun < 5
    assert output.is_error
    assert str(output.content).startswith("Timed out after 2 s")
    assert "before" in str(output.content)
    assert isinstance(output.display, CommandDisplay)
    assert output.display.timed_out
    assert await gone(f"{NAP}11")


async def test_s4_what_left_the_group_is_ended_too(place: Place) -> None:
    output = await bash(place, f"setsid {NAP}12 & (setsid {NAP}13 &) ; sleep 20", timeout=500)
    assert output.is_error
    assert await gone(f"{NAP}1")


async def test_s5_an_interrupt_ends_the_whole_group_and_keeps_the_output(place: Place) -> None:
    line = f"bash <<'END'\n({NAP}21 &)\necho begun\nyes | grep -c y\nEND"
    args = BASH.parse({"command": line})
    begun = 0.0
    with anyio.CancelScope() as scope:
        async with anyio.create_task_group() as tasks:

            async def run() -> None:
                await BASH.run(args, place.call())
                pytest.fail("it was to be interrupted")

            tasks.start_soon(run)
            while not (running(f"{NAP}21") and place.seen):
                await anyio.sleep(0.02)
            begun = time.monotonic()
            scope.cancel()
    assert time.monotonic() - begun < 3
    assert await gone(f"{NAP}21", within=3 - (time.monotonic() - begun))
    last = place.seen[-1]
    assert isinstance(last, CommandDisplay)
    assert last.head == ("begun",)
    assert last.exit_code is not None and last.exit_code < 0


async def test_s6_a_flood_is_bounded_and_the_limit_fires(place: Place) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    late: list[float] = []

    async def watch() -> None:
        while True:
            last = time.monotonic()
            await anyio.sleep(0.01)
            late.append(time.monotonic() - last - 0.01)

    output: ToolOutput | None = None
    begun = took = time.monotonic()
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(watch)
        output = await bash(place, "yes", timeout=1_000)
        took = time.monotonic() - begun
        tasks.cancel_scope.cancel()
    assert output is not None
    assert took < 2.5
    assert max(late) < 0.2
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 50_000
    text = str(output.content)
    assert len(text) < 12_000
    assert "bytes left out" in text
    display = output.display
    assert isinstance(display, CommandDisplay)
    assert display.output_bytes > 1_000_000
    assert f"The output was {display.output_bytes:,} bytes" in text
    assert len(place.seen) < 10 * took + 5
    assert display.output_path is not None
    assert Path(display.output_path).stat().st_size <= 64 * 1024 * 1024


async def test_s7_nothing_pages(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    repository = place.folder / "r"
    repository.mkdir()
    commits = "".join(
        f"commit refs/heads/main\nmark :{n}\ncommitter T <t@localhost> {n} +0000\ndata 1\nx\n"
        + (f"from :{n - 1}\n" if n > 1 else "")
        + f"M 644 inline f\ndata <<END\n{n}\nEND\n"
        for n in range(1, 501)
    )
    script = (
        "git init -q -b main . && git config core.pager less && git config pager.log less && "
        "git fast-import --quiet && git checkout -q main"
    )
    subprocess.run(["bash", "-c", script], cwd=repository, check=True, input=commits.encode())
    monkeypatch.setenv("PAGER", "less")
    paged = place.another(repository)
    for line in ("git log", "git -p diff HEAD~50", "man ls" if shutil.which("man") else "true"):
        begun = time.monotonic()
        output = await paged.run(BASH, command=line, timeout=20_000)
        assert "Timed out" not in str(output.content)
        assert time.monotonic() - begun < 15
    assert "\x1b" not in str((await paged.run(BASH, command="git -p log -3")).content)
    pagers = [line for line in running("less") if line.split()[0].rpartition("/")[2] == "less"]
    assert pagers == []


async def test_s8_the_line_reaches_the_shell_unchanged(place: Place) -> None:
    line = r"""printf '%s|' '!= "x"' "a!b" '$HOME' '\t' | od -An -c | tr -d ' \n'"""
    assert (await bash(place, line)).content == r"""!="x"|a!b|$HOME|\t|"""
    assert (await bash(place, "printf 'ax\\nby\\n' | awk '$1 !~ /x/'")).content == "by"
    here = "cat <<'END'\n`date` $(x) \\\n\"q\" '\nEND"
    assert (await bash(place, here)).content == '`date` $(x) \\\n"q" \''


async def test_s9_a_deleted_folder_is_left_and_told(place: Place) -> None:
    (place.folder / "sub").mkdir()
    first = await bash(place, f"cd {place.folder}/sub && rm -rf ../sub")
    assert f"Shell cwd was reset to {place.folder}" in str(first.content)
    second = await bash(place, "echo hi; pwd")
    assert str(second.content).startswith(f"hi\n{place.folder}\n")
    assert "Shell cwd was reset" in str(second.content)
    assert (await bash(place, "echo hi")).content == "hi"


async def test_s9_a_project_that_is_gone_leaves_home(place: Place, home: Path) -> None:
    project = place.folder / "proj"
    project.mkdir()
    lost = place.another(project)
    project.rmdir()
    output = await lost.run(BASH, command="echo hi; pwd")
    assert str(output.content).startswith(f"hi\n{home}\n[Shell cwd was reset to {home}")


async def test_cd_lasts_inside_and_not_outside(place: Place) -> None:
    (place.folder / "sub").mkdir()
    assert (await bash(place, "export A=1; cd sub")).is_error is False
    assert (await bash(place, "pwd; echo [$A]")).content == f"{place.folder}/sub\n[]"
    assert place.ports.shell.cwd == f"{place.folder}/sub"
    outside = await bash(place, "cd /usr && pwd")
    assert str(outside.content).startswith("/usr\n[Shell cwd was reset to")
    assert (await bash(place, "pwd")).content == str(place.folder)


async def test_long_output_goes_to_a_file(place: Place) -> None:
    fits = await bash(place, "head -c 29990 /dev/zero | tr '\\0' x")
    assert len(str(fits.content)) == 29_990
    assert not (place.spill / "t1.txt").exists()
    output = await bash(place, "seq 10000")
    text = str(output.content)
    path = data(output)["persistedOutputPath"]
    assert path in text
    assert "48,894 bytes, 10,000 lines" in text
    assert "\n1\n2\n" in text
    assert text.endswith("\n9999\n10000\n")
    assert Path(path).read_text() == "".join(f"{n}\n" for n in range(1, 10_001))
    assert Path(path).stat().st_mode & 0o077 == 0
    assert data(output)["persistedOutputSize"] == 48_894


async def test_p6_a_character_at_the_cut_stays_whole_or_is_replaced(place: Place) -> None:
    for size in range(29_996, 30_004):
        output = await bash(place, f"head -c {size} /dev/zero | tr '\\0' x; printf '\\U1F600 end'")
        assert "end" in str(output.content)
    for shift in range(4):  # in a text of nothing else every cut meets one
        output = await bash(place, f"printf %{shift}s; printf '\\U1F600%.0s' $(seq 40000)")
        assert "\U0001f600" in str(output.content)
        assert f"{160_000 + shift:,} bytes" in str(output.content)
    halves = await bash(place, "printf '\\xf0\\x9f'; printf '\\xed\\xa0\\xbd'; printf 'a\\0b'")
    assert halves.content == "\\xf0\\x9f\\xed\\xa0\\xbda\\x00b"


async def test_p6_a_name_that_is_no_text_is_listed_so_that_it_can_be_opened(place: Place) -> None:
    Path(os.fsdecode(os.fsencode(place.folder) + b"/\xff.txt")).touch()
    assert (await bash(place, "ls")).content == "\\xff.txt"


async def test_secrets_of_ours_are_not_passed_on(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-test")
    monkeypatch.setenv("ANTHROPIC_AUTH_TOKEN", "sk-test")
    monkeypatch.setenv("OTHER", "kept")
    keyed = place.another()
    text = await keyed.text(BASH, command="env; cat /proc/$$/environ")
    assert "sk-test" not in text
    assert "OTHER=kept" in text
    assert "CLAUDECODE=1" in text


async def test_the_time_limit_is_never_more_than_the_most(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BASH_MAX_TIMEOUT_MS", "300")
    monkeypatch.setenv("BASH_DEFAULT_TIMEOUT_MS", "200")
    limited = place.another()
    for more in ({}, {"timeout": 60_000}):
        text = await limited.text(BASH, command="sleep 30", **more)
        assert text.startswith(f"Timed out after {'0.3' if more else '0.2'} s")


async def test_progress_shows_the_last_lines(place: Place) -> None:
    await bash(place, "seq 100; read < <(sleep 0.3); echo end")
    live = [seen for seen in place.seen if isinstance(seen, CommandDisplay)]
    assert live[0].tail[-1] == "100"
    assert len(live[0].tail) == 40
    assert live[0].hidden_lines == 60
    assert live[0].exit_code is None
    assert live[-1].exit_code == 0


async def test_a_line_that_is_too_long_is_an_error(place: Place) -> None:
    output = await bash(place, "x" * 200_000)
    assert output.is_error
    assert "too long" in str(output.content)


@pytest.mark.parametrize(
    "raw", [{"command": " "}, {"command": "a\0"}, {}, {"command": "ls", "in_background": True}]
)
def test_input_that_cannot_be_run_is_refused(raw: dict[str, Any]) -> None:
    with pytest.raises(InvalidInputError):
        BASH.parse(raw)


def fenced(place: Place, sandbox: FakeSandbox) -> Place:
    """The same place, where commands run in this sandbox."""
    env = Environment.of_process()
    return replace(place, ports=real_ports(env, place.folder, sandbox=sandbox))


async def test_in_the_sandbox_its_notes_are_told_and_it_is_left_on_demand_only(
    place: Place,
) -> None:
    here = fenced(place, FakeSandbox(said=("The sandbox says so.",)))
    inside = await bash(here, "echo $INSIDE")
    assert inside.content == "yes\n[The sandbox says so.]"
    assert "dangerouslyDisableSandbox" not in data(inside)
    outside = await bash(here, "echo $INSIDE", dangerouslyDisableSandbox=True)
    assert outside.content == "[The command succeeded without output.]"
    assert data(outside)["dangerouslyDisableSandbox"] is True
    plain = await bash(place, "echo $INSIDE", dangerouslyDisableSandbox=True)
    assert "dangerouslyDisableSandbox" not in data(plain)


async def test_a_sandbox_that_could_not_be_set_up_is_an_error(place: Place) -> None:
    sandbox = FakeSandbox(broken="It could not be set up.")
    output = await bash(fenced(place, sandbox), "true")
    assert output.is_error and output.content == "It could not be set up."
    assert sandbox.confined[0].closed


def test_the_description_tells_of_a_sandbox_that_is_there() -> None:
    plain, told = Bash().schema(), Bash("- Fenced in.").schema()
    assert told == {**plain, "description": f"{plain['description']}\n- Fenced in."}
