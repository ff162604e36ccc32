from __future__ import annotations

import re
import signal
import sys
import termios
from pathlib import Path

import pytest

from agent_tui.settings.credentials import save_key
from agent_tui.settings.options import ModelOptions, Options
from agent_tui.settings.paths import Environment, drafts, input_history
from agent_tui.settings.schema import Settings
from agent_tui.tui.main import lacks_key, make_look
from tests.tui.scenes import SESSION
from tests.tui.terminal import Terminal

EDITOR = " › "


def playing(scene: str, **changes: object) -> Terminal:
    return Terminal("-m", "tests.tui.play", scene, **changes)  # pyright: ignore[reportArgumentType]


def assert_restored(terminal: Terminal) -> None:
    """The other screen, mouse, paste, focus and keyboard modes are off, the cursor is on, the tty as before."""
    raw = bytes(terminal.raw)
    for on, off in (
        (b"\x1b[?1049h", b"\x1b[?1049l"),
        (b"\x1b[?1000h", b"\x1b[?1000l"),
        (b"\x1b[?1003h", b"\x1b[?1003l"),
        (b"\x1b[?1006h", b"\x1b[?1006l"),
        (b"\x1b[?2004h", b"\x1b[?2004l"),
        (b"\x1b[?1004h", b"\x1b[?1004l"),
        (b"\x1b[?25l", b"\x1b[?25h"),
        (b"\x1b[>25u", b"\x1b[<u"),
    ):
        assert raw.rfind(off) > raw.rfind(on) >= 0, off
    assert terminal.settings == terminal.before


def end_by_command(terminal: Terminal) -> None:
    terminal.send("/exit\r")


def end_by_interrupts(terminal: Terminal) -> None:
    terminal.send("\x03")
    terminal.wait_for("ctrl+c again to leave")
    terminal.send("\x03")


def end_by_term(terminal: Terminal) -> None:
    terminal.signal(signal.SIGTERM)


def end_by_hang_up(terminal: Terminal) -> None:
    terminal.signal(signal.SIGHUP)


def end_by_int(terminal: Terminal) -> None:
    terminal.signal(signal.SIGINT)


@pytest.mark.parametrize(
    ("end", "code"),
    [(end_by_command, 0), (end_by_interrupts, 0), (end_by_term, 143), (end_by_hang_up, 129), (end_by_int, 130)],
)  # fmt: skip
def test_u8_every_way_out_restores_the_terminal_and_tells_the_cause(end: object, code: int) -> None:
    with playing("plain") as terminal:
        terminal.wait_for("sonnet")
        terminal.send("hello\r")
        terminal.wait_for(" › hello")
        terminal.pump(0.3)
        end(terminal)  # pyright: ignore[reportCallIssue]
        assert terminal.wait() == code
        assert_restored(terminal)
        assert f"agent-tui --resume {SESSION}".encode() in terminal.raw


def test_u8_an_error_of_our_own_restores_the_terminal_and_gives_1() -> None:
    crash = (
        "import sys; from tests.tui import play;"
        "from agent_tui.tui.screens.pressing import Pressing;"
        "Pressing.cycle_mode = lambda self: 1 / 0;"
        "sys.exit(play.run('plain'))"
    )
    with Terminal("-c", crash) as terminal:
        terminal.wait_for("sonnet")
        terminal.send("kept\x1b[Z")
        assert terminal.wait() == 1
        assert_restored(terminal)
        said = bytes(terminal.raw).rpartition(b"\x1b[?1049l")[2].decode()
        assert "the screen stopped on an error of its own: ZeroDivisionError" in said
        assert "Traceback" not in said
    env = Environment.of_process()
    assert "ZeroDivisionError" in (env.home / ".agent-tui/logs/screen.log").read_text()
    assert "kept" in next(drafts(env).iterdir()).read_text()


def test_u2_nothing_from_outside_drives_the_terminal() -> None:
    with playing("evil") as terminal:
        terminal.wait_for("end")
        terminal.pump(0.5)
        written = bytes(terminal.raw)
        for attack in ("\x1b]52", "\x1b]0;", "\x1b]8;", "\x1b[2J", "\x1b[6n", "\x1bc", "\x9b"):
            assert attack.encode() not in written, attack
        terminal.send("\x04")
        assert terminal.wait() == 0


def test_u6_a_paste_cut_inside_its_end_mark_is_not_sent() -> None:
    with playing("plain") as terminal:
        terminal.wait_for("sonnet")
        terminal.send("\x1b[200~line 1\r\nline\t2\nline 3\n\x1b[20")
        terminal.pump(0.3)
        terminal.send("1~")
        terminal.wait_for("line 3")
        shown = [row for row in terminal.rows if "line" in row]
        assert shown == [" › line 1", "   line    2", "   line 3"]
        assert not input_history(Environment.of_process()).exists()


def test_u6_twenty_thousand_lines_show_as_a_summary_at_once() -> None:
    text = "".join(f"row {n} of many\r" for n in range(20_000))
    with playing("plain") as terminal:
        terminal.wait_for("sonnet")
        terminal.send_slowly(f"\x1b[200~{text}\x1b[201~")
        terminal.wait_for("[pasted 20,001 lines]", 3)


