"""What the built-in tools share."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent_tui.protocol.display import TextDisplay
from agent_tui.tools.arguments import Arguments
from agent_tui.tools.builtin.read import TOOL as READ
from agent_tui.tools.definition import BuiltinTool, failed
from tests.tools.place import Place


@pytest.mark.anyio
async def test_a_tool_that_changes_nothing_proposes_its_preview(place: Place) -> None:
    args = READ.parse({"file_path": "f"})
    assert await READ.proposal(args, place.call()) == READ.preview(args, place.folder)


def test_a_tool_must_say_how_it_looks() -> None:
    with pytest.raises(NotImplementedError):
        BuiltinTool[Arguments]().preview(Arguments(), Path())


def test_a_failure_is_told_to_the_model_and_to_programs() -> None:
    output = failed("no", TextDisplay("x"))
    assert (output.content, output.structured, output.is_error) == ("no", "Error: no", True)
    assert output.display == TextDisplay("x")
