"""Which journal a session writes to."""

from __future__ import annotations

import json
import os
import tempfile
from dataclasses import replace
from pathlib import Path

import pytest

from agent_tui.engine.chosen import Chosen
from agent_tui.engine.sessions import choose
from agent_tui.protocol.errors import SessionError, UsageError
from agent_tui.settings.options import SessionOptions
from tests.engine.sessions import Place
from tests.fakes.api_server import reply, tool

pytestmark = pytest.mark.anyio
ID = "22222222-2222-4222-8222-222222222222"


def take(place: Place, **wanted: object) -> Chosen:
    options = SessionOptions(**wanted)  # pyright: ignore[reportArgumentType]
    return choose(place.env, place.project, options, lambda state: None)


def test_a_new_session_is_not_on_disk_until_something_is_said(place: Place) -> None:
    chosen = take(place, session_id=ID)
    assert (chosen.session_id, chosen.how) == (ID, "startup")
    assert chosen.journal.path.stem == ID
    assert not chosen.journal.path.exists()
    assert take(place).session_id != take(place).session_id
    assert not (place.home / ".agent-tui").exists()


async def test_an_id_that_is_taken_is_refused(place: Place) -> None:
    place.api.enqueue("ok")
    named = replace(place, options=replace(place.options, session=SessionOptions(session_id=ID)))
    assert (await named.talk("hi")).session_id == ID
    with pytest.raises(SessionError, match=ID):
        take(place, session_id=ID)


async def test_a_resumed_session_comes_with_its_fold(place: Place) -> None:
    place.api.enqueue("ok")
    talk = await place.talk("remember the plum")
    chosen = take(place, resume=talk.session_id)
    assert chosen.how == "resume"
    assert chosen.conversation.first_prompt == "remember the plum"
    assert chosen.damaged == 0
    chosen.journal.close()


async def test_h2_a_session_is_held_by_one_at_a_time(place: Place) -> None:
    place.api.enqueue("ok")
    talk = await place.talk("hi")
    held = take(place, resume=talk.session_id)
    with pytest.raises(SessionError, match="in use"):
        take(place, resume=talk.session_id)
    held.journal.close()
    take(place, resume=talk.session_id).journal.close()


async def test_continue_takes_the_newest_here(place: Place) -> None:
    place.api.enqueue("one", "two")
    old, new = await place.talk("a"), await place.talk("b")
    os.utime(old.journal, (1, 1))
    chosen = take(place, continue_newest=True)
    assert chosen.session_id == new.session_id
    chosen.journal.close()
    os.utime(new.journal, (0, 0))
    chosen = take(place, continue_newest=True)
    assert chosen.session_id == old.session_id
    chosen.journal.close()


async def test_a_screen_does_not_continue_what_print_mode_made(place: Place) -> None:
    place.api.enqueue("ok")
    printing = replace(place, options=replace(place.options, interactive=False))
    made = await printing.talk("hi")
    with pytest.raises(SessionError, match="no session to continue"):
        take(place, continue_newest=True)
    chosen = take(place, continue_newest=True, from_print=True)
    assert chosen.session_id == made.session_id
    chosen.journal.close()


async def test_h4_folders_that_share_a_key_do_not_share_sessions(
    place: Place, tmp_path: Path
) -> None:
    for name in ("a-b/c", "a/b-c", "a/b/c"):
        (tmp_path / name).mkdir(parents=True)
    place.api.enqueue("ok")
    one = replace(place, options=replace(place.options, cwd=str(tmp_path / "a-b/c")))
    await one.talk("hi")
    for name in ("a/b-c", "a/b/c"):
        with pytest.raises(SessionError):
            choose(
                place.env,
                tmp_path / name,
                SessionOptions(continue_newest=True),
                lambda state: None,
            )


@pytest.mark.parametrize("name", [ID, "../../etc/passwd", "", "x" * 300])
def test_no_such_session_says_so(place: Place, name: str) -> None:
    with pytest.raises(SessionError):
        take(place, resume=name or "no/such")


