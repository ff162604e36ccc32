"""Read on real files."""

from __future__ import annotations

import io
import os
import resource
import time
from pathlib import Path

import pytest
from PIL import Image

from agent_tui.protocol.access import ReadPath
from agent_tui.protocol.display import FileDisplay
from agent_tui.protocol.ports import ToolLimits
from agent_tui.tools.base import InvalidInputError
from agent_tui.tools.builtin.read import TOOL as READ
from tests.tools.notebooks import code, jupyter, markdown, notebook
from tests.tools.place import Place

pytestmark = pytest.mark.anyio


async def test_lines_have_their_numbers(place: Place) -> None:
    (place.folder / "f").write_text("one\n\ntwo")
    output = await place.run(READ, file_path=str(place.folder / "f"))
    assert output.content == "1\tone\n2\t\n3\ttwo"
    assert output.is_error is None
    assert output.structured == {
        "type": "text",
        "file": {
            "filePath": str(place.folder / "f"),
            "content": "one\n\ntwo",
            "numLines": 3,
            "startLine": 1,
            "totalLines": 3,
        },
    }
    assert output.display == FileDisplay("f", 1, 3, 3)
    assert READ.access(READ.parse({"file_path": "f"}), place.folder) == ReadPath(
        str(place.folder / "f")
    )


async def test_a_long_file_is_read_page_by_page(place: Place) -> None:
    (place.folder / "f").write_text("".join(f"line {n}\n" for n in range(1, 3001)))
    text = await place.text(READ, file_path="f")
    assert text.splitlines()[1999] == "2000\tline 2000"
    assert text.endswith("[Lines 1 to 2,000 of 3,000. Go on with offset: 2001.]")
    rest = await place.text(READ, file_path="f", offset="2001")
    assert rest.splitlines()[0] == "2001\tline 2001"
    assert rest.splitlines()[-1] == "3000\tline 3000"
    part = await place.text(READ, file_path="f", offset=10, limit="2")
    assert part.startswith("10\tline 10\n11\tline 11\n\n[Lines 10 to 11 of 3,000.")


async def test_the_token_cap_is_told_with_the_way_to_go_on(place: Place) -> None:
    place = place.another(limits=ToolLimits(read_tokens=1_000))
    (place.folder / "f").write_text("x" * 99 + "\n" + ("y" * 99 + "\n") * 99)
    output = await place.run(READ, file_path="f")
    text = str(output.content)
    assert len(text) < 4_300
    assert "More would be over 1,000 tokens. Go on with offset: 39.]" in text
    assert isinstance(output.structured, dict)
    assert output.structured["file"]["truncatedByTokenCap"] is True


async def test_a_line_longer_than_a_page_is_cut_and_told(place: Place) -> None:
    place = place.another(limits=ToolLimits(read_tokens=100))
    (place.folder / "f").write_text("é" * 1_000 + "\nnext\n")
    text = await place.text(READ, file_path="f")
    assert "Line 1 is 1,000 characters long; only the first 200 are shown" in text
    assert "offset: 2" in text
    assert (await place.text(READ, file_path="f", offset=2)).startswith("2\tnext")


async def test_empty_files_and_offsets_past_the_end_are_no_errors(place: Place) -> None:
    (place.folder / "f").touch()
    output = await place.run(READ, file_path="f")
    assert output.is_error is None
    assert "empty" in str(output.content)
    (place.folder / "g").write_text("\n \n")
    assert "blank" in await place.text(READ, file_path="g")
    output = await place.run(READ, file_path="g", offset=7)
    assert output.is_error is None
    assert "2 lines" in str(output.content)


@pytest.mark.parametrize("device", ["/dev/zero", "p"])
async def test_e9_a_device_or_a_pipe_is_refused_at_once(place: Place, device: str) -> None:
    os.mkfifo(place.folder / "p")
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    begun = time.monotonic()
    output = await place.run(READ, file_path=device)
    assert time.monotonic() - begun < 1
    assert output.is_error
    assert "not a regular file" in str(output.content)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 20_000


