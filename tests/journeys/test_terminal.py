"""The terminal belongs to the person: no command takes it, no output drives it, keys work all the time."""

from __future__ import annotations

import json
import re
import signal
import statistics
import subprocess
import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from tests.fakes.api_server import reply, stall, text, tool
from tests.journeys.machine import engine_of, peak_mb, processes_of
from tests.journeys.program import Program
from tests.journeys.terminal import Terminal


@contextmanager
def asked(program: Program, *arguments: str) -> Generator[Terminal]:
    """A session that runs everything unasked and has been told to go."""
    program.variables["IS_SANDBOX"] = "1"
    with program.screen("--dangerously-skip-permissions", *arguments) as terminal:
        terminal.wait_for("›", "nothing is asked")
        terminal.type("go")
        terminal.key("enter")
        yield terminal


def results(program: Program) -> list[str]:
    """What the calls of the newest session gave, in order."""
    blocks = [
        block
        for line in program.lines()
        if line["type"] == "user" and isinstance(line["message"]["content"], list)
        for block in line["message"]["content"]
    ]
    return [_text(block["content"]) for block in blocks if block["type"] == "tool_result"]


def _text(content: Any) -> str:
    return content if isinstance(content, str) else json.dumps(content)


def bash(*commands: str, timeout: int | None = None) -> Any:
    limit: dict[str, Any] = {} if timeout is None else {"timeout": timeout}
    return reply(*(tool("Bash", {"command": command, **limit}) for command in commands))


def test_s1_a_command_that_reads_standard_input_ends_at_once(program: Program) -> None:
    commands = ("cat", 'read x; echo "[$x]"', "python3 -c 'input()'")
    program.api.enqueue(bash(*commands, timeout=2000), "All ended.")
    with asked(program) as terminal:
        terminal.wait_for("All ended.")
    cat, read, python = results(program)
    assert "Timed out" not in cat + read + python
    assert "[]" in read
    assert "EOFError" in python
    program.api.check()


def test_s1_keys_typed_meanwhile_go_to_the_prompt(program: Program) -> None:
    program.api.enqueue(bash("echo begun; sleep 1; cat; read x; echo got[$x]"), "All ended.")
    with asked(program) as terminal:
        terminal.wait_for("begun")
        terminal.type("mine alone")
        terminal.wait_for("mine alone", "All ended.")
        assert "mine alone" in terminal.text
    assert "got[]" in results(program)[0]


class _Wants(BaseHTTPRequestHandler):
    """Wants a name and a password for everything."""

    def do_GET(self) -> None:
        self.send_response(401)
        self.send_header("WWW-Authenticate", 'Basic realm="x"')
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, format: str, *args: Any) -> None:
        pass


@pytest.fixture
def locked_remote() -> Generator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), _Wants) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}/x.git"
        server.shutdown()
        thread.join()


def test_s2_a_program_cant_open_the_terminal(program: Program, locked_remote: str) -> None:
    subprocess.run(["git", "init", "-q", "-b", "trunk"], cwd=program.project, check=True)
    paint = "open('/dev/tty','w').write('HEL'+'LO'); print(open('/dev/tty').readline())"
    program.api.enqueue(
        bash(
            f'python3 -c "{paint}"',
            "sudo -k; sudo true",
            "git commit -q --allow-empty -m x; git push " + locked_remote + " trunk",
            timeout=10_000,
        ),
        "All failed.",
    )
    program.variables.update(GIT_AUTHOR_NAME="x", GIT_AUTHOR_EMAIL="x@localhost")
    program.variables.update(GIT_COMMITTER_NAME="x", GIT_COMMITTER_EMAIL="x@localhost")
    with asked(program) as terminal:
        terminal.wait_for("All failed.")
        terminal.type("still mine")
        terminal.wait_for("still mine")
        assert b"HELLO" not in terminal.raw
    python, sudo, push = results(program)
    assert "Timed out" not in python + sudo + push
    assert "/dev/tty" in python
    assert "OSError" in python
    assert "terminal prompts disabled" in push


