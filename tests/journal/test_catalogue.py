"""Which sessions there are."""

from __future__ import annotations

import os
import time
import uuid
from pathlib import Path

import pytest

from agent_tui.journal.catalogue import find, named, newest, sessions
from agent_tui.journal.codec import encode
from agent_tui.journal.entries import Origin, TitleEntry
from agent_tui.protocol.errors import SessionError
from agent_tui.settings.paths import Environment, journal, project_folder
from tests.journal.story import Story, text


@pytest.fixture
def env(home: Path) -> Environment:
    return Environment({}, home)


def write(
    env: Environment,
    cwd: Path,
    prompt: str,
    *,
    title: str = "",
    origin: Origin = "interactive",
    age: float = 0,
    folder: Path | None = None,
    session_id: str | None = None,
) -> str:
    """Write a session of one prompt that ended ``age`` seconds ago; give its id."""
    story = Story(str(cwd), session_id or str(uuid.uuid4()))
    story.started(origin)
    story.context()
    story.prompt(prompt)
    story.answer("m1", text(f"an answer to {prompt}"))
    if title:
        story.add(TitleEntry(story.header(), title))
    story.finished(cost=0.5)
    path = journal(env, folder or cwd, story.session_id)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"".join(encode(entry) for entry in story.entries))
    then = time.time() - age
    os.utime(path, (then, then))
    return story.session_id


def test_rows_are_newest_first_and_tell_what_the_picker_shows(
    env: Environment, tmp_path: Path
) -> None:
    old = write(env, tmp_path, "first prompt", title="My title", age=100)
    new = write(env, tmp_path, "second prompt")
    got = sessions(env, tmp_path)
    assert [row.session_id for row in got.rows] == [new, old]
    assert [row.title for row in got.rows] == ["second prompt", "My title"]
    row = got.rows[1]
    assert (row.first_prompt, row.cwd, row.branch) == ("first prompt", str(tmp_path), "main")
    assert (row.cost_usd, row.prompts) == (0.5, 1)
    assert row.size == journal(env, tmp_path, old).stat().st_size
    assert abs(row.modified - (time.time() - 100)) < 10


def test_h4_projects_that_share_a_folder_find_only_their_own(
    env: Environment, tmp_path: Path
) -> None:
    places = [tmp_path / "a-b" / "c", tmp_path / "a" / "b-c", tmp_path / "a" / "b" / "c"]
    ids: list[str] = []
    for age, place in enumerate(places):
        place.mkdir(parents=True)
        ids.append(write(env, place, f"in {place}", age=age))
    assert len({project_folder(env, place) for place in places}) == 1
    for place, session_id in zip(places, ids, strict=True):
        assert [row.session_id for row in sessions(env, place).rows] == [session_id]
        found = newest(env, place, with_print=False)
        assert found is not None
        assert found.path.stem == session_id
    assert {row.session_id for row in sessions(env, tmp_path, all_projects=True).rows} == set(ids)


def test_h4_a_link_to_the_project_is_the_project(env: Environment, tmp_path: Path) -> None:
    real = tmp_path / "real"
    real.mkdir()
    (tmp_path / "link").symlink_to(real)
    session_id = write(env, real, "hi")
    assert [row.session_id for row in sessions(env, tmp_path / "link").rows] == [session_id]


def test_continue_of_a_screen_skips_what_print_mode_made(env: Environment, tmp_path: Path) -> None:
    asked = write(env, tmp_path, "asked on the screen", age=50)
    printed = write(env, tmp_path, "asked by a script", origin="print")
    screen, script = (newest(env, tmp_path, with_print=flag) for flag in (False, True))
    assert screen is not None
    assert script is not None
    assert (screen.path.stem, script.path.stem) == (asked, printed)
    assert newest(env, tmp_path / "elsewhere", with_print=True) is None


def test_sessions_in_which_nothing_was_said_are_hidden(env: Environment, tmp_path: Path) -> None:
    story = Story(str(tmp_path))
    story.started()
    path = journal(env, tmp_path, "empty")
    path.parent.mkdir(parents=True)
    path.write_bytes(b"".join(encode(entry) for entry in story.entries))
    (path.parent / "junk.jsonl").write_bytes(b"\x00\xff{{{\n")
    (path.parent / "other.txt").write_text("no session")
    assert sessions(env, tmp_path).rows == ()
    assert newest(env, tmp_path, with_print=True) is None


