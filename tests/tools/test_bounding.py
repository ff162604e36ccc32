"""Results too long to return."""

from __future__ import annotations

import stat
from dataclasses import replace
from pathlib import Path

import pytest

from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.ports import ToolLimits
from agent_tui.tools.base import ToolOutput
from agent_tui.tools.bounding import MOST_CHARS, PREVIEW_CHARS, bounded
from tests.tools.place import Place, require_sendable

pytestmark = pytest.mark.anyio


async def test_a_result_within_the_limit_stays_as_it_is(place: Place) -> None:
    output = ToolOutput("x" * 100, structured={"text": "x" * 100})
    assert await bounded(output, place.call(), 100) is output
    assert await bounded(output, place.call(), None) is output
    assert not place.spill.exists()


async def test_m6_a_huge_result_stands_in_a_file_and_is_shown_by_its_beginning(
    place: Place,
) -> None:
    text = "start " + "x" * 300_000
    output = await bounded(ToolOutput(text, structured={"text": text}), place.call(), None)
    require_sendable(output)
    kept = place.spill / "t1.txt"
    assert kept.read_text() == text
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert isinstance(output.content, str)
    assert str(kept) in output.content
    assert "start x" in output.content
    assert len(output.content) < PREVIEW_CHARS + 500
    assert output.structured == {
        "persistedOutputPath": str(kept),
        "persistedOutputSize": len(text),
    }


async def test_the_usual_limit_follows_the_session(place: Place) -> None:
    here = place.another(limits=ToolLimits(result_tokens=10))
    output = await bounded(ToolOutput("x" * 41), here.call(), None)
    assert "41 characters" in str(output.content)


async def test_no_tool_may_ask_for_more_than_can_be_borne(place: Place) -> None:
    output = await bounded(ToolOutput("x" * (MOST_CHARS + 1)), place.call(), MOST_CHARS * 10)
    assert "too long to show" in str(output.content)


async def test_of_blocks_the_texts_are_joined_and_pictures_stay(place: Place) -> None:
    picture: JsonObject = {"type": "image", "source": {"type": "url", "url": "x"}}
    blocks: list[JsonObject] = [
        {"type": "text", "text": "a" * 60},
        picture,
        {"type": "text", "text": "b" * 60},
    ]
    output = await bounded(
        ToolOutput(blocks, is_error=True, structured="z" * 9000), place.call(), 100
    )
    assert isinstance(output.content, list)
    first, second = output.content
    assert "too long to show" in first["text"]
    assert second == picture
    assert (place.spill / "t1.txt").read_text() == "a" * 60 + "\n" + "b" * 60
    assert isinstance(output.structured, str) and len(output.structured) < 2_100
    assert output.is_error


async def test_an_odd_call_id_names_no_file_elsewhere(place: Place) -> None:
    call = replace(place.call(), id="../../escape")
    output = await bounded(ToolOutput("x" * 50), call, 10)
    (kept,) = place.spill.iterdir()
    assert kept.read_text() == "x" * 50
    assert str(kept) in str(output.content)


async def test_a_disk_that_says_no_loses_the_rest_only(place: Place, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    call = replace(place.call(), spill=tmp_path / "file" / "below")
    long: JsonObject = {"a": "x" * 50}
    output = await bounded(ToolOutput("x" * 50, structured=long), call, 10)
    assert "could not be kept" in str(output.content)
    assert output.structured == {"persistedOutputSize": 50}
