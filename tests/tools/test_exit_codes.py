"""Exit codes that are answers."""

from __future__ import annotations

import pytest

from agent_tui.tools.exit_codes import describe, interpretation


@pytest.mark.parametrize(
    ("line", "meaning"),
    [
        ("grep x f", "No matches found"),
        ("/usr/bin/grep 'a;b' f", "No matches found"),
        ("cat f | rg x", "No matches found"),
        ("LC_ALL=C grep x f", "No matches found"),
        ("cd src; diff a b", "The files differ"),
        ("git -C x diff --quiet", None),
        ("git diff --quiet", "The files differ"),
        ("git grep x", "No matches found"),
        ("[ -f x ]", "The condition is false"),
        ("test -f x", "The condition is false"),
        ("find /root -name x", "Some folders could not be searched"),
        ("cd x && grep y z", "No matches found"),
        ("grep x f | wc -l", None),
        ("grep x f > out", "No matches found"),
        ("make", None),
        ("echo 'grep", None),
        ("grep x <<E\nrm\nE", None),
        ("! grep x f", None),
    ],
)
def test_one_after_the_last_command(line: str, meaning: str | None) -> None:
    assert interpretation(line, 1, "") == meaning


def test_other_codes_and_printed_errors_are_failures() -> None:
    assert interpretation("grep x f", 2, "") is None
    assert interpretation("cd x && grep y z", 1, "cd: no such folder") is None
    assert interpretation("diff a b", 1, "< a\n> b") == "The files differ"


def test_signals_have_their_names() -> None:
    assert describe(3) == "Exit code 3"
    assert describe(-15) == "Exit code 143 (ended by SIGTERM)"
    assert describe(-99) == "Exit code 227 (ended by signal 99)"
