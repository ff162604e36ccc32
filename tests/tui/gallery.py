"""Every block and every display in each of its states, one below the other, for pictures of all of them."""

from __future__ import annotations

from agent_tui.protocol.decisions import DecisionNote
from agent_tui.protocol.display import (
    AgentDisplay,
    AskedQuestion,
    Choice,
    CommandDisplay,
    DiffDisplay,
    FileDisplay,
    Hunk,
    PlanDisplay,
    QuestionDisplay,
    SearchDisplay,
    TaskListDisplay,
    TaskRow,
    TextDisplay,
    UnknownDisplay,
)
from agent_tui.view.blocks import (
    AnswerBlock,
    Block,
    CompactBlock,
    ErrorBlock,
    NoticeBlock,
    PromptBlock,
    ResultBlock,
    ThoughtBlock,
    ToolBlock,
)
from tests.tui.scenes import CWD, hunks

ANSWER = """# A heading

A paragraph with **bold**, *italic*, ~~struck~~ words, `code`, a [link](https://example.org/docs) and a bare one,
https://example.org/a?b=1; 漢字 and 🙂 are wide.

- an item
- another one, which is so long that it needs a second row on most pages that anybody reads
  1. inside of it
> A quotation

| Caller | Gets today | Tests |
|---|---|---:|
| `Client.get` | the cached token | 2 |
| `Scheduler.tick` | a new one, 30 s early | 1 |

```python
class Session:
    def refresh(self, early: int = 30) -> Token:  # renews it
        return self._token or "none"
```
"""
RUNNING = CommandDisplay(
    "uv run pytest -q -x",
    timeout_ms=120_000,
    tail=(
        "tests/test_auth.py ...............            [ 31%]",
        "tests/test_client.py ........................ [ 58%]",
        "tests/test_scheduler.py ......",
    ),
    hidden_lines=12,
)
FAILED = CommandDisplay(
    "uv run pytest tests/test_auth.py -q",
    exit_code=1,
    tail=(
        "FAILED tests/test_auth.py::test_refresh_after_expiry - AssertionError: 'old' == 'new'",
        "3 failed, 12 passed in 2.11s",
    ),
    hidden_lines=48,
)
PASSED = CommandDisplay("uv run pytest -q", exit_code=0, tail=("15 passed in 3.70s",))
QUESTION = AskedQuestion(
    "Which store shall it be?",
    "Store",
    (Choice("SQLite", "one file"), Choice("Postgres", "a server")),
    answer="SQLite",
)
TASKS = TaskListDisplay(
    (
        TaskRow("1", "rename in src", "completed"),
        TaskRow("2", "run the suite", "in_progress", "running the suite", changed=True),
        TaskRow("3", "alias with a DeprecationWarning", "pending", blocked_by=("2",)),
    )
)
SMALL = DiffDisplay(f"{CWD}/src/auth.py", hunks(), 4, 2)
MADE = DiffDisplay(
    "docs/new.md",
    (Hunk(0, 0, 1, 2, ("+# New", "+with words")),),
    2,
    0,
    created=True,
)


def call(ident: str, name: str, display: object, state: str = "done", **more: object) -> ToolBlock:
    """A call with a display."""
    given: dict[str, object] = {"state": state, "display": display, **more}
    return ToolBlock(ident, name, **given)  # pyright: ignore[reportArgumentType]


def states() -> list[Block]:
    """The states of a call."""
    return [
        PromptBlock("p", "Show me every state that a call can have.", "2026-11-30T14:02:00Z"),
        call("s1", "Bash", CommandDisplay("waits for the one before it"), "queued"),
        call("s2", "Bash", RUNNING, "running", elapsed_ms=42_000),
        call("s3", "Edit", SMALL, "asking", elapsed_ms=8_000),
        call("s4", "Bash", PASSED, elapsed_ms=3_900),
        call("s5", "Read", FileDisplay(f"{CWD}/src/auth.py", 1, 220, 220), looked=True, elapsed_ms=40),
        call("s6", "Grep", SearchDisplay("refresh", matches=14, files=5), looked=True, elapsed_ms=60),
        call("s7", "Bash", FAILED, "failed", result="x", elapsed_ms=2_300),
        call("s8", "Bash", CommandDisplay("sleep 60", interrupted=True), "stopped", elapsed_ms=12_000),
        call("s9", "Write", MADE, "stopped", why="refused", result="No: write it elsewhere."),
        call("s10", "Bash", CommandDisplay("make", exit_code=2, timed_out=True), "failed", result="x"),
        call("s11", "Bash", CommandDisplay("serve"), behind="running"),
        call("s12", "Bash", CommandDisplay("serve"), behind="failed"),
    ]  # fmt: skip


