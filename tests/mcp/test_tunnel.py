"""A way to a server out of what carries its messages; what goes through it is tested in ``test_inside``."""

from __future__ import annotations

import subprocess
import sys

from agent_tui.mcp.tunnel import Tunnel, tunnel
from agent_tui.protocol.content import JsonObject


async def _send(message: JsonObject) -> JsonObject | None:
    return None


def test_it_stands_for_a_server() -> None:
    assert tunnel(_send) == Tunnel(_send)


def test_making_one_loads_nothing_heavy() -> None:
    code = "import sys, agent_tui.mcp.tunnel, agent_tui.mcp.servers; sys.exit('mcp' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