def test_p1_the_interrupt_key_answers_the_running_call(program: Program) -> None:
    program.api.enqueue(reply(tool("Bash", {"command": "sleep 30.375"}, id="t1")), "ok then")
    with asked(program) as terminal:
        terminal.wait_for("running")
        assert any("sleep 30.375" in line for line in processes_of(program.home).values())
        terminal.key("esc")
        terminal.wait_until_gone("running", seconds=5)
        terminal.type("go on")
        terminal.key("enter")
        terminal.wait_for("ok then")
        assert not any("sleep 30.375" in line for line in processes_of(program.home).values())
    first, *_, last = program.api.messages[1].last_user_blocks
    assert (first["type"], first["tool_use_id"], first["is_error"]) == ("tool_result", "t1", True)
    assert "interrupted" in str(first["content"])
    assert last["text"] == "go on"
    assert [m["role"] for m in program.api.messages[1].messages] == ["user", "assistant", "user"]
    program.api.check()


def test_s5_an_interrupt_ends_all_that_a_script_has_started(program: Program) -> None:
    script = "bash <<'EOF'\necho so far\n(sleep 302.5) &\nyes | grep -c y\nEOF"
    program.api.enqueue(bash(script), "Going on.")
    with asked(program) as terminal:
        terminal.wait_for("so far", "running")
        assert any("sleep 302.5" in line for line in processes_of(program.home).values())
        terminal.key("esc")
        started = time.monotonic()
        while left := {
            line
            for line in processes_of(program.home).values()
            if line.startswith(("sleep", "yes", "grep", "bash"))
        }:
            assert time.monotonic() - started < 3, left
            terminal.pump(0.05)
        terminal.wait_until_gone("running")
        terminal.type("go on")
        terminal.key("enter")
        terminal.wait_for("Going on.")
    [result] = results(program)
    assert "so far" in result
    assert "The person interrupted this call while it ran." in result
    assert "It was ended by SIG" in result
    program.api.check()


def test_s6_endless_output_is_bounded_and_keys_answer(program: Program) -> None:
    program.api.enqueue(bash("yes", timeout=3000), "It had no end.")
    with asked(program) as terminal:
        terminal.wait_for("running")
        engine = engine_of(program.home)
        before = peak_mb(engine), peak_mb(terminal.pid)
        waits: list[float] = []
        typed = ""
        while "It had no end." not in terminal.text and len(typed) < 60:
            typed += "abcdefghij"[len(typed) % 10]
            started = time.monotonic()
            terminal.type(typed[-1])
            terminal.wait_for(f" › {typed}")
            waits.append(time.monotonic() - started)
        terminal.wait_for("It had no end.")
        assert statistics.median(waits) < 0.2
        assert peak_mb(engine) - before[0] < 50
        assert peak_mb(terminal.pid) - before[1] < 50
    [result] = results(program)
    assert result.startswith("Timed out after 3 s")
    assert re.search(r"The output was [\d,]{9,} bytes", result)
    head, tail = re.split(r"\[.*bytes left out.*\]", result)
    assert head.count("y\n") > 10 and tail.count("y\n") > 10
    assert len(result) < 50_000
    assert program.journals()[-1].stat().st_size < 500_000
    assert not [line for line in processes_of(program.home).values() if line.startswith("yes")]
    with program.screen("--continue") as terminal:
        terminal.wait_for("It had no end.")


def test_s7_pagers_neither_wait_nor_stay(program: Program) -> None:
    long_history(program.project)
    subprocess.run(["git", "config", "core.pager", "less"], cwd=program.project, check=True)
    program.variables.update(PAGER="less", MANPAGER="less", GIT_PAGER="less")
    program.api.enqueue(
        bash("git log", "git -p diff HEAD~50", "man ls", timeout=20_000), "All read."
    )
    with asked(program) as terminal:
        terminal.wait_for("All read.", seconds=40)
        assert not [line for line in processes_of(program.home).values() if "less" in line]
    log, diff, manual = results(program)
    assert "message 499" in log
    assert "+499" in diff
    for result in (log, diff, manual):
        assert "Timed out" not in result
        assert "\x1b" not in result


def long_history(folder: Path) -> None:
    """A repository with 500 commits."""
    subprocess.run(["git", "init", "-q", "-b", "trunk"], cwd=folder, check=True)
    stream = "".join(
        "commit refs/heads/trunk\ncommitter T <t@localhost> 1700000000 +0000\n"
        f"data {len(f'message {n}')}\nmessage {n}\n"
        f"M 644 inline a.txt\ndata {len(str(n))}\n{n}\n\n"
        for n in range(500)
    )
    subprocess.run(["git", "fast-import", "--quiet"], cwd=folder, check=True, input=stream.encode())
    subprocess.run(["git", "reset", "-q", "--hard"], cwd=folder, check=True)


