"""Edit on real files."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

from agent_tui.protocol.access import WritePath
from agent_tui.protocol.display import DiffDisplay
from agent_tui.tools.builtin.edit import TOOL as EDIT
from agent_tui.tools.builtin.read import TOOL as READ
from tests.tools.place import Place

pytestmark = pytest.mark.anyio


async def edited(place: Place, before: bytes, old: str, new: str, **more: object) -> bytes:
    file = place.folder / "f.txt"
    file.write_bytes(before)
    output = await place.run(EDIT, file_path="f.txt", old_string=old, new_string=new, **more)
    assert output.is_error is None, output.content
    return file.read_bytes()


async def test_e1_crlf_line_ends_stay(place: Place) -> None:
    before = b"a = 1\r\nb = 2\r\nc = 3\r\n"
    after = await edited(place, before, "a = 1\nb = 2", "a = 1\nb = 20")
    assert after == b"a = 1\r\nb = 20\r\nc = 3\r\n"


async def test_e1_no_extra_blank_line_when_both_texts_end_a_line(place: Place) -> None:
    after = await edited(place, b"a\r\nb\r\nc\r\n", "a\nb\n", "x\ny\nz\n")
    assert after == b"x\r\ny\r\nz\r\nc\r\n"


async def test_e1_a_text_with_crlf_of_its_own_is_found(place: Place) -> None:
    assert await edited(place, b"a\r\nb\r\n", "a\r\nb", "a\r\nc") == b"a\r\nc\r\n"
    assert await edited(place, b"a\nb\n", "a\r\nb", "a\r\nc\r\nd") == b"a\nc\nd\n"


async def test_e1_other_lines_of_a_mixed_file_keep_their_ends(place: Place) -> None:
    before = b"one\r\ntwo\nthree\r\nfour\n"
    after = await edited(place, before, "one\ntwo\nthree\nfour", "one\ntwo\n3\nfour")
    assert after == b"one\r\ntwo\n3\r\nfour\n"


async def test_e2_a_legacy_byte_elsewhere_survives(place: Place) -> None:
    lines = [b"alpha", *[b"line"] * 997, b"Foo\x99 bar", b"end"]
    after = await edited(place, b"\n".join(lines), "alpha", "beta")
    assert after == b"\n".join([b"beta", *lines[1:]])
    assert b"\xef\xbf\xbd" not in after


async def test_e2_a_text_with_such_a_byte_is_refused_with_the_reason(place: Place) -> None:
    file = place.folder / "f"
    file.write_bytes(b"Foo\x99 bar")
    text = await place.text(EDIT, file_path="f", old_string="Foo\ufffd bar", new_string="x")
    assert "not valid UTF-8" in text
    assert file.read_bytes() == b"Foo\x99 bar"


async def test_e3_a_curly_quote_is_not_a_straight_one(place: Place) -> None:
    before = "Test d\u2019apostrophe".encode()
    assert await edited(place, before, "\u2019", "'") == b"Test d'apostrophe"


async def test_e3_the_other_quote_is_told_and_not_taken(place: Place) -> None:
    file = place.folder / "f"
    file.write_text("d\u2019or")
    text = await place.text(EDIT, file_path="f", old_string="d'or", new_string="x")
    assert "other quotes" in text
    assert file.read_text() == "d\u2019or"


async def test_e4_a_link_stays_a_link(place: Place) -> None:
    (place.folder / "real.txt").write_text("one two\n")
    link = place.folder / "link.txt"
    link.symlink_to("real.txt")
    await place.run(EDIT, file_path="link.txt", old_string="two", new_string="2")
    assert link.is_symlink()
    assert (place.folder / "real.txt").read_text() == "one 2\n"


async def test_e5_the_execute_bit_stays(place: Place) -> None:
    script = place.folder / "run.sh"
    script.write_text("#!/bin/sh\necho before\n")
    script.chmod(0o755)
    await place.run(EDIT, file_path="run.sh", old_string="before", new_string="after")
    assert script.stat().st_mode & 0o7777 == 0o755
    assert subprocess.run([str(script)], capture_output=True, check=True).stdout == b"after\n"


async def test_e7_a_touched_file_is_edited_without_a_word(place: Place) -> None:
    file = place.folder / "f"
    file.write_text("a\nb\nthird\n")
    await place.run(READ, file_path="f")
    os.utime(file, (1, 1))
    text = await place.text(EDIT, file_path="f", old_string="third", new_string="3rd")
    assert "changed" not in text
    assert file.read_text() == "a\nb\n3rd\n"


async def test_e7_an_edit_far_from_a_change_succeeds_and_tells_of_it(place: Place) -> None:
    lines = [f"line {n}" for n in range(1, 61)]
    file = place.folder / "f"
    file.write_text("\n".join(lines) + "\n")
    await place.run(READ, file_path="f")
    lines[49] = "formatted 50"
    file.write_text("\n".join(lines) + "\n")
    output = await place.run(EDIT, file_path="f", old_string="line 3\n", new_string="LINE 3\n")
    assert output.is_error is None
    assert "also changed at line 50." in str(output.content)
    assert not re.search(r"(?i)\b(user|you|person|someone|somebody|linter)\b", str(output.content))
    assert file.read_text().splitlines()[2] == "LINE 3"
    assert file.read_text().splitlines()[49] == "formatted 50"
    again = await place.text(EDIT, file_path="f", old_string="line 4\n", new_string="LINE 4\n")
    assert "changed" not in again


async def test_e7_after_a_resume_only_the_fact_is_told(place: Place) -> None:
    file = place.folder / "f"
    file.write_text("one\ntwo\n")
    await place.run(READ, file_path="f")
    remembered = place.ports.files.seen()
    resumed = place.another()
    for path, seen in remembered.items():
        resumed.ports.files.remember(path, type(seen)(seen.digest, seen.total_lines, seen.ranges))
    file.write_text("one\nother\n")
    text = await resumed.text(EDIT, file_path="f", old_string="one", new_string="1")
    assert "bytes changed since it was last read" in text


async def test_e8_the_new_text_is_taken_as_it_is(place: Place) -> None:
    new = "\\1 \\g<0> $& $$ $`"
    assert await edited(place, b'log("done");', 'log("done");', new) == new.encode()


async def test_e8_the_old_text_is_no_pattern(place: Place) -> None:
    assert await edited(place, b"xyy\nx.*y\n", "x.*y", "z") == b"xyy\nz\n"


async def test_an_edit_is_unique_or_of_all(place: Place) -> None:
    (place.folder / "f").write_text("a\nb\na\n")
    text = await place.text(EDIT, file_path="f", old_string="a", new_string="c")
    assert "2 times" in text
    assert "lines 1, 3" in text
    output = await place.run(
        EDIT, file_path="f", old_string="a", new_string="c", replace_all="true"
    )
    assert (place.folder / "f").read_text() == "c\nb\nc\n"
    assert "in 2 places" in str(output.content)


@pytest.mark.parametrize(
    ("old", "told"),
    [
        ("1\tdef f():", "line numbers"),
        ("def f():\n  return 1", "line 1 the same text stands with other white space"),
        ("return 2", ""),
    ],
)
async def test_what_is_not_found_is_explained(place: Place, old: str, told: str) -> None:
    (place.folder / "f").write_text("def f():\n    return 1\n")
    output = await place.run(EDIT, file_path="f", old_string=old, new_string="new")
    assert output.is_error
    assert "not found" in str(output.content)
    assert told in str(output.content)


async def test_text_that_is_nowhere_near_says_what_to_do(place: Place) -> None:
    (place.folder / "f.txt").write_text("one\ntwo\n")
    output = await place.run(EDIT, file_path="f.txt", old_string="zzzzzz qqqqq", new_string="x")
    assert output.is_error
    assert "Read the file again" in str(output.content)


async def test_nothing_to_change_is_an_error(place: Place) -> None:
    (place.folder / "f").write_text("a")
    assert "nothing would change" in await place.text(
        EDIT, file_path="f", old_string="a", new_string="a"
    )


async def test_an_empty_old_text_makes_a_file_and_never_empties_one(place: Place) -> None:
    await place.run(EDIT, file_path="new/f", old_string="", new_string="hello\n")
    assert (place.folder / "new/f").read_text() == "hello\n"
    text = await place.text(EDIT, file_path="new/f", old_string="", new_string="bye\n")
    assert "not empty" in text
    assert (place.folder / "new/f").read_text() == "hello\n"


async def test_a_missing_file_and_a_binary_one_are_refused(place: Place) -> None:
    assert "does not exist" in await place.text(
        EDIT, file_path="none", old_string="a", new_string="b"
    )
    (place.folder / "bin").write_bytes(b"a\0b")
    assert "binary" in await place.text(EDIT, file_path="bin", old_string="a", new_string="b")


async def test_utf16_and_marks_are_kept(place: Place) -> None:
    before = b"\xff\xfe" + "größe\r\nzwei\r\n".encode("utf-16-le")
    after = await edited(place, before, "zwei", "drei\nvier")
    assert after == b"\xff\xfe" + "größe\r\ndrei\r\nvier\r\n".encode("utf-16-le")
    assert await edited(place, b"\xef\xbb\xbfx = 1\n", "x = 1", "x = 2") == b"\xef\xbb\xbfx = 2\n"


async def test_the_question_shows_the_change_and_makes_none(place: Place) -> None:
    file = place.folder / "auth.py"
    body = "class Session:\n    def refresh(self):\n        a = 1\n        return a\n"
    file.write_text(body)
    args = EDIT.parse({"file_path": str(file), "old_string": "a = 1", "new_string": "a = 2"})
    display = await EDIT.proposal(args, place.call())
    assert isinstance(display, DiffDisplay)
    assert (display.path, display.added, display.removed) == ("auth.py", 1, 1)
    assert display.hunks[0].heading == "class Session · refresh"
    assert file.read_text() == body
    assert EDIT.access(args, place.folder) == WritePath(str(file))
    wrong = EDIT.parse({"file_path": str(file), "old_string": "zz", "new_string": "a = 2"})
    assert await EDIT.proposal(wrong, place.call()) == EDIT.preview(wrong, place.folder)


async def test_the_structured_output_has_the_documented_keys(place: Place) -> None:
    (place.folder / "f").write_text("a\nb\n")
    output = await place.run(EDIT, file_path="f", old_string="b", new_string="c")
    assert output.structured == {
        "filePath": str(place.folder / "f"),
        "oldString": "b",
        "newString": "c",
        "originalFile": "a\nb\n",
        "structuredPatch": [
            {
                "oldStart": 1,
                "oldLines": 2,
                "newStart": 1,
                "newLines": 2,
                "lines": [" a", "-b", "+c"],
            }
        ],
        "userModified": False,
        "replaceAll": False,
    }


async def test_a_file_name_that_is_no_text_can_be_given_back(place: Place) -> None:
    Path(os.fsdecode(os.fsencode(place.folder) + b"/\xff.txt")).write_text("a")
    output = await place.run(EDIT, file_path="\\xff.txt", old_string="a", new_string="b")
    assert "\\xff.txt" in str(output.content)
    assert Path(os.fsdecode(os.fsencode(place.folder) + b"/\xff.txt")).read_text() == "b"
