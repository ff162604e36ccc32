"""``python -m agent_tui`` is ``agent-tui``."""

from agent_tui.cli import entry

entry()
