from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from agent_tui.protocol.decisions import DecisionNote
from agent_tui.protocol.display import (
    AgentDisplay,
    AskedQuestion,
    CommandDisplay,
    DiffDisplay,
    Display,
    FileDisplay,
    PlanDisplay,
    QuestionDisplay,
    TaskListDisplay,
    TaskRow,
)
from agent_tui.tui.blocks.drawing import View, render_block
from agent_tui.tui.blocks.tool import fold_looking, fold_tasks, merge_lists
from agent_tui.tui.theme import TextRole
from agent_tui.view.blocks import Behind, ToolBlock
from tests.fakes.conversation_host import HUNK, edit, failed_tests, grep, page, read, texts

BASH = ToolBlock(
    "b",
    "Bash",
    {"command": "uv run pytest"},
    display=CommandDisplay("uv run pytest", timeout_ms=120_000),
)


@pytest.mark.parametrize(
    ("fields", "elapsed", "row", "role"),
    [
        (
            {"state": "queued"},
            None,
            " ○ Bash  uv run pytest                              queued",
            "text",
        ),
        (
            {"state": "running"},
            42_000,
            " ◐ Bash  uv run pytest              running   0:42 of 2:00",
            "accent",
        ),
        (
            {"state": "asking"},
            8_000,
            " ◆ Bash  uv run pytest              waiting for you   0:08",
            "warning",
        ),
        (
            {
                "state": "done",
                "elapsed_ms": 3900,
                "display": CommandDisplay("uv run pytest", exit_code=0),
            },
            None,
            " ● Bash  uv run pytest                      exit 0   3.9 s",
            "ok",
        ),
        (
            {
                "state": "failed",
                "elapsed_ms": 2300,
                "display": CommandDisplay("uv run pytest", exit_code=1),
            },
            None,
            " ✗ Bash  uv run pytest                      exit 1   2.3 s",
            "error",
        ),
        (
            {"state": "stopped", "elapsed_ms": 12_000},
            None,
            " ⊘ Bash  uv run pytest                      stopped   0:12",
            "muted",
        ),
        (
            {"state": "stopped", "result": "The person declined this call.", "why": "refused"},
            None,
            " ⊘ Bash  uv run pytest                             refused",
            "muted",
        ),
        (
            {"state": "stopped", "result": "no", "why": "Bash(uv:*)"},
            None,
            " ⊘ Bash  uv run pytest               refused by Bash(uv:*)",
            "muted",
        ),
        (
            {"state": "stopped", "result": "Not run"},
            None,
            " ⊘ Bash  uv run pytest                             not run",
            "muted",
        ),
    ],
)
def test_each_state_has_its_glyph_its_colour_and_its_words(
    fields: dict[str, Any], elapsed: int | None, row: str, role: TextRole
) -> None:
    sheet = page(60)
    (head,) = render_block(replace(BASH, **fields), sheet, View(elapsed_ms=elapsed))
    assert texts([head]) == [row]
    glyph = next(s for s in head.strip if s.text.strip())
    assert glyph.style == sheet.theme.style(role)


def test_who_only_looked_is_muted() -> None:
    sheet = page(80)
    (head,) = render_block(read("r", "/w/a.py", 220), sheet)
    assert texts([head])[0].startswith(" ● Read  a.py 1–220")
    assert next(s for s in head.strip if s.text.strip()).style == sheet.theme.style("muted")


def test_a_change_shows_itself_a_failure_what_matters_a_success_nothing() -> None:
    assert len(render_block(edit("e"), page(80))) == 7
    assert len(render_block(failed_tests("f"), page(80))) == 3
    done = replace(BASH, state="done", display=CommandDisplay("x", exit_code=0, head=("out",)))
    assert len(render_block(done, page(80))) == 1
    asking = ToolBlock("e", "Edit", {}, "asking", DiffDisplay("/w/a", (HUNK,), 2, 1))
    assert len(render_block(asking, page(80))) == 1


def test_an_error_that_is_no_commands_shows_its_text() -> None:
    block = ToolBlock(
        "r",
        "Read",
        {},
        "failed",
        FileDisplay("/w/none"),
        "<tool_use_error>No such file.\nx\ny\nz</tool_use_error>",
    )
    rows = texts(render_block(block, page(60)))
    assert rows[0].endswith("failed")
    assert rows[1:] == ["   No such file.", "   x", "   ▸ 2 more lines"]
    failed_edit = ToolBlock(
        "e", "Edit", {}, "failed", DiffDisplay("/w/a", (HUNK,), 2, 1), "not unique"
    )
    assert texts(render_block(failed_edit, page(60)))[1:] == ["   not unique"]