def test_u7_the_terminals_own_cursor_is_behind_the_wide_characters() -> None:
    with playing("plain") as terminal:
        terminal.wait_for("sonnet")
        terminal.send("あいうABC\x1b[D\x1b[D")
        terminal.wait_for("ABC")
        terminal.pump(0.3)
        row = next(y for y, text in enumerate(terminal.rows) if "ABC" in text)
        assert (terminal.screen.cursor.x, terminal.screen.cursor.y) == (3 + 7, row)
        terminal.send("\x7f\x7f")
        terminal.wait_for("あいBC")


@pytest.mark.skipif(sys.platform != "linux", reason="reads the process state from /proc")
def test_u9_suspend_and_go_on_at_another_size() -> None:
    with playing("stream", columns=100, rows=30) as terminal:
        terminal.wait_for("sonnet")
        cooked = terminal.before
        terminal.send("go\r")
        terminal.wait_for("word50")
        terminal.send("draft\x1a")
        terminal.wait_for_state("T")
        assert terminal.settings == cooked
        assert bytes(terminal.raw).rfind(b"\x1b[?1049l") > bytes(terminal.raw).rfind(b"\x1b[?1049h")
        terminal.resize(80, 24)
        terminal.screen.reset()
        terminal.signal(signal.SIGCONT)
        terminal.wait_for("word199")
        terminal.wait_for(" › draft")
        terminal.pump(0.3)
        assert terminal.rows[23].startswith(" sonnet  default")
        raw_mode = terminal.settings
        assert raw_mode != cooked
        terminal.send("!")
        terminal.wait_for(" › draft!")


def test_u10_an_idle_screen_writes_nothing() -> None:
    with playing("main") as terminal:
        terminal.wait_for("2 queued")
        terminal.pump(1.0)
        written = len(terminal.raw)
        terminal.pump(2.0)
        assert len(terminal.raw) == written


def test_bytes_that_are_no_utf8_do_not_end_it() -> None:
    with playing("plain") as terminal:
        terminal.wait_for("sonnet")
        terminal.send(b"a\xff\xfeb")
        terminal.pump(0.3)
        terminal.send("c")
        terminal.wait_for("c")
        assert terminal.code is None


def test_alt_enter_and_other_spellings_of_shift_enter_are_new_lines() -> None:
    with playing("plain") as terminal:
        terminal.wait_for("sonnet")
        for enter in ("\x1b\r", "\x1b[13;2u", "\x1b[27;2;13~", "\n"):
            terminal.send(f"x{enter}")
            terminal.pump(0.2)
        terminal.send("end")
        terminal.wait_for("   end")
        assert sum(row in (" › x", "   x") for row in terminal.rows) == 4


def test_no_colour_writes_no_colour_codes() -> None:
    with playing("edit", env={"NO_COLOR": "1"}) as terminal:
        terminal.wait_for("No, and say why")
        codes = {
            code
            for found in re.finditer(rb"\x1b\[([0-9;]*)m", bytes(terminal.raw))
            for code in found[1].split(b";")
        }
        assert codes <= {b"", b"0", b"1", b"2", b"3", b"4", b"7", b"9"}
        assert any(" + " in row for row in terminal.rows)


def test_whether_a_key_is_missing(home: Path) -> None:
    options = Options(cwd=str(home))
    env = Environment({}, home)
    assert lacks_key(options, env, Settings())
    assert not lacks_key(options, Environment({"ANTHROPIC_API_KEY": "k"}, home), Settings())
    assert not lacks_key(options, env, Settings(base_url="http://localhost:1"))
    server = Options(cwd=str(home), model=ModelOptions(base_url="http://localhost:1"))
    assert not lacks_key(server, env, Settings())
    assert not lacks_key(Options(cwd=str(home), demo=True), env, Settings())
    save_key(env, "k")
    assert not lacks_key(options, env, Settings())


def test_the_settings_of_the_terminal_are_those_the_program_found() -> None:
    with playing("plain") as terminal:
        terminal.wait_for("sonnet")
        assert not terminal.settings[3] & termios.ECHO  # pyright: ignore[reportOperatorIssue]
        terminal.send("\x04")
        assert terminal.wait() == 0
        assert terminal.settings == terminal.before


def test_what_is_typed_before_the_first_frame_is_in_the_editor() -> None:
    with playing("plain") as terminal:
        terminal.send("typed ahead")
        terminal.wait_for(EDITOR + "typed ahead")


def test_the_look_knows_what_is_wanted_and_what_would_fit(tmp_path: Path) -> None:
    env = Environment({"COLORTERM": "truecolor"}, tmp_path)
    look = make_look(env, "/w", dark=False)
    assert (look.theme.name, look.fitting, look.wanted) == ("light", "light", "")
    look = make_look(env, "/w", "high-contrast", dark=False)
    assert (look.theme.name, look.fitting, look.wanted) == (
        "high-contrast",
        "light",
        "high-contrast",
    )
    assert make_look(env, "/w", "gone", dark=False).theme.name == "light"