async def test_h1_damaged_lines_are_counted_and_the_next_line_stands_on_its_own(
    place: Place,
) -> None:
    place.api.enqueue("one", "two")
    talk = await place.talk("hi")
    with talk.journal.open("ab") as file:
        file.write(b'{"type": "user", "message": {"role": "us')
    again = await place.resuming(talk.session_id).talk("and on")
    assert any("1 damaged record was skipped" in notice for notice in again.notices)
    last = take(place, resume=talk.session_id)
    assert last.damaged == 1
    assert last.conversation.prompts == 2
    last.journal.close()
    good = [line for line in talk.journal.read_bytes().splitlines() if not line.endswith(b'"us')]
    assert all(json.loads(line) for line in good)


@pytest.mark.parametrize(
    ("wanted", "why"),
    [
        ({"session_id": "mine"}, "UUID"),
        ({"session_id": ID, "resume": ID}, "--fork-session"),
        ({"session_id": ID, "continue_newest": True}, "--fork-session"),
        ({"resume": ID, "continue_newest": True}, "exclude"),
        ({"resume_at": ID}, "--resume-session-at"),
        ({"resume": ID, "drops_turn": ID}, "--resume-drops-turn"),
    ],
)
def test_what_makes_no_sense_together_is_refused(
    place: Place, wanted: dict[str, object], why: str
) -> None:
    with pytest.raises(UsageError, match=why):
        take(place, **wanted)


async def test_a_session_is_found_by_its_title_and_in_every_project(
    place: Place, tmp_path: Path
) -> None:
    place.api.enqueue("one", "two")
    named = replace(place, options=replace(place.options, session=SessionOptions(title="plan b")))
    made = await named.talk("hi")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    for name in (made.session_id, "plan b"):
        chosen = choose(place.env, elsewhere, SessionOptions(resume=name), lambda state: None)
        assert chosen.session_id == made.session_id
        chosen.journal.close()
    other = await named.talk("hi again")
    with pytest.raises(SessionError, match="Several sessions") as raised:
        take(place, resume="plan b")
    assert made.session_id in str(raised.value)
    assert other.session_id in str(raised.value)


def test_an_unknown_id_says_what_to_do(place: Place) -> None:
    with pytest.raises(SessionError, match=f"no session {ID}.*--resume without an id"):
        take(place, resume=ID)


def files_of(place: Place) -> list[str]:
    """Everything below the home, by name."""
    return sorted(str(path.relative_to(place.home)) for path in place.home.rglob("*"))


async def test_a_session_that_is_not_kept_leaves_nothing(place: Place, clean_room: Path) -> None:
    room = clean_room / "tmp"
    room.mkdir()
    seen: list[list[str]] = []
    place.api.enqueue(reply(tool("Bash", command="seq 1 60000")), "long", "fresh")
    unkept = replace(place, options=replace(place.options, session=SessionOptions(persist=False)))
    before = files_of(place)

    def watch(message: object, send: object) -> None:
        seen.append([path.name for path in room.rglob("*.txt")])

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tempfile, "tempdir", str(room))
        talk = await unkept.talk("count", "/clear", "and on", during=watch)
    assert talk.texts == ["long", "fresh"]
    assert any(seen), "the long output was in a file while the session went"
    assert list(room.iterdir()) == []
    assert files_of(place) == before
    assert not talk.journal.exists()


async def test_a_kept_session_can_go_on_unkept(place: Place) -> None:
    place.api.enqueue("one", "two")
    talk = await place.talk("remember the plum")
    before = talk.journal.read_bytes(), files_of(place)
    session = SessionOptions(resume=talk.session_id, persist=False)
    on = await replace(place, options=replace(place.options, session=session)).talk("on")
    assert on.session_id == talk.session_id
    assert "remember the plum" in str(place.api.messages[-1].messages)
    assert (talk.journal.read_bytes(), files_of(place)) == before


def test_a_session_that_can_not_be_had_leaves_no_folder(place: Place, clean_room: Path) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tempfile, "tempdir", str(clean_room))
        before = list(clean_room.iterdir())
        with pytest.raises(SessionError):
            take(place, resume=ID, persist=False)
        assert list(clean_room.iterdir()) == before
