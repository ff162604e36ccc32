from __future__ import annotations

from agent_tui.permissions.part import PartVerdict, is_process, short
from agent_tui.permissions.verdict import Hit
from tests.permissions.ground import book
from tests.permissions.shell.reading import part, words


def test_what_decided_is_said_in_words() -> None:
    rules = book(allow=["Bash(a)"], deny=["Bash(b)"], ask=["Bash(c)"])
    verdict = PartVerdict(part("x"), looks=True)
    assert verdict.shown(()).decided_by == "only looks"
    verdict.by_edits = True
    assert verdict.shown(()).decided_by == "accepted edit"
    verdict.rule = rules.allow[0]
    assert verdict.shown(()).decided_by == "allow Bash(a)  user"
    assert verdict.shown(()).allowed
    verdict.needs.append("It writes y.")
    assert verdict.shown(()).decided_by == "It writes y."
    assert not verdict.shown(()).allowed
    verdict.asked = Hit(rules.ask[0], "x")
    assert verdict.shown(()).decided_by == "ask Bash(c)  user"
    verdict.denied = Hit(rules.deny[0], "x")
    assert verdict.shown(()).decided_by == "deny Bash(b)  user"


def test_the_first_doubt_and_the_first_path_are_kept() -> None:
    verdict = PartVerdict(part("x"))
    verdict.doubts("one")
    verdict.doubts("two")
    verdict.block("/a")
    verdict.block("/b")
    assert (verdict.doubt, verdict.blocked_path) == ("one", "/a")


def test_long_commands_are_shortened() -> None:
    assert short("a\n  b") == "`a b`"
    assert len(short("x" * 200)) == 82


def test_process_substitutions_are_told_from_files() -> None:
    assert is_process(words("a <(b)")[1])
    assert not is_process(words("a b")[1])
