from __future__ import annotations

import pickle

from agent_tui.sdk import CLIJSONDecodeError, CLINotFoundError, ProcessError, ResultError


def test_a_process_error_tells_its_code_and_what_was_printed() -> None:
    error = ProcessError("It broke", 2, "no key")
    assert (error.exit_code, error.stderr) == (2, "no key")
    assert str(error) == "It broke (exit code: 2)\nError output: no key"
    assert str(ProcessError("It broke")) == "It broke"


def test_a_result_error_reads_its_record() -> None:
    record = {
        "subtype": "error_max_turns",
        "errors": [" too many ", "", 3],
        "session_id": "s1",
        "terminal_reason": "max_turns",
        "api_error_status": 529,
        "result": None,
    }
    error = ResultError("The run ended", record, 1)
    assert (error.subtype, error.errors, error.session_id) == (
        "error_max_turns",
        ["too many"],
        "s1",
    )
    assert (error.terminal_reason, error.api_error_status, error.result) == ("max_turns", 529, None)
    assert error.data is record


def test_a_result_error_without_a_record_knows_nothing_and_survives_a_pickle() -> None:
    error = pickle.loads(pickle.dumps(ResultError("The run ended", {"subtype": "success"})))
    assert error.subtype == "success"
    assert ResultError("The run ended").errors == []
    assert ResultError("The run ended", {"errors": "one"}).errors == ["one"]


def test_the_kept_errors_tell_what_they_are_given() -> None:
    assert str(CLINotFoundError(cli_path="/a")).endswith(": /a")
    error = CLIJSONDecodeError("x" * 200, ValueError("bad"))
    assert len(str(error)) < 150
    assert str(error.original_error) == "bad"
