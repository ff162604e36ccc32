"""What a command said."""

from __future__ import annotations

from tests.engine.sessions import Talk


def said(talk: Talk, which: int = -1) -> str:
    """The text of a command's output, the last one's unless told otherwise."""
    return str(talk.system("local_command_output")[which].data["content"])