def displays() -> list[Block]:
    """Each display, as it is shown of itself."""
    decided = DecisionNote(
        "d6", by="classifier", mode="auto", asked_by="mode", reason="It runs the tests."
    )
    return [
        call("d1", "Edit", SMALL),
        call("d2", "Write", MADE),
        call("d3", "TaskUpdate", TASKS),
        call("d4", "AskUserQuestion", QuestionDisplay((QUESTION,))),
        call("d5", "ExitPlanMode", PlanDisplay("# Rename\n\n1. in `src`\n2. in tests")),
        call("d6", "Bash", PASSED, decision=decided),
        call("d7", "mcp__tracker__find", TextDisplay("issues of ada", "one\ntwo\nthree\nfour\nfive")),
        call("d8", "Chart", UnknownDisplay("chart", {"title": "a new kind", "points": [1, 2]})),
        call(
            "d9",
            "Agent",
            AgentDisplay("looks for places that pickle it", "reviewer", "running", last="Grep pickle", tool_uses=7, total_tokens=3200),
            "running",
            elapsed_ms=31_000,
        ),
        call("d10", "Odd", None, "failed", input={"x": 1}, result="It has no such thing."),
    ]  # fmt: skip


def texts() -> list[Block]:
    """What is said, noted and summed up."""
    return [
        PromptBlock("t1", "A long prompt\n" + "\n".join(f"line {n}" for n in range(20)), images=2),
        ThoughtBlock("t2", "hm", 6.2),
        ThoughtBlock("t3", "", open=True),
        AnswerBlock("t4", ANSWER),
        NoticeBlock("t5", "info", "The model is another one now."),
        NoticeBlock("t6", "warning", "A rule was ignored: it names no tool."),
        NoticeBlock("t7", "error", "The journal can't be written: the disk is full."),
        NoticeBlock("t8", "output", "rows  as\n  they came"),
        NoticeBlock("t9", "stopped", "Stopped by you"),
        ErrorBlock("t10", "The server is overloaded.", "overloaded"),
        CompactBlock("t11", "auto", 160_000, 12_000, "what was said so far"),
        ResultBlock("t12", 4, 8100, 0.0312, 41_000),
        ResultBlock("t13", 30, 118_000, None, 125_000, "error_max_turns", "Reached 30 turns."),
    ]


def unfolded() -> list[Block]:
    """What is folded of itself and has more to show."""
    inside: tuple[Block, ...] = (
        call("i1", "Read", FileDisplay("src/auth.py", 1, 40), looked=True, elapsed_ms=20),
        call("i2", "Grep", SearchDisplay("pickle", matches=3, files=2), looked=True, elapsed_ms=30),
        call("i3", "Bash", FAILED, "failed", result="x", elapsed_ms=900),
        AnswerBlock("i4", "Nothing **pickles** it."),
    )
    agent = AgentDisplay("looks for pickles", "reviewer", "completed", "Look for it.", tool_uses=3, report="Nothing pickles it.")  # fmt: skip
    return [
        ThoughtBlock("u1", "I should run the tests first,\nthen look at the client.", 6.2),
        call("u2", "Agent", agent, inside=inside),
        call("u3", "Grep", SearchDisplay("refresh", "src", matches=2, files=2, lines=("a.py:1:refresh", "b.py:2:refresh")), looked=True, input={"pattern": "refresh", "path": "src"}),
        call("u4", "AskUserQuestion", QuestionDisplay((QUESTION,))),
        call("u5", "Bash", FAILED, "failed", result="x"),
        CompactBlock("u6", "manual", 160_000, 12_000, "what was **said** so far"),
    ]  # fmt: skip
