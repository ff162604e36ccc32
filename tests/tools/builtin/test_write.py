"""Write on real files."""

from __future__ import annotations

import pytest

from agent_tui.protocol.access import WritePath
from agent_tui.protocol.display import DiffDisplay
from agent_tui.tools.builtin.edit import TOOL as EDIT
from agent_tui.tools.builtin.read import TOOL as READ
from agent_tui.tools.builtin.write import TOOL as WRITE
from tests.tools.place import Place

pytestmark = pytest.mark.anyio


async def test_e3_a_curly_quote_is_written_as_it_is(place: Place) -> None:
    await place.run(WRITE, file_path="f", content="d\u2019or")
    assert (place.folder / "f").read_bytes() == b"d\xe2\x80\x99or"


async def test_e4_writing_through_a_link_changes_what_it_points_to(place: Place) -> None:
    real, link = place.folder / "real.txt", place.folder / "link.txt"
    real.write_text("old")
    link.symlink_to("real.txt")
    await place.run(READ, file_path="link.txt")
    output = await place.run(WRITE, file_path="link.txt", content="new")
    assert output.is_error is None
    assert link.is_symlink()
    assert real.read_text() == "new"
    args = WRITE.parse({"file_path": "link.txt", "content": "x"})
    # The path is given unresolved; who judges it asks for the real one.
    assert WRITE.access(args, place.folder) == WritePath(str(link))


async def test_e4_a_link_to_nothing_makes_the_file_it_points_to(place: Place) -> None:
    link = place.folder / "link"
    link.symlink_to("later")
    await place.run(WRITE, file_path="link", content="x")
    assert link.is_symlink()
    assert (place.folder / "later").read_text() == "x"


async def test_e6_what_others_saved_meanwhile_is_not_overwritten(place: Place) -> None:
    notes = place.folder / "notes.md"
    notes.write_text("one\n")
    await place.run(READ, file_path="notes.md")
    with notes.open("a") as file:
        file.write("theirs\n")
    output = await place.run(WRITE, file_path="notes.md", content="one\ntwo\n")
    assert output.is_error
    assert "changed since you read it" in str(output.content)
    assert "line 2" in str(output.content)
    assert notes.read_text() == "one\ntheirs\n"
    await place.run(READ, file_path="notes.md")
    await place.run(WRITE, file_path="notes.md", content="one\ntheirs\ntwo\n")
    assert notes.read_text() == "one\ntheirs\ntwo\n"


async def test_what_was_never_read_is_not_overwritten(place: Place) -> None:
    (place.folder / "f").write_text("theirs")
    output = await place.run(WRITE, file_path="f", content="mine")
    assert output.is_error
    assert "read it first" in str(output.content)
    assert (place.folder / "f").read_text() == "theirs"


async def test_what_was_read_in_part_is_not_overwritten_until_all_was(place: Place) -> None:
    (place.folder / "f").write_text("a\nb\nc\nd\n")
    await place.run(READ, file_path="f", limit=2)
    refused = await place.text(WRITE, file_path="f", content="x")
    assert "lines 1-2 of 4" in refused
    await place.run(READ, file_path="f", offset=3)
    assert (await place.run(WRITE, file_path="f", content="x")).is_error is None


async def test_its_own_file_is_known(place: Place) -> None:
    await place.run(WRITE, file_path="f", content="one\n")
    await place.run(EDIT, file_path="f", old_string="one", new_string="two")
    output = await place.run(WRITE, file_path="f", content="three\n")
    assert output.is_error is None
    assert (place.folder / "f").read_text() == "three\n"


async def test_an_edit_of_an_unread_file_does_not_make_it_known(place: Place) -> None:
    (place.folder / "f").write_text("one\nsecret plan\n")
    await place.run(EDIT, file_path="f", old_string="one", new_string="two")
    assert (await place.run(WRITE, file_path="f", content="x")).is_error
    (place.folder / "g").write_text("one\nmore\n")
    await place.run(READ, file_path="g")
    (place.folder / "g").write_text("one\nmore\ntheirs\n")
    await place.run(EDIT, file_path="g", old_string="one", new_string="two")
    assert (await place.run(WRITE, file_path="g", content="x")).is_error


async def test_an_empty_file_has_nothing_to_lose(place: Place) -> None:
    (place.folder / "f").touch()
    assert (await place.run(WRITE, file_path="f", content="x")).is_error is None


async def test_line_ends_and_marks_of_a_replaced_file_stay(place: Place) -> None:
    file = place.folder / "f"
    file.write_bytes(b"\xef\xbb\xbfa\r\nb\r\n")
    await place.run(READ, file_path="f")
    await place.run(WRITE, file_path="f", content="a\nc\n")
    assert file.read_bytes() == b"\xef\xbb\xbfa\r\nc\r\n"


async def test_folders_are_made_and_a_folder_is_not_written(place: Place) -> None:
    output = await place.run(WRITE, file_path="a/b/c.txt", content="x\n")
    assert output.structured == {
        "type": "create",
        "filePath": str(place.folder / "a/b/c.txt"),
        "content": "x\n",
        "structuredPatch": [],
        "originalFile": None,
        "userModified": False,
    }
    assert isinstance(output.display, DiffDisplay)
    assert output.display.created
    assert "folder" in await place.text(WRITE, file_path="a", content="x")


async def test_the_question_shows_what_would_be_lost(place: Place) -> None:
    (place.folder / "f").write_text("a\nb\n")
    args = WRITE.parse({"file_path": "f", "content": "a\n"})
    display = await WRITE.proposal(args, place.call())
    assert isinstance(display, DiffDisplay)
    assert display.hunks[0].lines == (" a", "-b")
    assert not display.created
