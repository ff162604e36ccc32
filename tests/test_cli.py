from __future__ import annotations

import gc
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from agent_tui import __version__
from agent_tui.__main__ import entry
from agent_tui.cli import MAX_STDIN, build_parser, main, make_options
from agent_tui.protocol.errors import UsageError
from agent_tui.settings.options import Options
from agent_tui.settings.paths import Environment
from tests.fakes.api_server import ApiServer

HOME = Path("/nowhere")
SANDBOX = Environment({"IS_SANDBOX": "1"}, HOME)


def options_of(*argv: str, env: Environment = SANDBOX, interactive: bool = False) -> Options:
    return make_options(build_parser().parse_args(argv), env, interactive=interactive)


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


def test_plain_arguments_leave_everything_to_settings(tmp_path: Path) -> None:
    options = options_of()
    assert options == Options(str(Path.cwd()))
    assert options_of(interactive=True).partial_messages


def test_arguments_become_options(tmp_path: Path) -> None:
    options = options_of(
        "-p", "hi", "--model", "opus", "--effort", "high", "--base-url", "http://x",
        "--max-turns", "3", "--max-budget-usd", "1.5", "--permission-mode", "acceptEdits",
        "--add-dir", str(tmp_path), "--append-system-prompt", "Be brief.", "--demo",
        "--output-format", "stream-json", "--verbose", "--include-partial-messages", "-c",
    )  # fmt: skip
    assert (options.model.model, options.model.effort) == ("opus", "high")
    assert options.model.base_url == "http://x"
    assert (options.limits.max_turns, options.limits.max_budget_usd) == (3, 1.5)
    assert options.permissions.mode == "acceptEdits"
    assert options.permissions.add_dirs == (str(tmp_path),)
    assert options.prompts.append_system_prompt == "Be brief."
    assert options.session.continue_newest and options.session.from_print
    assert options.demo and options.partial_messages and not options.interactive
    assert Options.from_json(options.to_json()) == options


def test_manual_is_another_word_for_the_default_mode() -> None:
    assert options_of("--permission-mode", "manual").permissions.mode == "default"


@pytest.mark.parametrize(
    ("values", "rules"),
    [
        (["Read"], ("Read",)),
        (["Bash(git log *),Read"], ("Bash(git log *)", "Read")),
        (["Bash(a b) Edit(x, y)", "Read"], ("Bash(a b)", "Edit(x, y)", "Read")),
        (["Bash(echo (a b)),Read"], ("Bash(echo (a b))", "Read")),
        ([" , Read ,, "], ("Read",)),
        (["Bash(open", "Read"], ("Bash(open", "Read")),
        ([")Read"], (")Read",)),
    ],
)
def test_lists_of_rules_are_split_outside_parentheses(
    values: list[str], rules: tuple[str, ...]
) -> None:
    assert options_of("--allowedTools", *values).permissions.allowed_tools == rules
    assert options_of("--disallowed-tools", *values).permissions.disallowed_tools == rules


def test_bypassing_permissions_is_offered_where_it_was_asked_for() -> None:
    assert not options_of().permissions.allow_bypass
    offered = options_of("--allow-dangerously-skip-permissions").permissions
    assert (offered.mode, offered.allow_bypass) == (None, True)
    begun = options_of("--dangerously-skip-permissions").permissions
    assert (begun.mode, begun.allow_bypass) == ("bypassPermissions", True)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root is refused")
def test_bypassing_permissions_as_root_is_refused() -> None:
    with pytest.raises(UsageError, match="root"):
        options_of("--dangerously-skip-permissions", env=Environment({}, HOME))


@pytest.mark.parametrize(
    ("argv", "word"),
    [
        (["--nonsense"], "--nonsense"),
        (["-p", "hi", "--output-format", "xml"], "xml"),
        (["-p", "hi", "--output-format", "stream-json"], "--verbose"),
        (["-p", "hi", "--include-partial-messages"], "stream-json"),
        (["--output-format", "json"], "-p"),
        (["--max-turns", "3"], "-p"),
        (["-p", "hi", "--max-turns", "-1"], "negative"),
        (["-p", "hi", "--max-turns", "many"], "many"),
        (["-p", "hi", "--max-budget-usd", "0"], "more than 0"),
        (["-p", "hi", "--max-budget-usd", "nan"], "more than 0"),
        (["-p", "hi", "-c", "--resume", "x"], "exclude"),
        (["-p", "hi", "--resume"], "session id"),
        (["-p", "hi", "--session-id", "x"], "UUID"),
        (["-p", "hi", "--add-dir", "/no/such/folder"], "no such folder"),
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
    with pytest.raises(SystemExit) as ended:
        entry()
    gc.enable()
    assert ended.value.code == 130


@pytest.mark.parametrize("closed", ["0<&-", "1>&-", "2>&-", "0<&- 1>&- 2>&-"])
def test_closed_standard_files_are_no_reason_to_fall_over(closed: str) -> None:
    line = f'exec "$0" -m agent_tui --bogus {closed}'
    done = subprocess.run(["sh", "-c", line, sys.executable], check=False, timeout=30)
    assert done.returncode == 2
