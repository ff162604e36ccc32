"""Differences by lines."""

from __future__ import annotations

import time
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_tui.protocol.display import MAX_DISPLAY_LINES, Hunk
from agent_tui.tools import diffs
from agent_tui.tools.diffs import changes, diff_display, heading, hunks, structured_patch

LINES = st.lists(st.sampled_from("abcde"), max_size=25)


@given(old=LINES, new=LINES, cells=st.sampled_from([0, 12, diffs.MAX_CELLS]))
def test_the_changes_make_the_new_out_of_the_old(
    old: list[str], new: list[str], cells: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(diffs, "MAX_CELLS", cells)
        found = changes(old, new)
    made = list(old)
    for change in reversed(found):
        made[change.old_first : change.old_last] = new[change.new_first : change.new_last]
    assert made == new
    for before, after in pairwise(found):
        assert before.old_last < after.old_first or before.new_last < after.new_first


@given(old=st.text("ab\n", max_size=40), new=st.text("ab\n", max_size=40))
def test_the_hunks_apply(old: str, new: str) -> None:
    have, want = old.split("\n"), new.split("\n")
    for hunk in reversed(hunks(old, new)):
        before = [line[1:] for line in hunk.lines if line[0] != "+"]
        after = [line[1:] for line in hunk.lines if line[0] != "-"]
        assert (len(before), len(after)) == (hunk.old_lines, hunk.new_lines)
        start = hunk.old_start - 1 if hunk.old_lines else hunk.old_start
        assert have[start : start + len(before)] == before
        have[start : start + len(before)] = after
    assert [line for line in have if line] == [line for line in want if line]


def test_nearby_changes_share_a_hunk_and_have_three_lines_around() -> None:
    old = [str(n) for n in range(30)]
    new = [*old]
    new[5], new[11], new[25] = "x", "y", "z"
    found = hunks("\n".join(old) + "\n", "\n".join(new) + "\n")
    assert [(hunk.old_start, hunk.old_lines) for hunk in found] == [(3, 13), (23, 7)]
    assert found[1] == Hunk(23, 7, 23, 7, (" 22", " 23", " 24", "-25", "+z", " 26", " 27", " 28"))


def test_a_last_line_end_that_comes_or_goes_is_a_change() -> None:
    assert hunks("a", "a\n")[0].lines == ("-a", "+a")
    assert hunks("a\n", "a\n") == ()


def test_a_new_file_and_a_long_one_are_bounded() -> None:
    shown = diff_display("f", None, "a\nb\n")
    assert (shown.created, shown.added, shown.removed) == (True, 2, 0)
    assert shown.hunks == (Hunk(0, 0, 1, 2, ("+a", "+b")),)
    long = diff_display("f", "", "x\n" * 5_000)
    assert sum(len(hunk.lines) for hunk in long.hunks) == MAX_DISPLAY_LINES
    assert (long.added, long.truncated, long.created) == (5_000, 3_000, False)


def test_the_patch_is_made_of_the_same_hunks() -> None:
    assert structured_patch(hunks("a\nb\n", "a\nc\n")) == [
        {"oldStart": 1, "oldLines": 2, "newStart": 1, "newLines": 2, "lines": [" a", "-b", "+c"]}
    ]


def test_big_files_with_far_changes_are_quick_and_exact() -> None:
    old = [f"line {n}" for n in range(60_000)]
    new = [*old]
    new[10], new[59_000] = "x", "y"
    begun = time.process_time()
    found = changes(old, new)
    assert time.process_time() - begun < 2
    assert [(change.old_first, change.old_last) for change in found] == [(10, 11), (59_000, 59_001)]


@pytest.mark.parametrize(
    ("source", "at", "name"),
    [
        ("class A:\n    def f(self):\n        x = 1\n", 2, "class A · f"),
        ("class A:\n    x = 1\n\n    async def g(self):\n        y\n", 4, "class A · g"),
        ("def f():\n    if x:\n        y\nz = 1\n", 3, ""),
        ("impl Foo {\n    pub fn bar(&self) {\n        1\n    }\n}\n", 2, "class Foo · bar"),
        ("func (s *S) Serve() {\n\treturn\n}\n", 1, "Serve"),
        ("export class B {\n  run() {\n    x\n  }\n}\n", 2, "class B"),
        ("def f():\n    x\n\n    y\n", 2, "f"),
    ],
)
def test_the_heading_names_what_is_around(source: str, at: int, name: str) -> None:
    assert heading(source.split("\n"), at) == name
