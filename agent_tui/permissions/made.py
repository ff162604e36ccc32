"""What a shell line is about to make: so that a session may remove again what it made itself."""

from __future__ import annotations

from agent_tui.permissions.folders import Folders
from agent_tui.permissions.places import Ground
from agent_tui.permissions.shell.analysis import Part, analyse
from agent_tui.permissions.shell.forms import innermost
from agent_tui.permissions.shell.targets import Scope
from agent_tui.permissions.shell.touches import changes

MOST = 100
"""A line that makes more than this is not followed file by file."""


def about_to_make(command: str, ground: Ground) -> tuple[str, ...]:
    """Give the paths inside the working folders that the line names to be written and that aren't there yet.

    Only what is plainly named counts. Whether they were made is seen when the line has run.
    """
    analysis = analyse(command)
    if analysis.problem or analysis.opaque:
        return ()
    folders = Folders(analysis, ground)
    found: dict[str, None] = {}
    for part in analysis.parts:
        scope = Scope(ground, folders.now, analysis.variables)
        for path in _written(part, scope):
            if ground.is_inside(path) and not ground.resolver.exists(path):
                found[path] = None
        folders.follow(part, scope)
    return tuple(found) if len(found) <= MOST else ()


def _written(part: Part, scope: Scope) -> list[str]:
    words = [r.target for r in part.command.redirects if r.writes and r.target is not None]
    named = innermost(part)
    change = changes(named) if named else None
    if change is not None and change.known:
        words += [touch.word for touch in change.touches if touch.does == "writes"]
    return [target.path for word in words for target in scope.targets(word) or ()]
