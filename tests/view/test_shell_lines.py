from __future__ import annotations

import pytest

from agent_tui.protocol.display import CommandDisplay
from agent_tui.protocol.messages import ResultMessage, StatusChanged, ToolProgress, UserMessage
from agent_tui.view.blocks import PromptBlock, ToolBlock
from agent_tui.view.shell_lines import shell_line
from agent_tui.view.transcript import Transcript


def line(text: str = "ls") -> UserMessage:
    return UserMessage(
        f"<bash-input>{text}</bash-input>", "u1", display=CommandDisplay(text), synthetic=True
    )


def output(text: str, **display: object) -> UserMessage:
    shown = CommandDisplay("ls", head=tuple(text.splitlines()), **{"exit_code": 0, **display})  # type: ignore[arg-type]
    content = f"<bash-stdout>{text}</bash-stdout><bash-stderr></bash-stderr>"
    return UserMessage(content, "u2", display=shown, synthetic=True, duration_ms=7)


def only(transcript: Transcript) -> ToolBlock:
    (block,) = transcript.blocks
    assert isinstance(block, ToolBlock)
    return block


def test_a_line_is_a_card_that_runs_grows_and_ends() -> None:
    transcript = Transcript()
    transcript.apply(line())
    assert (only(transcript).name, only(transcript).state) == ("Shell", "running")
    transcript.apply(ToolProgress("u1", "Shell", 5, CommandDisplay("ls", tail=("a",))))
    assert only(transcript).display == CommandDisplay("ls", tail=("a",))
    transcript.apply(output("a\nb"))
    card = only(transcript)
    assert (card.id, card.state, card.result, card.elapsed_ms) == ("u1", "done", "a\nb", 7)


def test_how_it_ended_is_seen() -> None:
    for display, state in (
        ({"exit_code": 2}, "failed"),
        ({"timed_out": True}, "failed"),
        ({"interrupted": True}, "stopped"),
    ):
        transcript = Transcript()
        transcript.apply(line())
        transcript.apply(output("x", **display))
        assert only(transcript).state == state


def test_one_whose_engine_died_does_not_run_for_ever() -> None:
    transcript = Transcript()
    transcript.apply(line())
    transcript.apply(StatusChanged("s", "m", "default"))
    assert only(transcript).state == "stopped"


def test_output_alone_at_the_begin_of_a_page_is_a_card_too() -> None:
    transcript = Transcript()
    transcript.apply(output("a"))
    assert (only(transcript).state, only(transcript).input) == ("done", {"command": "ls"})


def test_lines_of_other_programs_transcripts_have_no_display() -> None:
    transcript = Transcript()
    transcript.apply(UserMessage("<bash-input>make</bash-input>", "u1"))
    transcript.apply(
        UserMessage("<bash-stdout>one</bash-stdout><bash-stderr>two</bash-stderr>", "u2")
    )
    assert only(transcript).display == CommandDisplay("make", exit_code=0, head=("one", "two"))


def test_a_prompt_that_speaks_of_such_tags_is_a_prompt() -> None:
    transcript = Transcript()
    transcript.apply(UserMessage("<bash-input> is what?", "u1"))
    (block,) = transcript.blocks
    assert isinstance(block, PromptBlock)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("!ls", "ls"),
        ("  ! ls -l ", "ls -l"),
        ("!for i in 1\ndo echo\ndone", "for i in 1\ndo echo\ndone"),
        ("!", ""),
        ("ls!", None),
        ("", None),
    ],
)
def test_lines_for_the_shell(text: str, line: str | None) -> None:
    assert shell_line(text) == line


def test_of_one_that_was_stopped_no_other_row_says_so() -> None:
    transcript = Transcript()
    transcript.apply(line())
    transcript.apply(output("x", interrupted=True))
    errors = ("The person interrupted the command.",)
    transcript.apply(ResultMessage("error_during_execution", 9, 0, True, 0, "s", errors=errors))
    assert only(transcript).state == "stopped"
