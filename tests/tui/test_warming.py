from __future__ import annotations

import gc
import json
import subprocess
import sys
from collections.abc import Iterator

import pytest

from agent_tui.tui import warming

LATE = {
    "markdown_it",
    "pygments.lexer",
    "agent_tui.tui.markdown",
    "agent_tui.tui.lexing",
    "agent_tui.tui.screens.sessions",
    "agent_tui.tui.screens.welcome",
    "agent_tui.tui.screens.help",
}


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def _collector() -> Iterator[None]:
    yield
    gc.unfreeze()
    gc.enable()


def test_what_the_first_frame_does_not_need_is_not_loaded_for_it() -> None:
    code = "import sys, json, agent_tui.cli, agent_tui.tui.main; print(json.dumps([*sys.modules]))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert LATE & set(json.loads(done.stdout)) == set()


@pytest.mark.anyio
@pytest.mark.usefixtures("_collector")
async def test_warming_loads_every_module_and_lets_the_collector_work(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(warming, "PAUSE", 0)
    gc.disable()
    await warming.warm_up()
    assert gc.isenabled()
    assert gc.get_freeze_count() > 0
    assert set(warming.SOON) <= sys.modules.keys()
