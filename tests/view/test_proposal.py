from __future__ import annotations

from dataclasses import replace

from agent_tui.view.proposal import (
    changed_input,
    changed_lines,
    note_for_model,
    proposal_of,
)
from tests.tui.scenes import COMMAND, bash_question, edit_question


def test_of_a_command_the_command_of_an_edit_the_new_text_can_be_edited() -> None:
    command = proposal_of(bash_question())
    edit = proposal_of(edit_question())
    assert command is not None
    assert (command.field, command.text) == ("command", COMMAND)
    assert edit is not None
    assert edit.field == "new_string"
    assert proposal_of(replace(bash_question(), tool_name="WebFetch")) is None


def test_of_a_notebook_the_cell_can_be_edited_unless_it_goes() -> None:
    given = {"notebook_path": "a.ipynb", "new_source": "x = 1", "edit_mode": "insert"}
    request = replace(edit_question(), tool_name="NotebookEdit", input=given)
    proposal = proposal_of(request)
    assert proposal is not None
    assert (proposal.field, proposal.text) == ("new_source", "x = 1")
    assert proposal_of(replace(request, input={**given, "edit_mode": "delete"})) is None


def test_only_the_edited_field_of_the_input_changes() -> None:
    request = edit_question()
    proposal = proposal_of(request)
    assert proposal is not None
    changed = changed_input(request, proposal, "x")
    assert changed == {**request.input, "new_string": "x"}


def test_changed_added_and_removed_lines_are_told_apart() -> None:
    found = changed_lines("a\nb\nc", "a\nB\nb2\nc")
    assert [(c.number, c.kind, c.old, c.new) for c in found] == [
        (2, "changed", "b", "B"),
        (3, "added", "", "b2"),
    ]
    (removed,) = changed_lines("a\nb", "a")
    assert (removed.kind, removed.old) == ("removed", "b")


def test_the_model_is_told_every_change_up_to_a_limit() -> None:
    request = bash_question()
    proposal = proposal_of(request)
    assert proposal is not None
    note = note_for_model(proposal, "ls")
    assert repr(COMMAND) in note
    assert "'ls'" in note
    assert note_for_model(proposal, COMMAND) == ""
    many = "\n".join(str(n) for n in range(500))
    assert note_for_model(proposal, many).endswith(f"the whole of `command` is now:\n{many}")
    long = note_for_model(proposal, many * 100)
    assert long.count("\n") < 80
    assert "more changed lines: look at what is there now" in long
