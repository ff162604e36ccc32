"""The README's program runs as it stands there."""

from __future__ import annotations

import re
import subprocess
import sys

import anyio.to_thread
import pytest

from agent_tui.sdk.checks import NO_EFFECT
from tests.fakes.api_server import reply, result_text, tool
from tests.house.tree import ROOT
from tests.sdk.place import Place

pytestmark = pytest.mark.anyio

README = (ROOT / "README.md").read_text("utf-8")
SECTION = README.partition("## Your Agent SDK program without the binary")[2].partition("\n## ")[0]


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


async def test_the_program_runs_as_it_stands_there(place: Place) -> None:
    (program,) = re.findall(r"^```python\n(.*?)^```", SECTION, re.DOTALL | re.MULTILINE)
    place.api.enqueue(
        reply(tool("mcp__text__count_lines", text="one\ntwo\n"), tool("Bash", command="rm -r x")),
        reply("Two lines."),
    )

    def run() -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-W", "error", "-c", program],
            cwd=place.folder,
            env={"HOME": str(place.folder), "PYTHONPATH": str(ROOT), **place.env},
            capture_output=True,
            text=True,
            timeout=50,
            check=False,
        )

    done = await anyio.to_thread.run_sync(run)
    assert done.stderr == ""
    assert re.fullmatch(r"Two lines\.\n2 turns, \d\.\d{4} dollars\n", done.stdout)
    counted, removed = place.api.messages[1].tool_results
    assert result_text(counted) == "2"
    assert result_text(removed) == "Nothing is removed here."


def test_every_option_without_effect_is_told() -> None:
    assert [name for name in NO_EFFECT if f"`{name}`" not in SECTION] == []
