from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from agent_tui.headless.printers import OURS_ONLY, PRINTERS, Printer
from agent_tui.protocol.content import TextBlock, ToolResultBlock, ToolUseBlock
from agent_tui.protocol.display import TextDisplay
from agent_tui.protocol.messages import (
    AssistantMessage,
    Message,
    QueueChanged,
    ResultMessage,
    StatusChanged,
    StreamEvent,
    SystemMessage,
    ToolProgress,
    UserMessage,
)
from agent_tui.protocol.requests import PermissionRequest, RequestClosed

DONE = ResultMessage("success", 5, 4, False, 1, "s1", result="Done.\n\n")
INIT = SystemMessage("init", {"session_id": "s1"})
WORK: list[Message] = [
    INIT,
    AssistantMessage((TextBlock("Looking."),), "m"),
    AssistantMessage((ToolUseBlock("t1", "Read", {"file_path": "a"}),), "m"),
    UserMessage((ToolResultBlock("t1", "no such file", True),)),
]
OURS: list[Message] = [
    QueueChanged(),
    StatusChanged("s1", "m", "default"),
    ToolProgress("t1", "Read", 5),
    PermissionRequest("r1", "Read", "t1", {}, TextDisplay(), "?", "why"),
    RequestClosed("r1", "answered"),
]


class Terminal(io.StringIO):
    """A text stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def printed(
    how: str, *messages: Message, verbose: bool = False, out: io.StringIO | None = None
) -> tuple[str, str]:
    """Give what went to standard output and to standard error."""
    out, err = out or io.StringIO(), io.StringIO()
    printer: Printer = PRINTERS[how](out, err, verbose=verbose)
    for message in messages:
        printer.message(message)
    printer.end()
    return out.getvalue(), err.getvalue()


def test_text_is_the_answer_and_nothing_else() -> None:
    assert printed("text", *WORK, *OURS, DONE) == ("Done.\n", "")


def test_verbose_text_tells_what_happens_on_standard_error() -> None:
    out, err = printed("text", *WORK, DONE, verbose=True)
    assert out == "Done.\n"
    assert err.splitlines() == [
        "agent-tui: Looking.",
        'agent-tui: Read {"file_path": "a"}',
        "agent-tui: failed: no such file",
    ]


@pytest.mark.parametrize(
    ("message", "told"),
    [
        (SystemMessage("api_retry", {"attempt": 2, "reason": "busy"}), "retry 2: busy"),
        (SystemMessage("api_retry", {"attempt": 2, "error": "overloaded"}), "retry 2: overloaded"),
        (SystemMessage("informational", {"content": "careful"}), "careful"),
        (SystemMessage("local_command_output", {"content": "out"}), "out"),
        (
            SystemMessage("saving", {"state": "failed", "error": "disk full"}),
            "the session can't be saved: disk full",
        ),
    ],
)
def test_what_a_person_should_know_goes_to_standard_error(message: Message, told: str) -> None:
    assert printed("text", message, DONE) == ("Done.\n", f"agent-tui: {told}\n")


@pytest.mark.parametrize(
    ("result", "out", "err"),
    [
        (
            ResultMessage("error_max_turns", 1, 1, True, 1, "s", errors=("Reached 1",)),
            "",
            "agent-tui: Reached 1\n",
        ),
        (
            ResultMessage("error_during_execution", 1, 1, True, 1, "s"),
            "",
            "agent-tui: the run ended: error_during_execution\n",
        ),
        (
            ResultMessage("success", 1, 1, True, 1, "s", result="Invalid key."),
            "Invalid key.\n",
            "",
        ),
        (ResultMessage("success", 1, 1, False, 1, "s", result=""), "", ""),
    ],
)
def test_how_a_run_ended_is_told(result: ResultMessage, out: str, err: str) -> None:
    assert printed("text", result) == (out, err)


def test_a_terminal_is_not_driven_by_what_the_model_says() -> None:
    evil = ResultMessage("success", 1, 1, False, 1, "s", result="a\x1b[2Jb")
    assert "\x1b" not in printed("text", evil, out=Terminal())[0]
    assert printed("text", evil)[0] == "a\x1b[2Jb\n"
    notice = SystemMessage("informational", {"content": "a\x1b[2Jb"})
    assert "\x1b" not in printed("text", notice)[1]


def test_json_is_the_result_alone_or_everything() -> None:
    out, err = printed("json", *WORK, *OURS, DONE)
    one: dict[str, Any] = json.loads(out)
    assert (one["type"], one["result"], err) == ("result", "Done.\n\n", "")
    everything = json.loads(printed("json", *WORK, *OURS, DONE, verbose=True)[0])
    assert [r["type"] for r in everything] == ["system", "assistant", "assistant", "user", "result"]


def test_json_tells_warnings_on_standard_error_and_nothing_else_there() -> None:
    left_out = SystemMessage(
        "informational", {"content": "a rule\x1b[2J is left out", "level": "warning"}
    )
    hint = SystemMessage("informational", {"content": "by the way", "level": "info"})
    out, err = printed("json", INIT, left_out, hint, DONE)
    assert json.loads(out)["type"] == "result"
    assert err.startswith("agent-tui: a rule")
    assert "\x1b" not in err
    assert "by the way" not in err


def test_json_of_a_run_without_a_result_is_still_json() -> None:
    assert json.loads(printed("json", INIT)[0]) == {}


def test_stream_json_is_a_record_a_line_as_it_comes() -> None:
    out, err = io.StringIO(), io.StringIO()
    printer = PRINTERS["stream-json"](out, err, verbose=True)
    printer.message(INIT)
    assert json.loads(out.getvalue())["subtype"] == "init"
    for message in (StreamEvent("u", "s1", {"type": "ping"}), *OURS, DONE):
        printer.message(message)
    printer.end()
    kinds = [json.loads(line)["type"] for line in out.getvalue().splitlines()]
    assert kinds == ["system", "stream_event", "result"]
    assert {type(message) for message in OURS} == set(OURS_ONLY)


def test_text_of_any_kind_stays_on_its_line() -> None:
    odd = ResultMessage("success", 1, 1, False, 1, "s", result="a\u2028b\nc\ud83d")
    out, _ = printed("stream-json", odd)
    assert out.count("\n") == 1 and out.isascii()
    assert json.loads(out)["result"] == "a\u2028b\nc\ud83d"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is full")
def test_notes_that_cannot_be_written_keep_no_answer_back() -> None:
    out = io.StringIO()
    with Path("/dev/full").open("w") as full:
        printer = PRINTERS["text"](out, full, verbose=True)
        printer.message(SystemMessage("informational", {"content": "careful"}))
        printer.message(DONE)
    assert out.getvalue() == "Done.\n"
