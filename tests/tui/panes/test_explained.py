from __future__ import annotations

from dataclasses import replace

import pytest

from agent_tui.protocol.explanations import ExplainedPart, ExplainedStep, Explanation, Outcome
from agent_tui.tui.lines import Page
from agent_tui.tui.panes.explained import Explained, explained_rows
from agent_tui.tui.theme import TextRole
from tests.fakes.conversation_host import texts
from tests.tui.look import look


def page(width: int) -> Page:
    return replace(look().page(width), home="/home/me")


PARTS = (
    ExplainedPart("timeout 5 rm x", "deny", "deny Bash(rm *)  user", "removes x", ("rm x",)),
    ExplainedPart("ls", "allow", "only looks"),
    ExplainedPart("git push", "ask", "No rule allows this.", inside=True),
)


def explanation(outcome: Outcome = "deny", **more: object) -> Explanation:
    steps = (
        ExplainedStep("hooks that deny", "nothing"),
        ExplainedStep("deny rules", "Bash(rm *), in /home/me/x.json:3", decided=True),
    )
    fields: dict[str, object] = {"steps": steps, **more}
    return Explanation(
        "Bash(timeout 5 rm x)",
        outcome,
        "rule",
        "The rule Bash(rm *) forbids it.",
        "default",
        **fields,  # pyright: ignore[reportArgumentType]
    )


def rows(one: Explanation, width: int = 100) -> list[str]:
    return [" ".join(row.split()) for row in texts(explained_rows(page(width), one))]


@pytest.mark.parametrize(
    ("outcome", "words", "role"),
    [
        ("allow", "✓ Bash(timeout 5 rm x) runs", "ok"),
        ("ask", "◆ Bash(timeout 5 rm x) asks you", "warning"),
        ("deny", "⊘ Bash(timeout 5 rm x) denied", "error"),
    ],
)
def test_the_first_row_says_what_would_happen(outcome: Outcome, words: str, role: TextRole) -> None:
    paper = page(100)
    [first, *_] = explained_rows(paper, explanation(outcome))
    assert " ".join(first.strip.text.split()) == f"{words} mode default"
    styles = {segment.text.strip(): segment.style for segment in first.strip}
    assert styles[words[0]] == paper.theme.style(role)


def test_parts_are_a_table_with_what_wrappers_run() -> None:
    found = rows(explanation(parts=PARTS))
    assert "Part What it does Decided by" in found
    assert "! timeout 5 rm x removes x deny Bash(rm *) user" in found
    assert "✓ ls only looks" in found
    assert "! git push No rule allows this." in found
    assert "runs rm x" in found


def test_one_plain_part_needs_no_table() -> None:
    found = rows(explanation(parts=(ExplainedPart("ls", "allow", "only looks"),)))
    assert "Part What it does Decided by" not in found


def test_steps_paths_problems_and_changes_are_said() -> None:
    one = explanation(
        paths=("/home/me/x", "inside the working folders"),
        problem="it is odd",
        changes=("In mode plan it would be asked.",),
    )
    found = rows(one)
    assert "~/x, inside the working folders" in found
    assert "Not understood: it is odd" in found
    assert "hooks that deny nothing" in found
    assert "› deny rules Bash(rm *), in ~/x.json:3" in found
    assert "· In mode plan it would be asked." in found


def test_nothing_in_it_reaches_the_terminal_as_more_than_text() -> None:
    one = explanation(parts=(ExplainedPart("a\x1b[31m\nb", "ask", "x\x07", "y\x1b"),))
    drawn = "".join(texts(explained_rows(page(60), one)))
    assert not any(char in drawn for char in "\x1b\x07\n")


def test_every_row_is_as_wide_as_the_page() -> None:
    for width in (40, 60, 120):
        drawn = explained_rows(page(width), explanation(parts=PARTS, changes=("word " * 60,)))
        assert {row.strip.cell_length for row in drawn} == {width}


def test_it_begins_at_the_top_when_something_else_is_shown() -> None:
    sheet = Explained(look())
    sheet.show((explanation(), explanation("ask")))
    drawn = texts(sheet.rows(80))
    assert sum("Bash(timeout 5 rm x)" in row for row in drawn) == 2
    sheet.top = 3
    sheet.show((), "what about?")
    assert sheet.top == 0
    assert texts(sheet.rows(80))[0].strip() == "what about?"
