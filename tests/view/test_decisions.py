"""Decisions in words."""

from __future__ import annotations

import pytest

from agent_tui.protocol.decisions import DecisionNote
from agent_tui.view.decisions import decision_words, refused_by, short_source

SETTINGS = "/home/me/.agent-tui/settings.json:14"


def note(**fields: object) -> DecisionNote:
    return DecisionNote("t1", **fields)  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"by": "read_only"}, "allowed: it only looks"),
        (
            {"by": "rule", "rule": "Bash(git log *)", "source": SETTINGS},
            "allowed by rule Bash(git log *) · ~/.agent-tui/settings.json:14",
        ),
        (
            {"by": "rule", "rule": "Bash", "source": "the command line"},
            "allowed by rule Bash · the command line",
        ),
        ({"by": "mode", "mode": "acceptEdits"}, "allowed by mode acceptEdits"),
        ({"by": "hook", "hook": "User"}, "a hook (User) allowed it"),
        (
            {"behavior": "deny", "by": "hook", "hook": "User", "reason": "Not on\nFridays."},
            "a hook (User) denied it · Not on Fridays",
        ),
        ({"by": "sandbox"}, "allowed inside the sandbox"),
        ({"by": "person", "asked_by": "mode"}, "you said yes · asked: no rule allows it"),
        ({"by": "person", "asked_by": "other"}, "you answered"),
        (
            {"by": "person", "asked_by": "mode", "edited": True},
            "you said yes, to what you made of it · asked: no rule allows it",
        ),
        (
            {
                "by": "person",
                "asked_by": "rule",
                "rule": "Bash(git push *)",
                "source": SETTINGS,
                "granted": ("Bash(git push)",),
            },
            "you said yes · and gave Bash(git push) · asked by rule Bash(git push *) · "
            "~/.agent-tui/settings.json:14",
        ),
        (
            {
                "behavior": "deny",
                "by": "person",
                "asked_by": "path",
                "comment": "use the\nother file",
                "reason": "/etc/x is outside the working folders.",
            },
            "you said no · use the other file · asked: /etc/x is outside the working folders",
        ),
        (
            {"by": "program", "asked_by": "unparsable", "reason": "long"},
            "the program said yes · asked: it isn't fully understood",
        ),
        (
            {"behavior": "deny", "by": "nobody", "asked_by": "mode", "reason": "No rule."},
            "there was nobody to ask · asked: no rule allows it",
        ),
        (
            {"behavior": "deny", "by": "rule", "rule": "Bash(rm *)", "source": SETTINGS},
            "denied by rule Bash(rm *) · ~/.agent-tui/settings.json:14",
        ),
        (
            {"behavior": "deny", "by": "mode", "mode": "dontAsk", "reason": "No rule allows it."},
            "denied by mode dontAsk · No rule allows it",
        ),
        (
            {"by": "rule", "asked_by": "mode", "rule": "Edit", "source": "the session rules"},
            "allowed by rule Edit · the session rules",
        ),
        (
            {"by": "classifier", "asked_by": "mode", "reason": "It is what was asked for."},
            "It is what was asked for",
        ),
    ],
)
def test_each_decision_says_who_made_it(fields: dict[str, object], words: str) -> None:
    assert " · ".join(decision_words(note(**fields), "/home/me")) == words


@pytest.mark.parametrize(
    ("fields", "who"),
    [
        ({"by": "person"}, ""),
        ({"by": "rule", "rule": "Bash(rm *)"}, "Bash(rm *)"),
        ({"by": "mode", "mode": "dontAsk"}, "mode dontAsk"),
        ({"by": "hook"}, "a hook"),
        ({"by": "program"}, "the program"),
        ({"by": "nobody"}, "nobody to ask"),
        ({"by": "classifier"}, "the classifier"),
    ],
)
def test_who_refused_a_call_in_few_words(fields: dict[str, object], who: str) -> None:
    assert refused_by(note(behavior="deny", **fields)) == who


def test_a_place_in_the_home_folder_is_written_short() -> None:
    assert short_source("/home/me/a.json:3", "/home/me") == "~/a.json:3"
    assert short_source("/home/mean/a.json:3", "/home/me") == "/home/mean/a.json:3"
    assert short_source("/home/me/a.json", "/home/me") == "~/a.json"
    assert short_source("the command line", "/home/me") == "the command line"
