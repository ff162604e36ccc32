"""The words between a connection and the wire."""

from __future__ import annotations

from agent_tui.mcp.link import ServerError
from agent_tui.protocol.errors import AgentTuiError


def test_a_servers_fault_is_one_of_our_errors_with_its_text() -> None:
    error = ServerError("gone")
    assert isinstance(error, AgentTuiError)
    assert (str(error), error.needs_auth) == ("gone", False)
    assert ServerError("who?", needs_auth=True).needs_auth