def test_without_a_display_the_telling_argument_is_shown() -> None:
    for tool_input, said in (
        ({"file_path": "/w/src/a.py", "content": "x"}, "src/a.py"),
        ({"x": 1}, '{"x": 1}'),
        ({"description": "look\nhere"}, "look here"),
        ({}, ""),
    ):
        (row,) = texts(render_block(ToolBlock("x", "Thing", tool_input), page(60)))
        assert row.removesuffix("queued").rstrip() == f" ○ Thing  {said}".rstrip()


def test_a_tool_of_a_server_says_whose_it_is() -> None:
    (row,) = texts(render_block(ToolBlock("x", "mcp__github__create_issue", {}), page(60)))
    assert row.startswith(" ○ github create_issue")


AGENT = AgentDisplay("looks for pickles", "reviewer", last="Grep x", tool_uses=7, total_tokens=3200)


@pytest.mark.parametrize(
    ("fields", "row"),
    [
        (
            {"state": "running", "elapsed_ms": 31_000},
            " ◐ Agent  reviewer  looks for pickles    Grep x  7 calls  3.2k tok   0:31",
        ),
        (
            {"state": "asking", "elapsed_ms": 2000},
            " ◆ Agent  reviewer  looks for pickles              waiting for you   0:02",
        ),
        (
            {"state": "stopped", "elapsed_ms": 4000},
            " ⊘ Agent  reviewer  looks for pickl…   7 calls  3.2k tok   stopped   0:04",
        ),
        (
            {"state": "done", "elapsed_ms": 4000},
            " ● Agent  reviewer  looks for pickles           7 calls  3.2k tok   4.0 s",
        ),
    ],
)
def test_a_sub_agent_is_one_line(fields: dict[str, Any], row: str) -> None:
    status = {"running": "running", "asking": "running", "stopped": "interrupted"}
    display = replace(AGENT, status=status.get(fields["state"], "completed"))
    block = ToolBlock("a", "Agent", {"description": "x"}, display=display, **fields)
    (drawn,) = texts(render_block(block, page(75)))
    assert drawn == row.removesuffix(" ")


@pytest.mark.parametrize(
    ("behind", "mark", "said"),
    [
        ("running", "◐", "in the background"),
        ("completed", "●", "ended in the background"),
        ("failed", "✗", "failed in the background"),
        ("stopped", "⊘", "stopped in the background"),
        ("unknown", "●", "in the background"),
    ],
)
def test_a_call_says_what_became_of_what_it_left_in_the_background(
    behind: Behind, mark: str, said: str
) -> None:
    display = CommandDisplay("sleep 500")
    block = ToolBlock("b", "Bash", {}, "done", display, "begun", behind=behind, elapsed_ms=80)
    (row,) = texts(render_block(block, page(60)))
    assert row.split(maxsplit=4) == [mark, "Bash", "sleep", "500", said]


@pytest.mark.parametrize(
    ("display", "said"),
    [
        (QuestionDisplay((AskedQuestion("Which?"),)), "not answered"),
        (PlanDisplay("# Do it"), "not approved"),
        (DiffDisplay("a.py"), "refused"),
    ],
)
def test_a_call_that_was_turned_down_says_so_and_what_was_said(display: Display, said: str) -> None:
    block = ToolBlock("x", "X", {}, "stopped", display, "first\nsecond\n3\n4", why="refused")
    head, *rows = texts(render_block(block, page(60)))
    assert head.endswith(said)
    assert rows == ["   first", "   second", "   ▸ 2 more lines"]


def test_a_command_that_failed_without_a_word_is_one_line() -> None:
    failed = CommandDisplay("false", exit_code=1)
    block = ToolBlock("b", "Bash", {}, "failed", failed, "Exit code 1\n[No output.]")
    assert texts(render_block(block, page(60))) == [f" ✗ Bash  false{'exit 1':>44}"]


TASKS = TaskListDisplay((TaskRow("1", "rename", "completed"), TaskRow("2", "test", "pending")))


