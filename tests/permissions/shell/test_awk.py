from __future__ import annotations

import pytest

from agent_tui.permissions.shell.awk import awk_is_plain, awk_program, awk_runs
from tests.permissions.shell.reading import words


@pytest.mark.parametrize(
    "text",
    [
        "{print $1}",
        "NR==1 || NR==3",
        "$3 > 5",
        "$3 > 5 {print $1}",
        '{s+=$1} END {printf "%d\\n", s}',
        'BEGIN{FS=","} !/^#/ {a[$1]++} END {for (k in a) print k, a[k]}',
        "",
    ],
)
def test_programs_that_read_and_print(text: str) -> None:
    assert awk_is_plain(text)


@pytest.mark.parametrize(
    "text",
    [
        'BEGIN{system("x")}',
        '{print | "x"}',
        '{print |& "x"}',
        'a ||| "x"',
        '{"x" | getline}',
        'BEGIN{getline < "x"}',
        '{print > "x"}',
        '{ print $1 >> "x" }',
        'BEGIN{ARGV[1]="/etc/passwd"}',
        "BEGIN{for (k in ENVIRON) print k}",
        '@load "x"',
        'BEGIN{f="sys" "tem"; @f("x")}',
        '/"/ {system("x")} /"/',
        "BEGIN{pri\\\nnt}",
    ],
)
def test_programs_that_may_do_more(text: str) -> None:
    assert not awk_is_plain(text)


@pytest.mark.parametrize(
    ("line", "program"),
    [
        ("awk '{print}' f", "{print}"),
        ("awk -F, -v x=1 '{print}' f", "{print}"),
        ("awk -F , -- '{print}' f", "{print}"),
        ("awk -f prog f", None),
        ("awk -i lib 1", None),
        ("awk $x", None),
        ("awk", None),
    ],
)
def test_the_program_is_the_first_word_that_is_no_option(line: str, program: str | None) -> None:
    assert awk_program(words(line)) == program


def test_programs_that_run_others() -> None:
    for text in ('BEGIN{system("x")}', '{print | "x"}', '{"x" | getline}', "@f()"):
        assert awk_runs(text), text
    for text in ('{print > "x"}', "a || b", "ARGV[1]"):
        assert not awk_runs(text), text
