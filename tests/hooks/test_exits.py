"""What exit codes and output mean, with outcomes as a process gives them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from agent_tui.hooks.command import Place, Ran
from agent_tui.hooks.configured import CommandHook
from agent_tui.hooks.exits import read_end
from agent_tui.hooks.failure import Failure
from agent_tui.hooks.output import SILENT, Said
from agent_tui.protocol.hooks import HookEvent

PLACE = Place("/nowhere", "/nowhere", {})
DENY = {"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "deny"}}


def end(
    code: int | None,
    stdout: str | dict[str, Any] = "",
    stderr: str = "",
    *,
    event: HookEvent = "PreToolUse",
    command: str = "./check",
) -> Said | Failure:
    text = stdout if isinstance(stdout, str) else json.dumps(stdout)
    return read_end(event, CommandHook(command), Ran(code, text, stderr), PLACE, "Bash")


def outcome(*args: Any, **more: Any) -> Any:
    said = end(*args, **more)
    assert isinstance(said, Said), said
    return said.outcome


def test_success_with_json_and_without() -> None:
    assert outcome(0, DENY).behavior == "deny"
    assert outcome(0, "\ufeff \n" + json.dumps(DENY)).behavior == "deny"
    assert end(0, "all is well") == SILENT
    assert end(0) == SILENT


def test_plain_output_is_context_where_documented() -> None:
    assert outcome(0, "note\n", event="UserPromptSubmit").additional_context == ("note",)


@pytest.mark.parametrize(
    "text", ['{"decision": "deny"', '{"decision": "deny"}', "{} {}", "{'a': 1}"]
)
def test_broken_json_is_a_failure_not_an_answer(text: str) -> None:
    failure = end(0, text)
    assert isinstance(failure, Failure)
    assert failure.kind == "output"
    assert failure.what.startswith("printed what can't be used: ")


def test_two_refuses_and_standard_error_says_why() -> None:
    denied = outcome(2, "", "not this\n")
    assert (denied.behavior, denied.reason, denied.source) == ("deny", "not this", "User")
    assert outcome(2).reason == "A PreToolUse hook refused."


def test_two_refuses_whatever_the_json_says() -> None:
    allow = {"hookSpecificOutput": {"permissionDecision": "allow", "additionalContext": "more"}}
    denied = outcome(2, allow, "no")
    assert (denied.behavior, denied.reason) == ("deny", "no")
    assert denied.additional_context == ("more",)
    assert outcome(2, '{"broken', "no").reason == "no"
    reasoned = {"decision": "block", "reason": "in JSON"}
    assert outcome(2, reasoned, "on stderr").reason == "in JSON"


@pytest.mark.parametrize(
    "event",
    [
        "PostToolUse",
        "PostToolUseFailure",
        "PostToolBatch",
        "UserPromptSubmit",
        "Stop",
        "SubagentStop",
        "PreCompact",
        "TaskCreated",
        "TaskCompleted",
    ],
)
def test_two_blocks_where_there_is_something_to_block(event: HookEvent) -> None:
    assert outcome(2, "", "why", event=event).blocked == "why"


@pytest.mark.parametrize("event", ["SessionStart", "SessionEnd", "SubagentStart"])
def test_two_is_a_notice_where_there_is_nothing_to_block(event: HookEvent) -> None:
    said = end(2, "", "why", event=event)
    assert isinstance(said, Said)
    assert (said.warning, said.outcome.blocked) == ("why", None)


@pytest.mark.parametrize("event", ["PermissionRequest", "Notification", "StopFailure"])
def test_two_means_nothing_at_some_events(event: HookEvent) -> None:
    assert end(2, "", "why", event=event) == SILENT


def test_any_other_code_is_a_fault_that_names_its_first_line() -> None:
    failure = end(1, "", "\nTraceback\nmore")
    assert failure == Failure("exit", "ended with exit code 1: Traceback")
    assert end(5) == Failure("exit", "ended with exit code 5: it said nothing")
    assert end(1, "{broken", "x") == Failure("exit", "ended with exit code 1: x")


def test_with_any_other_code_valid_json_decides() -> None:
    assert outcome(1, DENY, "x").behavior == "deny"


def test_a_signal_is_named() -> None:
    assert end(-9) == Failure("killed", "was killed by SIGKILL.")
    assert end(-77) == Failure("killed", "was killed by signal 77.")


def test_no_time_and_no_start() -> None:
    hook = CommandHook("x")
    assert read_end("Stop", hook, Ran(None, timed_out=True), PLACE, "") == Failure(
        "timeout", "ran out of time and was ended."
    )
    never = Ran(None, not_started="no such file")
    assert read_end("Stop", hook, never, PLACE, "") == Failure(
        "start", "could not start: no such file."
    )


@pytest.mark.parametrize(
    ("code", "command", "stderr"),
    [
        (126, "./check", "bash: ./check: Permission denied"),
        (127, "chekc", "bash: line 1: chekc: command not found"),
        (127, "chekc", ""),
        (2, "python3 gone.py", "python3: can't open file '/nowhere/gone.py': [Errno 2] No such file or directory"),
        (2, "perl gone.pl", 'Can\'t open perl script "gone.pl": No such file or directory'),
        (2, "sh gone.sh", "sh: 0: cannot open gone.sh: No such file"),
        (1, "ruby gone.rb", "ruby: No such file or directory -- gone.rb (LoadError)"),
        (1, "node gone.js", "node:internal:1\n  throw err;\n\nError: Cannot find module '/nowhere/gone.js'"),
        (2, "uv run gone.py", "error: Failed to spawn: `gone.py`\n  Caused by: No such file or directory"),
        (2, "if then", "bash: -c: line 1: syntax error near unexpected token `then'"),
        (2, "if then", "sh: 1: Syntax error: \"then\" unexpected"),
    ],
)  # fmt: skip
def test_m7_a_hook_that_never_ran_has_decided_nothing(code: int, command: str, stderr: str) -> None:
    failure = end(code, "", stderr, command=command)
    assert isinstance(failure, Failure)
    assert failure.kind == "start"
    assert failure.what.startswith("could not start: ")


def test_a_refusal_that_speaks_of_missing_files_stays_a_refusal(tmp_path: Path) -> None:
    there = tmp_path / "check.py"
    there.write_text("")
    line = f"python3: can't open file '{there}': [Errno 2] No such file or directory"
    assert outcome(2, "", line, command=f"python3 {there}").behavior == "deny"
    other = "python3: can't open file '/nowhere/data.txt': [Errno 2] No such file or directory"
    assert outcome(2, "", other, command="./check").behavior == "deny"
    gone = "python3: can't open file '/nowhere/gone.py': [Errno 2] No such file or directory"
    assert outcome(2, "Checking", gone, command="python3 gone.py").behavior == "deny"
