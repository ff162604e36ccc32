"""``-p``: formats, record shapes, exit codes, and odd surroundings."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import time

import pytest

from tests.fakes.api_server import Block, http_error, reply, text, thinking, tool
from tests.journeys.program import Program, records


def test_stream_json_ends_with_the_result(program: Program) -> None:
    (program.project / "app.py").write_text("print('hello')\n")
    program.api.enqueue(
        reply("Looking.", tool("Read", file_path="app.py")),
        reply(tool("Edit", file_path="app.py", old_string="hello", new_string="goodbye")),
        reply(tool("Bash", command="python3 app.py")),
        "Done.",
    )
    done = program.print(
        "fix it", "--output-format", "stream-json", "--verbose",
        "--permission-mode", "acceptEdits", "--allowedTools", "Bash(python3 *)",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    lines = records(done.stdout)
    kinds = [line["type"] for line in lines]
    assert kinds == [
        "system", "assistant", "assistant", "user", "assistant", "user", "assistant", "user",
        "assistant", "result",
    ]  # fmt: skip
    assert lines[0]["subtype"] == "init"
    result = lines[-1]
    assert (result["subtype"], result["num_turns"], result["result"]) == ("success", 4, "Done.")
    assert result["usage"]["output_tokens"] > 0
    assert result["total_cost_usd"] > 0
    assert {line["session_id"] for line in lines} == {result["session_id"]}
    assert all(line["uuid"] for line in lines)
    assert (program.project / "app.py").read_text() == "print('goodbye')\n"
    assert program.journals()[-1].stem == result["session_id"]
    program.api.check()


def test_text_and_json(program: Program) -> None:
    program.api.enqueue("Hello.", "Hello.")
    assert program.print("hi").stdout == b"Hello.\n"
    data = json.loads(program.print("hi", "--output-format", "json").stdout)
    assert (data["type"], data["result"]) == ("result", "Hello.")


def test_partial_messages_are_raw_events(program: Program) -> None:
    program.api.enqueue("Hello.")
    done = program.print(
        "hi", "--output-format", "stream-json", "--verbose", "--include-partial-messages"
    )
    events = [
        line["event"]["type"] for line in records(done.stdout) if line["type"] == "stream_event"
    ]
    assert events[0] == "message_start"
    assert events[-1] == "message_stop"


def test_nobody_is_asked_so_what_would_be_asked_is_denied(program: Program) -> None:
    program.api.enqueue(reply(tool("Bash", command="touch made")), "I could not.")
    done = program.print("go", "--output-format", "json")
    result = json.loads(done.stdout)
    assert not (program.project / "made").exists()
    assert [d["tool_name"] for d in result["permission_denials"]] == ["Bash"]


@pytest.mark.parametrize(
    ("flags", "subtype"),
    [
        (("--max-turns", "1"), "error_max_turns"),
        (("--max-budget-usd", "0.00001"), "error_max_budget_usd"),
    ],
)
def test_a_limit_ends_with_its_subtype_and_code_1(
    program: Program, flags: tuple[str, ...], subtype: str
) -> None:
    program.api.enqueue(reply(tool("Bash", command="echo")), "never")
    done = program.print("go", "--output-format", "json", *flags)
    assert done.returncode == 1
    result = json.loads(done.stdout)
    assert result["subtype"] == subtype
    assert "result" not in result


@pytest.mark.parametrize(
    ("blocks", "stop_reason", "why"),
    [
        ((thinking("long " * 6400),), "max_tokens", "output limit"),
        ((text("half of a wo"),), "max_tokens", "output limit"),
        ((text("half of a wo"),), "model_context_window_exceeded", "context window is full"),
        ((text("half of a wo"),), "foo", "foo"),
    ],
)
def test_n6_a_cut_answer_is_told_by_code_and_kind(
    program: Program, blocks: tuple[Block, ...], stop_reason: str, why: str
) -> None:
    program.api.add_rule(lambda request: True, reply(*blocks, stop_reason=stop_reason))
    done = program.print("go")
    assert done.returncode == 1
    assert why.encode() in done.stderr
    done = program.print("go", "--output-format", "json")
    assert done.returncode == 1
    result = json.loads(done.stdout)
    assert result["is_error"] is True
    assert result["subtype"] == "error_during_execution"
    assert why in str(result["errors"])


def test_n8_the_password_of_a_proxy_is_neither_shown_nor_logged(program: Program) -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    program.variables.update(
        HTTPS_PROXY=f"http://me:hush%24hush@127.0.0.1:{port}",
        ANTHROPIC_BASE_URL="https://api.test",
        CLAUDE_CODE_MAX_RETRIES="0",
    )
    done = program.print("go", "--output-format", "stream-json", "--verbose")
    assert done.returncode == 1
    assert f"127.0.0.1:{port}".encode() in done.stdout
    kept = [path.read_bytes() for path in program.home.rglob("*") if path.is_file()]
    assert kept
    for said in (done.stdout, done.stderr, *kept):
        assert b"hush" not in said


def test_a_wrong_key_says_so(program: Program) -> None:
    program.api.enqueue(http_error(401, "authentication_error", "invalid x-api-key"))
    done = program.print("hi")
    assert done.returncode == 1
    assert b"ANTHROPIC_API_KEY" in done.stdout + done.stderr or b"key" in done.stdout + done.stderr


def test_without_a_key_nothing_is_sent(program: Program) -> None:
    program.variables.update(ANTHROPIC_API_KEY="", ANTHROPIC_BASE_URL="")
    done = program.print("hi")
    assert done.returncode == 2
    assert b"--demo" in done.stderr
    assert not program.api.requests


def test_a_server_of_ones_own_may_want_no_key(program: Program) -> None:
    program.variables.update(ANTHROPIC_API_KEY="", ANTHROPIC_BASE_URL="")
    program.api.enqueue("Hello from here.")
    done = program.print("hi", "--base-url", program.api.url)
    assert (done.returncode, done.stdout) == (0, b"Hello from here.\n"), done.stderr


def test_continue_and_resume_go_on_with_the_session(program: Program) -> None:
    program.api.enqueue("one", "two", "three")
    first = json.loads(program.print("a", "--output-format", "json").stdout)
    again = json.loads(program.print("b", "-c", "--output-format", "json").stdout)
    by_id = json.loads(
        program.print("c", "--resume", first["session_id"], "--output-format", "json").stdout
    )
    assert first["session_id"] == again["session_id"] == by_id["session_id"]
    assert by_id["total_cost_usd"] > first["total_cost_usd"]
    last = program.api.messages[-1].messages
    assert [m["role"] for m in last] == ["user", "assistant", "user", "assistant", "user"]


def test_an_unknown_session_is_a_clear_error(program: Program) -> None:
    done = program.print("hi", "--resume", "11111111-1111-4111-8111-111111111111")
    assert done.returncode == 1
    assert b"11111111-1111-4111-8111-111111111111" in done.stderr
    assert done.stdout == b""


@pytest.mark.parametrize(
    "arguments",
    [
        ("hi", "--output-format", "stream-json"),
        ("hi", "--max-budget-usd", "0"),
        ("hi", "--max-turns", "-1"),
        ("hi", "--permission-mode", "yolo"),
        ("hi", "--frobnicate"),
        ("hi", "--add-dir", "/no/such/folder"),
        ("hi", "--session-id", "seven"),
        ("hi", "-c", "--resume", "x"),
        (),
    ],
)
def test_bad_usage_is_one_line_and_code_2(program: Program, arguments: tuple[str, ...]) -> None:
    done = program.print(*arguments)
    assert done.returncode == 2
    assert done.stdout == b""
    assert done.stderr.startswith(b"agent-tui: ")
    assert done.stderr.count(b"\n") == 1
    assert not program.api.requests


def test_piped_text_joins_the_prompt(program: Program) -> None:
    program.api.enqueue("Seen.", "Seen.")
    program.print("explain:", stdin=b"error: x\n")
    assert "explain:\n\nerror: x" in program.api.messages[0].last_user_text
    program.print(stdin=b"only this\n")
    assert "only this" in program.api.messages[1].last_user_text


@pytest.mark.parametrize("how", ["in front", "in the background", "without any terminal"])
def test_i2_without_a_terminal_it_says_how_and_leaves(program: Program, how: str) -> None:
    started = time.monotonic()
    done = subprocess.run(
        [*program.start_argv()],
        cwd=program.project,
        env=program.environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=20,
        check=False,
        process_group=0 if how == "in the background" else None,
        start_new_session=how == "without any terminal",
    )
    assert done.returncode != 0
    assert time.monotonic() - started < 4
    assert done.stdout == b""
    assert done.stderr.count(b"\n") == 1
    assert done.stderr.startswith(b"agent-tui: ")
    assert b"\x1b" not in done.stderr


def test_i3_an_open_silent_pipe_is_not_waited_for(program: Program) -> None:
    program.api.enqueue("At once.")
    reading, writing = os.pipe()
    try:
        run = program.start("-p", "go", stdin=reading, stdout=subprocess.PIPE)
        out, _ = run.communicate(timeout=10)
    finally:
        os.close(reading)
        os.close(writing)
    assert (run.returncode, out) == (0, b"At once.\n")


@pytest.mark.parametrize(
    "variables",
    [
        {"LC_ALL": "C", "LANG": "C"},
        {"LC_ALL": "ru_RU.KOI8-R"},
        {"PYTHONIOENCODING": "cp1252"},
        {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"},
    ],
)
def test_i5_a_locale_that_is_not_utf8_does_not_crash(
    program: Program, variables: dict[str, str]
) -> None:
    program.variables.update(variables)
    program.api.enqueue(
        reply("→ ┌─┐ ", tool("Write", file_path="out.txt", content="→ ┌─┐\n")), "→ ┌─┐ done"
    )
    done = program.print("go", "--permission-mode", "acceptEdits")
    assert done.returncode == 0, done.stderr
    assert b"done" in done.stdout
    assert (program.project / "out.txt").read_bytes() == "→ ┌─┐\n".encode()
    lines = program.lines()
    assert any("→ ┌─┐ done" in json.dumps(line, ensure_ascii=False) for line in lines)


def test_sigint_ends_the_run_as_interrupted(program: Program) -> None:
    program.api.enqueue(reply(text("word " * 300), chunk=5, delay=0.1))
    run = program.start(
        "-p", "go", "--output-format", "stream-json", "--verbose",
        "--include-partial-messages",
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
    )  # fmt: skip
    assert run.stdout is not None
    for line in run.stdout:
        if b"content_block_delta" in line:
            break
    run.send_signal(signal.SIGINT)
    out, _ = run.communicate(timeout=20)
    assert run.returncode == 130
    result = records(out)[-1]
    assert (result["subtype"], result["terminal_reason"]) == (
        "error_during_execution",
        "aborted_streaming",
    )


def test_a_reader_that_leaves_is_no_traceback(program: Program) -> None:
    program.api.enqueue(reply("x " * 5000))
    run = program.start(
        "-p", "go", stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert run.stdout is not None and run.stderr is not None
    run.stdout.close()
    errors = run.stderr.read()
    run.wait(timeout=30)
    run.stderr.close()
    assert b"Traceback" not in errors


def test_version_and_help(program: Program) -> None:
    shown = subprocess.run(
        program.start_argv("--version"), env=program.environment, capture_output=True, check=True
    )
    assert shown.stdout.endswith(b"(agent-tui)\n")
    shown = subprocess.run(
        program.start_argv("--help"), env=program.environment, capture_output=True, check=True
    )
    assert b"--permission-mode" in shown.stdout
