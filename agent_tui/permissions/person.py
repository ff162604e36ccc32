"""What only a person may approve, whatever a classifier would say of it.

That is all that is asked for another reason than the mode's: a rule, a doubt about one, a hook, a line that isn't
understood, a removal of something critical. And of what the mode asks: whatever names the program's own settings, a
private place, or a place where secrets are kept. Names are looked for broadly, since a wrong guess only asks once more.
"""

from __future__ import annotations

import os.path
import re
from collections.abc import Iterator, Mapping
from typing import Final

from agent_tui.permissions.folders import Folders
from agent_tui.permissions.lines import FREE_TARGETS
from agent_tui.permissions.places import Ground
from agent_tui.permissions.policy import MustAsk
from agent_tui.permissions.secrets import is_secret, secret_by_name
from agent_tui.permissions.shell.analysis import Part, analyse
from agent_tui.permissions.shell.targets import Scope
from agent_tui.permissions.shell.words import Word
from agent_tui.protocol.access import Access, AskUser, ReadPath, RunCommand, WritePath

OF_THE_MODE: Final = frozenset({"mode", "path"})
"""Words of ``MustAsk.decided_by``: it is asked because nothing allows it, and for no other reason."""

OWN: Final = re.compile(
    r"(?:^|[^\w.])\.(?:claude(?!/worktrees)|agent-tui|mcp\.json)(?![\w-])", re.I
)
"""Names of what says how the agent itself works and what it may do."""

UNBOUND: Final = "dangerouslyDisableSandbox"
"""The field of a shell call that asks for a run without the sandbox."""

_PARTED: Final = re.compile(r"[=@:,]")
_PATHS: Final = ("/", "~", ".")


def needs_a_person(
    access: Access, given: Mapping[str, object], question: MustAsk, ground: Ground
) -> str:
    """Say why a call that is to be asked can't be left to a classifier; empty when it can.

    Args:
        access: what it would touch.
        given: its input.
        question: what was decided of it.
        ground: the folders, and the folder a command would start in.
    """
    if question.decided_by not in OF_THE_MODE or isinstance(access, AskUser):
        return "it is asked for another reason than the mode's"
    if given.get(UNBOUND):
        return "it would run outside the sandbox"
    match access:
        case ReadPath(path) | WritePath(path):
            return _guarded(path, ground)
        case RunCommand(command, _):
            return _in_line(command, ground)
        case _:
            return ""


def _in_line(command: str, ground: Ground) -> str:
    if OWN.search(command):
        return "it names the program's own settings"
    analysis = analyse(command)
    if analysis.problem:
        return "it can't be fully understood"
    folders = Folders(analysis, ground)
    for part in analysis.parts:
        scope = Scope(ground, folders.now, analysis.variables)
        for word in _words(part):
            if why := _of_word(word, scope):
                return why
        folders.follow(part, scope)
    return ""


def _words(part: Part) -> Iterator[Word]:
    """Give the words that may name files: all but the program, and where output and input go."""
    for view in (part.words, *(view.words for view in part.runs.views)):
        yield from view[1:]
    for redirect in part.command.redirects:
        if redirect.target is not None:
            yield redirect.target


def _of_word(word: Word, scope: Scope) -> str:
    ground = scope.ground
    text = "".join(piece if isinstance(piece, str) else "?" for piece in word.pieces)
    if OWN.search(text):
        return "it names the program's own settings"
    homes = (ground.home, ground.resolver.realpath(ground.home))
    if any(secret_by_name(f"/{text.lstrip('/')}", home) for home in homes):
        return "it names a place where secrets are kept"
    targets = scope.targets(word) or ()
    paths = [*(target.path for target in targets), *_tails(text, scope)]
    return next((why for path in paths if (why := _guarded(path, ground))), "")


def _tails(text: str, scope: Scope) -> Iterator[str]:
    """Give the paths in ``--file=~/x``, ``@/x`` and ``name:/x``."""
    ground = scope.ground
    for piece in _PARTED.split(text)[1:]:
        if not piece.startswith(_PATHS):
            continue
        spot = f"{ground.home}{piece[1:]}" if piece.startswith("~") else piece
        for cwd in scope.cwds or (ground.cwd,):
            yield spot if spot.startswith("/") else f"{cwd}/{spot}"


def _guarded(path: str, ground: Ground) -> str:
    """Say why what is done to one file is for a person only."""
    if os.path.normpath(path) in FREE_TARGETS:
        return ""
    own = any(OWN.search(spot) for spot in set(ground.both(path)))
    if own or _at_own(path, ground):
        return "it names the program's own settings"
    if is_secret(ground, path):
        return "it names a place where secrets are kept"
    if ground.private(path) and not ground.is_inside(path):
        return "it names a private place"
    return ""


def _at_own(path: str, ground: Ground) -> bool:
    guards = {ground.resolver.realpath(guard) for guard in ground.resolver.guarded}
    return any(
        spot == guard or spot.startswith(f"{guard}/")
        for spot in set(ground.both(path))
        for guard in guards
    )
