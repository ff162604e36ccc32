from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from agent_tui import __version__
from agent_tui.__main__ import entry, say_harmlessly
from agent_tui.cli import MAX_STDIN, main
from agent_tui.settings.paths import Environment
from tests.fakes.api_server import ApiServer

HOME = Path("/nowhere")
SANDBOX = Environment({"IS_SANDBOX": "1"}, HOME)


def complaint(capsys: pytest.CaptureFixture[str], *argv: str) -> str:
    """Run with bad usage; give the one line it says."""
    assert main(list(argv), SANDBOX) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("agent-tui: ") and err.count("\n") == 1
    return err


Piped = Callable[[bytes], None]


@pytest.fixture
def piped(tmp_path: Path) -> Iterator[Piped]:
    """Make standard input a file with these bytes."""
    saved = os.dup(0)

    def put(data: bytes) -> None:
        (tmp_path / "stdin").write_bytes(data)
        fd = os.open(tmp_path / "stdin", os.O_RDONLY)
        os.dup2(fd, 0)
        os.close(fd)

    yield put
    os.dup2(saved, 0)
    os.close(saved)


def test_the_version_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"], SANDBOX) == 0
    assert capsys.readouterr().out == f"{__version__} (agent-tui)\n"


@pytest.mark.parametrize(
    ("argv", "word"),
    [
        (["--nonsense"], "--nonsense"),
        (["-p", "hi", "--max-turns", "many"], "many"),
        (["-p", "hi", "--max-budget-usd", "0"], "more than 0"),
        (["--input-format", "stream-json"], "--output-format"),
        (["-p", "hi", "--add-dir", "/no/such/folder"], "no such folder"),
        (["-p", "hi", "--disallowedTools", "Bash("], "'Bash('"),
        (["hi"], "terminal"),
    ],
)
def test_bad_usage_is_one_line_and_code_2(
    argv: list[str], word: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert word in complaint(capsys, *argv)


def test_a_folder_that_is_gone_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    assert "does not exist" in complaint(capsys, "-p", "hi")


def test_what_is_complained_of_cannot_drive_the_terminal(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert "\x1b" not in complaint(capsys, "-p", "hi", "--add-dir", "\x1b[2Jx")


def test_a_prompt_is_needed(piped: Piped, capsys: pytest.CaptureFixture[str]) -> None:
    piped(b" \n")
    assert "needs a prompt" in complaint(capsys, "-p")
    assert "needs a prompt" in complaint(capsys, "-p", " ")


def test_input_that_is_too_large_is_refused(
    piped: Piped, capsys: pytest.CaptureFixture[str]
) -> None:
    piped(b"x" * (MAX_STDIN + 1))
    assert "10 MB" in complaint(capsys, "-p", "hi")


@pytest.mark.parametrize(
    ("argv", "data", "asked"),
    [
        (["-p", "hi"], b"", "hi"),
        (["-p", "what is this?"], b"x = 1\n", "what is this?\n\nx = 1\n"),
        (["-p"], b"from the pipe", "from the pipe"),
        (["-p", "hi"], b"\xff!", "hi\n\n\ufffd!"),
    ],
)
def test_what_is_piped_in_becomes_part_of_the_prompt(
    argv: list[str],
    data: bytes,
    asked: str,
    piped: Piped,
    home: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    piped(data)
    with ApiServer("Answer.") as api:
        variables = {"ANTHROPIC_BASE_URL": api.url, "ANTHROPIC_API_KEY": "sk-test-dummy"}
        assert main(argv, Environment(variables, home)) == 0
        assert capsys.readouterr().out == "Answer.\n"
        assert api.messages[0].last_user_blocks[-1]["text"] == asked


def test_a_session_that_cannot_be_opened_is_told_with_its_code(
    piped: Piped, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    piped(b"")
    assert main(["-p", "hi"], Environment({}, home)) == 2
    variables = {"ANTHROPIC_BASE_URL": "http://127.0.0.1:9", "ANTHROPIC_API_KEY": "sk-test-dummy"}
    argv = ["-p", "hi", "--resume", "00000000-0000-4000-8000-000000000000"]
    assert main(argv, Environment(variables, home)) == 1
    assert capsys.readouterr().err.count("agent-tui: ") == 2


class _Interrupted:
    """An import system that is interrupted when the command line is to be loaded."""

    def find_spec(self, name: str, path: object = None, target: object = None) -> None:
        if name == "agent_tui.cli":
            raise KeyboardInterrupt


def test_an_interrupt_while_the_program_is_loaded_ends_it_quietly(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delitem(sys.modules, "agent_tui.cli")
    monkeypatch.setattr(sys, "meta_path", [_Interrupted(), *sys.meta_path])
    monkeypatch.setattr(sys, "argv", ["agent-tui", "-p", "hi"])
    before = signal.getsignal(signal.SIGINT)
    with pytest.raises(SystemExit) as ended:
        entry()
    gc.enable()
    # one more while the interpreter ends would be told with a traceback
    assert signal.signal(signal.SIGINT, before) is signal.SIG_IGN
    assert ended.value.code == 130


@pytest.mark.parametrize("closed", ["0<&-", "1>&-", "2>&-", "0<&- 1>&- 2>&-"])
def test_closed_standard_files_are_no_reason_to_fall_over(closed: str) -> None:
    line = f'exec "$0" -m agent_tui --bogus {closed}'
    done = subprocess.run(["sh", "-c", line, sys.executable], check=False, timeout=30)
    assert done.returncode == 2


def test_u2_an_error_of_our_own_drives_no_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    try:
        raise ValueError("said \x1b]0;pwn\x07 and \u202e")
    except ValueError as error:
        say_harmlessly(ValueError, error, error.__traceback__)
    said = capsys.readouterr().err
    assert said.endswith("ValueError: said ?]0;pwn? and ?\n")
    assert "\x1b" not in said
