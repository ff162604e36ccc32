from __future__ import annotations

import json
import os
import signal
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from agent_tui.headless.main import main
from agent_tui.protocol.errors import UsageError
from agent_tui.settings.options import Options, SessionOptions
from agent_tui.settings.paths import Environment
from tests.fakes.api_server import ApiServer, http_error, reply, text, tool


class Place:
    """A person's machine, and what ``-p`` printed there."""

    def __init__(self, api: ApiServer, folder: Path, capture: pytest.CaptureFixture[str]) -> None:
        self.api = api
        self.options = Options(str(folder))
        variables = {
            "PATH": os.environ["PATH"],
            "HOME": str(folder),
            "ANTHROPIC_BASE_URL": api.url,
            "ANTHROPIC_API_KEY": "sk-test-dummy",
        }
        self.env = Environment(variables, folder)
        self._capture = capture

    def run(self, prompt: str, how: str = "text", *, verbose: bool = False) -> tuple[int, str, str]:
        """Give the exit code, standard output and standard error."""
        code = main(self.options, self.env, prompt, how, verbose=verbose)
        out, err = self._capture.readouterr()
        return code, out, err

    def records(self, prompt: str) -> tuple[int, list[dict[str, Any]]]:
        code, out, _ = self.run(prompt, "stream-json", verbose=True)
        return code, [json.loads(line) for line in out.splitlines()]


@pytest.fixture
def place(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Iterator[Place]:
    with ApiServer() as api:
        yield Place(api, tmp_path, capsys)
        assert not api.errors


def test_the_answer_is_printed_and_the_code_is_0(place: Place) -> None:
    place.api.enqueue("Hello.")
    assert place.run("hi") == (0, "Hello.\n", "")


@pytest.mark.parametrize(
    ("typed", "code", "printed"),
    [("/cost", 0, "Total: $0.0000\n"), ("/rename", 1, "Usage: /rename <title>\n")],
)
def test_what_a_slash_command_gives_is_printed(
    place: Place, typed: str, code: int, printed: str
) -> None:
    assert place.run(typed) == (code, printed, "")
    told, records = place.records(typed)
    assert told == code
    shape = [(r["type"], r.get("subtype")) for r in records if r["type"] != "system"]
    assert shape == [("assistant", None), ("result", "success")]
    assert records[-1]["result"] + "\n" == printed


def test_a_failed_run_is_printed_and_the_code_is_1(place: Place) -> None:
    place.api.enqueue(http_error(404, "not_found_error", "model: nope"))
    code, out, _ = place.run("hi", "json")
    result = json.loads(out)
    assert (code, result["is_error"]) == (1, True)
    assert result["result"]


def test_stream_json_begins_with_init_and_leaves_out_the_prompt_itself(place: Place) -> None:
    place.api.enqueue(reply("Looking.", tool("Glob", pattern="*.md")), "Done.")
    code, records = place.records("hi")
    kinds = [(r["type"], r.get("subtype")) for r in records]
    assert code == 0
    assert kinds == [
        ("system", "init"),
        ("assistant", None),
        ("assistant", None),
        ("user", None),
        ("assistant", None),
        ("result", "success"),
    ]


def test_a_session_that_cannot_be_opened_is_an_error_of_ours(place: Place) -> None:
    place.env = Environment({"HOME": str(place.env.home)}, place.env.home)
    with pytest.raises(UsageError, match="--demo"):
        place.run("hi")


def test_a_slash_command_needs_no_model(place: Place) -> None:
    code, out, _ = place.run("/compact")
    assert code == 0
    assert "Not enough messages" in out
    assert not place.api.messages


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_interrupts_the_run_and_makes_the_code(place: Place, number: int) -> None:
    place.api.enqueue(reply(text("word " * 300), chunk=5, delay=0.1))

    def interrupt() -> None:
        place.api.wait_requests(1, timeout=30)
        os.kill(os.getpid(), number)

    thread = threading.Thread(target=interrupt)
    thread.start()
    code, records = place.records("hi")
    thread.join()
    assert code == 128 + number
    assert records[-1]["terminal_reason"] == "aborted_streaming"


def test_a_session_can_be_gone_on_with(place: Place) -> None:
    place.api.enqueue("One.", "Two.")
    _, first = place.records("hi")
    session = SessionOptions(resume=first[-1]["session_id"], from_print=True)
    place.options = replace(place.options, session=session)
    _, second = place.records("and?")
    assert second[-1]["session_id"] == first[-1]["session_id"]
    assert "One." in str(place.api.messages[1].body)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is full")
def test_an_answer_that_finds_no_room_is_a_failure(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    place.api.enqueue("Hello.")
    with Path("/dev/full").open("w") as full:
        monkeypatch.setattr(sys, "stdout", full)
        code, _, err = place.run("hi")
    assert code == 1
    assert err == "agent-tui: the answer can't be printed: No space left on device\n"


def test_a_signal_while_the_session_closes_leaves_no_child_behind(
    place: Place, tmp_path: Path
) -> None:
    place.api.enqueue("Hello.")
    mark = tmp_path / "hook"
    command = f"echo $$ > {mark}; kill -TERM $PPID; sleep 60"
    hook = {"type": "command", "command": command, "timeout": 1}
    settings = {"hooks": {"SessionEnd": [{"hooks": [hook]}]}}
    place.options = replace(place.options, settings=settings)
    code, out, _ = place.run("hi")
    assert (code, out) == (143, "Hello.\n")
    with pytest.raises(ProcessLookupError):
        os.killpg(int(mark.read_text()), 0)
