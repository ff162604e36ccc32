"""What the screens share: the way to the engine, what was asked for, how things look, what was typed, the time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from agent_tui.link.base import Link
from agent_tui.settings.options import Options
from agent_tui.settings.paths import Environment
from agent_tui.tui.archive import Archive
from agent_tui.tui.colours import Depth
from agent_tui.tui.copied import Clipboard
from agent_tui.tui.editor import KillRing
from agent_tui.tui.look import Look
from agent_tui.tui.paper import Paper
from agent_tui.tui.signage import Signage


@dataclass(frozen=True, slots=True)
class Backstage:
    """One for the whole program.

    Attributes:
        new_link: starts an engine and gives the link to it; nothing is open in it yet.
        env, options: where we are and what was asked for on the command line.
        look, archive, kills: shared by all screens.
        now: a monotonic clock in seconds.
        signage: what is told to the terminal beside the picture.
        paper: what the terminal says of its background.
        depth: how many colours it can show; None leaves that to be found out.
        watching: the session is another window's; nothing can be sent.
        clipboard: the way to it.
    """

    new_link: Callable[[], Link]
    env: Environment
    options: Options
    look: Look
    archive: Archive
    kills: KillRing
    now: Callable[[], float]
    signage: Signage = field(default_factory=Signage)
    depth: Depth | None = None
    paper: Paper = field(default_factory=Paper)
    watching: bool = False
    clipboard: Clipboard = field(default_factory=Clipboard)
