from __future__ import annotations

from agent_tui.protocol.display import CommandDisplay, DiffDisplay, FileDisplay, Hunk, PlanDisplay
from agent_tui.view.blocks import (
    AnswerBlock,
    CompactBlock,
    NoticeBlock,
    PromptBlock,
    ResultBlock,
    ThoughtBlock,
    ToolBlock,
)
from agent_tui.view.copies import Extract, extracts_of, patch_of, source_of

DIFF = DiffDisplay(
    "src/a.py", (Hunk(3, 2, 3, 2, (" x", "-old", "+new"), "def f"),), 1, 1
)  # fmt: skip
PATCH = "--- a/src/a.py\n+++ b/src/a.py\n@@ -3,2 +3,2 @@ def f\n x\n-old\n+new"


def test_of_an_answer_its_code_is_copied_block_by_block_without_fences() -> None:
    text = "Do:\n\n```python\nif x:\n    y\n```\n\nthen\n\n~~~\nplain\n~~~\n"
    assert extracts_of(AnswerBlock("1", text)) == (
        Extract("the python code, block 1", "if x:\n    y"),
        Extract("the code, block 2", "plain"),
    )
    assert extracts_of(AnswerBlock("1", "```sh\nls\n```")) == (Extract("the sh code", "ls"),)


def test_an_answer_without_code_is_its_own_extract() -> None:
    assert extracts_of(AnswerBlock("1", "words")) == (Extract("the answer", "words"),)


def test_of_a_command_the_command_then_its_output() -> None:
    block = ToolBlock("1", "Bash", {}, "done", CommandDisplay("ls -l", head=("cut",)), "all of\nit")
    assert extracts_of(block) == (
        Extract("the command", "ls -l"),
        Extract("its output", "all of\nit"),
    )
    assert source_of(block) == "$ ls -l\nall of\nit"


def test_of_a_running_command_what_is_known_so_far() -> None:
    display = CommandDisplay("make", head=("a",), tail=("z",), hidden_lines=7)
    block = ToolBlock("1", "Bash", {}, "running", display)
    assert extracts_of(block)[1].text == "a\n[7 lines left out]\nz"


def test_of_a_change_a_patch_that_can_be_applied() -> None:
    block = ToolBlock("1", "Edit", {}, "done", DIFF, "ok")
    assert extracts_of(block) == (Extract("the patch", PATCH), Extract("the path", "src/a.py"))
    assert source_of(block) == PATCH
    unknown = ToolBlock("1", "Write", {}, "stopped", DiffDisplay("a.py"))
    assert source_of(unknown) is None and extracts_of(unknown) == (Extract("the path", "a.py"),)
    made = DiffDisplay("/x/new.py", (), created=True)
    assert patch_of(made) == "--- /dev/null\n+++ b/x/new.py"


def test_other_kinds_give_what_they_hold() -> None:
    read = ToolBlock("1", "Read", {}, "done", FileDisplay("a.py"), "text")
    assert [one.what for one in extracts_of(read)] == ["the path", "its text"]
    plan = ToolBlock("1", "ExitPlanMode", {}, "done", PlanDisplay("# go"))
    assert extracts_of(plan) == (Extract("the plan", "# go"),)
    assert extracts_of(PromptBlock("1", "do it")) == (Extract("the prompt", "do it"),)
    assert extracts_of(NoticeBlock("1", "output", "out")) == (Extract("the text", "out"),)
    assert extracts_of(CompactBlock("1", summary="s")) == (Extract("the summary", "s"),)
    assert extracts_of(ThoughtBlock("1", " ")) == ()
    assert extracts_of(ResultBlock("1", 1, 1, None, 1)) == ()


def test_what_has_no_source_is_copied_as_drawn() -> None:
    assert source_of(ResultBlock("1", 1, 1, None, 1)) is None
    assert source_of(ThoughtBlock("1", "")) is None
    assert source_of(ToolBlock("1", "Read", {}, "done", FileDisplay("a.py"), "t")) is None
    assert source_of(AnswerBlock("1", "**a**")) == "**a**"
