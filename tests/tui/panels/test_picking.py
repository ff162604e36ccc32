from __future__ import annotations

import difflib
from dataclasses import replace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from agent_tui.protocol.display import DiffDisplay, Hunk
from agent_tui.protocol.requests import PermissionRequest
from agent_tui.tui.panels.picking import note_for_model, picking_of


def hunks_of(old: str, new: str) -> tuple[Hunk, ...]:
    before, after = old.split("\n"), new.split("\n")
    found: list[Hunk] = []
    matcher = difflib.SequenceMatcher(None, before, after, autojunk=False)
    for group in matcher.get_grouped_opcodes(1):
        lines: list[str] = []
        for tag, a, b, c, d in group:
            if tag == "equal":
                lines += [f" {line}" for line in before[a:b]]
            else:
                lines += [f"-{line}" for line in before[a:b]]
                lines += [f"+{line}" for line in after[c:d]]
        a, b, c, d = group[0][1], group[-1][2], group[0][3], group[-1][4]
        found.append(Hunk(a + 1, b - a, c + 1, d - c, tuple(lines)))
    return tuple(found)


def request(tool: str, given_input: dict[str, Any], old: str, new: str) -> PermissionRequest:
    display = DiffDisplay("a.py", hunks_of(old, new))
    return PermissionRequest("r", tool, "t", given_input, display, "?", "")


OLD = "\n".join(f"line {n}" for n in range(40))
NEW = OLD.replace("line 5\n", "five\nand more\n").replace("line 30", "thirty")


def test_a_write_is_picked_apart() -> None:
    picking = picking_of(request("Write", {"content": NEW}, OLD, NEW))
    assert picking is not None
    assert picking.count == 2
    assert picking.text({0, 1}) == NEW
    assert picking.text(()) == OLD
    assert picking.text({1}) == OLD.replace("line 30", "thirty")


def test_an_edit_of_whole_lines_is_picked_apart() -> None:
    old = "\n".join(OLD.split("\n")[3:35])
    new = old.replace("line 5\n", "five\nand more\n").replace("line 30", "thirty")
    given_input = {"old_string": old, "new_string": new}
    picking = picking_of(request("Edit", given_input, OLD, OLD.replace(old, new)))
    assert picking is not None
    assert picking.text({0}) == old.replace("line 5\n", "five\nand more\n")


def test_where_file_and_proposal_do_not_fit_together_nothing_is_offered() -> None:
    fits = request("Write", {"content": NEW}, OLD, NEW)
    assert picking_of(replace(fits, input={"content": NEW + "\nmore", "x": 1})) is not None
    assert picking_of(replace(fits, input={"content": "something else"})) is None
    assert picking_of(replace(fits, tool_name="Bash")) is None
    one = request("Write", {"content": "x"}, "y", "x")
    assert picking_of(one) is None
    every = request(
        "Edit", {"old_string": "line", "new_string": "row", "replace_all": True}, OLD, NEW
    )
    assert picking_of(every) is None


@given(st.lists(st.sampled_from("abc"), max_size=30), st.lists(st.sampled_from("abc"), max_size=30))
def test_taking_everything_out_gives_the_old_text_back(old: list[str], new: list[str]) -> None:
    before, after = "\n".join(old), "\n".join(new)
    picking = picking_of(request("Write", {"content": after}, before, after))
    if picking is not None:
        assert picking.text(()) == before
        assert picking.text(range(picking.count)) == after


def test_the_model_is_told_what_was_taken_out() -> None:
    note = note_for_model({0, 2}, 3, "line 4: changed from 'b' to 'a'")
    assert "hunk 2 of 3" in note
    assert note.endswith("What ran is:\nline 4: changed from 'b' to 'a'")
    assert note_for_model({0, 1}, 2, "") == ""
