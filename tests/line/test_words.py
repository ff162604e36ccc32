"""Blocks as lines: everything is said in words, nothing from outside stays a terminal code."""

from __future__ import annotations

import pytest

from agent_tui.line.words import OUTPUT_LINES, begun, finished
from agent_tui.protocol.display import (
    AgentDisplay,
    AskedQuestion,
    CommandDisplay,
    DiffDisplay,
    Display,
    FileDisplay,
    Hunk,
    PlanDisplay,
    QuestionDisplay,
    SearchDisplay,
    TaskListDisplay,
    TaskRow,
    TextDisplay,
)
from agent_tui.view.blocks import (
    Block,
    CompactBlock,
    ErrorBlock,
    NoticeBlock,
    PromptBlock,
    ResultBlock,
    ThoughtBlock,
    ToolBlock,
    ToolState,
)

DIFF = DiffDisplay("a.py", (Hunk(3, 2, 3, 3, (" same", "-old", "+new", "+more"), "class A"),), 2, 1)


def tool(
    name: str, display: Display | None = None, state: ToolState = "done", **more: object
) -> ToolBlock:
    return ToolBlock("t1", name, state=state, display=display, **more)  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize(
    ("block", "said"),
    [
        (PromptBlock("1", "do it\nnow"), ["You: do it", "now"]),
        (ThoughtBlock("1", "hm", 3.2), ["(Thought for 0:03)"]),
        (ThoughtBlock("1", "hm"), []),
        (NoticeBlock("1", "warning", "careful"), ["Warning: careful"]),
        (NoticeBlock("1", "info", "by the way"), ["by the way"]),
        (ResultBlock("1", 1, 812, 0.0123, 4_000), ["(Done: 1 turn, 812 tokens, $0.0123, 0:04)"]),
        (
            ResultBlock("1", 3, 8_100, None, 61_000, "error_max_turns", "3 turns are the limit"),
            ["(Stopped: 3 turns are the limit; 3 turns, 8.1k tokens, $?, 1:01)"],
        ),
        (
            ResultBlock("1", 2, 5, 0.0, 0, "error_during_execution"),
            ["(Stopped; 2 turns, 5 tokens, $0, 0:00)"],
        ),
        (
            CompactBlock("1", before_tokens=100_000, after_tokens=5_000),
            ["(The conversation was summarised: 100k tokens before, 5.0k after)"],
        ),
        (CompactBlock("1"), ["(The conversation was summarised)"]),
        (ErrorBlock("1", "no answer"), ["Error: no answer"]),
    ],
)  # fmt: skip
def test_a_block_is_said_in_words(block: Block, said: list[str]) -> None:
    assert finished(block) == said


def test_a_command_is_said_with_its_end_and_how_it_went() -> None:
    shown = CommandDisplay("make test", exit_code=2, tail=("one", "two"), hidden_lines=40)
    assert finished(tool("Bash", shown, "failed", elapsed_ms=3_400)) == [
        "Bash: make test (failed, exit code 2, 0:03)",
        "  (40 lines before this)",
        "  one",
        "  two",
    ]
    long = CommandDisplay("x", tail=tuple(map(str, range(30))))
    lines = finished(tool("Bash", long))
    assert lines[1] == f"  ({30 - OUTPUT_LINES} lines before this)"
    assert lines[-1] == "  29"
    assert finished(tool("Bash", CommandDisplay("x", timed_out=True), "failed"))[0] == (
        "Bash: x (failed, ran out of time)"
    )


def test_a_change_says_what_went_and_what_came_unless_it_was_heard_before() -> None:
    said = finished(tool("Edit", DIFF))
    assert said == [
        "Edit: a.py (2 added, 1 removed)",
        "  At line 3 in class A:",
        "  Unchanged:",
        "    same",
        "  Removed:",
        "    old",
        "  Added:",
        "    new",
        "    more",
    ]
    assert finished(tool("Edit", DIFF), asked=True) == said[:1]


def test_a_call_that_was_refused_says_so_and_no_more() -> None:
    assert finished(tool("Edit", DIFF, "stopped", why="refused")) == ["Edit: a.py (not run)"]
    said = finished(tool("Edit", DIFF, "failed", result="no such text"))
    assert said == ["Edit: a.py (failed, 2 added, 1 removed)", "  no such text"]


@pytest.mark.parametrize(
    ("block", "said"),
    [
        (tool("Read", FileDisplay("a.py", total_lines=1)), ["Read: a.py (1 line)"]),
        (tool("Grep", SearchDisplay("x", "src", 2)), ["Grep: x in src (2 matches)"]),
        (
            tool("TaskUpdate", TaskListDisplay((TaskRow("1", "build", "in_progress"),))),
            ["TaskUpdate", "  build: in progress"],
        ),
        (
            tool("AskUserQuestion", QuestionDisplay((AskedQuestion("Which?", answer="this"),))),
            ["AskUserQuestion", "  Which? this"],
        ),
        (
            tool("ExitPlanMode", PlanDisplay("p", outcome="approved")),
            ["ExitPlanMode", "  approved"],
        ),
        (tool("Agent", AgentDisplay("look", report="found")), ["Agent: look", "  found"]),
        (tool("mcp__db__query", TextDisplay("", "rows")), ["query of db", "  rows"]),
        (tool("New", input={"path": "p"}), ["New: p"]),
    ],
)
def test_calls_of_all_kinds(block: ToolBlock, said: list[str]) -> None:
    assert finished(block) == said


def test_a_call_that_runs_is_said_with_dots() -> None:
    assert begun(tool("Bash", CommandDisplay("make"), "running")) == "Bash: make ..."


def test_u2_nothing_said_drives_the_terminal() -> None:
    evil = "a\x1b[2Jb\x9b31m\x07\x1b]0;t\x07\u202e"
    hunk = Hunk(1, 1, 1, 1, (f"+{evil}",), evil)
    blocks: list[Block] = [
        PromptBlock("1", evil),
        NoticeBlock("1", "warning", evil),
        ErrorBlock("1", evil),
        tool(evil, TextDisplay(evil, evil)),
        tool("Bash", CommandDisplay(evil, tail=(evil,)), "failed", result=evil),
        tool("Edit", DiffDisplay(evil, (hunk,))),
        tool("Read", FileDisplay(evil)),
        tool("Grep", SearchDisplay(evil, evil)),
        tool("Agent", AgentDisplay(evil, report=evil)),
        tool("Task", TaskListDisplay((TaskRow("1", evil, "pending"),))),
        tool("Ask", QuestionDisplay((AskedQuestion(evil, answer=evil),))),
        ResultBlock("1", 1, 1, 1.0, 1, "error_x", evil),
    ]
    said = "\n".join(line for block in blocks for line in finished(block))
    assert not {char for char in said if not char.isprintable()} - {"\n"}
