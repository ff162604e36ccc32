"""What a folder brings, as it is told."""

from __future__ import annotations

from typing import get_args

from agent_tui.protocol.trust import KIND_WORDS, Brought, BroughtKind


def test_only_what_has_a_mark_needs_consent() -> None:
    assert Brought("hook", "Stop", "x", "mark").acts
    assert not Brought("memory", "AGENTS.md", "3 lines").acts


def test_every_kind_has_its_words() -> None:
    assert tuple(KIND_WORDS) == get_args(BroughtKind)
    assert all(one != several for one, several in KIND_WORDS.values())
