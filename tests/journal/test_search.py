"""Looking for a text in what was said."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent_tui.journal.codec import encode
from agent_tui.journal.search import MOST_PLACES, NOWHERE, places_of
from tests.journal.story import Story, call, text


@pytest.fixture
def session(tmp_path: Path) -> Path:
    story = Story()
    story.context("nobody said Quux")
    story.prompt('He wrote "quoted\\text" and Straße')
    story.answer(
        "m1",
        text(
            "An Answer that is long enough, I hope, to be cut on both of its sides, the first one and the one that comes last"
        ),
    )
    story.answer("m2", call("a", "Bash", command="make frobnicate", env={"deep": ["needle"]}))
    story.result("a", [text("built in 3 s")])
    path = tmp_path / "s.jsonl"
    path.write_bytes(b"".join(encode(entry) for entry in story.entries) + b'{"torn built')
    return path


@pytest.mark.parametrize(
    ("wanted", "shown"),
    [
        ("I HOPE", "I hope, to be cut on"),
        ('"QUOTED\\text"', '"quoted\\text"'),
        ("straße", "Straße"),
        ("Frobnicate", "make frobnicate"),
        ("needle", "needle"),
        ("Built in", "built in 3 s"),
    ],
)
def test_it_is_found_in_any_case_with_what_stands_around_it(
    session: Path, wanted: str, shown: str
) -> None:
    found = places_of(session, wanted)
    assert found.count == 1
    assert shown in found.newest


@pytest.mark.parametrize("wanted", ["Quux", "parentUuid", "0.1.0", "tool_use_id", "not there"])
def test_what_was_not_said_is_not_found(session: Path, wanted: str) -> None:
    assert places_of(session, wanted) == NOWHERE


def test_long_texts_are_cut_with_marks(session: Path) -> None:
    found = places_of(session, "both of its").newest
    assert found.startswith("…")
    assert found.endswith("…")
    assert len(found) < 100


def test_only_the_newest_part_is_looked_at_when_there_is_little_room(session: Path) -> None:
    assert places_of(session, "built in", 900).count == 1
    assert places_of(session, "quoted", 900) == NOWHERE
    assert places_of(session.parent / "missing", "x") == NOWHERE


def test_every_place_is_counted_up_to_a_bound(session: Path) -> None:
    assert places_of(session, "needle").count == 1
    assert places_of(session, "the").count == 2
    story = Story()
    story.prompt("plum " * 70)
    story.prompt("another PLUM, " * 70)
    session.write_bytes(b"".join(encode(entry) for entry in story.entries))
    found = places_of(session, "plum")
    assert found.count == MOST_PLACES
    assert found.newest.startswith("another PLUM")
