from __future__ import annotations

from dataclasses import replace

import pytest

from agent_tui.protocol import ops
from agent_tui.protocol.messages import SystemMessage
from agent_tui.protocol.queries import Data, WouldAllow
from agent_tui.protocol.requests import Allow, Deny, GrantLimit
from tests.tui.asked import answer, asked, meant
from tests.tui.scenes import bash_question, begin, edit_call, edit_question, hunks
from tests.tui.stage import running

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


async def test_the_safe_answer_is_chosen_and_enter_takes_it_with_a_reason() -> None:
    async with running() as on:
        await asked(on, edit_question())
        assert any(row.startswith(" › n  No, and say why") for row in on.rows)
        await on.press("enter")
        await on.type("use the other file")
        await on.press("enter")
        assert answer(on) == Deny(message="use the other file")


async def test_escape_is_no_and_stop() -> None:
    async with running() as on:
        await asked(on, edit_question())
        await on.press("escape")
        assert answer(on) == Deny(interrupt=True)


async def test_yes_always_and_this_session() -> None:
    for key, destination in (("y", None), ("a", "localSettings"), ("s", "session")):
        async with running() as on:
            await asked(on, edit_question())
            await on.press(key)
            given = answer(on)
            assert isinstance(given, Allow)
            stored = [u.destination for u in given.updated_permissions]
            assert stored == ([] if destination is None else [destination])
            if destination:
                assert str(given.updated_permissions[0].rules[0]) == "Edit(src/**)"


async def test_one_answer_is_sent_however_often_a_key_is_pressed() -> None:
    async with running() as on:
        await asked(on, edit_question())
        await on.press("y", "y", "a")
        assert len(on.link.of(ops.Answer)) == 1


async def test_the_rule_and_its_place_are_changed_before_always() -> None:
    async with running() as on:
        await asked(on, edit_question())
        await on.press("tab", "tab")
        assert any("kept in the project's settings.json" in row for row in on.rows)
        await on.press("ctrl+u")
        await on.type("nonsense here")
        await on.press("enter")
        assert any("is no rule" in row for row in on.rows)
        await on.press("ctrl+u")
        await on.type("Edit(src/auth.py)")
        await on.press("enter")
        assert not on.link.of(ops.Answer)
        assert any(row.startswith(" › a  Always") and "Edit(src/auth.py)" in row for row in on.rows)
        await on.press("enter")
        given = answer(on)
        assert isinstance(given, Allow)
        (update,) = given.updated_permissions
        assert (str(update.rules[0]), update.destination) == (
            "Edit(src/auth.py)",
            "projectSettings",
        )


async def test_a_wider_rule_is_one_key_away() -> None:
    async with running() as on:
        await asked(on, edit_question())
        await on.press("tab", "down", "enter", "a")
        given = answer(on)
        assert isinstance(given, Allow)
        assert str(given.updated_permissions[0].rules[0]) == "Edit"


async def test_a_command_is_edited_first_and_the_model_is_told() -> None:
    async with running() as on:
        await asked(on, bash_question())
        await on.press("e", "ctrl+k")
        await on.type("uv build")
        assert "The model will be told" in on.text
        await on.press("escape")
        assert not on.link.of(ops.Answer)
        assert any(row.startswith(" › y  Yes") and "as you changed it" in row for row in on.rows)
        await on.press("y")
        given = answer(on)
        assert isinstance(given, Allow)
        assert given.updated_input == {"command": "uv build"}
        assert "'uv build'" in given.note


async def test_enter_while_editing_a_proposal_is_a_new_line() -> None:
    async with running() as on:
        await asked(on, edit_question())
        await on.press("e", "enter")
        assert not on.link.of(ops.Answer)
        await on.press("ctrl+r", "escape", "y")
        assert answer(on) == Allow()


async def test_hunks_are_taken_out() -> None:
    async with running() as on:
        await asked(on, edit_call(), edit_question())
        assert any(row.startswith("   [x] 2") for row in on.rows)
        await on.press("h", "j", "space")
        assert any("1 of 2 chosen" in row for row in on.rows)
        assert any("[ ] 2" in row for row in on.rows)
        await on.press("space", "k", "space", "y")
        given = answer(on)
        assert isinstance(given, Allow)
        assert given.updated_input is not None
        text = given.updated_input["new_string"]
        assert "self._token is None" in text
        assert "session.refresh()" in text
        assert "hunk 1 of 2" in given.note


async def test_full_screen_and_back() -> None:
    async with running(size=(160, 45)) as on:
        await on.say(*begin())
        await asked(on, edit_question())
        await on.press("f")
        assert not on.main.conversation.display
        assert any("│" in row for row in on.rows)
        await on.press("u")
        assert not any("│" in row for row in on.rows)
        await on.press("f")
        assert on.main.conversation.display


async def test_a_long_change_scrolls_and_the_answers_stay() -> None:
    first = hunks()[0]
    long = replace(first, new_lines=200, lines=tuple(f"+line {n}" for n in range(200)))
    request = edit_question()
    display = replace(request.display, hunks=(long,))  # pyright: ignore[reportCallIssue, reportArgumentType]
    async with running() as on:
        await asked(on, replace(request, display=display))
        assert any("No, and say why" in row for row in on.rows)
        assert any("more rows   pageup pagedown" in row for row in on.rows)
        assert on.main.panel.size.height <= 40 * 2 // 3
        await on.press("pagedown")
        assert not any("line 0" in row for row in on.rows)


