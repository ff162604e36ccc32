"""What a folder brings that could do something, as a person is shown it before any of it takes effect."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

BroughtKind: TypeAlias = Literal[
    "hook", "server", "rule", "folder", "mode", "setting", "agent", "import", "memory"
]
"""In the order in which they are shown, what can do most first."""

KIND_WORDS: dict[BroughtKind, tuple[str, str]] = {
    "hook": ("hook", "hooks"),
    "server": ("MCP server", "MCP servers"),
    "rule": ("allow rule", "allow rules"),
    "folder": ("more folder", "more folders"),
    "mode": ("mode", "modes"),
    "setting": ("setting", "settings"),
    "agent": ("sub-agent", "sub-agents"),
    "import": ("outside file", "outside files"),
    "memory": ("memory file", "memory files"),
}
"""Each kind in words, one and several; in the order in which they are shown."""


@dataclass(frozen=True, slots=True)
class Brought:
    """One thing.

    Attributes:
        kind: what it is.
        name: what it is known by: an event, a server, a rule, a folder, a key, a sub-agent, a file.
        what: what it does or says, exactly: a command, an address, a value.
        mark: stands for all of it, the scripts it names included; another mark means that something changed. Empty
            for what does nothing by itself.
        new: it was not there, or another, when the folder was trusted.
    """

    kind: BroughtKind
    name: str
    what: str = ""
    mark: str = ""
    new: bool = True

    @property
    def acts(self) -> bool:
        """Whether it needs the person's consent."""
        return bool(self.mark)
