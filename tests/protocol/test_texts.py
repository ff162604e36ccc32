"""Changing every text in plain data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from agent_tui.protocol.texts import map_texts


@dataclass(frozen=True)
class Thing:
    name: str
    parts: tuple[str, ...] = ()
    data: Any = None
    count: int = 0


def test_every_text_is_changed_however_deep() -> None:
    thing = Thing("a", ("b", "c"), {"k": ["d", {"e": "f"}], "n": 1}, 2)
    changed = map_texts(thing, str.upper)
    assert changed == Thing("A", ("B", "C"), {"K": ["D", {"E": "F"}], "N": 1}, 2)


def test_what_changes_nothing_gives_the_same_object() -> None:
    thing = Thing("a", ("b",))
    assert map_texts(thing, lambda text: text) is thing
    assert map_texts(("a", "b"), lambda text: text) == ("a", "b")
    assert map_texts(Thing, str.upper) is Thing


def test_texts_under_a_name_may_be_changed_by_it() -> None:
    data = {"password": "x", "list": ["y"], "n": None}
    changed = map_texts(data, str, lambda name, value: f"{name}:{value}")
    assert changed == {"password": "password:x", "list": ["y"], "n": None}