async def test_the_end_of_a_long_line_is_seen_too() -> None:
    first = hunks()[0]
    long = replace(first, new_lines=1, lines=("+x" + " " * 150 + "; rm -rf all",))
    request = edit_question()
    display = replace(request.display, hunks=(long,))  # pyright: ignore[reportCallIssue, reportArgumentType]
    async with running() as on:
        await asked(on, replace(request, display=display))
        assert any("; rm -rf all" in row for row in on.rows)


async def test_a_narrow_low_screen_shows_one_hunk_and_two_columns() -> None:
    async with running(size=(60, 24)) as on:
        await on.say(*begin())
        await asked(on, edit_question())
        assert any("hunk 1 of 2   +4 −2" in row for row in on.rows)
        assert any("y  Yes" in row and "e  Edit first" in row for row in on.rows)
        assert not any("async def tick" in row for row in on.rows)
        await on.press("j")
        assert any("async def tick" in row for row in on.rows)


async def test_a_rule_for_a_tool_there_is_not_is_refused_at_once() -> None:
    async with running() as on:
        await on.say(SystemMessage("init", {"tools": ["Bash", "Edit", "Write"]}))
        await asked(on, edit_question())
        for rule, why in (
            ("Edti(src/**)", "there is no tool 'Edti' here; did you mean Edit?"),
            ("Write(**)", "Write(...) is never looked at: write Edit(**)"),
        ):
            await on.press("tab", "ctrl+u")
            await on.type(rule)
            await on.press("enter")
            assert why in on.text
            await on.press("escape")
        assert not on.link.of(ops.Answer)


async def test_how_long_this_session_holds_is_changed_with_the_arrows_and_digits() -> None:
    async with running() as on:
        await asked(on, edit_question())
        await on.press("right", "right", "2", "0", "backspace", "3")
        assert any(row.startswith(" › s  23 more calls") for row in on.rows)
        await on.press("enter")
        given = answer(on)
        assert isinstance(given, Allow)
        assert given.updated_permissions[0].limit == GrantLimit(calls=23)


async def test_the_letter_takes_the_length_that_is_shown() -> None:
    async with running(size=(60, 24)) as on:
        await asked(on, edit_question())
        await on.press("left", "up", "s")
        given = answer(on)
        assert isinstance(given, Allow)
        assert given.updated_permissions[0].limit == GrantLimit(minutes=10)


async def test_digits_mean_nothing_elsewhere() -> None:
    async with running() as on:
        await asked(on, edit_question())
        await on.press("1", "2", "backspace", "right", "3")
        assert not on.link.of(ops.Answer)
        assert any(row.startswith(" › s  This task") for row in on.rows)


async def test_a_comment_goes_with_a_yes() -> None:
    async with running() as on:
        await asked(on, edit_question())
        await on.press("down", "tab")
        assert "enter yes, with this" in on.text
        await on.type("and run the tests")
        await on.press("enter")
        given = answer(on)
        assert isinstance(given, Allow)
        assert given.note == "The person allowed this call and says: and run the tests"


async def test_a_comment_may_be_left_without_an_answer() -> None:
    async with running() as on:
        await asked(on, edit_question())
        await on.press("down", "tab")
        await on.type("hm")
        await on.press("escape")
        assert not on.link.of(ops.Answer)
        await on.press("escape")
        assert answer(on) == Deny(interrupt=True)


async def test_tab_on_no_says_why_where_no_rule_can_be_stored() -> None:
    async with running() as on:
        await asked(on, edit_question(suggestions=()))
        await on.press("tab")
        await on.type("not now")
        await on.press("enter")
        assert answer(on) == Deny(message="not now")


async def test_what_a_typed_rule_would_do_is_asked_and_shown_as_it_is_typed() -> None:
    judged: list[str] = []

    def judge(query: WouldAllow) -> Data:
        [rule] = query.rules
        judged.append(str(rule))
        return Data({"allows": "src" in str(rule), "why": ""})

    async with running(replies={WouldAllow: judge}) as on:
        await asked(on, edit_question())
        await on.press("tab")
        assert "lets this call run" in on.text
        await on.press("ctrl+u")
        assert "no rule is left" in on.text
        await on.type("Edit(lib/**)")
        assert "does not cover this call" in on.text
        await on.press("backspace")
        assert "is no rule" in on.text
        await on.press("enter")
        assert "is no rule" in on.text
        assert not on.link.of(ops.Answer)
    assert judged[0] == "Edit(src/**)"
    assert judged[-1] == "Edit(lib/**)"


async def test_a_rule_the_engine_refuses_is_not_taken() -> None:
    refusal = Data({"allows": False, "why": "Edit(src/**): it is too odd"})
    async with running(replies={WouldAllow: refusal}) as on:
        await asked(on, edit_question())
        await on.press("tab")
        assert "it is too odd" in on.text
        await on.press("enter")
        assert "it is too odd" in on.text
        assert not any(row.startswith(" › a  Always") for row in on.rows)


async def test_full_screen_has_the_same_keys_and_the_same_care() -> None:
    async with running(size=(160, 45)) as on:
        await asked(on, bash_question())
        await on.press("f")
        await meant(on)
        assert isinstance(answer(on), Allow)