EVIL = (
    b"first \x1b]52;c;aGk=\x07 \x1b]0;pwn\x07 \x1b]8;;http://x\x1b\\click\x1b]8;;\x1b\\"
    b" \x1b[2J \x1b[6n \x1bc \x9b31m \xc2\x9b31m last\n"
)
DRIVING = (
    b"\x1b]52;c;aGk=", b"\x1b]0;pwn", b"\x1b]8;;http://x", b"\x1b[2J", b"\x1b[6n", b"\x1bc",
    b"\xc2\x9b",
)  # fmt: skip


def assert_harmless(raw: bytes) -> None:
    """Nothing in what was painted drives the terminal."""
    for code in DRIVING:
        assert code not in raw, code
    assert b"\x9b" not in raw.decode("utf-8", "ignore").encode("latin-1", "ignore")
    raw.decode("utf-8")  # a lone byte 0x9b would not pass


def test_u2_codes_in_output_and_answers_do_not_reach_the_terminal(program: Program) -> None:
    (program.project / "evil.txt").write_bytes(EVIL)
    said = EVIL.decode("utf-8", "replace")
    program.api.enqueue(
        reply(said, tool("Bash", command="cat evil.txt"), tool("Read", file_path="evil.txt"),
              tool("Bash", command="cat evil.txt; false")),
        reply(f"{said} All shown."),
    )  # fmt: skip
    with asked(program) as terminal:
        begun = len(terminal.raw)
        terminal.wait_for("All shown.", "click")
        terminal.pump(0.5)
        assert_harmless(bytes(terminal.raw[begun:]))
        terminal.key("ctrl+d")
        terminal.wait_exit()
    for journal in program.journals():
        assert b"\x1b" not in journal.read_bytes()
    with program.screen("--continue") as terminal:
        terminal.wait_for("›")
        begun = len(terminal.raw)
        terminal.wait_for("All shown.", "click")
        terminal.pump(0.5)
        assert_harmless(bytes(terminal.raw[begun:]))


def test_u2_codes_in_what_is_asked_do_not_reach_the_terminal(program: Program) -> None:
    said = EVIL.decode("utf-8", "replace")
    program.api.enqueue(
        reply(tool("Bash", command=f"touch made; echo '{said}'", description=said)),
        reply(tool("Write", file_path=f"a{said.strip()}", content=said)),
        "Never mind.",
    )
    with program.screen() as terminal:
        terminal.wait_for("›", "default")
        begun = len(terminal.raw)
        terminal.type(f"go {'x' * 10}")
        terminal.key("enter")
        terminal.wait_for("Run this command?", "touch made", "click")
        terminal.pump(1.0)
        terminal.key("n")
        terminal.wait_for("why not?")
        terminal.key("enter")
        terminal.wait_for("Write", "No, and say why")
        terminal.pump(1.0)
        terminal.key("n")
        terminal.wait_for("why not?")
        terminal.key("enter")
        terminal.wait_for("Never mind.")
        assert_harmless(bytes(terminal.raw[begun:]))
    assert not (program.project / "made").exists()


def test_u2_a_title_made_of_a_prompt_is_harmless_in_the_picker(program: Program) -> None:
    program.api.enqueue("ok")
    program.print(f"hello {EVIL.decode('utf-8', 'replace')}")
    program.api.enqueue("ok")
    with program.screen("--resume") as terminal:
        terminal.wait_for("hello first")
        begun = terminal.raw.index(b"hello")
        terminal.pump(0.5)
        assert_harmless(bytes(terminal.raw[begun:]))


def test_n3_keys_work_while_the_server_is_silent(program: Program) -> None:
    program.api.enqueue(reply("never", fault=stall(block=None)), "Back again.")
    with asked(program) as terminal:
        program.api.wait_requests(1, timeout=30)
        terminal.type("not lost")
        terminal.wait_for("not lost", seconds=2)
        terminal.key("backspace")
        terminal.wait_until_gone("not lost", seconds=2)
        terminal.key("esc")
        terminal.wait_until_gone("Working", seconds=5)
        terminal.type("t")
        terminal.key("enter")
        terminal.wait_for("Back again.")
    assert "not lost" in program.api.messages[-1].last_user_text


