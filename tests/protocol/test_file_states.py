from __future__ import annotations

from dataclasses import replace

from agent_tui.protocol.file_states import ABSENT, FileState

FILE = FileState("file", "d" * 64, 0o644, 3)


def test_the_same_is_there_whatever_its_mode() -> None:
    assert FILE.holds_same(replace(FILE, mode=0o600))
    assert not FILE.holds_same(replace(FILE, digest="e" * 64))
    assert ABSENT.holds_same(FileState())
    assert not ABSENT.holds_same(FILE)
    assert FileState("link", target="a").holds_same(FileState("link", target="a"))
    assert not FileState("link", target="a").holds_same(FileState("link", target="b"))


def test_what_is_not_known_is_never_the_same() -> None:
    unread, other = FileState("file", size=9), FileState("other")
    for state in (unread, other):
        assert not state.known
        assert not state.holds_same(state)
    assert not FILE.holds_same(None)
