"""What a folder brings, in words."""

from __future__ import annotations

from dataclasses import replace
from typing import get_args

from agent_tui.protocol.queries import FolderOffer
from agent_tui.protocol.trust import Brought, BroughtKind
from agent_tui.view.trusting import DOES, listed, one_row, thing

OLD = Brought("hook", "Stop", "a", "m1", new=False)
NEW = Brought("server", "db", "b", "m2")
WORDS = Brought("memory", "AGENTS.md", "1 line")


def test_what_was_agreed_to_is_counted_only_where_something_has_changed() -> None:
    offer = FolderOffer(items=(OLD, NEW, WORDS))
    assert listed(offer) == ((OLD, NEW, WORDS), 0)
    assert listed(replace(offer, changed=True)) == ((NEW, WORDS), 1)


def test_a_thing_is_said_whole_on_one_row_and_drives_no_terminal() -> None:
    assert thing(replace(NEW, what="one\n\ttwo\x1b[2J")) == "db  one␤ two␛[2J"
    assert thing(replace(NEW, what="")) == "db"
    assert one_row("a\nb") == "a␤b"


def test_every_kind_is_told_what_it_does() -> None:
    assert tuple(DOES) == get_args(BroughtKind)