def test_a_search_finds_what_was_said_and_shows_the_place(env: Environment, tmp_path: Path) -> None:
    write(env, tmp_path, "about the Frobnicator, please")
    write(env, tmp_path, "something else", title="frobnicator notes", age=10)
    write(env, tmp_path, "neither", age=20)
    got = sessions(env, tmp_path, search="FROBNICATOR").rows
    assert [row.title for row in got] == ["about the Frobnicator, please", "frobnicator notes"]
    assert "about the Frobnicator" in got[0].excerpt
    assert got[1].excerpt == ""
    assert sessions(env, tmp_path, search="isSidechain").rows == (), "only what was said counts"


def test_the_limit_leaves_the_oldest_out_and_counts_them(env: Environment, tmp_path: Path) -> None:
    for age in range(5):
        write(env, tmp_path, f"p{age}", age=age)
    got = sessions(env, tmp_path, limit=2)
    assert [row.first_prompt for row in got.rows] == ["p0", "p1"]
    assert got.more == 3


def test_a_session_is_found_by_id_anywhere(env: Environment, tmp_path: Path) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    for place in (here, there):
        place.mkdir()
    one = write(env, there, "hi")
    assert find(env, one, here) == journal(env, there, one)
    both = write(env, here, "hi", session_id=one)
    assert find(env, both, here) == journal(env, here, one), "this project's own goes first"
    with pytest.raises(SessionError, match="Several projects"):
        find(env, one)
    with pytest.raises(SessionError, match="There is no session"):
        find(env, "0" * 8, here)
    with pytest.raises(SessionError, match="is no session id"):
        find(env, "../../etc/passwd", here)


def test_h5_a_moved_project_s_session_is_found_by_id_and_among_all(
    env: Environment, tmp_path: Path
) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    old.mkdir()
    session_id = write(env, old, "hi")
    old.rename(new)
    assert find(env, session_id, new).stem == session_id
    rows = sessions(env, new, all_projects=True).rows
    assert [(row.session_id, row.cwd) for row in rows] == [(session_id, str(old))]
    assert not old.exists()


def test_long_folder_names_of_other_programs_are_found(env: Environment, tmp_path: Path) -> None:
    deep = tmp_path.joinpath(*(["d" * 60] * 4))
    deep.mkdir(parents=True)
    session_id = write(env, deep, "hi")
    folder = project_folder(env, deep)
    folder.rename(folder.with_name(folder.name[:200] + "-otherhash"))
    assert [row.session_id for row in sessions(env, deep).rows] == [session_id]


def test_thousands_of_sessions_are_listed_fast(env: Environment, tmp_path: Path) -> None:
    first = write(env, tmp_path, "one of many")
    data = journal(env, tmp_path, first).read_bytes()
    folder = project_folder(env, tmp_path)
    for _ in range(3000):
        (folder / f"{uuid.uuid4()}.jsonl").write_bytes(data)
    got = sessions(env, tmp_path)
    assert (len(got.rows), got.more) == (200, 2801)

    def seconds() -> float:
        started = time.process_time()
        sessions(env, tmp_path)
        return time.process_time() - started

    assert min(seconds() for _ in range(3)) < 0.2


def test_a_title_names_a_session_here_before_elsewhere(env: Environment, tmp_path: Path) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    here.mkdir()
    there.mkdir()
    one = write(env, here, "a", title="plan")
    other = write(env, there, "b", title="plan")
    assert named(env, here, "plan").stem == one
    assert named(env, there, "plan").stem == other
    write(env, there, "c", title="elsewhere")
    assert named(env, here, "elsewhere").parent.name.endswith("there")


def test_a_title_of_several_or_none_is_refused(env: Environment, tmp_path: Path) -> None:
    one = write(env, tmp_path, "a", title="plan")
    two = write(env, tmp_path, "b", title="plan")
    with pytest.raises(SessionError) as raised:
        named(env, tmp_path, "plan")
    assert one in str(raised.value)
    assert two in str(raised.value)
    with pytest.raises(SessionError, match="no session 'pla'"):
        named(env, tmp_path, "pla")
    with pytest.raises(SessionError, match="no session 'a'"):
        named(env, tmp_path, "a")