def test_n3_a_prompt_stuck_on_a_dead_connection_is_stopped_and_sent_anew(
    program: Program,
) -> None:
    program.api.enqueue("First.", "Second.")
    with asked(program) as terminal:
        terminal.wait_for("First.")
        program.api.silence_open_connections()
        terminal.type("and now?")
        terminal.key("enter")
        terminal.wait_for("Working")
        terminal.type("meanwhile")
        terminal.wait_for("meanwhile", seconds=2)
        terminal.key("esc")
        terminal.wait_until_gone("Working", seconds=5)
        terminal.key("enter")
        terminal.wait_for("Second.")
    sent = json.dumps(program.api.messages[-1].body)
    assert "and now?" in sent and "meanwhile" in sent
    program.api.check()


@pytest.mark.parametrize("keys", [("ctrl+d",), ("ctrl+c", "ctrl+c", "ctrl+c")])
def test_n3_the_exit_keys_work_while_the_server_is_silent(
    program: Program, keys: tuple[str, ...]
) -> None:
    program.api.enqueue(reply(text("some words"), fault=stall(block=0, chars=4)))
    with asked(program) as terminal:
        terminal.wait_for("some")
        for key in keys:
            terminal.key(key)
            terminal.pump(0.3)
        terminal.wait_exit(seconds=8)
    assert not processes_of(program.home)


@pytest.mark.parametrize(
    "variables",
    [
        {"LC_ALL": "C", "LANG": "C"},
        {"LC_ALL": "ru_RU.KOI8-R"},
        {"PYTHONIOENCODING": "cp1252"},
        {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"},
    ],
)
def test_i5_the_screen_does_not_crash_in_a_locale_that_is_not_utf8(
    program: Program, variables: dict[str, str]
) -> None:
    program.variables.update(variables)
    program.api.enqueue(
        reply("→ ┌─┐ ", tool("Write", file_path="out.txt", content="→ ┌─┐\n")), "→ ┌─┐ all done"
    )
    program.variables["IS_SANDBOX"] = "1"
    with program.screen("--dangerously-skip-permissions") as terminal:
        terminal.wait_for("nothing is asked")
        terminal.type("go")
        terminal.key("enter")
        terminal.wait_for("all done")
        terminal.type("/exit")
        terminal.key("enter")
        assert terminal.wait_exit() == 0
        assert b"Error" not in terminal.raw
    assert (program.project / "out.txt").read_bytes() == "→ ┌─┐\n".encode()


def leave_by_command(terminal: Terminal) -> None:
    terminal.type("/exit")
    terminal.key("enter")


def leave_by_interrupts(terminal: Terminal) -> None:
    terminal.key("ctrl+c")
    terminal.wait_for("ctrl+c again")
    terminal.key("ctrl+c")


def leave_by_signal(number: int) -> Callable[[Terminal], None]:
    return lambda terminal: terminal.kill(number)


@pytest.mark.parametrize(
    ("leave", "code"),
    [
        (leave_by_command, 0),
        (leave_by_interrupts, 0),
        (leave_by_signal(signal.SIGTERM), 143),
        (leave_by_signal(signal.SIGHUP), 129),
    ],
)
def test_u8_after_the_exit_the_terminal_is_as_before_and_the_session_goes_on(
    program: Program, leave: Callable[[Terminal], None], code: int
) -> None:
    program.api.enqueue("First answer.", "Second answer.")
    with asked(program) as terminal:
        terminal.wait_for("First answer.", "1 turn")
        leave(terminal)
        assert terminal.wait_exit() == code
        end = bytes(terminal.raw)
        for on, off in (
            (b"\x1b[?1049h", b"\x1b[?1049l"),
            (b"\x1b[?1000h", b"\x1b[?1000l"),
            (b"\x1b[?1006h", b"\x1b[?1006l"),
            (b"\x1b[?2004h", b"\x1b[?2004l"),
            (b"\x1b[?25l", b"\x1b[?25h"),
        ):
            assert end.rfind(off) > end.rfind(on) >= 0, off
        resume = f"agent-tui --resume {program.journals()[-1].stem}"
        assert resume.encode() in end
    with program.screen(*resume.split()[1:]) as terminal:
        terminal.wait_for("First answer.")
        terminal.type("more")
        terminal.key("enter")
        terminal.wait_for("Second answer.")
    program.api.check()
