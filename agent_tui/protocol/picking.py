"""What a front end asks about stored sessions beyond listing them, and the replies."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class RenameSession:
    """Give a stored session a title; it may be in use. ``cwd`` is its folder, as its row says. The reply is ``Renamed``."""

    session_id: str
    title: str
    cwd: str = ""
    kind: Literal["rename_session"] = "rename_session"


@dataclass(frozen=True, slots=True)
class Renamed:
    """Reply to ``RenameSession``: the title as it is kept."""

    title: str = ""


@dataclass(frozen=True, slots=True)
class RemoveSession:
    """Put a stored session, with all that belongs to it, into the trash. The reply is ``Removed``."""

    session_id: str
    cwd: str = ""
    kind: Literal["remove_session"] = "remove_session"


@dataclass(frozen=True, slots=True)
class Removed:
    """Reply to ``RemoveSession``: the folder it is in now, from where it can be brought back by hand."""

    folder: str = ""
