"""The file a sub-agent in the background writes."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from agent_tui.loop.agent_output import AgentOutput

pytestmark = pytest.mark.anyio


async def test_paragraphs_are_added_for_the_owner_only(tmp_path: Path) -> None:
    output = AgentOutput(tmp_path / "deep" / "a1.txt")
    await output.add("one\n")
    await output.add("two \udce9")
    assert output.path.read_text() == "one\ntwo \\udce9\n"
    assert stat.S_IMODE(output.path.stat().st_mode) == 0o600


async def test_a_disk_that_says_no_is_no_reason_to_fail(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    output = AgentOutput(tmp_path / "file" / "a1.txt")
    await output.add("one")
    assert not output.path.exists()
