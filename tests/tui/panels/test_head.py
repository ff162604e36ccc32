from __future__ import annotations

from dataclasses import replace

from agent_tui.tui.panels.head import WARNING_ROWS, draw_head, home_path
from tests.tui.look import page, texts
from tests.tui.scenes import bash_question, edit_question


def head(request: object, width: int = 120, place: tuple[int, int] = (1, 2)) -> list[str]:
    rows = draw_head(
        page(width), request, place, mode="answers", hunk=None, edited=False, full=False, armed=True  # pyright: ignore[reportArgumentType]
    )  # fmt: skip
    return texts(rows)


def test_an_edit_says_what_why_where_and_how_many_wait() -> None:
    rows = head(edit_question())
    assert rows[0] == "─" * 120
    assert rows[1].startswith(" ◆ Edit src/auth.py?   2 hunks  +4 −2")
    assert rows[1].endswith("question 1 of 2   f full screen")
    assert rows[2].startswith(
        "   Asked because no rule matches and mode default asks before edits."
    )
    assert rows[2].endswith("in ~/work/tokenbox")


def test_a_command_names_the_rule_that_asks_and_its_file() -> None:
    rows = head(bash_question(), place=(1, 1))
    assert rows[1].startswith(" ◆ Run this command?   4 parts, 2 need your answer")
    assert "ask Bash(git push *)  ~/.agent-tui/settings.json line 14" in rows[2]
    place = f"{page(120).home}/.agent-tui/settings.json:14"
    rows = head(replace(bash_question(), rule_source=place))
    assert "ask Bash(git push *)  ~/.agent-tui/settings.json:14" in rows[2]


def test_a_sub_agent_is_named() -> None:
    rows = head(replace(edit_question(), agent="reviewer: checks callers"))
    assert rows[2] == "   Asked by sub-agent reviewer: checks callers"
    assert "Asked because no rule matches" in rows[3]


def test_what_auto_mode_made_of_it_has_a_row_of_its_own() -> None:
    said = "auto: blocked, it pushes to a remote that nobody named · $0.0003."
    request = replace(
        edit_question(), decided_by="classifier", reason=f"{said}\nNo rule allows this change."
    )
    rows = head(request)
    assert rows[2] == f"   {said}"
    assert rows[3].startswith("   No rule allows this change.")
    assert rows[3].endswith("in ~/work/tokenbox")
    plain = head(replace(request, decided_by="mode"))
    assert plain[2].startswith(f"   {said} No rule allows")


def test_a_home_path_is_shortened_only_inside_the_home() -> None:
    assert home_path("/home/ada/x", "/home/ada") == "~/x"
    assert home_path("/home/adam/x", "/home/ada") == "/home/adam/x"


def test_a_warning_about_a_protected_place_is_shown_whole() -> None:
    reason = "The agent would change its own settings, " + "and more " * 20 + "at the end."
    asked = replace(edit_question(), reason=reason, decided_by="path", default_to_no=True)
    rows = head(asked)
    assert " ".join(" ".join(rows[2:]).split()) == reason
    ordinary = head(replace(asked, default_to_no=False))
    assert "at the end" not in " ".join(ordinary)
    endless = head(replace(asked, reason="word " * 900))
    assert len([row for row in endless if "word" in row]) == WARNING_ROWS


def test_a_reason_without_room_is_its_first_sentence() -> None:
    request = replace(
        edit_question(), reason="No rule allows this change. In mode default that is asked."
    )
    assert "In mode default that is asked." in head(request)[2]
    assert head(request, 60, (1, 1))[2] == "   No rule allows this change."
