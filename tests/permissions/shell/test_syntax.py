from __future__ import annotations

from agent_tui.permissions.shell.parse import parse_line
from agent_tui.permissions.shell.syntax import Redirect


def test_a_command_s_source_leaves_redirections_out() -> None:
    (command,) = parse_line("A=1  b   'c d' > f 2>&1 e").commands
    assert command.source == "A=1 b 'c d' e"
    assert command.text == "A=1  b   'c d' > f 2>&1 e"


def test_which_redirections_write() -> None:
    assert Redirect("&>>", None, "").writes
    assert not Redirect("<", None, "").writes
