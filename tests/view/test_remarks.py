from __future__ import annotations

from agent_tui.view.remarks import BEGINNING, Remarks, Spot

A = Spot("/w/src/a.py", "src/a.py", "new", 12, 12, ("+x = 1",))
B = Spot("/w/src/a.py", "src/a.py", "new", 3, 4, (" a", "+b"))
GONE = Spot("/w/b.py", "b.py", "old", 7, 7, ("-old",))


def test_comments_become_one_message_by_file_and_line() -> None:
    remarks = Remarks()
    remarks.put(A, " Why one?\nTwo. ")
    remarks.put(GONE, "keep it")
    remarks.put(B, "both")
    assert (len(remarks), remarks.files) == (3, 2)
    assert remarks.message() == "\n\n".join(
        [
            BEGINNING,
            "b.py, removed line 7:\n> -old\nkeep it",
            "src/a.py, lines 3-4:\n>  a\n> +b\nboth",
            "src/a.py, line 12:\n> +x = 1\nWhy one?\nTwo.",
        ]
    )


def test_a_line_has_one_comment_and_an_empty_one_takes_it_back() -> None:
    remarks = Remarks()
    remarks.put(A, "first")
    remarks.put(A, "second")
    found = remarks.at(A.path, "new", 12)
    assert found is not None
    assert found.text == "second"
    assert remarks.at(A.path, "old", 12) is None
    remarks.put(A, "  ")
    assert list(remarks) == []
    remarks.put(B, "x")
    remarks.clear()
    assert not len(remarks)


def test_lines_without_a_file_are_named_alone() -> None:
    remarks = Remarks()
    remarks.put(Spot("plan", "", "new", 2, 2, ("1. do it",)), "no")
    assert remarks.message("No:") == "No:\n\nLine 2:\n> 1. do it\nno"