async def test_what_cannot_be_read_says_why(place: Place) -> None:
    assert "folder" in await place.text(READ, file_path=".")
    (place.folder / "settings.py").touch()
    text = await place.text(READ, file_path="setings.py")
    assert "does not exist" in text
    assert f"Did you mean {place.folder}/settings.py?" in text
    (place.folder / "bin").write_bytes(b"\x7fELF\0\0")
    assert "binary" in await place.text(READ, file_path="bin")
    (place.folder / "doc").write_bytes(b"%PDF-1.7\n\0")
    assert "PDF" in await place.text(READ, file_path="doc")


async def test_p5_an_oversized_picture_is_shrunk(place: Place) -> None:
    noise = os.urandom(1_500 * 1_400 * 3)
    Image.frombytes("RGB", (1_500, 1_400), noise).save(place.folder / "big.png")
    assert (place.folder / "big.png").stat().st_size > 6_000_000
    output = await place.run(READ, file_path="big.png")
    assert isinstance(output.content, list)
    block, note = output.content
    assert block["type"] == "image"
    assert len(block["source"]["data"]) < 5 * 1024 * 1024
    assert block["source"]["media_type"] == "image/jpeg"
    assert "packed again as JPEG" in note["text"]
    assert isinstance(output.structured, dict)
    assert output.structured["type"] == "image"
    assert output.structured["file"]["originalSize"] > 6_000_000


async def test_p5_a_broken_picture_is_refused(place: Place) -> None:
    out = io.BytesIO()
    Image.new("RGB", (50, 50), "red").save(out, "PNG")
    (place.folder / "cut.png").write_bytes(out.getvalue()[:60])
    output = await place.run(READ, file_path="cut.png")
    assert output.is_error
    assert "broken" in str(output.content)
    (place.folder / "whole.png").write_bytes(out.getvalue())
    whole = await place.run(READ, file_path="whole.png")
    assert isinstance(whole.content, list)
    assert len(whole.content) == 1


async def test_p6_an_undecodable_name_can_be_given_back(place: Place) -> None:
    Path(os.fsdecode(os.fsencode(place.folder) + b"/\xff.txt")).write_text("found")
    output = await place.run(READ, file_path="\\xff.txt")
    assert output.content == "1\tfound"
    missing = await place.text(READ, file_path="f.txt")
    assert "\\xff.txt" in missing


async def test_p6_undecodable_bytes_are_shown_and_told(place: Place) -> None:
    (place.folder / "f").write_bytes(b"ok\nFoo\x99 bar \xed\xa0\xbd\n")
    text = await place.text(READ, file_path="f")
    assert "2\tFoo\ufffd bar \ufffd\ufffd\ufffd\n" in text
    assert "4 bytes of this file are not valid UTF-8" in text


@pytest.mark.parametrize("path", ["", "~/x", "a\0b", "\ud83d"])
def test_paths_that_cannot_be_meant_are_refused(path: str) -> None:
    with pytest.raises(InvalidInputError):
        READ.parse({"file_path": path})


async def test_a_notebook_is_shown_by_its_cells(place: Place) -> None:
    file = place.folder / "n.ipynb"
    file.write_text(jupyter(notebook(markdown("# Hi", "m"), code("1", "c"))))
    output = await place.run(READ, file_path="n.ipynb")
    assert output.content == "[cell m, markdown]\n# Hi\n\n[cell c, code]\n1\n[output]\nhi"
    assert isinstance(output.structured, dict)
    assert output.structured["type"] == "notebook"
    assert output.structured["file"]["filePath"] == str(file)
    assert [cell["cell_id"] for cell in output.structured["file"]["cells"]] == ["m", "c"]
    assert output.display == FileDisplay("n.ipynb", note="2 cells")
    seen = place.ports.files.recall(str(file))
    assert seen is not None and seen.whole


async def test_a_notebook_that_is_none_or_too_long_is_shown_as_text(place: Place) -> None:
    (place.folder / "n.ipynb").write_text("{}\n")
    assert await place.text(READ, file_path="n.ipynb") == "1\t{}"
    (place.folder / "n.ipynb").write_text(jupyter(notebook(code("x" * 500, "c"))))
    small = place.another(limits=ToolLimits(read_tokens=100))
    assert (await small.text(READ, file_path="n.ipynb")).startswith("1\t{")
    assert (await place.text(READ, file_path="n.ipynb", limit=1)).startswith("1\t{")
