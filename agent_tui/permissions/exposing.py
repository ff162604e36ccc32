"""Which secret files a command would show: to whoever reads its output, or by carrying them elsewhere.

Programs that tell of a file without showing it (``ls``, ``stat``, ``git add``) are left alone, and so are options that
hand a file to a program for use (``--env-file``, ``ssh -i``): only what may come to light is asked.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from agent_tui.permissions.places import Ground
from agent_tui.permissions.secrets import chosen, is_secret, secrets_below
from agent_tui.permissions.shell.analysis import Part
from agent_tui.permissions.shell.git import read_git
from agent_tui.permissions.shell.targets import Scope
from agent_tui.permissions.shell.touches import changes, names_files
from agent_tui.permissions.shell.words import Hole, Word
from agent_tui.permissions.shell.wrappers import program
from agent_tui.permissions.tables import names

SHOWS_NOTHING: Final = names(
    "ls stat file wc du df find tree basename dirname realpath readlink md5sum sha1sum sha224sum sha256sum sha512sum "
    "cksum chmod chown chgrp rm rmdir unlink shred touch mkdir truncate tee test [ [[ cd pushd ssh-add ssh-keygen"
)
"""Programs that don't show what is in the files they name."""

GIT_SHOWS: Final = names(
    "show diff log blame annotate cat-file grep archive format-patch whatchanged"
)
"""Subcommands of git that show what is in files."""

_NO_CONTENT: Final = names("--stat --name-only --name-status --numstat --shortstat -s --no-patch")
_PATCH: Final = names("-p -u --patch -L --patch-with-stat -G -S --full-diff")

USING_OPTIONS: Final = names(
    "--env-file --env_file --envfile --dotenv --identity --identity-file --key --private-key --cert --cacert --kubeconfig"
)
"""Options whose file is used, not shown."""

_IDENTITY: Final = names("ssh scp sftp rsync autossh mosh ansible ansible-playbook")
"""Programs whose ``-i`` names a key to use."""

_COPIES: Final = names("cp mv ln install")


def exposed(part: Part, scope: Scope, ground: Ground) -> Iterator[str]:
    """Give the secret files that a part of a line, or what it runs, would show."""
    for view in part.runs.views:
        if view.sure and view.words:
            yield from _by_words(view.words, scope, ground)


def _by_words(words: Sequence[Word], scope: Scope, ground: Ground) -> Iterator[str]:
    name = program(words[0]) or ""
    if name in SHOWS_NOTHING:
        return
    if name == "git":
        if not _git_shows(words):
            return
        if scope.cwds is not None:  # ``git show HEAD:x`` counts from the repository's folder
            scope = replace(scope, cwds=(*scope.cwds, ground.project))
    named = names_files(_without_used(name, words))
    paths = named.paths
    if name in _COPIES and (found := changes(words)) is not None and found.sources:
        paths = found.sources
    include, exclude, narrowed = _names_searched(name, words)
    for word in paths:
        for target in scope.targets(word) or ():
            if is_secret(ground, target.path):
                yield target.path
            elif named.deep and not narrowed and ground.resolver.is_dir(target.path):
                # a glob given to ripgrep finds what is hidden too
                hidden = named.hidden or bool(include)
                below = secrets_below(target.path, ground.resolver, hidden=hidden)
                yield from (path for path in below if chosen(path, include, exclude))


def _git_shows(words: Sequence[Word]) -> bool:
    call = read_git(words)
    if call.unsure or not call.words:
        return True
    subcommand = call.words[0].value or ""
    given = {word.start for word in call.words[1:]}
    if subcommand not in GIT_SHOWS or (given & _NO_CONTENT and not given & _PATCH):
        return False
    looks_inside = any(option.startswith(tuple(_PATCH)) for option in given)
    return subcommand != "log" or looks_inside


def _without_used(name: str, words: Sequence[Word]) -> tuple[Word, ...]:
    """Leave out options that hand a file over for use, and their values."""
    kept: list[Word] = []
    skip = False
    for word in words:
        option, equals, _ = word.start.partition("=")
        if skip:
            skip = False
        elif option in USING_OPTIONS or (option == "-i" and name in _IDENTITY):
            skip = not equals
        else:
            kept.append(word)
    return tuple(kept)


def _names_searched(
    name: str, words: Sequence[Word]
) -> tuple[tuple[str, ...], tuple[str, ...], bool]:
    """Give the names a search includes and excludes, and whether it is narrowed by the type of files."""
    include: list[str] = []
    exclude: list[str] = []
    narrowed = False
    for index, word in enumerate(words):
        option, equals, value = _with_globs(word).partition("=")
        following = _with_globs(words[index + 1]) if index + 1 < len(words) else ""
        glob = value if equals else following
        if name == "rg" and option in ("-g", "--glob", "--iglob") and glob:
            (exclude if glob.startswith("!") else include).append(glob.removeprefix("!"))
        elif name == "rg":
            narrowed |= option == "--type" or (option.startswith("-t") and not equals)
        elif option == "--include" and glob:
            include.append(glob)
        elif option == "--exclude" and glob:
            exclude.append(glob)
    return tuple(include), tuple(exclude), narrowed


def _with_globs(word: Word) -> str:
    """Give a word's text with its wildcards in it, "" when it can't be told."""
    pieces = [piece if isinstance(piece, str) else _glob(piece) for piece in word.pieces]
    return "".join(pieces) if "" not in pieces[1:] else ""


def _glob(hole: Hole) -> str:
    return hole.text if hole.kind == "glob" else ""
