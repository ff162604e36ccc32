from __future__ import annotations

from dataclasses import replace

import pytest

from agent_tui.protocol.display import CommandDisplay
from agent_tui.tui.displays.command import own_output
from agent_tui.tui.displays.drawing import Head, Options, render_display, render_head
from tests.fakes.conversation_host import page, texts


def said(head: Head) -> list[str]:
    return ["".join(text for text, _ in spans) for spans in (head.argument, *head.facts)]


RUN = CommandDisplay(
    "uv run pytest -q", exit_code=0, tail=("...", "===== 15 passed, 1 skipped in 3.8s =====")
)


@pytest.mark.parametrize(
    ("display", "want"),
    [
        (RUN, ["uv run pytest -q", "15 passed, 1 skipped", "exit 0"]),
        (
            CommandDisplay("ls", exit_code=0, head=("a", "b"), hidden_lines=5),
            ["ls", "▸ 7 lines", "exit 0"],
        ),
        (CommandDisplay("true", exit_code=0), ["true", "exit 0"]),
        (CommandDisplay("x", exit_code=3), ["x", "exit 3"]),
        (CommandDisplay("x", exit_code=-9), ["x", "signal 9"]),
        (CommandDisplay("x", exit_code=-15, timed_out=True), ["x", "timed out"]),
        (CommandDisplay("x", exit_code=-2, interrupted=True), ["x"]),
        (CommandDisplay("cat <<E\none\nE"), ["cat <<E …"]),
    ],
)
def test_the_head_says_the_command_and_how_it_went(
    display: CommandDisplay, want: list[str]
) -> None:
    assert said(render_head(display, page(100))) == want


FAILED = CommandDisplay(
    "pytest",
    exit_code=1,
    head=("collecting", "FAILED tests/a.py::b - AssertionError"),
    tail=("more", "==== 3 failed, 12 passed in 2.11s ====", ""),
    hidden_lines=40,
)


def test_a_failure_shows_the_two_lines_that_matter() -> None:
    sheet = page(80)
    rows = list(render_display(FAILED, sheet, Options(failed=True)))
    assert texts(rows)[0] == "   FAILED tests/a.py::b - AssertionError"
    assert (
        texts(rows)[1].split("  ")[0].strip() == ""
        and "3 failed, 12 passed in 2.11s" in texts(rows)[1]
    )
    assert texts(rows)[1].endswith("▸ 43 more lines")
    red = [s.text for line in rows for s in line.strip if s.style == sheet.theme.style("error")]
    assert red == ["FAILED", "3 failed"]


def test_a_narrow_page_shows_one() -> None:
    (row,) = render_display(FAILED, page(60), Options(failed=True))
    assert "3 failed" in row.strip.text and row.strip.text.rstrip().endswith("▸ 44 lines")


def test_a_failure_without_telling_lines_shows_its_last() -> None:
    display = CommandDisplay("x", exit_code=1, head=("one", "two", "three", ""))
    assert texts(render_display(display, page(80), Options(failed=True)))[0] == "   two"


def test_while_it_runs_the_newest_line_is_the_brightest() -> None:
    sheet = page(80)
    display = CommandDisplay("x", tail=("a", "b", "c", "d", ""), hidden_lines=8)
    rows = list(render_display(display, sheet, Options(running=True)))
    assert texts(rows) == ["   b", "   c", "   d", "   ▸ 9 earlier lines"]
    inks = [next(s.style for s in line.strip if s.text.strip()) for line in rows]
    assert inks[:3] == [sheet.theme.style("muted")] * 2 + [sheet.theme.style("text")]


def test_lines_written_over_show_their_last_state() -> None:
    display = CommandDisplay("x", tail=("10%\r50%\r99%",))
    assert texts(render_display(display, page(80), Options(running=True))) == ["   99%"]


def test_a_success_is_its_head_alone_and_everything_when_expanded() -> None:
    assert render_display(RUN, page(80)) == ()
    shown = replace(FAILED, command="one\ntwo", output_path="/tmp/out")
    rows = texts(render_display(shown, page(80), Options(expanded=True)))
    assert rows == [
        "     one",
        "     two",
        "   collecting",
        "   FAILED tests/a.py::b - AssertionError",
        "   ⋮ 40 lines left out, all in /tmp/out",
        "   more",
        "   ==== 3 failed, 12 passed in 2.11s ====",
        "",
    ]


def test_the_persons_own_line_shows_its_output() -> None:
    short = CommandDisplay("ls", exit_code=0, head=("a", "b", ""))
    assert texts(own_output(short, page())) == ["   a", "   b"]
    long = CommandDisplay("ls", exit_code=0, head=("x",) * 30, tail=("y",) * 15, hidden_lines=100)
    rows = texts(own_output(long, page()))
    assert rows[0].strip() == "▸ 125 earlier lines"
    assert len(rows) == 21
    assert rows[-1] == "   y"
