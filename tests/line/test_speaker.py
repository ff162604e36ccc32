"""Each thing is said once, answers in whole lines."""

from __future__ import annotations

from agent_tui.line.speaker import CLEARED, CUT, TAKEN_BACK, Speaker
from agent_tui.protocol.display import CommandDisplay
from agent_tui.view.blocks import (
    Added,
    AnswerBlock,
    Change,
    Cleared,
    Closed,
    Grew,
    NoticeBlock,
    PromptBlock,
    Removed,
    ThoughtBlock,
    ToolBlock,
    Updated,
)


def said(*changes: Change) -> list[str]:
    out: list[str] = []
    Speaker(out.append).changed(changes)
    return out


def test_an_answer_is_said_line_by_line_as_it_comes() -> None:
    out: list[str] = []
    speaker = Speaker(out.append)
    speaker.changed([Added(AnswerBlock("a", "", open=True)), Grew("a", "one\ntw")])
    assert out == ["one"]
    speaker.changed([Grew("a", "o\n\nthree")])
    assert out == ["one", "two", ""]
    speaker.changed([Closed(AnswerBlock("a", "one\ntwo\n\nthree"))])
    assert out == ["one", "two", "", "three"]


def test_an_answer_that_was_cut_says_so() -> None:
    assert said(
        Added(AnswerBlock("a", "half", open=True)), Closed(AnswerBlock("a", "half", aborted=True))
    ) == ["half", CUT]


def test_a_call_is_said_when_it_runs_and_when_it_has_ended() -> None:
    shown = CommandDisplay("make")
    block = ToolBlock("t", "Bash", display=shown)
    running = ToolBlock("t", "Bash", state="running", display=shown)
    done = ToolBlock("t", "Bash", state="done", display=CommandDisplay("make", tail=("ok",)))
    assert said(
        Added(block),
        Closed(block),
        Updated(running),
        Updated(running),
        Updated(done),
        Updated(done),
    ) == ["Bash: make ...", "Bash: make", "  ok"]


def test_what_only_looks_is_said_when_it_has_looked() -> None:
    running = ToolBlock("t", "Read", state="running", looked=True, input={"file_path": "a"})
    done = ToolBlock("t", "Read", state="done", looked=True, input={"file_path": "a"})
    assert said(Added(running), Updated(done)) == ["Read: a"]


def test_what_was_typed_is_not_said_again_and_thoughts_when_they_are_over() -> None:
    assert said(
        Added(PromptBlock("p", "do it")),
        Added(ThoughtBlock("h", "", open=True)),
        Closed(ThoughtBlock("h", "hm", 2.0)),
        Added(NoticeBlock("n", "info", "note")),
    ) == ["(Thought for 0:02)", "note"]


def test_what_is_taken_back_is_told_only_if_it_was_heard() -> None:
    assert said(Added(AnswerBlock("a", "x\n", open=True)), Removed("a")) == ["x", TAKEN_BACK]
    assert said(Removed("never")) == []
    assert said(Cleared()) == [CLEARED]


def test_the_past_is_said_as_it_ended() -> None:
    out: list[str] = []
    speaker = Speaker(out.append)
    speaker.recall([PromptBlock("p", "do it"), AnswerBlock("a", "one\ntwo\n")])
    assert out == ["You: do it", "one", "two"]
    speaker.changed([Updated(AnswerBlock("a", "one\ntwo\n"))])
    assert len(out) == 3
