"""A question is heard whole, and only a word that was meant answers it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from agent_tui.line.asking import TAKE_EDITS, question_of
from agent_tui.protocol.display import (
    AskedQuestion,
    Choice,
    CommandDisplay,
    DiffDisplay,
    Display,
    FileDisplay,
    Hunk,
    PlanDisplay,
    QuestionDisplay,
    TextDisplay,
    UnknownDisplay,
)
from agent_tui.protocol.requests import (
    Allow,
    CommandPart,
    Deny,
    GrantLimit,
    PermissionRequest,
    PermissionRuleValue,
    PermissionUpdate,
    Span,
)

RULE = PermissionUpdate(
    "addRules", (PermissionRuleValue("Bash", "make *"),), destination="localSettings"
)
HERE = PermissionUpdate("addRules", (PermissionRuleValue("Bash", "make *"),), destination="session")


def request(display: Display, *updates: PermissionUpdate, **more: object) -> PermissionRequest:
    return PermissionRequest(  # pyright: ignore[reportCallIssue]
        "r", "Bash", "t", {"command": "x"}, display, "Run this command?", "No rule allows it.",
        cwd="/p", suggestions=updates, **more,  # pyright: ignore[reportArgumentType]
    )  # fmt: skip


def test_a_command_is_heard_whole_with_what_is_dangerous() -> None:
    asked = request(
        CommandDisplay("make x\nrm -rf b"),
        RULE,
        parts=(CommandPart("make x", True, "rule Bash(make *)"), CommandPart("rm -rf b", False, "no rule")),
        danger=(Span(10, 13, "deletes without asking"),),
        agent="Explore: look",
    )  # fmt: skip
    lines = question_of(asked).lines()
    assert lines[:3] == [
        "Question: Run this command? (Explore: look asks)",
        "  make x",
        "  rm -rf b",
    ]
    assert "In /p" in lines
    assert "Why: No rule allows it." in lines
    assert "  Part: rm -rf b (needs your answer, no rule)" in lines
    assert "  Careful: -rf: deletes without asking" in lines
    assert any("allow Bash(make *) in this project's settings.local.json" in x for x in lines)


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("yes", Allow()),
        ("Y", Allow()),
        ("always", Allow(updated_permissions=(RULE,))),
        ("s", Allow(updated_permissions=(HERE,))),
        ("no", Deny()),
        ("no use tabs", Deny("use tabs")),
        ("no, use tabs", Deny("use tabs")),
        ("stop", Deny(interrupt=True)),
    ],
)
def test_a_word_answers(line: str, answer: object) -> None:
    assert question_of(request(CommandDisplay("make"), RULE)).take(line) == answer


@pytest.mark.parametrize(
    ("line", "limit"),
    [
        ("task", GrantLimit(task=True)),
        ("calls 5", GrantLimit(calls=5)),
        ("minutes 10", GrantLimit(minutes=10)),
    ],
)
def test_a_word_allows_the_same_for_a_while(line: str, limit: GrantLimit) -> None:
    given = question_of(request(CommandDisplay("make"), RULE)).take(line)
    assert given == Allow(updated_permissions=(replace(HERE, limit=limit),))


@pytest.mark.parametrize("line", ["calls", "calls 0", "calls many", "minutes -1", "minutes 10000"])
def test_a_while_needs_its_number(line: str) -> None:
    given = question_of(request(CommandDisplay("make"), RULE)).take(line)
    assert isinstance(given, str)
    assert "from 1 to 999" in given


def test_a_letter_is_not_enough_for_what_is_dangerous() -> None:
    asked = question_of(request(CommandDisplay("rm -rf x"), RULE, default_to_no=True))
    for letter in "yas":
        given = asked.take(letter)
        assert isinstance(given, str)
        assert "whole word" in given
    assert asked.take("yes") == Allow()
    assert asked.take("n") == Deny()


def test_words_behind_a_yes_reach_the_model() -> None:
    given = question_of(request(CommandDisplay("make"))).take("yes but only once")
    assert isinstance(given, Allow)
    assert "but only once" in given.note


@pytest.mark.parametrize("line", ["", "  ", "1", "yess", "ok", "always", "\x1b[A"])
def test_nothing_else_does(line: str) -> None:
    given = question_of(request(CommandDisplay("make"))).take(line)
    assert isinstance(given, str)
    assert given
    assert given.isprintable()


def test_what_can_only_be_stored_for_the_session_is_offered_once() -> None:
    lines = question_of(request(CommandDisplay("make"), HERE)).lines()
    assert sum("until you leave" in line for line in lines) == 1
    mode = PermissionUpdate("setMode", mode="acceptEdits")
    assert any(
        "mode acceptEdits" in x for x in question_of(request(TextDisplay("t"), mode)).lines()
    )


@pytest.mark.parametrize(
    ("display", "heard"),
    [
        (DiffDisplay("a.py", (Hunk(1, 0, 1, 1, ("+new",)),), 1), "    new"),
        (FileDisplay("/etc/x"), "  /etc/x"),
        (TextDisplay("Fetch", "http://x"), "  http://x"),
        (UnknownDisplay("new", {}), "  command: x"),
    ],
)
def test_every_kind_of_call_is_heard(display: Display, heard: str) -> None:
    assert heard in question_of(request(display)).lines()


def test_a_plan_may_begin_with_edits_taken() -> None:
    plan = question_of(request(PlanDisplay("# Steps\n1. do")))
    assert "  1. do" in plan.lines()
    assert plan.take("edits") == Allow(updated_permissions=(TAKE_EDITS,))
    assert plan.take("no shorter") == Deny("shorter")
    assert isinstance(plan.take("always"), str)
    assert isinstance(plan.take("auto"), str)
    auto = PermissionUpdate("setMode", mode="auto")
    offered = question_of(request(PlanDisplay("# Steps"), auto))
    assert offered.take("auto") == Allow(updated_permissions=(auto,))


def test_what_can_be_changed_first_is_offered_and_taken() -> None:
    asked = question_of(request(CommandDisplay("make")))
    asked_for = [line for line in asked.lines() if line.startswith("  edit:")]
    assert len(asked_for) == 1
    assert asked.to_edit("yes") is None
    assert asked.to_edit("Edit") == "x"
    given = asked.edited("y")
    assert isinstance(given, Allow)
    assert given.updated_input == {"command": "y"}
    assert "'x' to 'y'" in given.note
    assert question_of(request(QuestionDisplay(QUESTIONS))).to_edit("edit") is None


QUESTIONS = (
    AskedQuestion("Which?", choices=(Choice("red", "warm"), Choice("blue"))),
    AskedQuestion("How many?", choices=(Choice("one"), Choice("two")), multiple=True),
)


def test_questions_are_answered_by_number_or_in_words() -> None:
    asked = question_of(request(QuestionDisplay(QUESTIONS)))
    assert asked.lines()[:2] == ["Question (1 of 2): Which?", "  1. red: warm"]
    assert "1 to 2" in str(asked.take("3"))
    assert "Only one" in str(asked.take("1 2"))
    assert asked.take("2") == ""
    assert asked.lines()[0] == "Question (2 of 2): How many?"
    assert asked.take("1, 2") == Allow(
        {"command": "x", "answers": {"Which?": "blue", "How many?": ["one", "two"]}}
    )
    own = question_of(request(QuestionDisplay(QUESTIONS[:1])))
    assert own.take("green, please") == Allow(
        {"command": "x", "answers": {"Which?": "green, please"}}
    )
    assert question_of(request(QuestionDisplay(QUESTIONS))).take("stop") == Deny(interrupt=True)


def test_u2_nothing_that_is_asked_drives_the_terminal() -> None:
    evil = "a\x1b[2Jb\x07\u202e"
    shown: list[Display] = [
        CommandDisplay(evil),
        TextDisplay(evil, evil),
        PlanDisplay(evil),
        FileDisplay(evil),
        UnknownDisplay("x", {}),
        QuestionDisplay((AskedQuestion(evil, choices=(Choice(evil, evil),)),)),
    ]
    for display in shown:
        asked = request(display, agent=evil, parts=(CommandPart(evil, False, evil),) * 2)
        for line in question_of(asked).lines():
            assert line.isprintable(), line
