"""What a session is called: short, one line, nothing in it that a terminal would obey."""

from __future__ import annotations

from agent_tui.protocol.masking import Masker
from agent_tui.view.clean import clean

MAX_TITLE = 200
FROM_PROMPT = 60
"""Characters of a title made of the first prompt."""


def given_title(text: str) -> str:
    """Make a title of what a person wrote; empty when nothing that can be seen is left."""
    return " ".join(clean(text).split())[:MAX_TITLE].rstrip()


def title_of_prompt(prompt: str) -> str:
    """Make a title of a session's first prompt; a secret in it is hidden, for titles are shown in many places."""
    line = " ".join(Masker().mask(clean(prompt)).split())
    return line if len(line) <= FROM_PROMPT else line[: FROM_PROMPT - 1] + "…"
