"""The screen in the terminals people have: shells that suspend it, tmux, GNU screen, storms of sizes, lost focus."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fakes.api_server import reply, tool
from tests.journeys.program import Program
from tests.tui.scenes import SESSION
from tests.tui.terminal import Terminal

TICKS = os.sysconf("SC_CLK_TCK")
ENDED = b"\x1b[?1049l"


def playing(scene: str, **changes: object) -> Terminal:
    return Terminal("-m", "tests.tui.play", scene, **changes)  # pyright: ignore[reportArgumentType]


def cpu_of(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def set_up(home: Path, **settings: object) -> None:
    folder = home / ".agent-tui"
    folder.mkdir(exist_ok=True)
    (folder / "settings.json").write_text(json.dumps(settings))


# -- sizes -----------------------------------------------------------------------------------------


@pytest.mark.skipif(sys.platform != "linux", reason="reads CPU time from /proc")
def test_a_storm_of_sizes_ends_in_the_right_picture_at_a_bounded_cost() -> None:
    with playing("main", columns=100, rows=30) as quiet:
        quiet.wait_for("2 queued")
        quiet.pump(0.5)
        wanted = quiet.rows
    with playing("main", columns=80, rows=24) as terminal:
        terminal.wait_for("2 queued")
        terminal.pump(0.5)
        before, frames = cpu_of(terminal.pid), terminal.raw.count(b"\x1b[?2026h")
        begun = time.monotonic()
        for number in range(100):
            terminal.resize(40 + number * 2 % 230, 12 + number % 40)
            terminal.signal(signal.SIGWINCH)
            terminal.pump(0.008)
        terminal.resize(100, 30)
        took = time.monotonic() - begun
        terminal.pump(1.0)
        assert terminal.code is None
        assert terminal.rows == wanted
        drawn = terminal.raw.count(b"\x1b[?2026h") - frames
        assert drawn <= 3 * (took / 0.05 + 5)  # a size is drawn every 50 ms at most, in few frames
        assert cpu_of(terminal.pid) - before < 0.9 * (took + 1)


@pytest.mark.parametrize("size", [(40, 12), (40, 40), (300, 80)])
def test_from_narrow_to_very_wide(size: tuple[int, int]) -> None:
    with playing("main", columns=size[0], rows=size[1]) as terminal:
        terminal.wait_for("sonnet")
        terminal.send("typed")
        terminal.wait_for("› typed")
        assert all(len(row) <= size[0] for row in terminal.rows)
        assert terminal.rows[-1].startswith(" sonnet")


@pytest.mark.skipif(sys.platform != "linux", reason="reads CPU time from /proc")
def test_u10_a_long_session_costs_nothing_while_idle_and_little_while_waiting() -> None:
    filled = (
        "import sys\n"
        "from agent_tui.link.base import EngineUp\n"
        "from agent_tui.protocol import ops\n"
        "from agent_tui.protocol.content import TextBlock\n"
        "from agent_tui.protocol.messages import AssistantMessage, UserMessage\n"
        "from tests.tui import play, scenes\n"
        "def fill(scene, link, op):\n"
        "    if isinstance(op, ops.Open):\n"
        "        link.say(EngineUp(), scenes.status())\n"
        "        for n in range(1000):\n"
        "            text = TextBlock(f'answer {n} ' + 'word ' * 40)\n"
        "            link.say(UserMessage(f'prompt {n}', uuid=f'u{n}'))\n"
        "            link.say(AssistantMessage((text,), 'm', message_id=f'm{n}', uuid=f'a{n}'))\n"
        "    elif isinstance(op, ops.Prompt):\n"
        "        link.say(UserMessage(op.text, uuid=op.uuid), scenes.busy())\n"
        "play.play = fill\n"
        "sys.exit(play.run('plain'))\n"
    )
    with Terminal("-c", filled) as terminal:
        terminal.wait_for("answer 999")
        terminal.pump(1.5)
        cpu, written = cpu_of(terminal.pid), len(terminal.raw)
        terminal.pump(5.0)
        assert len(terminal.raw) == written
        assert cpu_of(terminal.pid) - cpu <= 0.05  # 1 % of the time
        terminal.send("go\r")
        terminal.wait_for("Working")
        terminal.pump(1.0)
        cpu, frames = cpu_of(terminal.pid), terminal.raw.count(b"\x1b[?2026h")
        terminal.pump(5.0)
        assert cpu_of(terminal.pid) - cpu <= 0.25  # 5 %
        assert 3 <= terminal.raw.count(b"\x1b[?2026h") - frames <= 10  # the time, once a second


# -- keys and mouse --------------------------------------------------------------------------------


def test_keys_of_the_kitty_protocol() -> None:
    with playing("plain") as terminal:
        terminal.wait_for("sonnet")
        assert b"\x1b[>25u" in terminal.raw
        for key in ("104;;104", "105;2;73", "228;;228", "32;;32", "13;2", "120;;120"):
            terminal.send(f"\x1b[{key}u")  # h I ä space shift+enter x
        terminal.wait_for("   x")
        assert " › hIä" in terminal.rows
        terminal.send("\x1b[127;5u" * 2 + "\x1b[100;5u")  # nothing of a modified key is typed
        terminal.pump(0.3)
        terminal.send("\x1b[99;5u\x1b[99;5u")  # ctrl+c, twice
        assert terminal.wait() == 0
        ended = bytes(terminal.raw)
        assert ended.rfind(b"\x1b[<u") < ended.rfind(ENDED)  # before the other screen is left


def test_without_the_mouse_the_terminal_keeps_it(home: Path) -> None:
    set_up(home, mouse=False)
    with playing("plain") as terminal:
        terminal.wait_for("sonnet")
        terminal.send("x")
        terminal.wait_for("› x")
        terminal.send("\x03\x03")
        assert terminal.wait() == 0
        for mode in (b"?1000h", b"?1002h", b"?1003h", b"?1006h"):
            assert mode not in terminal.raw


# -- colours ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("variables", "kinds"),
    [
        ({"COLORTERM": "truecolor"}, {"24bit"}),
        ({"COLORTERM": ""}, {"256"}),
        ({"COLORTERM": "", "FORCE_COLOR": "3"}, {"24bit"}),
        ({"COLORTERM": "", "TERM": "xterm"}, {"sixteen"}),
        ({"COLORTERM": "", "TERM": "linux"}, {"sixteen"}),
        ({"NO_COLOR": "1"}, set[str]()),
        ({"COLORTERM": "", "TERM": "vt220"}, set[str]()),
    ],
)
def test_u11_no_more_colours_are_written_than_the_terminal_shows(
    variables: dict[str, str], kinds: set[str]
) -> None:
    with playing("edit", env=variables) as terminal:
        terminal.wait_for("No, and say why")
        terminal.pump(0.3)
        found: set[str] = set()
        for match in re.finditer(rb"\x1b\[([0-9;]*)m", bytes(terminal.raw)):
            codes = b";" + match[1]
            for kind, mark in (("24bit", b"[34]8;2;"), ("256", b"[34]8;5;")):
                if re.search(b";" + mark, codes):
                    found.add(kind)
            if re.search(rb"^;(?:[0-9];)*(?:3[0-7]|4[0-7]|9[0-7]|10[0-7])(?:;|$)", codes):
                found.add("sixteen")
        assert found == kinds
        assert any(" + " in row for row in terminal.rows)


# -- title, focus, calls ---------------------------------------------------------------------------


def test_the_title_tells_what_goes_on_and_the_old_one_comes_back() -> None:
    with playing("edit") as terminal:
        terminal.wait_for("No, and say why")
        assert b"\x1b[22;0t\x1b]2;agent-tui\x07" in terminal.raw
        assert terminal.screen.title.startswith("◆ waiting for you: ")
        terminal.send("\x03\x03")
        assert terminal.wait() == 0
        assert bytes(terminal.raw).count(b"\x1b[22;0t") == 1
        assert bytes(terminal.raw).rpartition(b"\x1b[22;0t")[2].count(b"\x1b]2;\x07\x1b[23;0t") == 1


def ask_while_away(program: Program, *reports: str) -> bytes:
    """Have a question asked after these focus reports; give what was written from then on."""
    program.api.enqueue(reply(tool("Bash", command="echo hi > out.txt")))
    with program.screen() as terminal:
        terminal.wait_for("default")
        terminal.type("go")
        for report in reports:
            terminal.key(report)
        since = len(terminal.raw)
        terminal.key("enter")
        terminal.wait_for("Run this command?")
        terminal.pump(0.3)
        return bytes(terminal.raw[since:])


def without_titles(written: bytes) -> bytes:
    return re.sub(rb"\x1b\]2;[^\x07]*\x07", b"", written)


def test_a_question_calls_who_looks_elsewhere(program: Program) -> None:
    program.variables["TERM_PROGRAM"] = "WezTerm"
    written = ask_while_away(program, "\x1b[O")
    assert b"\x1b]9;agent-tui: Run this command?\x07" in written
    assert "\x1b]2;◆ waiting for you: ".encode() in written


def test_a_question_does_not_call_who_looks(program: Program) -> None:
    written = ask_while_away(program, "\x1b[O", "\x1b[I")
    assert b"\x07" not in without_titles(written)


def test_the_end_of_a_long_run_rings(program: Program) -> None:
    set_up(program.home, notifyAfterSeconds=0, preferredNotifChannel="terminal_bell")
    program.api.enqueue("All done.")
    with program.screen() as terminal:
        terminal.wait_for("default")
        terminal.type("go")
        terminal.key("\x1b[O")
        since = len(terminal.raw)
        terminal.key("enter")
        terminal.wait_for("All done.", "1 turn")
        terminal.pump(0.3)
        assert without_titles(bytes(terminal.raw[since:])).count(b"\x07") == 1


def test_losing_the_focus_draws_nothing() -> None:
    with playing("main") as terminal:
        terminal.wait_for("2 queued")
        terminal.pump(0.5)
        written = len(terminal.raw)
        for report in ("\x1b[O", "\x1b[I", "\x1b[O", "\x1b[I"):
            terminal.send(report)
            terminal.pump(0.2)
        assert len(terminal.raw) == written
        terminal.send("still typed")
        terminal.wait_for("› still typed")


# -- the way out -----------------------------------------------------------------------------------


def test_u8_a_screen_that_hangs_is_ended_by_a_signal_and_the_terminal_given_back() -> None:
    hanging = (
        "import functools, sys\n"
        "from agent_tui.tui import main\n"
        "from agent_tui.tui.screens.pressing import Pressing\n"
        "from tests.tui import play\n"
        "main.EndingBySignal = functools.partial(main.EndingBySignal, stuck=0.3)\n"
        "def hang(self):\n"
        "    while True: pass\n"
        "Pressing.cycle_mode = hang\n"
        "sys.exit(play.run('plain'))\n"
    )
    with Terminal("-c", hanging) as terminal:
        terminal.wait_for("sonnet")
        terminal.send("\x1b[Z")
        terminal.pump(0.3)
        terminal.signal(signal.SIGTERM)
        assert terminal.wait() == 143
        raw = bytes(terminal.raw)
        for off in (
            b"\x1b[?1000l",
            b"\x1b[?2004l",
            b"\x1b[?1004l",
            b"\x1b[<u",
            ENDED,
            b"\x1b[?25h",
        ):
            assert raw.rfind(off) > raw.rfind(b"\x1b[?1049h"), off
        assert b"\x1b[23;0t" in raw
        assert terminal.settings == terminal.before


def test_u8_an_error_outside_the_app_gives_the_terminal_back() -> None:
    crash = (
        "import sys\n"
        "from agent_tui.tui import main\n"
        "from tests.tui import play\n"
        "async def broken(self, **given):\n"
        "    driver = self._build_driver(False, False, True, None)\n"
        "    driver.start_application_mode()\n"
        "    raise RuntimeError('outside')\n"
        "main.AgentTui.run_async = broken\n"
        "sys.exit(play.run('plain'))\n"
    )
    with Terminal("-c", crash) as terminal:
        assert terminal.wait() == 1
        assert bytes(terminal.raw).rfind(ENDED) > bytes(terminal.raw).rfind(b"\x1b[?1049h") >= 0
        assert terminal.settings == terminal.before


# -- a shell around it -----------------------------------------------------------------------------


@pytest.mark.skipif(not shutil.which("bash"), reason="needs bash")
def test_u9_a_shell_suspends_it_and_goes_on(tmp_path: Path) -> None:
    rc = tmp_path / "rc"
    rc.write_text("PS1='shell$ '\nset -m\n")
    run = f"import os; os.execvp('bash', ['bash', '--noprofile', '--rcfile', {str(rc)!r}, '-i'])"
    with Terminal("-c", run) as shell:
        shell.wait_for("shell$")
        shell.send(f"{sys.executable} -m tests.tui.play stream\r")
        shell.wait_for("sonnet")
        shell.send("go\r")
        shell.wait_for("word50")
        shell.send("draft\x1a")
        shell.wait_for("Stopped")
        shell.send("echo $((40 + 2))-shell\r")
        shell.wait_for("42-shell")
        shell.send("sleep 30\r")
        shell.pump(0.3)
        shell.send("\x03")  # the shell's own job gets it, not ours
        shell.pump(0.3)
        shell.resize(80, 24)
        shell.send("bg\r")  # it may not draw there: it stops again
        shell.pump(1.0)
        shell.send("jobs\r")
        shell.pump(0.5)
        assert "Stopped" in "\n".join(shell.rows)
        shell.send("fg\r")
        shell.wait_for("word199")
        shell.wait_for("› draft")
        shell.pump(0.3)
        assert shell.rows[23].startswith(" sonnet  default")
        shell.send("!")
        shell.wait_for("draft!")
        shell.pump(0.3)
        shell.send("\x03")
        shell.wait_for("to leave")
        shell.send("\x03")
        shell.wait_for("To go on with")
        shell.pump(0.5)
        shell.send("stty -a | grep -o ' -*echo ' | sed s/^/it:/\r")
        shell.wait_for("it: echo")


# -- tmux and screen -------------------------------------------------------------------------------


class Tmux:
    """A tmux server of its own, with our program in its one window, seen through a client."""

    def __init__(self, folder: Path, *command: str) -> None:
        self.socket = str(folder / "tmux")
        conf = folder / "conf"
        conf.write_text(
            "set -g focus-events on\nset -g mouse on\nset -g default-terminal tmux-256color\n"
            "set -sg escape-time 0\nset -g monitor-bell on\n"
        )
        argv = ["tmux", "-S", self.socket, "-f", str(conf), "new-session", *command]
        run = f"import os; os.execvp('tmux', {argv!r})"
        self.client = Terminal("-c", run, columns=100, rows=31)

    def __call__(self, *command: str) -> str:
        argv = ["tmux", "-S", self.socket, *command]
        return subprocess.run(argv, capture_output=True, text=True, check=False).stdout

    def close(self) -> None:
        self("kill-server")
        with self.client:
            pass


@pytest.fixture
def tmux(tmp_path: Path) -> Iterator[Tmux]:
    if not shutil.which("tmux"):
        pytest.skip("needs tmux")
    opened = Tmux(
        tmp_path,
        f"sh -c 'echo stty:$(stty -g | md5sum); {sys.executable} -m tests.tui.play main; echo; echo stty:$(stty -g | md5sum); cat'",
    )
    yield opened
    opened.close()


def test_inside_tmux(tmux: Tmux) -> None:
    client = tmux.client
    client.wait_for("2 queued")
    client.send("hello")
    client.wait_for("› hello")
    assert tmux("display", "-p", "#{pane_title}").startswith("agent-tui: ")
    assert "38;2;" in tmux("capture-pane", "-e", "-p")  # 24 bits, which tmux shows as it can
    # a paste of several lines comes as one
    tmux("set-buffer", " one\nand two")
    tmux("paste-buffer", "-p")
    client.wait_for("and two")
    assert " › hello one" in client.rows
    # the wheel scrolls what is read
    read = client.rows[:20]
    client.send("\x1b[<64;10;10M" * 3)
    client.pump(0.5)
    assert client.rows[:20] != read
    # focus reports come through: no key, nothing typed, nothing drawn but by tmux
    client.send("\x1b[O")
    client.pump(0.2)
    client.send("\x1b[I")
    client.pump(0.2)
    assert " › hello one" in client.rows
    client.resize(80, 25)
    client.signal(signal.SIGWINCH)
    client.pump(1.0)
    assert client.rows[23].startswith(" sonnet")
    client.send("\x03")
    client.pump(0.3)
    client.send("\x03\x03")
    client.wait_for("To go on")
    client.pump(0.3)
    shown = tmux("capture-pane", "-p", "-J", "-S", "-100")
    # stty at both ends, put on lines that fit
    before, after = (line for line in shown.splitlines() if line.startswith("stty:"))
    assert before == after
    assert SESSION in shown
    assert "agent-tui" not in tmux("display", "-p", "#{pane_title}")
    assert tmux("display", "-p", "#{mouse_any_flag}#{mouse_standard_flag}").strip("0\n") == ""


@pytest.mark.skipif(not shutil.which("screen"), reason="needs GNU screen")
def test_inside_gnu_screen(tmp_path: Path) -> None:
    sockets = tmp_path / "s"
    sockets.mkdir(mode=0o700)
    name = f"t{os.getpid()}"
    command = f"{sys.executable} -m tests.tui.play main; echo ended; cat"
    argv = ["screen", "-c", os.devnull, "-U", "-S", name, "sh", "-c", command]
    run = f"import os; os.execvp('screen', {argv!r})"
    env = {"SCREENDIR": str(sockets)}
    with Terminal("-c", run, env=env) as client:
        client.wait_for("2 queued")
        client.send("hello")
        client.wait_for("› hello")
        client.pump(0.5)
        assert b"38;2;" not in client.raw  # it can't show 24 bits
        assert client.rows[29].startswith(" sonnet")
        assert client.rows[28] == " › hello"  # no sequence it doesn't know has left a letter
        client.send("\x1b[200~ one\nand two\x1b[201~")
        client.wait_for("and two")
        client.send("\x03")
        client.pump(0.3)
        client.send("\x03\x03")
        client.wait_for("ended")
        subprocess.run(["screen", "-S", name, "-X", "quit"], env={**os.environ, **env}, check=False)
