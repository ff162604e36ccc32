"""What the agent changed, and single changes taken back."""

from __future__ import annotations

import pytest

from agent_tui.protocol.queries import ChangeOf
from tests.engine.hindsight import Desk, at_desk, bash, edit, write
from tests.engine.sessions import Place, texts_of

pytestmark = pytest.mark.anyio

LONG = "".join(f"line {n}\n" for n in range(1, 31))


async def test_changes_are_listed_since_the_prompt_or_the_session(place: Place) -> None:
    a = place.write("src/a.py", "one\n")
    place.write("gone.txt", "gone\n")
    place.write("same.txt", "one\n")
    place.api.enqueue(
        edit(a, "one", "two"),
        edit(place.project / "same.txt", "one", "two"),
        edit(place.project / "same.txt", "two", "one"),
        "done",
        write(place.project / "new.txt", "a\nb\n"),
        bash("rm gone.txt"),
        "done",
    )

    async def body(desk: Desk) -> None:
        await desk.prompt("first")
        await desk.prompt("second")
        rows = (await desk.changes()).files
        assert [(row.shown, row.what, row.added, row.removed) for row in rows] == [
            ("gone.txt", "removed", 0, 1),
            ("new.txt", "created", 2, 0),
            ("src/a.py", "changed", 1, 1),
        ]
        since = await desk.changes("prompt")
        assert [row.shown for row in since.files] == ["gone.txt", "new.txt"]
        assert since.prompt == "second"

    await at_desk(place, body)


async def test_a_hunk_tells_the_turn_it_was_made_in(place: Place) -> None:
    a = place.write("a.txt", LONG)
    place.api.enqueue(
        edit(a, "line 3\n", "line three\n"),
        edit(a, "line 25\n", "line twenty-five\n"),
        "done",
        bash("echo more >> a.txt"),
        "done",
    )

    async def body(desk: Desk) -> None:
        await desk.prompt("first")
        change = await desk.change(a)
        assert [(origin.by, origin.turn) for origin in change.origins] == [("tool", 1), ("tool", 2)]
        assert change.lines == 30
        assert [hunk.new_start for hunk in change.display.hunks] == [1, 22]
        wide = await desk.change(a, context=50)
        assert len(wide.display.hunks) == 1
        await desk.prompt("second")
        assert [o.by for o in (await desk.change(a, "prompt")).origins] == ["command"]

    await at_desk(place, body)


async def test_one_hunk_is_taken_back_and_the_model_told(place: Place) -> None:
    a = place.project / "a.txt"
    a.write_bytes(LONG.replace("\n", "\r\n").encode())
    place.api.enqueue(
        edit(a, "line 3\n", "line three\n"), edit(a, "line 25\n", "line 2five\n"), "done", "ok"
    )

    async def body(desk: Desk) -> None:
        await desk.prompt("first")
        change = await desk.change(a)
        assert await desk.take_back(a, change.file.seen, 0) == ""
        text = a.read_bytes()
        assert b"line 3\r\n" in text
        assert b"line 2five\r\n" in text
        assert text.count(b"\r\n") == 30
        assert await desk.take_back(a, change.file.seen, 0) == (
            "The file has changed since this was shown; look at it again."
        )
        await desk.prompt("second")
        sent = place.api.messages[-1].messages
        told = "\n".join(
            text for message in sent for text in texts_of(message) if message["role"] == "user"
        )
        assert "took back a part of your change of a.txt" in told
        assert "+line three" in told

    await at_desk(place, body)


async def test_a_whole_file_is_taken_back_and_that_can_be_undone(place: Place) -> None:
    new = place.project / "new.txt"
    place.api.enqueue(write(new, "a\n"), "done")

    async def body(desk: Desk) -> None:
        uuid = await desk.prompt("first")
        change = await desk.change(new)
        assert await desk.take_back(new, change.file.seen) == ""
        assert not new.exists()
        assert (await desk.changes()).files == ()
        assert await desk.failure(ChangeOf(str(new))) == "This file is as it was."
        assert await desk.take_back(new, change.file.seen) == "This file is as it was."
        assert (await desk.plan(uuid)).files == ()

    await at_desk(place, body)


async def test_a_file_changed_by_hand_meanwhile_is_not_overwritten(place: Place) -> None:
    a = place.write("a.txt", "one\n")
    place.api.enqueue(edit(a, "one", "two"), "done")

    async def body(desk: Desk) -> None:
        await desk.prompt("first")
        seen = (await desk.change(a)).file.seen
        a.write_text("by hand\n")
        assert "has changed since" in await desk.take_back(a, seen)
        assert a.read_text() == "by hand\n"
        assert (await desk.change(a)).file.foreign

    await at_desk(place, body)


async def test_what_is_no_text_is_told_and_taken_back_whole(place: Place) -> None:
    binary = place.project / "b.bin"
    binary.write_bytes(b"\0\1\2")
    place.api.enqueue(bash("printf '\\0\\9' > b.bin"), "done")

    async def body(desk: Desk) -> None:
        await desk.prompt("first")
        change = await desk.change(binary)
        assert (change.file.note, change.display.hunks) == ("not text", ())
        assert await desk.take_back(binary, change.file.seen, 0) != ""
        assert await desk.take_back(binary, change.file.seen) == ""
        assert binary.read_bytes() == b"\0\1\2"

    await at_desk(place, body)


async def test_line_ends_alone_are_a_change_without_lines(place: Place) -> None:
    a = place.write("a.txt", "one\ntwo\n")
    place.api.enqueue(bash("printf 'one\\r\\ntwo\\r\\n' > a.txt"), bash("chmod 600 a.txt"), "done")

    async def body(desk: Desk) -> None:
        await desk.prompt("first")
        change = await desk.change(a)
        assert change.file.note == "line ends or encoding"
        assert await desk.take_back(a, change.file.seen) == ""
        assert a.read_bytes() == b"one\ntwo\n"

    await at_desk(place, body)


async def test_where_nothing_is_kept_that_is_said(place: Place) -> None:
    place.variables["CLAUDE_CODE_DISABLE_FILE_CHECKPOINTING"] = "1"
    a = place.write("a.txt", "one\n")
    place.api.enqueue(edit(a, "one", "two"), "done")

    async def body(desk: Desk) -> None:
        uuid = await desk.prompt("first")
        assert not (await desk.changes()).kept
        assert not (await desk.plan(uuid)).kept
        assert await desk.take_back(a, "x") == "What files were is not kept in this session."

    await at_desk(place, body)
    assert '"file-change"' not in next(place.home.glob(".agent-tui/projects/*/*.jsonl")).read_text()
