from __future__ import annotations

from dataclasses import replace

from agent_tui.protocol.display import CommandDisplay
from agent_tui.protocol.requests import Span
from agent_tui.tui.displays.drawing import Options
from agent_tui.tui.panels.body import command_rows, draw_body
from tests.tui.look import page, texts
from tests.tui.scenes import COMMAND, bash_question


def test_a_command_is_shown_whole_with_its_parts() -> None:
    assert texts(draw_body(page(120), bash_question(), Options())) == [
        "     rm -rf build dist && uv build && git push --force origin fix-auth | tee push.log",
        "",
        "      Part                                What it does                          Decided by",
        "   " + "─" * 115,
        "   !  rm -rf build dist                   deletes 2 folders, 41 files           no rule, mode default asks",
        "   ✓  uv build                            writes dist/                          allow Bash(uv *)  project",
        "   !  git push --force origin fix-auth    replaces 3 commits on origin          ask Bash(git push *)  user",
        "   ✓  tee push.log                        writes push.log                       inside the project",
    ]


def test_a_narrow_table_keeps_the_commands() -> None:
    rows = texts(draw_body(page(60), bash_question(), Options()))
    assert any("git push --force origin fix-auth" in row for row in rows)
    assert all(len(row) <= 60 for row in rows)


def test_dangerous_words_are_bold_and_underlined() -> None:
    (row,) = command_rows(page(120), COMMAND, bash_question().danger)
    marked = [s.text for s in row.strip if s.style and s.style.underline and s.style.bold]
    assert marked == ["-rf", "--force"]


def test_a_long_command_wraps_and_loses_nothing() -> None:
    command = "echo " + "あ1" * 200 + "\nsecond line"
    rows = command_rows(page(60), command, ())
    shown = "".join(row.strip().replace(" ", "") for row in texts(rows))
    assert shown == command.replace(" ", "").replace("\n", "")
    assert all(row.strip.cell_length == 60 for row in rows)


def test_u2_nothing_in_a_command_drives_the_terminal() -> None:
    evil = "echo \x1b[2J\x1b]52;c;aGk=\x07 \u202e txt"
    display = CommandDisplay(evil)
    request = replace(bash_question(), display=display, danger=(Span(0, 4),), parts=())
    for row in draw_body(page(120), request, Options()):
        assert not set(row.strip.text) & set("\x1b\x07\u202e")


def test_u2_a_sequence_hides_nothing_of_a_command() -> None:
    evil = "echo hi \x1b]0;touch pwned \x07"
    request = replace(bash_question(), display=CommandDisplay(evil), danger=(), parts=())
    shown = " ".join(texts(draw_body(page(120), request, Options())))
    assert "echo hi ␛]0;touch pwned ␇" in shown