def test_the_task_list_is_whole_or_brief() -> None:
    changed = TaskListDisplay((replace(TASKS.tasks[0], changed=True), TASKS.tasks[1]))
    block = ToolBlock("t", "TaskUpdate", {}, "done", changed)
    whole = texts(render_block(block, page(60)))
    assert whole == [" ● Tasks  1 of 2", "   ✓ rename", "   ○ test"]
    brief = texts(render_block(block, page(60), View(brief=True)))
    assert brief == [" ● Tasks  1 of 2  rename done"]
    assert texts(render_block(block, page(60), View(expanded=True, brief=True))) == whole
    looked = replace(block, name="TaskList", looked=True)
    assert texts(render_block(looked, page(60))) == [" ● Tasks  1 of 2"]


def test_calls_that_changed_the_list_one_after_another_are_merged() -> None:
    blocks = [
        ToolBlock(f"t{at}", "TaskUpdate", {}, "done", replace(TASKS, tasks=tasks))
        for at, tasks in enumerate(
            (
                (replace(TASKS.tasks[0], changed=True),),
                (TASKS.tasks[0], replace(TASKS.tasks[1], changed=True)),
            )
        )
    ]
    merged = merge_lists(blocks)
    assert isinstance(merged.display, TaskListDisplay)
    assert [task.changed for task in merged.display.tasks] == [True, True]
    row = texts([fold_tasks(blocks, page(60))])
    assert row == [" ● Tasks  1 of 2  rename done, test added"]


def test_u1_expanded_shows_what_was_asked_and_what_came_back() -> None:
    block = ToolBlock("x", "Thing", {"a": "[/] one\ntwo", "n": 3}, "done", None, "came\nback [red]")
    rows = texts(render_block(block, page(60), View(expanded=True)))
    assert rows[1:] == ["   a  [/] one …", "   n  3", "   came", "   back [red]"]
    failed = texts(render_block(failed_tests("f"), page(80), View(expanded=True)))
    assert "   ⋮ 48 lines left out" in failed


def test_looking_calls_share_a_row() -> None:
    blocks = [read("1", "/w/src/auth.py", 220), read("2", "/w/tests/test_auth.py"), grep("3")]
    row = fold_looking(blocks, page(120))
    assert texts([row]) == [
        ' ● Read  src/auth.py 1–220  ·  Read  tests/test_auth.py  ·  Grep  "refresh" 14 in 5 files'
        + " " * 24
        + "0.1 s"
    ]
    assert texts([fold_looking(blocks, page(60))])[0].startswith(" ● Read  2 files  ·  Grep  1")
    many = [read(str(n), f"/w/some/folder/file_{n}.py") for n in range(20)]
    assert texts([fold_looking(many, page(120))])[0].startswith(" ● Read  20 files ")


def test_who_let_it_run_is_said_when_it_is_unfolded() -> None:
    note = DecisionNote("b", by="rule", rule="Bash(uv *)", source="/w/.claude/settings.json:3")
    block = replace(
        BASH,
        state="done",
        display=CommandDisplay("uv run pytest", exit_code=0, head=("1 passed",)),
        decision=note,
    )
    paper = page(80)
    folded = render_block(block, paper, View())
    assert all("allowed" not in row for row in texts(folded))
    rows = texts(render_block(block, paper, View(expanded=True)))
    assert rows[1].strip() == "allowed by rule Bash(uv *)  ·  /w/.claude/settings.json:3"
    assert rows[2].strip() == "1 passed"


def test_what_a_classifier_allowed_says_why_and_for_how_much_without_being_unfolded() -> None:
    reason = "auto: allowed, only runs the project's tests · $0.0003"
    note = DecisionNote("b", by="classifier", asked_by="mode", reason=reason)
    display = CommandDisplay("uv run pytest", exit_code=0, head=("1 passed",))
    block = replace(BASH, state="done", display=display, decision=note)
    rows = texts(render_block(block, page(80), View()))
    assert rows[1].strip() == reason
    failed = replace(block, state="failed", display=None, result="boom")
    rows = texts(render_block(failed, page(80), View()))
    assert [row.strip() for row in rows[1:]] == [reason, "boom"]


def test_a_rule_from_outside_can_draw_nothing_else() -> None:
    note = DecisionNote("b", "deny", "rule", rule="Bash(\x1b[31mrm\n*)", source="x")
    block = replace(BASH, state="stopped", why="Bash", result="no", decision=note)
    rows = texts(render_block(block, page(80), View(expanded=True)))
    assert "\x1b" not in "".join(rows)
    assert rows[1].strip().startswith("denied by rule Bash(")
