"""What a shell line is about to make or change: so that a session may remove again, or put back, what it did itself."""

from __future__ import annotations

from agent_tui.permissions.folders import Folders
from agent_tui.permissions.places import Ground
from agent_tui.permissions.shell.analysis import Part, analyse
from agent_tui.permissions.shell.forms import innermost
from agent_tui.permissions.shell.targets import Scope
from agent_tui.permissions.shell.touches import Touch, changes

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


def about_to_change(command: str, ground: Ground) -> dict[str, bool]:
    """Give the paths, wherever they are, that the line names to be written, and (True) those to be removed.

    What programs do to files that the line does not name isn't seen, nor what is named by something not known before.
    """
    analysis = analyse(command)
    if analysis.problem:
        return {}
    folders = Folders(analysis, ground)
    found: dict[str, bool] = {}
    for part in analysis.parts:
        scope = Scope(ground, folders.now, analysis.variables)
        for path in _written(part, scope):
            found.setdefault(path, False)
        for touch in _touches(part):
            for target in scope.targets(touch.word) or ():
                found[target.path] = found.get(target.path, False) or touch.does == "removes"
        folders.follow(part, scope)
    return found if len(found) <= MOST else {}


def _written(part: Part, scope: Scope) -> list[str]:
    words = [r.target for r in part.command.redirects if r.writes and r.target is not None]
    words += [touch.word for touch in _touches(part, known=True) if touch.does == "writes"]
    return [target.path for word in words for target in scope.targets(word) or ()]


def _touches(part: Part, *, known: bool = False) -> tuple[Touch, ...]:
    """Give what a part does to files it names; with ``known`` only where that is all it does."""
    named = innermost(part)
    change = changes(named) if named else None
    return () if change is None or (known and not change.known) else change.touches
