"""What settings files say under ``keybindings``: kept as it stands, since only a screen knows its actions and keys."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from agent_tui.settings.positions import Written


@dataclass(frozen=True, slots=True)
class SourcedKeys:
    """What one file says, unread, and how it is written, so that a line can be named."""

    data: Any
    written: Written
